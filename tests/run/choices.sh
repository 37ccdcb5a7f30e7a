#!/bin/bash
# Repetitions that lab chooses itself: by the difference to be found, by a time; and the
# control that runs the baseline twice.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# Interrupted within the pilot, and resumed: what was asked is still known.
status=0
timeout --signal=INT 15 "$LAB" run --sandbox-dir="$sandbox" --out="$work/results" "$here/small.fio" \
  --sweep=iodepth=1,16 --aa --detect=0.5% --repeat=6 >/dev/null 2>"$work/log" || status=$?
[ "$status" = 124 ] || { cat "$work/log"; fail "was not interrupted: status $status"; }
lab_run --resume >"$work/table" 2>"$work/log" || { cat "$work/log"; fail "--detect fails"; }
[ "$(jq -r '[.cells[].test] | join(" ")' "$(result)/plan.json")" = "4k-iodepth_1 4k-iodepth_16 4k-iodepth_1 again" ] ||
  { jq .cells "$(result)/plan.json"; fail "the longer plan names its cells otherwise"; }
cat "$work/table"
# No disk is quiet to half a percent: all six repetitions that --repeat allows were needed.
grep -q -- '--detect: a run varies by' "$work/log" || { cat "$work/log"; fail "the pilot's noise is not told"; }
[ "$(jq '[.runs[].block] | max' "$(result)/plan.json")" = 6 ] || fail "the plan was not extended to 6"
[ "$(find "$(result)/runs" -name run.json | wc -l)" = 18 ] || fail "not 3 cells x 6 runs"
grep -q '"event":"repetitions"' "$(result)/events.jsonl" || fail "the timeline does not tell of it"
[ "$(jq -r '.cells[-1].control_of' "$(result)/plan.json")" = 1 ] || fail "no control in the plan"
grep -q '^control: .*4k-iodepth_1 again' "$work/table" || fail "the control is not summed up"
grep -q 'iodepth: 1, 16' "$work/table" || fail "the conditions do not tell both depths"

rm -rf "$work/results"
begin=$SECONDS
lab_run "$here/small.fio" --sweep=iodepth=1,16 --runtime=2 --budget=50s >"$work/table" 2>"$work/log" ||
  { cat "$work/log"; fail "--budget fails"; }
took=$((SECONDS - begin))
blocks=$(jq '[.runs[].block] | max' "$(result)/plan.json")
[ "$blocks" -ge 2 ] || fail "$blocks repetitions"
[ $((blocks % 2)) = 0 ] || fail "$blocks repetitions: one has no mirror"
[ "$took" -le 60 ] || { cat "$work/log"; fail "took $took s of 50"; }
# A pair of blocks takes about 20 s: more than one was to be had.
[ "$took" -ge 25 ] || { cat "$work/log"; fail "took only $took s of 50"; }
no_images
echo ok
