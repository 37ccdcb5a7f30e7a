#!/bin/bash
# What `cmake --install` puts where, and that the result works after it is moved.
# usage: install_test.sh SOURCE_DIR BUILD_DIR
set -euo pipefail
source_dir=$1
build_dir=$2

prefix=$(mktemp -d /tmp/lab-install-test.XXXXXX)
trap 'rm -rf "$prefix"' EXIT

failures=0
expect() {
  local what=$1
  shift
  if ! "$@"; then
    printf 'FAILED: %s\n' "$what" >&2
    failures=$((failures + 1))
  fi
}

cmake --install "$build_dir" --prefix "$prefix/first" >/dev/null
# Nothing installed may know where it was installed to.
mv "$prefix/first" "$prefix/moved"
root=$prefix/moved

expect "bin/lab is a program" test -x "$root/bin/lab"
expect "lab --version answers" "$root/bin/lab" --version

for room in jobs inventory; do
  while IFS= read -r file; do
    expect "share/lab/$room/$file is installed as it is in the source" \
      cmp -s "$source_dir/$room/$file" "$root/share/lab/$room/$file"
  done < <(cd "$source_dir/$room" && find . -name '*.fio' -o -name '*.json')
done
expect "nothing but jobs, matrices and inventories is in share/lab" \
  test -z "$(find "$root/share/lab" -type f ! -name '*.fio' ! -name '*.json')"

engines=0
for engine in "$build_dir"/lib/lab/*.so; do
  [ -e "$engine" ] || continue
  engines=$((engines + 1))
  expect "lib/lab/${engine##*/} is installed" test -r "$root/lib/lab/${engine##*/}"
done
expect "the build has engines" test "$engines" -gt 0

while IFS= read -r binary; do
  run_path=$(readelf -d "$binary" | grep -E 'RPATH|RUNPATH' || true)
  expect "$binary has no run path into the build tree ($run_path)" test -z "$run_path"
  missing=$(ldd "$binary" | grep 'not found' || true)
  expect "$binary finds its libraries ($missing)" test -z "$missing"
done < <(find "$root/bin" "$root/lib" -type f)

# A plan needs no cluster, but the installed job, matrix and inventory.
plan=$(cd / && "$root/bin/lab" run "$root/share/lab/jobs/4k-randrw.fio" --matrix=cache --dry-run) ||
  plan=
expect "lab finds its matrices and its inventory from anywhere" \
  grep -q "$root/share/lab/inventory/sandbox.json" <<<"$plan"
expect "the plan has the cells of the matrix" grep -q '^ *writeback ' <<<"$plan"

[ "$failures" = 0 ] || exit 1
printf 'installed: %s files, %s engines\n' "$(find "$root" -type f | wc -l)" "$engines"
