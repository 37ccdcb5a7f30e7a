# For the tests of `lab run`: sourced. Expects LAB, LAB_TEST_SANDBOX, LAB_TEST_CONF and
# CEPH_COMMAND in the environment.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
sandbox=$(readlink -f "$LAB_TEST_SANDBOX")
work=$(mktemp -d /tmp/lab-run-test.XXXXXX)
cleanup=()
leave() {
  local status=$? i
  for ((i = ${#cleanup[@]} - 1; i >= 0; i--)); do eval "${cleanup[i]}" || true; done
  rm -rf "$work"
  exit "$status"
}
trap leave EXIT

fail() {
  printf 'FAIL: %s\n' "$*" >&2
  exit 1
}

# lab run on the shared sandbox, results below $work/results.
lab_run() { "$LAB" run --sandbox-dir="$sandbox" --out="$work/results" "$@"; }

# expect STATUS TEXT COMMAND…: the exit status, and a text in what it says on stderr.
expect() {
  local status=$1 text=$2 got=0
  shift 2
  "$@" >"$work/out" 2>"$work/err" || got=$?
  [ "$got" = "$status" ] || { cat "$work/err" >&2; fail "$*: exit status $got, not $status"; }
  grep -qF -- "$text" "$work/err" || { cat "$work/err" >&2; fail "$*: does not say: $text"; }
}

no_results() { [ ! -e "$work/results" ] || fail "something was left in $work/results"; }

# The images of the pool that lab makes; other tests' stay out of it.
lab_images() { rbd -c "$LAB_TEST_CONF" ls -p rbd | grep '^lab-' || true; }
no_images() { [ -z "$(lab_images)" ] || fail "images left: $(lab_images)"; }

# wait_for SECONDS COMMAND…: until it succeeds.
wait_for() {
  local tries=$(($1 * 10))
  shift
  for _ in $(seq $tries); do
    ! "$@" || return 0
    sleep 0.1
  done
  fail "waited in vain for: $*"
}
# fio of the first run works.
first_run_works() { compgen -G "$work/results/*/runs/.tmp-0001*/effective.jsonl" >/dev/null; }

# ceph mon|mgr|osd.N JSON: one command.
ceph() { "$CEPH_COMMAND" "$LAB_TEST_CONF" "$@"; }

# The one result directory.
result() { echo "$work"/results/*/; }

# field CSV ROW COLUMN: of a file without quoted commas.
field() {
  tr -d '\r' <"$1" | awk -F, -v row="$2" -v name="$3" '
    NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) column = i; if (!column) exit 1 }
    NR == row { print $column }'
}
