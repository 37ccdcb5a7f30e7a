#!/bin/bash
# A lab that is killed loses the run in progress and nothing else.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

finished() { find "$work"/results/*/runs -mindepth 2 -maxdepth 2 -name run.json 2>/dev/null | wc -l; }

setsid "$LAB" run --sandbox-dir="$sandbox" --out="$work/results" "$here/small.fio" --matrix=cache \
  --repeat=2 >/dev/null 2>"$work/log" &
lab=$!
for _ in $(seq 300); do
  [ "$(finished)" -lt 3 ] || break
  kill -0 $lab 2>/dev/null || { cat "$work/log"; fail "lab ended by itself"; }
  sleep 0.2
done
[ "$(finished)" -ge 3 ] || fail "three runs took more than a minute"
fio=$(pgrep -P $lab -x fio || true)
kill -9 $lab
wait $lab 2>/dev/null || true
# fio doesn't go on loading the image of a lab that is gone.
for pid in $fio; do
  for _ in $(seq 50); do kill -0 "$pid" 2>/dev/null || break; sleep 0.1; done
  ! kill -0 "$pid" 2>/dev/null || fail "fio $pid outlived lab"
done

dir=$(result)
[ -n "$(lab_images)" ] || fail "the killed run's image is gone: it was not really killed"
before=$(finished)
(cd "$dir" && find runs -name run.json -exec sha256sum {} + | sort) >"$work/before"
cp "$dir/plan.json" "$work/plan.json"
[ -s "$dir/table.csv" ] || fail "no table of the runs so far"
row=$(field "$dir/table.csv" 5 test)

# It had turned off scrubs and the like: nobody measures before that is put back.
expect 3 "lab restore" lab_run --resume
"$LAB" restore --sandbox-dir="$sandbox" >"$work/out" 2>"$work/err" || { cat "$work/err"; fail "lab restore failed"; }
ceph mon '{"prefix": "osd dump"}' | jq -r .flags | grep -q noscrub &&
  fail "noscrub is still set"
lab_run --resume >"$work/table" 2>"$work/log" || { cat "$work/log"; fail "--resume failed"; }
[ "$(finished)" = 8 ] || fail "$(finished) runs after --resume, not 8"
(cd "$dir" && sha256sum --quiet -c "$work/before") || fail "a finished run was written again"
cmp -s "$dir/plan.json" "$work/plan.json" || fail "the plan has changed"
[ "$(field "$dir/table.csv" 5 test)" = "$row" ] || fail "a row of the CSV has moved"
[ "$(grep -c '^run ' "$work/log")" = $((8 - before)) ] || { cat "$work/log"; fail "finished runs were repeated"; }
no_images
expect 2 "nothing unfinished" lab_run --resume
echo ok
