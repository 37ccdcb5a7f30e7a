#!/bin/bash
# The part of systemd.sh that runs on the booted host: a cluster of packaged units, and lab on it.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out=/lab-test
trap 'echo $? >$out/status' EXIT
work=$(mktemp -d /root/lab-test.XXXXXX)
cd "$work"
export LAB_STATE_DIR=$work/state

fail() {
  printf 'FAIL: %s\n' "$*"
  exit 1
}
ceph() { "$CEPH_COMMAND" /etc/ceph/ceph.conf "$@"; }
wait_for() {
  local tries=$(($1 * 5))
  shift
  for _ in $(seq "$tries"); do
    ! "$@" || return 0
    sleep 0.2
  done
  fail "waited in vain for: $*"
}

# ------------------------------------------------------------------ a cluster

fsid=$(cat /proc/sys/kernel/random/uuid)
key() { ceph-authtool --gen-print-key; }
mkdir -p /etc/ceph /var/lib/ceph/{mon/ceph-a,mgr/ceph-a,osd}
cat >/etc/ceph/ceph.conf <<C
[global]
fsid = $fsid
mon_host = [v2:127.0.0.1:3300,v1:127.0.0.1:6789]
ms_bind_ipv6 = false
osd_pool_default_size = 2
osd_pool_default_min_size = 1
osd_pool_default_pg_autoscale_mode = off
osd_crush_chooseleaf_type = 0
mgr_stats_period = 1
[mon]
auth_allow_insecure_global_id_reclaim = false
mon_allow_pool_delete = true
mon_tick_interval = 1
mon_mgr_digest_period = 1
paxos_propose_interval = 0.1
paxos_min_wait = 0.02
mon_osd_min_down_reporters = 1
mon_osd_reporter_subtree_level = osd
mon_data_avail_warn = 2
mon_data_avail_crit = 1
[mgr]
mgr_tick_period = 1
mgr_disabled_modules = alerts,diskprediction_local,influx,insights,localpool,mirroring,nfs,osd_perf_query,osd_support,prometheus,restful,selftest,snap_schedule,stats,telegraf,test_orchestrator,zabbix
[osd]
bluestore_block_size = 2147483648
bluestore_debug_enforce_settings = ssd
C
admin=$(key)
cat >mon.keyring <<K
[mon.]
key = $(key)
caps mon = "allow *"
[client.admin]
key = $admin
caps mon = "allow *"
caps mgr = "allow *"
caps osd = "allow *"
[mgr.a]
key = $(key)
caps mon = "allow profile mgr"
caps osd = "allow *"
K
for id in 0 1; do
  printf '[osd.%s]\nkey = %s\ncaps mon = "allow profile osd"\ncaps mgr = "allow profile osd"\ncaps osd = "allow *"\n' \
    "$id" "$(key)" >>mon.keyring
done
printf '[client.admin]\nkey = %s\n' "$admin" >/etc/ceph/ceph.client.admin.keyring
monmaptool --create --fsid "$fsid" --addv a '[v2:127.0.0.1:3300,v1:127.0.0.1:6789]' monmap >/dev/null
ceph-mon --mkfs -i a --monmap monmap --keyring mon.keyring
section() { awk -v name="[$1]" '/^\[/ { on = $0 == name } on' mon.keyring; }
section mgr.a >/var/lib/ceph/mgr/ceph-a/keyring
chown -R ceph:ceph /var/lib/ceph
systemctl start ceph-mon@a
wait_for 30 ceph mon '{"prefix": "mon stat"}' >/dev/null
ceph mon '{"prefix": "config set", "who": "mgr", "name": "mgr/balancer/active", "value": "false", "force": true}' >/dev/null
systemctl start ceph-mgr@a
for id in 0 1; do
  data=/var/lib/ceph/osd/ceph-$id
  uuid=$(cat /proc/sys/kernel/random/uuid)
  mkdir -p "$data"
  section "osd.$id" >"$data/keyring"
  ceph mon "{\"prefix\": \"osd new\", \"uuid\": \"$uuid\", \"id\": $id}" >/dev/null
  ceph-osd --mkfs -i "$id" --osd-uuid "$uuid" --osd-data "$data" 2>"$work/mkfs" || { cat "$work/mkfs"; fail "no store"; }
  chown -R ceph:ceph "$data"
  systemctl start "ceph-osd@$id"
