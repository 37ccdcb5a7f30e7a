#!/bin/bash
# A cluster that lab did not start: conf, keyring and pool are all it is told.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
rbd="rbd -c $LAB_TEST_CONF"

cat >"$work/foreign.json" <<JSON
{ "conf": "$sandbox/ceph.conf", "keyring": "$sandbox/keyring", "pool": "rbd" }
JSON
on_foreign() { "$LAB" run --inventory="$work/foreign.json" --out="$work/results" "$@"; }

on_foreign "$here/small.fio" --matrix=cache --repeat=1 --format=csv >"$work/csv" 2>"$work/log" ||
  { cat "$work/log"; fail "a foreign cluster could not be measured"; }
awk -v v="$(field "$work/csv" 2 w_iops)" 'BEGIN { exit !(v > 0) }' || fail "no figure"
jq -e '.conditions["Ceph server"] and (.osds | length == 3) and .osds[0].allocator' "$(result)/manifest.json" >/dev/null ||
  fail "conditions are missing"
no_images
rm -rf "$work/results"

# A namespace of the pool.
$rbd namespace create rbd/labtest
cleanup+=("$rbd namespace remove rbd/labtest")
sed 's/"pool": "rbd"/"pool": "rbd", "namespace": "labtest"/' "$work/foreign.json" >"$work/n.json"
"$LAB" run --inventory="$work/n.json" --out="$work/results" "$here/small.fio" --repeat=1 >/dev/null 2>"$work/log" ||
  { cat "$work/log"; fail "a namespace could not be measured"; }
[ -z "$($rbd ls rbd/labtest)" ] || fail "an image is left in the namespace"
rm -rf "$work/results"

# An existing image: too small, not named for destruction, and named.
$rbd create --size 16M rbd/labtest-small
cleanup+=("$rbd rm --no-progress rbd/labtest-small")
$rbd create --size 64M rbd/labtest-volume
cleanup+=("$rbd rm --no-progress rbd/labtest-volume")
with_image() { sed "s/\"pool\": \"rbd\"/\"pool\": \"rbd\", \"image\": \"$1\"/" "$work/foreign.json" >"$work/i.json"; }
on_image() { "$LAB" run --inventory="$work/i.json" --out="$work/results" "$here/small.fio" --repeat=1 "$@"; }
with_image labtest-small
expect 2 "too small for the job: it has 16 MiB, the job needs 64 MiB" on_image --destroy-data-on=rbd/labtest-small
with_image labtest-absent
expect 2 "there is no image rbd/labtest-absent" on_image
with_image labtest-volume
expect 2 "--destroy-data-on=rbd/labtest-volume" on_image
[ "$($rbd du --format json rbd/labtest-volume | jq '.images[0].used_size')" = 0 ] || fail "it was written on"
no_results
on_image --destroy-data-on=rbd/labtest-volume >/dev/null 2>"$work/log" || { cat "$work/log"; fail "a named image"; }
$rbd info rbd/labtest-volume >/dev/null || fail "an image that lab did not make was removed"
rm -rf "$work/results"

# A client that may not do it.
"$CEPH_COMMAND" "$LAB_TEST_CONF" mon \
  '{"prefix":"auth get-or-create","entity":"client.labweak","caps":["mon","allow r"],"format":"plain"}' >/dev/null
cleanup+=("'$CEPH_COMMAND' '$LAB_TEST_CONF' mon '{\"prefix\":\"auth rm\",\"entity\":\"client.labweak\"}' >/dev/null")
key=$("$CEPH_COMMAND" "$LAB_TEST_CONF" mon '{"prefix":"auth get-key","entity":"client.labweak"}' | jq -r .key)
printf '[client.labweak]\n\tkey = %s\n' "$key" >"$work/weak.keyring"
cat >"$work/weak.json" <<JSON
{ "conf": "$sandbox/ceph.conf", "keyring": "$work/weak.keyring", "client": "labweak", "pool": "rbd" }
JSON
expect 3 "profile rbd pool=rbd" "$LAB" run --inventory="$work/weak.json" --out="$work/results" "$here/small.fio"
no_images
no_results

# One that may do I/O but neither lock the cluster nor calm it: measured, and every run says so.
"$CEPH_COMMAND" "$LAB_TEST_CONF" mon '{"prefix":"auth caps","entity":"client.labweak",
  "caps":["mon","allow r","mgr","allow r","osd","allow rwx pool=rbd"]}' >/dev/null
"$LAB" run --inventory="$work/weak.json" --out="$work/results" "$here/small.fio" --repeat=2 >"$work/table" 2>"$work/log" ||
  { cat "$work/log"; fail "a client without the right to lock"; }
grep -q "not locked against other labs" "$work/log" || fail "does not tell that the cluster is not locked"
for run in "$(result)"/runs/*/; do
  jq -e '.marks[] | select(.code == "not-locked") | .weight == "doubtful"' "$run/run.json" >/dev/null ||
    fail "$run is not marked"
done
grep -q "may not lock the cluster" "$work/table" || { cat "$work/table"; fail "the table does not tell it"; }
no_images
echo ok
