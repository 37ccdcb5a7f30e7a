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

while IFS= read -r file; do
  expect "share/lab/jobs/$file is installed as it is in the source" \
    cmp -s "$source_dir/jobs/$file" "$root/share/lab/jobs/$file"
done < <(cd "$source_dir/jobs" && find . -name '*.fio' -o -name '*.json')
expect "nothing but jobs and matrices is in share/lab" \
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

[ "$failures" = 0 ] || exit 1
printf 'installed: %s files, %s engines\n' "$(find "$root" -type f | wc -l)" "$engines"
