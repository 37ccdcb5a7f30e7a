#!/bin/bash
# lab's CSV in a spreadsheet: LibreOffice Calc opens table.csv and tidy.csv, saves them as ods
# and as xlsx, opens those and writes CSV again. Every cell must come back as it was.
# usage: spreadsheet.sh LAB CSV_SAME RESULTS
set -euo pipefail
lab=$1
csv_same=$2
results=$3

if ! command -v soffice >/dev/null; then
  printf 'skipped: there is no soffice here (Debian: libreoffice-calc-nogui)\n'
  exit 77
fi

work=$(mktemp -d /tmp/lab-spreadsheet.XXXXXX)
trap 'rm -rf "$work"' EXIT

# Separator, quote, UTF-8, from line 1, language en-US. Reading evaluates formulas, as a
# spreadsheet may; writing quotes all texts and only those, and takes numbers in full.
read_csv='Text - txt - csv (StarCalc):44,34,76,1,,1033,false,false,false,false,false,true'
write_csv='csv:Text - txt - csv (StarCalc):44,34,76,1,,1033,true,false'

# convert FORMAT DIRECTORY FILE…, with a profile of its own: a user's LibreOffice goes on.
convert() {
  local format=$1 directory=$2
  shift 2
  timeout --kill-after=5 60 soffice --headless --norestore \
    "-env:UserInstallation=file://$work/profile" --infilter="${infilter-}" \
    --convert-to "$format" --outdir "$directory" "$@" >"$work/soffice.log" 2>&1 || {
    printf 'soffice failed:\n' >&2
    cat "$work/soffice.log" >&2
    exit 1
  }
}

cp -r "$results" "$work/results"
jq '.cells[0].test = "=1+2" | .cells[0].levels.cache = "-2+3"
    | .cells[1].test = "größer, \"quoted\"\r\nsecond line"
    | .cells[1].levels.cache = "@SUM(A1)" | .cells[2].test = "+cmd|x"' \
  "$results/plan.json" >"$work/results/plan.json"
mkdir "$work/lab"
"$lab" report "$work/results" --format=csv >"$work/lab/table.csv"
"$lab" report "$work/results" --format=tidy >"$work/lab/tidy.csv"

# The check of the check: here a formula is one.
printf '=1+2\r\n' >"$work/formula.csv"
infilter=$read_csv convert "$write_csv" "$work/control" "$work/formula.csv"
[ "$(cat "$work/control/formula.csv")" = 3 ] || {
  printf 'this LibreOffice did not take =1+2 for a formula, so nothing is tested\n' >&2
  exit 1
}

for format in ods xlsx; do
  infilter=$read_csv convert "$format" "$work/$format" "$work"/lab/*.csv
  infilter='' convert "$write_csv" "$work/from-$format" "$work/$format"/*."$format"
  for table in table tidy; do
    told=$("$csv_same" "$work/lab/$table.csv" "$work/from-$format/$table.csv")
    printf '%s through %s: %s\n' "$table.csv" "$format" "$told"
    # table.csv has differences, and some of them are losses.
    if [ "$table" = table ] && grep -q ' 0 of them negative' <<<"$told"; then
      printf 'no negative number was tested\n' >&2
      exit 1
    fi
  done
done
