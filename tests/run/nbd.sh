#!/bin/bash
# An RBD image exported by qemu-storage-daemon, loaded through fio's nbd engine: the way
# that a virtual machine's disk takes.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
rbd="rbd -c $LAB_TEST_CONF"

$rbd create --size 128M rbd/labtest-nbd
cleanup+=("$rbd rm --no-progress rbd/labtest-nbd")
uri=$("$here/../nbd_export.sh" start "$LAB_TEST_CONF" rbd/labtest-nbd "$work")
cleanup+=("'$here/../nbd_export.sh' stop '$work'")

expect 2 "--destroy-data-on=" "$LAB" run "$here/small.fio" --target="nbd:$uri" --out="$work/results"
expect 3 "absent.sock" "$LAB" run "$here/small.fio" --target="nbd:nbd+unix:///disk?socket=$work/absent.sock" \
  --destroy-data-on="nbd+unix:///disk?socket=$work/absent.sock" --out="$work/results"
no_results

"$LAB" run "$here/small.fio" --target="nbd:$uri" --destroy-data-on="$uri" --repeat=2 --out="$work/results" \
  >"$work/table" 2>"$work/log" || { cat "$work/log"; fail "an NBD export could not be measured"; }
cat "$work/table"
for column in w_iops r_iops; do
  awk -v v="$(field "$(result)/table.csv" 2 "$column")" 'BEGIN { exit !(v > 0) }' || fail "$column"
done
# Filled through the export, so the image behind it is.
[ "$($rbd du --format json rbd/labtest-nbd | jq '.images[0].used_size')" -ge 67108864 ] || fail "the image was not filled"
echo ok
