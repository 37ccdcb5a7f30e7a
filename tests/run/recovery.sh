#!/bin/bash
# lab recovery on a sandbox of its own with several hosts; what it refuses; and killed at points
# where it changes something: the cluster is as it was after `lab restore`. LAB_RECOVERY_ALL=1 takes
# each of its methods and points of each kind, which is three times as long.
set -euo pipefail
own=/var/tmp/lab-recovery-test-$$
export LAB_TEST_SANDBOX=$own LAB_TEST_CONF=$own/ceph.conf
mkdir "$own" # so that the path can be resolved before the sandbox is there
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
cleanup+=('"$LAB" sandbox down --dir="$own" 2>/dev/null; rmdir "$own" 2>/dev/null')
export LAB_STATE_DIR=$work/state
"$LAB" sandbox up --dir="$own" --osds=4 --hosts=3 --osd-size=3G --no-rgw >"$work/up" 2>&1 || { cat "$work/up"; fail "no sandbox"; }

cat >"$work/load.fio" <<'JOB'
[global]
ioengine=libaio
bs=4k
iodepth=2
rate_iops=200
time_based
runtime=60
size=256M
[clients]
rw=randrw
JOB
recover() {
  "$LAB" recovery "$work/load.fio" --sandbox-dir="$own" --out="$work/results" --repeat=1 --warmup=0 \
    --baseline=6 --failure=3 --clean=4 --cool-down=4 --limit=120 "$@"
}
snapshot() {
  ceph mon '{"prefix": "osd dump"}' | jq -S '{flags: (.flags | split(",") | sort), osds: [.osds[] | {osd, up, in, weight}]}'
  ceph mon '{"prefix": "status"}' | jq -S '[.pgmap.pgs_by_state[] | select(.state_name | startswith("active+clean") | not)]'
  ceph mon '{"prefix": "osd tree"}' | jq -S '[.nodes[] | {id, name, type, crush_weight, children: ((.children // []) | sort)}] | sort_by(.id)'
  ceph mon '{"prefix": "config-key dump", "key": "lab/"}' | jq -S .
  jq -S '[.daemons[] | {name, wanted, environment}]' "$own/state.json"
  ls "$LAB_STATE_DIR" 2>/dev/null || true
}
snapshot >"$work/before"
as_found() {
  snapshot >"$work/after"
  diff "$work/before" "$work/after" >&2 || fail "$1: not as it was"
}

# What must not fail, before anything is changed.
expect 3 "osd.9 is not there" recover --osd=9
expect 2 "has no such host" recover --method=host --host=nowhere
expect 2 "one after the other" "$LAB" recovery "$here/small.fio" --sandbox-dir="$own" --out="$work/results"
ceph mon '{"prefix": "osd pool create", "pool": "three", "pg_num": 1, "size": 3}' >/dev/null
all_clean() { ceph mon '{"prefix": "status"}' | jq -e '.pgmap | .num_pgs == ([.pgs_by_state[] | select(.state_name == "active+clean") | .count] | add)' >/dev/null; }
wait_for 30 all_clean
expect 3 "could not become clean again" recover --method=host
ceph mon '{"prefix": "osd pool delete", "pool": "three", "pool2": "three", "yes_i_really_really_mean_it": true}' >/dev/null
wait_for 30 all_clean
no_results
as_found "after refusals"

# Each method: its phases, its times and the memory of every daemon.
phases() { jq -r '[.phases[].name] | join(" ")' "$(echo "$1"/runs/0001-*/)/recovery.json"; }
methods="stop rebuild"
kinds=('store destroyed: wiped')
if [ -n "${LAB_RECOVERY_ALL:-}" ]; then
  methods="stop out rebuild host"
  kinds=('after setting osd.3 running' 'store destroyed: begun' 'store destroyed: wiped'
    'store made: the cluster')
