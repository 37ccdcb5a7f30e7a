#!/bin/bash
# What `lab sandbox` refuses, and that it then changes nothing.
. "$(dirname "$0")/lib.sh"

# A directory that is no sandbox.
mkdir -p "$work/home/log" && echo precious >"$work/home/log/letter"
for command in up down; do
  expect 2 "$command of a foreign directory" "$LAB" sandbox $command --dir="$work/home"
  says "no sandbox"
done
[ "$(cat "$work/home/log/letter")" = precious ] || fail "it was touched"
[ "$(find "$work/home" | wc -l)" = 3 ] || fail "something was added: $(find "$work/home")"

# One whose state.json is another program's.
mkdir "$work/other" && echo '{"what": "else"}' >"$work/other/state.json"
expect 3 "down of another program's directory" "$LAB" sandbox down --dir="$work/other"
says "no state of a lab sandbox"
[ -e "$work/other/state.json" ] || fail "another program's file was removed"

# A link, and a plain file.
ln -s "$work/home" "$work/link"
expect 2 "down through a link" "$LAB" sandbox down --dir="$work/link"
says "symbolic link"
expect 2 "up on a file" "$LAB" sandbox up --dir="$work/home/log/letter"
says "no directory"

# Paths that can't be.
new_dir "$(printf 'd%.0s' {1..100})"
expect 2 "a path too long" "$LAB" sandbox up --dir="$dir"
says "too long"
new_dir "a b"
expect 2 "a path with a space" "$LAB" sandbox up --dir="$dir"
says "character ' '"

# Options that can't be.
new_dir s
expect 2 "no OSD" "$LAB" sandbox up --dir="$dir" --osds=0
says "--osds=0"
expect 2 "a tiny OSD" "$LAB" sandbox up --dir="$dir" --osd-size=1M
says "--osd-size"
expect 2 "no size" "$LAB" sandbox up --dir="$dir" --osd-size=big
expect 2 "no environment" "$LAB" sandbox up --dir="$dir" --osd-env=novalue
expect 2 "an unknown option" "$LAB" sandbox up --dir="$dir" --ods=3
[ -e "$dir" ] && fail "a refused up made $dir"

# More than the disk has.
expect 3 "too little disk" "$LAB" sandbox up --dir="$dir" --osd-size=900000G
says "free some space"
[ -e "$dir" ] && fail "an up without room left $dir"

# Programs that are missing: a PATH with all of them but one.
mkdir "$work/bin"
for program in ceph-mon ceph-mgr monmaptool radosgw radosgw-admin; do
  ln -s "$(command -v $program)" "$work/bin/$program"
done
expect 3 "a missing program" env PATH="$work/bin" "$LAB" sandbox up --dir="$dir"
says "ceph-osd"
says "./bootstrap"
[ -e "$dir" ] && fail "an up without its programs made $dir"

# A daemon that can't start: the error has its last words, and all is taken back.
cat >"$work/bin/ceph-osd" <<END
#!/bin/sh
case " \$* " in *" --mkfs "*) exec $(command -v ceph-osd) "\$@" ;; esac
echo "no luck today" >&2
exit 1
END
chmod +x "$work/bin/ceph-osd"
expect 3 "a daemon that ends at once" env PATH="$work/bin:/usr/bin:/bin" "$LAB" sandbox up --dir="$dir" "${small[@]}"
says "osd."
says "no luck today"
[ -e "$dir" ] && fail "a failed up left $dir"

# A user's own directory and file: both stay when the sandbox goes.
mkdir "$dir"
expect 0 "up in an empty directory" "$LAB" sandbox up --dir="$dir" --no-rgw --osds=1 --osd-size=1G
echo mine >"$dir/notes"
token=$(state token)
expect 0 "down with a file of the user's" "$LAB" sandbox down --dir="$dir"
says "notes"
[ "$(ls -A "$dir")" = notes ] || fail "left besides the user's file: $(ls -A "$dir")"
[ -z "$(processes_with "$token")" ] || fail "processes are left"
rm "$dir/notes"
expect 0 "up again" "$LAB" sandbox up --dir="$dir" --no-rgw --osds=1 --osd-size=1G
expect 0 "down again" "$LAB" sandbox down --dir="$dir"
[ -d "$dir" ] || fail "the user's own directory was removed"
[ -z "$(ls -A "$dir")" ] || fail "left: $(ls -A "$dir")"
echo passed
