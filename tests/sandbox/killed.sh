#!/bin/bash
# lab itself is killed or interrupted while a sandbox comes up, at many moments.
. "$(dirname "$0")/lib.sh"

# begin SECONDS: an up in the background, so long; sets $up, $token and $base if it got so far.
begin() {
  token="" base=""
  "$LAB" sandbox up --dir="$dir" "${small[@]}" >/dev/null 2>"$work/up.err" &
  up=$!
  sleep "$1"
  if [ -e "$dir/state.json" ]; then token=$(state token) base=$(state base_port); fi
}

# SIGKILL: the daemons begun live on, and the next down ends them.
new_dir killed
cut_short=0
for moment in 0.01 0.1 0.3 0.6 0.9 1.3 2 3 4.5; do
  begin "$moment"
  kill -9 "$up" 2>/dev/null && cut_short=$((cut_short + 1))
  wait "$up" 2>/dev/null
  expect 0 "down after SIGKILL at $moment s" "$LAB" sandbox down --dir="$dir"
  nothing_left "${token:-none}" "${base:-1}"
done
[ "$cut_short" -ge 6 ] || fail "only $cut_short of the ups could be killed before their end"

# SIGKILL, and the next up takes the leftovers away and comes up itself.
begin 1.5
kill -9 "$up" || fail "up had ended before it could be killed"
wait "$up" 2>/dev/null
[ -n "$token" ] || fail "no state after 1.5 s"
expect 0 "up after SIGKILL" "$LAB" sandbox up --dir="$dir" --no-rgw "${small[@]}"
says "leftovers"
[ "$(state token)" != "$token" ] || fail "it is the old one"
[ -z "$(processes_with "$token")" ] || fail "daemons of the killed one are left"
expect 0 "status after it" "$LAB" sandbox status --dir="$dir"
token=$(state token) base=$(state base_port)

# SIGKILL while it goes down: the next down finishes.
"$LAB" sandbox down --dir="$dir" >/dev/null 2>&1 &
down=$!
sleep 0.05
kill -9 "$down" 2>/dev/null
wait "$down" 2>/dev/null
expect 0 "down after a killed down" "$LAB" sandbox down --dir="$dir"
nothing_left "$token" "$base"

# SIGINT, SIGTERM, SIGHUP: up takes back what it began, by itself. (Background
# processes of a script ignore SIGINT; env sets that back.)
for signal in INT TERM HUP; do
  for moment in 0.2 1 2.5; do
    new_dir "$signal$moment"
    token="" base=""
    env --default-signal=INT "$LAB" sandbox up --dir="$dir" "${small[@]}" >/dev/null 2>"$work/up.err" &
    up=$!
    sleep "$moment"
    if [ -e "$dir/state.json" ]; then token=$(state token) base=$(state base_port); fi
    kill -s "$signal" "$up" || fail "up had ended before SIG$signal at $moment s"
    status=0
    wait "$up" || status=$?
    [ "$status" = 130 ] || fail "SIG$signal at $moment s: exit status $status, not 130"
    nothing_left "${token:-none}" "${base:-1}"
  done
done
echo passed
