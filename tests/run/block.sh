#!/bin/bash
# A block device of this host: guarded, filled, measured with libaio and io_uring.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

truncate -s 256M "$work/disk"
device=$(losetup --find --show "$work/disk") || { echo "no loop device here: skipped"; exit 77; }
cleanup+=("losetup -d '$device'")
on_device() { "$LAB" run "$here/small.fio" --target=block --device="$device" --out="$work/results" "$@"; }

# What carries a file system, or is mounted, is refused.
mkfs.ext4 -q "$device"
expect 2 "ext4" on_device
mkdir "$work/mnt" && mount "$device" "$work/mnt"
expect 2 "mounted" on_device --destroy-data-on="$device"
umount "$work/mnt"
expect 2 "$work/disk" "$LAB" run "$here/small.fio" --target=block --device="$work/disk" --out="$work/results"
blkid -p "$device" >/dev/null || fail "the file system was touched"
no_results

on_device --destroy-data-on="$device" --matrix=ioengine --repeat=2 >"$work/table" 2>"$work/log" ||
  { cat "$work/log"; fail "a named device could not be measured"; }
cat "$work/table"
dir=$(result)
for row in 2 3; do
  for column in w_iops r_iops; do
    awk -v v="$(field "$dir/table.csv" "$row" "$column")" 'BEGIN { exit !(v > 0) }' || fail "row $row: $column"
  done
done
for run in "$dir"/runs/*/; do
  jq -e '.settings[0] | .verified and .effective == .asked' "$run/run.json" >/dev/null || fail "$run: ioengine not proven"
  jq -e '.jobs | length > 0' "$run/fio.json" >/dev/null || fail "$run: no output of fio"
done
grep -q 'ioengine=io_uring' "$dir"/runs/*io_uring/job.fio || fail "io_uring was not used"
grep -q '^direct=1' "$dir"/runs/0001*/job.fio || fail "not direct"
# All that the job reads was written before: of fio's random data one byte in nine is zero.
filled=$(head -c 67108864 "$work/disk" | tr -d '\0' | wc -c)
[ "$filled" -gt 55000000 ] || fail "the device was not filled: only $filled of 67108864 bytes are not zero"
echo ok
