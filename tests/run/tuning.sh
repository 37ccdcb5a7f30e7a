#!/bin/bash
# Levels that change the cluster: proven in the running daemons, refused or stopped where they are
# not in force, and gone afterwards.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
export LAB_STATE_DIR=$work/state

matrix() { printf '{"factor": "x", "title": "t", "baseline": "a", %s "levels": [{"name": "a", "settings": []}, {"name": "b", "settings": [%s]}]}' "$2" "$1" >"$work/m.json"; }
osd_maps() { cat "/proc/$(jq -r '.daemons[] | select(.name == "osd.0") | .pid' "$sandbox/state.json")/maps"; }
daemon_cpus() { jq -r ".daemons[].pid" "$sandbox/state.json" | while read -r pid; do grep Cpus_allowed_list "/proc/$pid/status"; done; }
cpus=$(daemon_cpus)
as_found() {
  [ -z "$(ls -A "$LAB_STATE_DIR" 2>/dev/null)" ] || fail "a journal is left"
  [ "$(ceph mon '{"prefix": "config-key dump", "key": "lab/"}')" = "{}" ] || fail "a record is left in the cluster"
  jq -e '[.daemons[].environment | length] | add == 0' "$sandbox/state.json" >/dev/null || fail "an environment is left"
  ! ceph mon '{"prefix": "osd dump"}' | jq -r .flags | grep -qE 'noscrub|noout' || fail "flags are left"
  ! osd_maps | grep -q jemalloc || fail "an OSD still runs with jemalloc"
  [ "$(daemon_cpus)" = "$cpus" ] || { daemon_cpus; fail "daemons were on the CPUs: $cpus"; }
}

# An allocator and an option at the same time: both in force, memory recorded, cells that mean
# nothing named. Daemons that are started anew stay on their CPUs, whatever lab is bound to.
matrix '{"config": {"osd": {"debug_ms": "0/0"}}}' ''
taskset -c 0 "$LAB" run --sandbox-dir="$sandbox" --out="$work/results" "$here/tiny.fio" --repeat=1 --seed=3 --warmup=1 \
  --matrix="allocator=as-linked+glibc+jemalloc,$work/m.json" --format=markdown >"$work/table" 2>"$work/log" || { cat "$work/log"; fail "the tuned run failed"; }
