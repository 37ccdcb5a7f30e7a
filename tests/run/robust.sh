#!/bin/bash
# What goes wrong beside lab: fio is killed, a reader goes away, a second lab resumes.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# fio is killed: its run fails, the next one waits until the cluster has let go of the
# dead client, and the exit status says that not all is measured.
"$LAB" run --sandbox-dir="$sandbox" --out="$work/results" "$here/small.fio" --repeat=2 --runtime=2 \
  >"$work/table" 2>"$work/log" &
lab=$!
wait_for 60 first_run_works
kill -9 "$(pgrep -P $lab -x fio)"
status=0
wait $lab || status=$?
cat "$work/log"
[ "$status" = 4 ] || fail "exit status $status, not 4"
grep -q "killed by signal 9" "$work/log" || fail "does not say what happened"
awk -v v="$(field "$(result)/table.csv" 2 w_iops)" 'BEGIN { exit !(v > 50) }' ||
  fail "the run after the killed one was held up by it"
lab_run --resume >"$work/table" 2>"$work/log" || { cat "$work/log"; fail "--resume"; }
no_images
rm -rf "$work/results"

# A reader of the progress goes away: all is put back all the same.
"$LAB" run --sandbox-dir="$sandbox" --out="$work/results" "$here/small.fio" --repeat=1 2>&1 >/dev/null |
  head -n 1 >/dev/null || true
no_images
rm -rf "$work/results"

# A second lab may not resume what is running, and does not harm it.
"$LAB" run --sandbox-dir="$sandbox" --out="$work/results" "$here/small.fio" --repeat=2 \
  >"$work/table" 2>"$work/log" &
lab=$!
wait_for 60 first_run_works
expect 3 "another lab" lab_run --resume
wait $lab || { cat "$work/log"; fail "the running lab was harmed"; }
no_images

# Levels that the target would overwrite, or that would write other lines of the job.
level() { printf '{"factor": "x", "title": "t", "baseline": "a", "levels": [{"name": "a", "settings": [%s]}]}' "$1" >"$work/m.json"; }
level '{"job": {"ioengine": "null"}}'
expect 2 "\"ioengine\" is set by target rbd itself" lab_run "$here/small.fio" --matrix="$work/m.json"
level '{"job": {"rw": "read\n[z]"}}'
expect 2 "control characters" lab_run "$here/small.fio" --matrix="$work/m.json"
level '{"job": {"iodepht": "4"}}'
expect 2 "iodepht" lab_run "$here/small.fio" --matrix="$work/m.json"
expect 2 "excludes" lab_run --resume --repeat=4
echo ok
