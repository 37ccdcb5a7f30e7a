#!/bin/bash
# Bad input: what was wrong, where, and what to do; and nothing is changed.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
job=$here/small.fio

expect 2 "which job?" lab_run
expect 2 "no job file 4k-randwr.fio (did you mean 4k-randrw.fio?)" lab_run 4k-randwr.fio
expect 2 'no matrix "cahce" (did you mean "cache"?)' lab_run "$job" --matrix=cahce
expect 2 'unknown target "rdb" (did you mean "rbd"?)' lab_run "$job" --target=rdb
expect 2 '"soon" is no time' lab_run "$job" --runtime=soon
expect 2 "no effect on target nbd; it acts on: rbd, rbd-builtin" lab_run "$job" --matrix=cache --target=nbd:nbd://localhost
expect 2 "needs --device" lab_run "$job" --target=block
expect 2 "sets the runtime, and so does --runtime" lab_run "$job" --sweep=runtime=1,2 --runtime=7
expect 2 "more than 500 cells" lab_run "$job" --sweep=iodepth=1..1024 --sweep=bs=1..1m --sweep=numjobs=1..64
expect 2 "is no number" lab_run "$job" --sweep=iodepth=1..x
expect 2 "there is one cell only" lab_run "$job" --detect=5%
expect 2 "--repeat=2 is too few" lab_run "$job" --matrix=cache --detect=5% --repeat=2
expect 2 "is too short" lab_run "$job" --matrix=cache --budget=20s
expect 2 "does not take this job: Bad option <iodpeth=1>" lab_run --sweep iodpeth=1,2 "$job"
expect 2 "is no whole number" lab_run "$job" --seed=-1

printf '{\n  "factor": "x",\n  "title": "t",\n  "baseline": "a",\n  "levels": [ { "name": "a",\n    "setings": [] } ]\n}\n' >"$work/m.json"
expect 2 "$work/m.json:6: unknown key \"setings\" (did you mean \"settings\"?)" lab_run "$job" --matrix="$work/m.json"
printf '{\n  "factor": "x"\n  "title": "t"\n}\n' >"$work/m.json"
expect 2 "$work/m.json:3: syntax error" lab_run "$job" --matrix="$work/m.json"
printf '{ "conf": "%s",\n  "pol": "rbd" }\n' "$LAB_TEST_CONF" >"$work/i.json"
expect 2 "$work/i.json:2: unknown key \"pol\" (did you mean \"pool\"?)" "$LAB" run "$job" --inventory="$work/i.json"
expect 2 "no such file: $work/absent.json" "$LAB" run "$job" --inventory="$work/absent.json"

printf '[a]\nrw=randread\nbz=4k\n' >"$work/bad.fio"
expect 2 "Bad option <bz=4k>" lab_run "$work/bad.fio"
printf '[a]\nrw=trim\nsize=64M\n' >"$work/trim.fio"
expect 2 "no section reads or writes" lab_run "$work/trim.fio"

printf '{ "conf": "%s", "keyring": "%s", "pool": "rbdd" }\n' "$sandbox/ceph.conf" "$sandbox/keyring" >"$work/i.json"
expect 2 'no pool "rbdd" (did you mean "rbd"?)' "$LAB" run "$job" --inventory="$work/i.json" --out="$work/results"
no_results

# Places where results can't be kept.
expect 3 "/proc/lab-results" "$LAB" run "$job" --sandbox-dir="$sandbox" --out=/proc/lab-results
mkdir "$work/small" && mount -t tmpfs -o size=1m lab-test "$work/small"
cleanup+=("umount '$work/small'")
expect 3 "free some space" "$LAB" run "$job" --sandbox-dir="$sandbox" --out="$work/small"
[ -z "$(ls -A "$work/small")" ] || fail "something was left on the full disk"

# Programs that are missing, or not the ones that the engine was built for.
mkdir "$work/empty" "$work/other"
expect 3 "fio: no such program" env PATH="$work/empty" "$LAB" run "$job" --sandbox-dir="$sandbox" --out="$work/results"
cat >"$work/other/fio" <<SH
#!/bin/sh
[ "\$1" = --version ] && { echo fio-3.99; exit; }
exec $(command -v fio) "\$@"
SH
chmod +x "$work/other/fio"
expect 3 "built for $(fio --version), but the fio found is fio-3.99" \
  env PATH="$work/other:$PATH" "$LAB" run "$job" --sandbox-dir="$sandbox" --out="$work/results"
no_results

# A dry run says all and touches nothing.
lab_run "$job" --matrix=cache --repeat=3 --seed=1 --dry-run >"$work/plan"
for text in "rbd cache writeback" "(baseline)" "block 2" "no mirror" "12 runs" "odd --repeat"; do
  grep -qF "$text" "$work/plan" || { cat "$work/plan"; fail "--dry-run does not say: $text"; }
done
no_results
no_images
echo ok