dir=$(result)
jq -e '.settings | length == 3 and all(.verified)' "$dir"/runs/*-jemalloc-b/run.json >/dev/null || fail "not proven"
jq -e '.settings[] | select(.name == "osd debug_ms") | .effective == "0/0" and .source == "mon"' "$dir"/runs/*-jemalloc-b/run.json >/dev/null ||
  fail "debug_ms was not read from the daemon"
jq -e '.osds | length == 3 and all(.allocator == "jemalloc" and .rss_bytes > 1e7 and .peak_rss_bytes >= .rss_bytes)' \
  "$dir"/runs/*-jemalloc-b/run.json >/dev/null || fail "no record of the OSDs' processes"
jq -e '.osds | all(.allocator == "glibc")' "$dir"/runs/*-as-linked-a/run.json >/dev/null || fail "the baseline had another malloc"
grep -q 'not run: glibc+a' "$work/table" || fail "does not say what was left out"
[ "$(jq '[.runs[].unit] | unique | length' "$dir/plan.json")" = 2 ] || fail "not two restarts"
"$LAB" report "$dir" --table=factors --format=csv | grep -q osd_peak_rss_bytes || fail "no memory in the factors' table"
as_found
rm -rf "$work/results"

# A library that the loader skips: the environment has it, the process doesn't.
echo "not a library" >/var/tmp/lab-test-not-a-library.so
cleanup+=("rm -f /var/tmp/lab-test-not-a-library.so")
matrix '{"allocator": {"osd.0": "/var/tmp/lab-test-not-a-library.so"}}' ''
expect 4 "osd.0 allocator: asked /var/tmp/lab-test-not-a-library.so, in effect glibc" \
  lab_run "$here/tiny.fio" --matrix="$work/m.json" --repeat=1 --warmup=0
as_found
rm -rf "$work/results"

# An option that the daemons' file masks.
matrix '{"config": {"osd": {"osd_max_object_size": 134217729}}}, {"config": {"osd": {"bluestore_cache_size": 268435456}}}' '"restart": true,'
expect 4 "(file)" lab_run "$here/tiny.fio" --matrix="$work/m.json" --repeat=1 --warmup=0
grep -q 'osd bluestore_cache_size: asked 268435456, in effect 536870912 on osd.0' "$work/err" ||
  { cat "$work/err"; fail "does not name daemon and value"; }
as_found
rm -rf "$work/results"

# What can be told before anything is touched.
matrix '{"environment": {"osd": {"TCMALLOC_MAX_TOTAL_THREAD_CACHE_BYTES": "128MB"}}}' ''
expect 2 "TCMALLOC_MAX_TOTAL_THREAD_CACHE_BYTES" lab_run "$here/tiny.fio" --matrix="$work/m.json"
matrix '{"config": {"osd": {"osd_op_num_shards": 4}}}' ''
expect 2 '"restart": true' lab_run "$here/tiny.fio" --matrix="$work/m.json"
matrix '{"config": {"osd": {"debug_osdd": "0/0"}}}' ''
expect 2 'debug_osdd' lab_run "$here/tiny.fio" --matrix="$work/m.json"
matrix '{"config": {"osd": {"osd_max_backfills": "many"}}}' ''
expect 2 "osd_max_backfills" lab_run "$here/tiny.fio" --matrix="$work/m.json"
expect 2 "nothing is left to compare" lab_run "$here/tiny.fio" --matrix=threadcache
matrix '{"sysctl": {"vm.swappiness": 1}}' ''
expect 2 "target block has none" "$LAB" run "$here/tiny.fio" --target=block --device=/dev/null --matrix="$work/m.json"
no_results

# The client's malloc, proven in fio, on a cluster that stays as it is.
lab_run "$here/small.fio" --matrix=allocator-client=as-linked+jemalloc --repeat=1 >"$work/table" 2>"$work/log" ||
  { cat "$work/log"; fail "allocator-client"; }
jq -e '.settings[] | select(.name == "client allocator") | .verified and (.effective | startswith("jemalloc"))' \
  "$(result)"/runs/*-jemalloc/run.json >/dev/null || fail "the client's malloc is not proven"
rm -rf "$work/results"

matrix '{"sysctl": {"vm.dirty_bytes": 67108864}}' ''
expect 2 "can't be put back" lab_run "$here/tiny.fio" --matrix="$work/m.json"
no_results

# Production asks for its fsid.
cat >"$work/production.json" <<JSON
{ "conf": "$sandbox/ceph.conf", "keyring": "$sandbox/keyring", "pool": "rbd" }
JSON
matrix '{"config": {"osd": {"debug_ms": "0/0"}}}' ''
on_production() { "$LAB" run "$here/tiny.fio" --inventory="$work/production.json" --out="$work/results" --matrix="$work/m.json" --repeat=1 "$@"; }
expect 2 "--confirm-fsid=" on_production
expect 2 "fsid is another one" on_production --confirm-fsid=e2c0a9a8-0000-4000-8000-000000000000
no_results
on_production --confirm-fsid="$(jq -r .fsid "$sandbox/state.json")" >/dev/null 2>"$work/log" || { cat "$work/log"; fail "a confirmed one"; }
jq -e '.settings[0].verified' "$(result)"/runs/*-b/run.json >/dev/null || fail "not proven on a cluster that lab did not start"
expect 2 "the inventory names none" "$LAB" run "$here/tiny.fio" --inventory="$work/production.json" --matrix=allocator \
  --confirm-fsid="$(jq -r .fsid "$sandbox/state.json")"
as_found
rm -rf "$work/results"

# A second lab at the same time is told of the first.
"$LAB" run "$here/small.fio" --sandbox-dir="$sandbox" --out="$work/results" --repeat=2 >/dev/null 2>"$work/log" &
lab=$!
wait_for 60 first_run_works
expect 3 "another lab works on this cluster: lab run" lab_run "$here/tiny.fio"
grep -q "pid $lab" "$work/err" || fail "does not name its pid"
expect 3 "another lab works on this cluster" "$LAB" restore --sandbox-dir="$sandbox"
wait $lab || { cat "$work/log"; fail "the first lab was harmed"; }
as_found
echo ok
