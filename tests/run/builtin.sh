#!/bin/bash
# fio's own rbd engine: a cache matrix under direct=1 compares nothing, and lab knows.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

expect 2 "direct=1" lab_run "$here/small.fio" --matrix=cache --target=rbd-builtin
no_results

status=0
lab_run "$here/small.fio" --matrix=cache --target=rbd-builtin --repeat=1 --allow-invalid \
  >"$work/table" 2>"$work/log" || status=$?
[ "$status" = 4 ] || { cat "$work/log"; fail "exit status $status, not 4: measured, but not valid"; }
cat "$work/table"
# The fio process itself says that its cache was off, whatever was asked.
for run in "$(result)"/runs/*/; do
  jq -e '.settings[0].effective == "off"' "$run/run.json" >/dev/null ||
    { jq .settings "$run/run.json"; fail "$run: the cache was not read back as off"; }
done
[ "$(grep -c '!' "$work/table")" -ge 4 ] || fail "rows are not marked invalid"

# Without direct=1 the modes act, and are proven.
rm -rf "$work/results"
sed 's/^direct=1/direct=0/' "$here/small.fio" >"$work/buffered.fio"
lab_run "$work/buffered.fio" --matrix=cache --target=rbd-builtin --repeat=1 >"$work/table" 2>"$work/log" ||
  { cat "$work/log"; fail "buffered jobs on rbd-builtin fail"; }
for run in "$(result)"/runs/*/; do
  jq -e '.settings[0] | .effective == .asked and .verified' "$run/run.json" >/dev/null ||
    { jq .settings "$run/run.json"; fail "$run: mode not proven"; }
done

# Log levels of the client are no image's options: whoever does the I/O tells them of its connection.
cat >"$work/levels.json" <<'JSON'
{ "factor": "levels", "title": "t", "baseline": "off",
  "levels": [{ "name": "off", "settings": [
    { "client": { "debug_ms": "0/0", "debug_rados": 0, "debug_objecter": "0/0", "rbd_readahead_max_bytes": 0 } }] }] }
JSON
for target in rbd rbd-builtin; do
  rm -rf "$work/results"
  lab_run "$here/small.fio" --target=$target --matrix="$work/levels.json" --repeat=1 >"$work/table" 2>"$work/log" ||
    { cat "$work/log"; fail "log levels on $target"; }
  jq -e '.settings | length == 4 and all(.verified)' "$(result)"/runs/*-off/run.json >/dev/null ||
    { jq .settings "$(result)"/runs/*-off/run.json; fail "$target: log levels are not proven"; }
done
no_images
echo ok
