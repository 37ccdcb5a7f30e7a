#!/bin/bash
# Two sandboxes at the same time, and two `up` on the same directory at the same time.
. "$(dirname "$0")/lib.sh"

new_dir a
"$LAB" sandbox up --dir="$dir" --no-rgw "${small[@]}" >/dev/null 2>"$work/a.err" &
first=$!
new_dir b
"$LAB" sandbox up --dir="$dir" --no-rgw "${small[@]}" >/dev/null 2>"$work/b.err" &
second=$!
wait "$first" || fail "the first of two"
wait "$second" || fail "the second of two"

token_b=$(state token) base_b=$(state base_port) fsid_b=$(state fsid)
dir=$work/a
token_a=$(state token) base_a=$(state base_port)
[ "$(state fsid)" != "$fsid_b" ] || fail "both have one fsid"
[ "$base_a" != "$base_b" ] || fail "both have the same ports"
for dir in "$work/a" "$work/b"; do
  [ "$(processes_with "$(state token)" | wc -l)" = 5 ] || fail "$dir hasn't got its five daemons"
done

dir=$work/a
expect 0 "down of the first" "$LAB" sandbox down --dir="$dir"
nothing_left "$token_a" "$base_a"
dir=$work/b
expect 0 "the second lives on" "$LAB" sandbox status --dir="$dir"
says HEALTH_OK
[ "$(state fsid)" = "$fsid_b" ] || fail "the second has changed"
expect 0 "down of the second" "$LAB" sandbox down --dir="$dir"
nothing_left "$token_b" "$base_b"

# One directory: one starts it, the other waits and finds it running.
new_dir c
for i in 1 2; do
  "$LAB" sandbox up --dir="$dir" --no-rgw --osds=1 --osd-size=1G >/dev/null 2>"$work/c$i.err" &
  pids[i]=$!
done
wait "${pids[1]}" || fail "one of two on the same directory"
wait "${pids[2]}" || fail "the other of two on the same directory"
[ "$(cat "$work"/c[12].err | grep -c 'sandbox: up in')" = 1 ] || fail "not exactly one has started it"
[ "$(cat "$work"/c[12].err | grep -c 'running already')" = 1 ] || fail "not exactly one has found it"
token=$(state token) base=$(state base_port)
[ "$(processes_with "$token" | wc -l)" = 3 ] || fail "more or fewer daemons than one set"
expect 0 "down" "$LAB" sandbox down --dir="$dir"
nothing_left "$token" "$base"
echo passed
