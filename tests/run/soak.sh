#!/bin/bash
# lab soak: segments one after the other, the memory of every daemon in a summary, and gone on with.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
export LAB_STATE_DIR=$work/state

soak() { "$LAB" soak --sandbox-dir="$sandbox" --out="$work/results" "$@"; }
soak "$here/small.fio" --hours=0.004 --segment=5s >"$work/table" 2>"$work/log" || { cat "$work/log"; fail "the soak failed"; }
grep -q 'run 3/3 .* 0 errors; rss_mb .*osd.0 [1-9]' "$work/log" || { cat "$work/log"; fail "no progress line with memory"; }
grep -q 'osd.2' "$work/table" || fail "no table of services"
dir=$(result)
jq -e '.cells[0] | .segments_done == 3 and .services["osd.1"].rss_peak_bytes > 1e7 and .services["osd.1"].restarts == 0' \
  "$dir/summary.json" >/dev/null || { cat "$dir/summary.json"; fail "summary"; }
"$LAB" report "$dir" | grep -q '^Soak of' || fail "the report of a soak is another"
no_images

# A segment that is lost is done again, by what made it and by nothing else.
rm -r "$dir"/runs/0003-*
expect 2 "was made by lab soak" "$LAB" run --resume --out="$dir"
soak --resume >"$work/table" 2>"$work/log" || { cat "$work/log"; fail "--resume"; }
[ "$(jq '.cells[0].segments_done' "$dir/summary.json")" = 3 ] || fail "not gone on with"
expect 2 "nothing unfinished" soak --resume