done
ceph mon '{"prefix": "osd pool create", "pool": "rbd", "pg_num": 8, "pgp_num": 8}' >/dev/null
ceph mon '{"prefix": "osd pool application enable", "pool": "rbd", "app": "rbd"}' >/dev/null
clean() { ceph mon '{"prefix": "status"}' | jq -e '.pgmap | .num_pgs > 0 and all(.pgs_by_state[]; .state_name == "active+clean")' >/dev/null; }
wait_for 60 clean
echo "a cluster of packaged units runs"

# ------------------------------------------------------------------ the tests

pid() { systemctl show -P MainPID "ceph-osd@$1"; }
# The host as others see it: every file of its configuration to the byte, with mode and owner, and
# what the daemons run with.
snapshot() {
  find /etc /usr/lib/systemd /run/systemd/system -printf '%p %y %m %u %g %l\n' | sort
  find /etc /run/systemd/system -type f -print0 | sort -z | xargs -0 sha256sum
  ceph mon '{"prefix": "config dump"}' | jq -S 'map({section, mask, name, value}) | sort'
  ceph mon '{"prefix": "osd dump"}' | jq -S '.flags | split(",") | sort'
  ceph mon '{"prefix": "config-key dump", "key": "lab/"}' | jq -S .
  ls "$LAB_STATE_DIR" 2>/dev/null || true
  local id
  for id in 0 1; do
    systemctl show -p DropInPaths -p NeedDaemonReload -p ActiveState "ceph-osd@$id"
    tr '\0' '\n' <"/proc/$(pid $id)/environ" | grep -E '^(LD_PRELOAD|TCMALLOC|MALLOC)' || true
    awk '$6 ~ /alloc/ { print $6 }' "/proc/$(pid $id)/maps" | sort -u
    readlink "/proc/$(pid $id)/exe"
    tr '\0' ' ' <"/proc/$(pid $id)/cmdline"
  done
}
as_found() {
  wait_for 60 clean
  snapshot >now
  diff found now || fail "$1: not as it was"
}
cat >inventory.json <<J
{ "class": "staging", "conf": "/etc/ceph/ceph.conf", "pool": "rbd", "daemons": "systemd" }
J
measure() {
  rm -rf results
  "$LAB" run "$here/../run/tiny.fio" --inventory=inventory.json --out=results --repeat=1 --seed=1 --warmup=0 "$@" >log 2>&1
}
run_of() { cat results/*/runs/*-"$1"/run.json; }
wait_for 60 clean
snapshot >found

# An allocator for the OSDs, with the package's own file in force.
measure --matrix=allocator=as-linked+tcmalloc,threadcache=as-found+32MiB || { cat log; fail "the run failed"; }
run_of as-linked-as-found | jq -e '.osds | length == 2 and all(.allocator == "glibc")' >/dev/null || fail "baseline"
run_of tcmalloc-as-found | jq -e '.osds | all(.allocator == "tcmalloc" and .thread_cache_bytes == 134217728)' >/dev/null ||
  { run_of tcmalloc-as-found; fail "not as /etc/default/ceph says"; }
run_of tcmalloc-32MiB | jq -e '.osds | all(.allocator == "tcmalloc" and .thread_cache_bytes == 33554432)' >/dev/null ||
  fail "the drop-in does not hold against /etc/default/ceph"
as_found "allocator and thread cache"
echo "allocator and thread cache: in force, and gone"

# Everything else a unit may be given; a variable that the package sets is taken away.
mkdir -p /opt/other
cp /usr/bin/ceph-osd "/opt/other/ceph-osd"
cat >matrix.json <<J
{ "factor": "x", "title": "t", "baseline": "a", "restart": true, "levels": [ { "name": "a", "settings": [] },
  { "name": "b", "settings": [ { "program": { "osd.0": "/opt/other/ceph-osd" } },
    { "environment": { "osd": { "TCMALLOC_MAX_TOTAL_THREAD_CACHE_BYTES": null } } },
    { "environment": { "osd": { "MALLOC_ARENA_MAX": 2, "LAB_TEST": "a \"b\" \$c %d" } } },
    { "config": { "osd": { "osd_op_num_shards": 3 } } } ] } ] }
J
cp /usr/bin/ceph-osd program-before
LAB_FAIL_LOG=$work/points measure --matrix=matrix.json || { cat log; fail "the run failed"; }
run_of b | jq -e '.settings | length == 5 and all(.verified)' >/dev/null || { run_of b | jq .settings; fail "not proven"; }
as_found "program and environment"
echo "program and environment: in force, and gone"

# A library that the unit's mount namespace hides.
mkdir -p /home/x
cp "$(readlink -f /usr/lib/x86_64-linux-gnu/libjemalloc.so.2)" /home/x/libjemalloc.so.2
echo '{ "factor": "x", "title": "t", "baseline": "a", "levels": [ { "name": "a", "settings": [] }, { "name": "b", "settings": [ { "allocator": { "osd": "/home/x/libjemalloc.so.2" } } ] } ] }' >hidden.json
status=0
measure --matrix=hidden.json || status=$?
[ "$status" = 4 ] || { cat log; fail "a hidden library: status $status"; }
grep -q '/home/x/libjemalloc.so.2 is not there for the process, whose mount namespace hides it' log || { cat log; fail "no cause"; }
as_found "a hidden library"
echo "a hidden library: named, and gone"

# A drop-in of an operator that systemd has not read; read, it stays beside lab's.
mkdir -p /etc/systemd/system/ceph-osd@0.service.d
printf '[Service]\nEnvironment=MALLOC_ARENA_MAX=3\n' >/etc/systemd/system/ceph-osd@0.service.d/override.conf
status=0
measure --matrix=matrix.json || status=$?
[ "$status" = 3 ] || { cat log; fail "units changed since systemd read them: status $status"; }
grep -q 'daemon-reload' log || { cat log; fail "does not name the repair"; }
systemctl daemon-reload
systemctl reset-failed ceph-osd@0
systemctl restart ceph-osd@0
wait_for 60 clean
snapshot >found
echo "files that systemd has not read: refused"

# Killed where units are written, read anew and started: put back all the same.
mapfile -t points < <(grep -n -E 'unit' points | cut -d: -f1)
[ "${#points[@]}" -ge 20 ] || { cat points; fail "${#points[@]} points"; }
stride=$(((${#points[@]} + ${LAB_UNIT_POINTS:-6} - 1) / ${LAB_UNIT_POINTS:-6}))
killed=0
for ((i = 0; i < ${#points[@]}; i += stride)); do
  status=0
  LAB_FAIL_AT=${points[i]} measure --matrix=matrix.json || status=$?
  [ "$status" = 137 ] || { cat log; fail "point ${points[i]}: status $status"; }
  "$LAB" restore --inventory=inventory.json >log 2>&1 || { cat log; fail "not restored from point ${points[i]}"; }
  rbd -p rbd ls | while read -r image; do rbd -p rbd rm --no-progress "$image"; done
  as_found "$(sed -n "${points[i]}p" points)"
  killed=$((killed + 1))
done
echo "killed at $killed of ${#points[@]} points where units are changed: as it was after each"

# An OSD of the cluster that is no unit here.
systemctl stop ceph-osd@1
systemctl reset-failed 'ceph-osd@1' 2>/dev/null || true
/usr/bin/ceph-osd --id 1 --setuser ceph --setgroup ceph
wait_for 60 clean
status=0
measure --matrix=allocator=as-linked+jemalloc || status=$?
[ "$status" = 3 ] || { cat log; fail "an OSD out of reach: status $status"; }
grep -q 'is also for osd.1' log || { cat log; fail "does not name it"; }
echo "an OSD out of reach: refused"
