#!/bin/bash
# The main job: a cache matrix, proven, with a table in every form.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# As the README has it: results go below the present directory.
cd "$work"
"$LAB" run --sandbox-dir="$sandbox" "$here/small.fio" --matrix=cache --repeat=2 --seed=7 >table 2>log ||
  { cat log; fail "lab run failed"; }
cat "$work/table"
dir=$(result)

for row in 2 3 4 5; do
  for column in w_iops r_iops; do
    value=$(field "$dir/table.csv" "$row" "$column") || fail "no column $column"
    awk -v v="$value" 'BEGIN { exit !(v > 0) }' || fail "row $row: $column is '$value'"
  done
done
grep -q '4k-rbd_cache_writeback' "$work/table" || fail "no row for writeback"
grep -q '| *Test' "$dir/table.md" || fail "no Markdown table"
cmp -s "$dir/table.txt" "$work/table" || fail "table.txt is not what was printed"

# Every run says what was in effect, and it is what was asked.
runs=0
for run in "$dir"/runs/*/; do
  runs=$((runs + 1))
  mode=$(basename "$run" | sed 's/.*-//')
  jq -e --arg mode "$mode" '.ok == true or .status == "ok"' "$run/run.json" >/dev/null || fail "$run failed"
  jq -e --arg mode "$mode" '.settings[0] | .asked == $mode and .effective == $mode and .verified == true' \
    "$run/run.json" >/dev/null || fail "$run: $mode not proven"
  grep -q 'ioengine=external:' "$run/job.fio" || fail "$run: the rewritten job is not there"
done
[ "$runs" = 8 ] || fail "$runs runs, not 8"
jq -e '.settings[0].source | contains("objectcacher")' "$dir"/runs/*-writeback/run.json >/dev/null ||
  fail "writeback without its cache object"

# Blocks are mirrored.
order=$(jq -r '.runs[].cell' "$dir/plan.json" | tr '\n' ' ')
first=$(echo "$order" | cut -d' ' -f1-4)
second=$(echo "$order" | cut -d' ' -f5-8 | tr ' ' '\n' | tac | tr '\n' ' ')
[ "$first" = "${second% }" ] || fail "order is not mirrored: $order"

no_images
echo ok
