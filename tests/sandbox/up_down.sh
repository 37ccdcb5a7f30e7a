#!/bin/bash
# One sandbox through its whole life: up, status, S3, a failed OSD, up again, down.
. "$(dirname "$0")/lib.sh"
new_dir s

# What the user's shell has for other clusters and programs doesn't reach this one.
expect 0 "up" env CEPH_ARGS='-m 127.0.0.1:1 --id nobody' CEPH_KEYRING=/nowhere MALLOC_ARENA_MAX=1 \
  "$LAB" sandbox up --dir="$dir" "${small[@]}"
says "up in"
grep -qz '^MALLOC_ARENA_MAX=' "/proc/$(daemon_pid osd.0)/environ" && fail "osd.0 has MALLOC_ARENA_MAX"
says "$dir/ceph.conf"
token=$(state token) base=$(state base_port)
[ "$(stat -c %a "$dir/state.json")" = 600 ] || fail "the state file with the S3 secret is not private"
[ "$(stat -c %a "$dir/keyring")" = 600 ] || fail "the keyring is not private"

expect 0 "status" "$LAB" sandbox status --dir="$dir"
for daemon in mon.a mgr.a osd.0 osd.1 osd.2 rgw.a; do
  grep -Eq "^$daemon +$(daemon_pid "$daemon") +running" "$work/out" || fail "status doesn't show $daemon"
done
says HEALTH_OK
expect 0 "status as JSON" "$LAB" sandbox status --dir="$dir" --format=json
says '"running": true'
says '"status": "HEALTH_OK"'
grep -qF "$(state secret_key)" "$work/out" && fail "status prints the S3 secret"

# Loopback only: in /proc/net/tcp 127.0.0.1 reads 0100007F.
count=0
for listener in $(listeners "$base" $((base + 63))); do
  case $listener in
    0100007F:*) count=$((count + 1)) ;;
    *) fail "listens on more than loopback: $listener" ;;
  esac
done
# 2 of the monitor, 2 of the manager, 1 of the gateway, 8 of each OSD.
[ "$count" -ge 29 ] || fail "only $count ports of the block are listened on"

# The daemons have left this session: nothing here can end them by a Ctrl-C.
session=$(ps -o sid= -p $$ | tr -d ' ')
for pid in $(processes_with "$token"); do
  [ "$(ps -o sid= -p "$pid" | tr -d ' ')" = "$pid" ] || fail "$pid is in another's session"
  [ "$pid" = "$session" ] && fail "$pid is in this session"
done

# The cluster is as asked.
"$CEPH_COMMAND" "$dir/ceph.conf" mon '{"prefix": "osd tree"}' >"$work/tree" || fail "osd tree"
[ "$(grep -c '"device_class": "ssd"' "$work/tree")" = 3 ] || fail "the OSDs' class is not ssd"
"$CEPH_COMMAND" "$dir/ceph.conf" mon '{"prefix": "osd pool get", "pool": "rbd", "var": "size"}' |
  grep -q '"size": 2' || fail "the pool rbd has not two copies"
for option in osd_recovery_sleep_hdd osd_recovery_sleep_hybrid osd_snap_trim_sleep_hdd; do
  "$CEPH_COMMAND" "$dir/ceph.conf" osd.0 "{\"prefix\": \"config get\", \"var\": \"$option\"}" |
    grep -q ': "0.000000"' || fail "$option is not pinned to the value of SSDs"
done

# The S3 user works: an object goes up and comes back (signature version 2, over bash's
# own sockets).
request() {  # METHOD PATH [BODY]
  local date signature body=${3-} port=$((base + 2))
  date=$(LC_ALL=C date -u '+%a, %d %b %Y %H:%M:%S GMT')
  signature=$(printf '%s\n\n\n%s\n%s' "$1" "$date" "$2" |
    openssl dgst -sha1 -hmac "$(state secret_key)" -binary | base64)
  exec 3<>"/dev/tcp/127.0.0.1/$port" || fail "no connection to the gateway"
  printf '%s %s HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nDate: %s\r\nAuthorization: AWS %s:%s\r\nContent-Length: %s\r\nConnection: close\r\n\r\n%s' \
    "$1" "$2" "$port" "$date" "$(state access_key)" "$signature" "${#body}" "$body" >&3
  cat <&3
  exec 3>&-
}
request PUT /bucket | head -n 1 | grep -q ' 200 ' || fail "no bucket could be made"
request PUT /bucket/key "the content" | head -n 1 | grep -q ' 200 ' || fail "PUT"
request GET /bucket/key | tail -n 1 | grep -q 'the content' || fail "GET"

# Up on a running one changes nothing.
before=$(processes_with "$token" | sort | tr '\n' ' ')
expect 0 "up on a running one" timeout 20 "$LAB" sandbox up --dir="$dir" "${small[@]}"
says "running already"
[ "$(processes_with "$token" | sort | tr '\n' ' ')" = "$before" ] || fail "up changed the daemons"

# A daemon that died is told, and started again by up; nothing is lost.
kill -9 "$(daemon_pid osd.1)"
sleep 0.5
expect 3 "status with a dead OSD" "$LAB" sandbox status --dir="$dir"
grep -Eq '^osd.1 .* DOWN' "$work/out" || fail "status doesn't show that osd.1 is down"
expect 3 "status with a dead OSD, as JSON" "$LAB" sandbox status --dir="$dir" --format=json
says '"running": false'
expect 0 "up with a dead OSD" env CEPH_ARGS='-m 127.0.0.1:1' "$LAB" sandbox up --dir="$dir"
says "osd.1 has ended: starting it again"
expect 0 "status afterwards" "$LAB" sandbox status --dir="$dir"
request GET /bucket/key | tail -n 1 | grep -q 'the content' || fail "the object is lost"

expect 0 "down" "$LAB" sandbox down --dir="$dir"
nothing_left "$token" "$base"
expect 0 "down on nothing" "$LAB" sandbox down --dir="$dir"
says "there is none"
expect 3 "status of nothing" "$LAB" sandbox status --dir="$dir"
[ -e "$dir" ] && fail "down or status on nothing made $dir"
echo passed
