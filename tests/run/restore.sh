#!/bin/bash
# lab killed at every point where it changes something: afterwards `lab restore` leaves the
# cluster as it was. What "as it was" means is read by other programs than lab: the monitors'
# answers, the processes' environment and maps.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

export LAB_STATE_DIR=$work/state
matrix=$work/tuned.json

# The cluster as others see it.
snapshot() {
  ceph mon '{"prefix": "config dump"}' | jq -S 'map({section, mask, name, value}) | sort'
  ceph mon '{"prefix": "osd dump"}' |
    jq -S '{flags: (.flags | split(",") | sort), pools: [.pools[] | {pool_name, pg_autoscale_mode}]}'
  ceph mon '{"prefix": "config-key dump", "key": "lab/"}' | jq -S .
  ceph mgr '{"prefix": "balancer status"}' | jq -S '{active, mode}'
  cat /proc/sys/vm/swappiness
  ls "$LAB_STATE_DIR" 2>/dev/null || true
  local name pid
  while read -r name pid; do
    printf '%s\n' "$name"
    tr '\0' '\n' <"/proc/$pid/environ" | grep -E '^(LD_PRELOAD|TCMALLOC|MALLOC)' || true
    awk '$6 ~ /alloc/ { print $6 }' "/proc/$pid/maps" | sort -u
    readlink "/proc/$pid/exe"
  done < <(jq -r '.daemons[] | [.name, .pid] | @tsv' "$sandbox/state.json")
}

# What a measurement changes of each kind: an option that acts at once (present before, so that
# its old value has to come back), one that acts at start, a masked one, a variable, a malloc, a
# program, a kernel parameter; flags, balancer and autoscaler come with every run.
cat >"$matrix" <<'JSON'
{ "factor": "tuned", "title": "every kind of knob", "baseline": "found", "restart": true,
  "levels": [
    { "name": "found", "settings": [] },
    { "name": "tuned", "settings": [
      { "config": { "osd": { "debug_ms": "0/1" } } },
      { "config": { "osd/class:ssd": { "osd_recovery_sleep_ssd": 0.1 } } },
      { "config": { "osd.0": { "osd_op_num_shards": 4 } } },
      { "environment": { "osd.0": { "MALLOC_ARENA_MAX": 4 } } },
      { "allocator": { "osd.0": "jemalloc" } },
      { "program": { "osd.0": "$work/ceph-osd" } },
      { "sysctl": { "vm.swappiness": SWAPPINESS } } ] } ] }
JSON
swappiness=$(cat /proc/sys/vm/swappiness)
sed -i "s/SWAPPINESS/$((swappiness == 10 ? 11 : 10))/; s|\$work|$work|" "$matrix"
cp "$(command -v ceph-osd)" "$work/ceph-osd"
ceph mon '{"prefix": "config set", "who": "osd", "name": "debug_ms", "value": "0/2"}' >/dev/null
cleanup+=('ceph mon "{\"prefix\": \"config rm\", \"who\": \"osd\", \"name\": \"debug_ms\"}" >/dev/null')
# Both are off in a sandbox: their old state has to come back, too.
ceph mgr '{"prefix": "balancer on"}' >/dev/null
cleanup+=('ceph mgr "{\"prefix\": \"balancer off\"}" >/dev/null')
autoscale() { ceph mon "{\"prefix\": \"osd pool set\", \"pool\": \"rbd\", \"var\": \"pg_autoscale_mode\", \"val\": \"$1\"}" >/dev/null; }
autoscale warn
cleanup+=("autoscale off")
cleanup+=('"$LAB" restore --sandbox-dir="$sandbox" >/dev/null')

measure() {
  lab_run "$here/tiny.fio" --matrix="$matrix" --repeat=1 --seed=1 --warmup=0 >"$work/out" 2>"$work/err"
}

snapshot >"$work/before"

# Undisturbed, it puts everything back itself; and it tells how many points there are.
LAB_FAIL_LOG=$work/points measure || { cat "$work/err" >&2; fail "the undisturbed run failed"; }
snapshot >"$work/after"
diff "$work/before" "$work/after" >&2 || fail "the undisturbed run left something changed"
points=$(wc -l <"$work/points")
for kind in journal config environment program sysctl flag balancer autoscaler restart 'restore:' 'daemon started'; do
  passed=$(grep -c -e "$kind" "$work/points" || true)
  [ "$passed" -ge 4 ] || { cat "$work/points" >&2; fail "only $passed fail points for $kind"; }
done

# Every LAB_FAIL_STRIDE-th point: all take half an hour, and thirteen is no multiple of how many
# points a kind has.
stride=${LAB_FAIL_STRIDE:-13}
first=${LAB_FAIL_FIRST:-$((stride < 5 ? 1 : 5))}
killed=0
for ((at = first; at <= points; at += stride)); do
  status=0
  rm -rf "$work/results"
  LAB_FAIL_AT=$at measure || status=$?
  [ "$status" = 137 ] || { cat "$work/err" >&2; fail "point $at: status $status, was not killed"; }
  name=$(sed -n "${at}p" "$work/points")
  # Before the first entry nothing was changed; from then on nobody measures on it.
  if [ -n "$(ls "$LAB_STATE_DIR")" ]; then
    expect 3 "lab restore" lab_run "$here/tiny.fio"
    # Every third is found by the cluster's record alone, as from another host.
    if ((at % 3 == 0)) && ceph mon '{"prefix": "config-key dump", "key": "lab/"}' | grep -q fsid; then
      rm "$LAB_STATE_DIR"/*
    fi
  fi
  "$LAB" restore --sandbox-dir="$sandbox" >"$work/out" 2>"$work/err" ||
    { cat "$work/err" >&2; fail "point $at ($name): lab restore failed"; }
  snapshot >"$work/after"
  diff "$work/before" "$work/after" >&2 || fail "point $at ($name): not as it was"
  for image in $(lab_images); do rbd -c "$LAB_TEST_CONF" rm --no-progress "rbd/$image"; done
  killed=$((killed + 1))
done
# Once more, when there is nothing to do.
"$LAB" restore --sandbox-dir="$sandbox" | grep -q 'nothing to put back' || fail "a second restore"
echo "killed at $killed of $points points, as it was after each"