fi
for method in $methods; do
  load=
  [ "$method" = stop ] || [ "$method" = out ] || load=--no-load
  recover --method="$method" $load --format=tidy >"$work/tidy" 2>"$work/log" || { cat "$work/log"; fail "$method"; }
  dir=$(result)
  run=$(echo "$dir"/runs/0001-*/)
  [ "$(phases "$dir")" = "baseline${method/*/ }$([ "$method" = out ] || echo 'failure ')recovering clean cool-down" ] ||
    fail "$method: phases $(phases "$dir")"
  jq -e '.clean_s > 0 and .recovered_bytes > 1e6 and .options.osd_max_backfills.value != ""' "$run/recovery.json" >/dev/null ||
    { cat "$run/recovery.json"; fail "$method: no times"; }
  [ "$method" != host ] || jq -e '.osds == [0, 3]' "$run/recovery.json" >/dev/null || fail "host: which OSDs?"
  for daemon in mon.a mgr.a osd.0 osd.1 osd.2; do
    grep -q ",$daemon,baseline,rss_mean,bytes,[1-9]" "$work/tidy" || fail "$method: no memory of $daemon"
  done
  grep -q ",osd.1,recovering,rss_peak,bytes,[1-9]" "$work/tidy" || fail "$method: no peak"
  # mempools and the peak of each phase were sampled, too
  grep -q ',osd.1,mempool,' "$run/samples.csv" || fail "$method: daemons were not asked"
  if [ -z "$load" ]; then
    grep -q ',recovering,write_iops,1/s,[1-9]' "$work/tidy" || fail "$method: no IOPS of the recovery"
    grep -q ',baseline,read_p99,ms,[0-9]' "$work/tidy" || fail "$method: no p99 of the baseline"
    ! grep -q ',cool-down,write_iops' "$work/tidy" || fail "$method: load in the cool-down"
  fi
  as_found "$method"
  "$LAB" report "$dir" --table=recovery >"$work/table" || fail "$method: report"
  grep -q 'clean s' "$work/table" || fail "$method: no table"
  rm -rf "$work/results"
done
expect 2 "no recoveries" "$LAB" report "$here/../../docs/examples/debuglog" --table=recovery

# Killed at some points of each kind, with the method that changes most.
LAB_FAIL_LOG=$work/points recover --method=rebuild --no-load >"$work/out" 2>"$work/log" || { cat "$work/log"; fail "rebuild"; }
rm -rf "$work/results"
kill_at() {
  local status=0 name
  name=$(sed -n "$1p" "$work/points")
  LAB_FAIL_AT=$1 recover "${@:2}" >"$work/out" 2>"$work/log" || status=$?
  [ "$status" = 137 ] || { cat "$work/log"; fail "point $1 ($name): status $status"; }
  expect 3 "lab restore" recover --no-load
  "$LAB" restore --sandbox-dir="$own" >"$work/out" 2>"$work/err" || { cat "$work/err"; fail "point $1 ($name): lab restore"; }
  as_found "point $1 ($name)"
  for image in $(lab_images); do rbd -c "$LAB_TEST_CONF" rm --no-progress "rbd/$image"; done
  rm -rf "$work/results"
}
killed=0
for kind in "${kinds[@]}"; do
  at=$(grep -n -m1 -e "$kind" "$work/points" | cut -d: -f1)
  [ -n "$at" ] || { cat "$work/points"; fail "no fail point: $kind"; }
  kill_at "$at" --method=rebuild --no-load
  killed=$((killed + 1))
done
LAB_FAIL_LOG=$work/points2 recover --method=stop --no-load >"$work/out" 2>"$work/log" || { cat "$work/log"; fail "stop"; }
mv "$work/points2" "$work/points"
rm -rf "$work/results"
at=$(grep -n -m1 -e 'after setting reweight' "$work/points" | cut -d: -f1)
kill_at "$at" --method=stop --no-load
echo "methods $methods; killed at $((killed + 1)) points, as it was after each"
