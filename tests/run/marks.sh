#!/bin/bash
# What goes on beside a run is seen, and marks it: other clients, a scrub, an OSD that is killed,
# a client that is the limit itself. A run beside which nothing went on has no mark.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

cat >"$work/off.json" <<'JSON'
{ "factor": "cache", "title": "no cache", "baseline": "off",
  "levels": [{ "name": "off", "settings": [{ "cache": "off" }] }] }
JSON
job() { # SECONDS LINES…
  printf '[global]\nioengine=libaio\ndirect=1\nbs=4k\niodepth=8\ntime_based\nruntime=%s\nsize=64M\n[mixed]\nrw=randrw\n' "$1"
  shift
  printf '%s\n' "$@"
}
# The codes of the one run's marks, each with its weight.
marks() { jq -r '.marks[] | .code + " " + .weight' "$(result)"/runs/*/run.json; }
has() { marks | grep -qx "$1" || { marks; cat "$work/log"; fail "no mark: $1"; }; }
hasnt() { ! marks | grep -q "^$1 " || { marks; fail "marked without a reason: $1"; }; }
measure() { # STATUS JOB
  local got=0
  rm -rf "$work/results"
  "$LAB" run --sandbox-dir="$sandbox" --out="$work/results" "$2" --matrix="$work/off.json" --repeat=1 \
    >"$work/table" 2>"$work/log" || got=$?
  [ "$got" = "$1" ] || { cat "$work/log" "$work/table"; fail "exit status $got, not $1"; }
}
# Runs lab on a job and, as soon as fio works, a command beside it.
measure_beside() { # STATUS JOB COMMAND…
  local status=$1 job=$2 lab
  shift 2
  rm -rf "$work/results"
  (measure "$status" "$job") &
  lab=$!
  wait_for 60 first_run_works
  "$@"
  wait $lab || fail "the run beside: $*"
}

# Nothing beside it: client and OSDs count the same.
job 4 >"$work/quiet.fio"
measure 0 "$work/quiet.fio"
! marks | grep -qv "^client-bound note$" || { marks; fail "marked without a reason"; }

# Another client.
job 8 >"$work/long.fio"
others() { rados -c "$LAB_TEST_CONF" -p rbd bench 6 write -b 4096 -t 8 >"$work/bench" 2>&1 || fail "rados bench"; }
measure_beside 0 "$work/long.fio" others
has "foreign-traffic doubtful"
grep -q 'other clients loaded the cluster' "$work/table" || fail "the table does not say why"

# A deep scrub, slowed down, since there is so little to scrub here that it would be over at once.
slow_scrubs() { ceph mon '{"prefix":"config set","who":"osd","name":"osd_scrub_sleep","value":"1.5"}' >/dev/null; }
normal_scrubs() { ceph mon '{"prefix":"config rm","who":"osd","name":"osd_scrub_sleep"}' >/dev/null; }
cleanup+=(normal_scrubs)
scrub() {
  slow_scrubs
  for osd in 0 1 2; do ceph mon "{\"prefix\":\"osd deep-scrub\",\"who\":\"$osd\"}" >/dev/null; done
  sleep 8
  normal_scrubs
}
job 12 >"$work/longer.fio"
measure_beside 0 "$work/longer.fio" scrub
has "scrub-ran doubtful"

# An OSD is killed and started again.
kill_osd() {
  kill -9 "$(jq '.daemons[] | select(.name == "osd.1") | .pid' "$sandbox/state.json")"
  "$LAB" sandbox up --dir "$sandbox" >"$work/up" 2>&1 || { cat "$work/up"; fail "the OSD is not started again"; }
}
job 25 >"$work/longest.fio"
measure_beside 4 "$work/longest.fio" kill_osd
# On a busy host it may not be back when the run ends.
marks | grep -qxE "osd-(restarted|down) invalid" || { marks; fail "a killed OSD is not seen"; }
hasnt foreign-traffic
hasnt reads-unserved

# A thread of the client that never waits, on cores that it shares with the OSDs.
# (A spin as long as the thinktime makes fio 3.33 sleep for ever.)
job 8 nice=-20 iodepth=1 thinktime=1000000 thinktime_spin=998000 >"$work/busy.fio"
measure 0 "$work/busy.fio"
# Other processes of a busy host take their share of its core, and then it isn't the limit.
if awk -v cpus="$(nproc)" '{ exit !($1 > 2 * cpus) }' /proc/loadavg; then
  echo "this host is too busy to have a thread at 95% of a core: client-bound not tried"
else
  has "client-bound note"
fi

no_images
echo ok
