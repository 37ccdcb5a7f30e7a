#!/bin/bash
# lab on a host whose daemons are units of systemd, as Ceph's packages install them: this machine's
# own root file system under an overlay, booted by systemd-nspawn, with loopback only. Expects LAB
# and CEPH_COMMAND. Exit status 77 where such a host can't be booted.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
skip() {
  printf 'skipped: %s\n' "$*"
  exit 77
}
[ "$(id -u)" = 0 ] || skip "only root can boot a host"
command -v systemd-nspawn >/dev/null || skip "no systemd-nspawn: apt-get install systemd-container"
[ -x /lib/systemd/systemd ] || skip "systemd is not installed"
[ -e /lib/systemd/system/ceph-osd@.service ] || skip "Ceph's units are not installed"

work=$(mktemp -d /var/tmp/lab-systemd.XXXXXX)
host=
leave() {
  local status=$?
  if [ -n "$host" ] && kill -0 "$host" 2>/dev/null; then
    kill -TERM "$host" || true
    wait "$host" || true
  fi
  ! mountpoint -q "$work/root" || umount "$work/root"
  rm -rf "$work"
  exit "$status"
}
trap leave EXIT

mkdir "$work/upper" "$work/work" "$work/root" "$work/out"
mount -t overlay overlay -o "lowerdir=/,upperdir=$work/upper,workdir=$work/work" "$work/root" 2>"$work/out/mount" ||
  skip "no overlay of this machine's file system: $(cat "$work/out/mount")"

# A host of its own, without the timers and services of this machine.
units=$work/root/etc/systemd/system
rm -rf "$units"/*.wants "$work/root/var/lib/ceph" "$work/root/etc/ceph" "$work/root/var/log/journal"
: >"$work/root/etc/machine-id"
cat >"$units/lab-test.target" <<UNIT
[Unit]
Requires=basic.target lab-test.service
After=basic.target
AllowIsolate=yes
UNIT
cat >"$units/lab-test.service" <<UNIT
[Unit]
After=basic.target
[Service]
Type=oneshot
Environment=LAB=$LAB CEPH_COMMAND=$CEPH_COMMAND HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin
Environment=LAB_UNIT_POINTS=${LAB_UNIT_POINTS:-2}
ExecStart=-/bin/bash $here/inside.sh
ExecStopPost=/bin/systemctl poweroff --force
StandardOutput=file:/lab-test/log
StandardError=inherit
UNIT
mkdir "$work/root/lab-test"

# A checkout on another file system is no part of the overlay.
top=$(cd "$here/../.." && pwd)
timeout --kill-after=20 "${LAB_UNIT_SECONDS:-800}" systemd-nspawn --quiet --register=no --keep-unit --private-network \
  --directory="$work/root" --machine=lab-systemd-test --bind="$work/out:/lab-test" \
  --bind-ro="$top" --bind-ro="$(dirname "$LAB")" --bind-ro="$(dirname "$CEPH_COMMAND")" \
  /lib/systemd/systemd --unit=lab-test.target </dev/null >"$work/out/console" 2>&1 &
host=$!
wait "$host" || true
host=
if [ ! -e "$work/out/log" ]; then
  tail -n 5 "$work/out/console"
  skip "systemd-nspawn boots no host here"
fi
cat "$work/out/log"
[ "$(cat "$work/out/status" 2>/dev/null)" = 0 ]
