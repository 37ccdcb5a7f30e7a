#!/bin/bash
# Levels of the gateway: its frontends with something added to what was found, its threads, its log
# levels and its malloc at the same time. All of it is in force in the running gateway, also after a
# second restart, and gone afterwards.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
export LAB_STATE_DIR=$work/state

# The gateway as it says itself, and as the kernel has it.
gateway_pid() { jq '.daemons[] | select(.name == "rgw.a") | .pid' "$sandbox/state.json"; }
option() { ceph "$sandbox/run/rgw.a.asok" "{\"prefix\": \"config get\", \"var\": \"$1\"}" | jq -r ".$1"; }
snapshot() {
  ceph mon '{"prefix": "config dump"}' | jq -S 'map({section, mask, name, value}) | sort'
  ceph mon '{"prefix": "config-key dump", "key": "lab/"}'
  ls "$LAB_STATE_DIR" 2>/dev/null || true
  for name in rgw_frontends rgw_thread_pool_size debug_rgw; do option $name; done
  tr '\0' '\n' <"/proc/$(gateway_pid)/environ" | grep -E '^(LD_PRELOAD|MALLOC)' || true
  awk '$6 ~ /alloc/ { print $6 }' "/proc/$(gateway_pid)/maps" | sort -u
  readlink "/proc/$(gateway_pid)/exe"
}

cat >"$work/gateway.json" <<'JSON'
{ "factor": "gateway", "title": "all that a gateway may get", "baseline": "found", "restart": true,
  "levels": [
    { "name": "found", "settings": [] },
    { "name": "tuned", "settings": [
      { "allocator": { "rgw": "jemalloc" } },
      { "config": { "rgw": { "rgw_frontends": "{found} tcp_nodelay=1", "rgw_thread_pool_size": 128 } } },
      { "config": { "rgw.a": { "debug_rgw": "0/0" } } } ] } ] }
JSON
snapshot >"$work/before"
found=$(option rgw_frontends)
[[ $found == "beast endpoint=127.0.0.1:"* ]] || fail "the gateway has other frontends: $found"

# Two restarts with the level, one behind the other.
"$LAB" run --sandbox-dir="$sandbox" --out="$work/results" "$here/small.fio" --matrix="$work/gateway.json" \
  --repeat=2 --seed=1 --warmup=0 --format=csv >"$work/csv" 2>"$work/log" &
lab=$!
tuned_run_works() { compgen -G "$work/results/*/runs/.tmp-*-tuned/effective.jsonl" >/dev/null; }
wait_for 120 tuned_run_works
[ "$(option rgw_frontends)" = "$found tcp_nodelay=1" ] || fail "frontends are $(option rgw_frontends)"
[ "$(option rgw_thread_pool_size) $(option debug_rgw)" = "128 0/0" ] || fail "threads or log levels are not in force"
grep -q jemalloc "/proc/$(gateway_pid)/maps" || fail "the gateway runs without jemalloc"
wait $lab || { cat "$work/log"; fail "the run failed"; }

for run in "$(result)"/runs/*-tuned; do
  jq -e --arg found "$found" '
    (.settings | length == 4 and all(.verified)) and
    (.settings[] | select(.name == "client.rgw.a rgw_frontends") |
      .asked == $found + " tcp_nodelay=1" and .effective == .asked and .source == "mon") and
    (.settings[] | select(.name == "rgw allocator") | .effective | startswith("jemalloc"))' \
    "$run/run.json" >/dev/null || { jq .settings "$run/run.json"; fail "$run: not proven"; }
done
snapshot >"$work/after"
diff "$work/before" "$work/after" >&2 || fail "the gateway is not as it was"
rm -rf "$work/results"

# Options that the gateway reads at its start only take a restart, which has to be planned; and
# nothing can be built on what nobody tells.
level() { printf '{"factor": "x", "title": "t", "baseline": "a", "levels": [{"name": "a", "settings": []}, {"name": "b", "settings": [%s]}]}' "$1" >"$work/m.json"; }
level '{"config": {"rgw": {"rgw_frontends": "{found} tcp_nodelay=1"}}}'
expect 2 '"restart": true' lab_run "$here/tiny.fio" --matrix="$work/m.json"
level '{"config": {"mds": {"mds_cache_memory_limit": "{found}"}}}'
expect 2 'no daemon of mds' lab_run "$here/tiny.fio" --matrix="$work/m.json"
snapshot >"$work/after"
diff "$work/before" "$work/after" >&2 || fail "what was refused has changed something"
no_results
echo ok
