#!/bin/bash
# lab validate from the canary to the report: interrupted and gone on with, and everything as it was.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
export LAB_STATE_DIR=$work/state

validate() { "$LAB" validate allocator --sandbox-dir="$sandbox" "$@"; }
cat >"$work/load.fio" <<'JOB'
[global]
ioengine=libaio
bs=4k
iodepth=2
rate_iops=200
time_based
runtime=60
size=64M
[clients]
rw=randrw
JOB
as_found() {
  [ -z "$(ls -A "$LAB_STATE_DIR" 2>/dev/null)" ] || fail "a journal is left"
  jq -e '[.daemons[].environment | length] | add == 0' "$sandbox/state.json" >/dev/null || fail "an environment is left"
  jq -e 'all(.daemons[]; .wanted)' "$sandbox/state.json" >/dev/null || fail "an OSD is stopped"
  ceph mon '{"prefix": "osd dump"}' | jq -e 'all(.osds[]; .up == 1 and .weight == 1) and (.flags | test("noout|noscrub") | not)' >/dev/null ||
    fail "OSDs or flags are not as they were"
}

# What cannot be validated, before anything is touched.
expect 2 "nothing to validate" validate --from=glibc --to=glibc --out="$work/results"
expect 2 "jemalloc" validate --to=jemaloc --out="$work/results"
no_results

# A name from here has to hold when it goes on from elsewhere.
cd "$work"
# Not by the function: the shell that it would run in would get the signal.
"$LAB" validate allocator --sandbox-dir="$sandbox" --from=as-linked --to=jemalloc --job="$here/small.fio" --recovery-job=./load.fio --repeat=1 --recovery-repeat=1 \
  --warmup=0 --method=out --baseline=4 --clean=2 --cool-down=2 --out="$work/results" >"$work/out" 2>"$work/err" &
lab=$!
canary_done() { compgen -G "$work/results/*/canary/*/runs/0001-*" >/dev/null; }
wait_for 120 canary_done
kill -TERM $lab
status=0
wait $lab || status=$?
[ "$status" = 130 ] || { cat "$work/err"; fail "interrupted: status $status"; }
grep -q 'lab validate --resume' "$work/err" || fail "does not say how to go on"
as_found
dir=$(result)
[ ! -e "$dir/report.md" ] || fail "a report without results"
jq -e '.settings[] | select(.name == "osd.0 allocator") | .verified' "$dir"/canary/*/runs/0001-*/run.json >/dev/null ||
  fail "the canary did not prove its malloc"

cd /
status=0
validate --resume --out="$dir" >"$work/out" 2>"$work/err" || status=$?
# One repetition of each is too few for a policy.
[ "$status" = 1 ] || { cat "$work/err" "$work/out"; grep -h invalid "$dir"/*/*/table.md; fail "gone on with: status $status"; }
grep -q 'decision: no-go' "$work/out" || { cat "$work/out"; fail "no decision"; }
for part in 'no-go:' 'One OSD first: osd.0' '^## Volumes' '^## Recoveries' 'LD_PRELOAD=.*libjemalloc' 'ansible.builtin.lineinfile'; do
  grep -q "$part" "$dir/report.md" || fail "the report has no $part"
done
[ "$(echo "$dir"/canary/*/runs/*/ | wc -w)" = 1 ] || fail "the canary went twice"
as_found
no_images
