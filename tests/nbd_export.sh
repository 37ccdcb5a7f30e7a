#!/bin/bash
# An RBD image as an NBD export on a Unix socket, for tests of --target=nbd.
#
#   nbd_export.sh start CEPH_CONF POOL/IMAGE DIR   prints the export's URI
#   nbd_export.sh stop DIR
#
# The image has to exist. The server ends by itself after LAB_NBD_MINUTES
# (default 10), should nobody stop it. Its log is DIR/nbd.log.
set -euo pipefail

fail() {
  printf 'nbd_export: %s\n' "$@" >&2
  exit 1
}

# Field 22 of /proc/PID/stat: with the pid it names one process, now and later.
# The second field may hold spaces, but ends with the last parenthesis.
start_ticks() {
  local stat
  stat=$(cat "/proc/$1/stat" 2>/dev/null) || return 1
  stat=${stat##*) }
  cut -d ' ' -f 20 <<<"$stat"
}

is_running() { [ "$(start_ticks "$1" || true)" = "$2" ]; }

start() {
  local conf=$1 image=$2 dir=$3 minutes=${LAB_NBD_MINUTES:-10} pid ticks
  command -v qemu-storage-daemon >/dev/null ||
    fail "no qemu-storage-daemon: install qemu-system-common and qemu-block-extra, or run ./bootstrap"
  [ -r "$conf" ] || fail "$conf: cannot be read; is the cluster up?"
  case $image in */*) ;; *) fail "\"$image\": write POOL/IMAGE" ;; esac
  mkdir -p "$dir"
  [ ! -e "$dir/nbd.pid" ] || fail "$dir/nbd.pid exists: stop that export first: $0 stop $dir"
  # A session of its own: Ctrl-C in the terminal of a test ends the test, whose
  # cleanup then stops the server.
  setsid timeout --kill-after=5 "${minutes}m" qemu-storage-daemon \
    --blockdev "driver=rbd,node-name=image,pool=${image%%/*},image=${image#*/},conf=$conf" \
    --nbd-server "addr.type=unix,addr.path=$dir/nbd.sock" \
    --export "type=nbd,id=export,node-name=image,name=image,writable=on" \
    >"$dir/nbd.log" 2>&1 </dev/null &
  pid=$!
  # The daemon opens the image before the socket appears.
  for _ in $(seq 300); do
    ! [ -S "$dir/nbd.sock" ] || break
    kill -0 "$pid" 2>/dev/null || fail "the server of $image ended at once:" "$(tail -n 5 "$dir/nbd.log")"
    sleep 0.1
  done
  if ! [ -S "$dir/nbd.sock" ]; then
    kill "$pid" 2>/dev/null || true
    fail "no socket of the server of $image after 30 s:" "$(tail -n 5 "$dir/nbd.log")"
  fi
  ticks=$(start_ticks "$pid")
  printf '%s %s\n' "$pid" "$ticks" >"$dir/nbd.pid"
  printf 'nbd+unix:///image?socket=%s\n' "$dir/nbd.sock"
}

stop() {
  local dir=$1 pid ticks
  [ -e "$dir/nbd.pid" ] || return 0
  read -r pid ticks <"$dir/nbd.pid"
  # timeout passes the signal on to the server and ends with it.
  if is_running "$pid" "$ticks"; then
    kill "$pid"
    for _ in $(seq 100); do
      is_running "$pid" "$ticks" || break
      sleep 0.1
    done
    if is_running "$pid" "$ticks"; then
      kill -KILL -- "-$pid"
      fail "the server with pid $pid did not end within 10 s and was killed"
    fi
  fi
  rm -f "$dir/nbd.pid" "$dir/nbd.sock" "$dir/nbd.log"
}

case ${1:-} in
  start) [ $# = 4 ] || fail "usage: $0 start CEPH_CONF POOL/IMAGE DIR"; start "$2" "$3" "$4" ;;
  stop) [ $# = 2 ] || fail "usage: $0 stop DIR"; stop "$2" ;;
  *) fail "usage: $0 start CEPH_CONF POOL/IMAGE DIR" "       $0 stop DIR" ;;
esac
