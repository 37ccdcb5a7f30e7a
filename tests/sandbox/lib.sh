# What the tests of `lab sandbox` share. Needs LAB and CEPH_COMMAND in the environment.
set -u
: "${LAB:?the program lab}" "${CEPH_COMMAND:?the program ceph-command}"

work=$(mktemp -d /var/tmp/lab-e2e-XXXXXX)
sandboxes=()  # directories to take down, whatever happens
finish() {
  local dir
  for dir in ${sandboxes[@]+"${sandboxes[@]}"}; do
    [ -e "$dir/state.json" ] && "$LAB" sandbox down --dir="$dir" >/dev/null 2>&1
  done
  rm -rf "$work"
}
trap finish EXIT
trap 'exit 1' INT TERM

fail() {
  echo "FAILED: $*" >&2
  for file in "$work"/*.err; do
    [ -s "$file" ] && sed "s|^|$(basename "$file"): |" "$file" >&2
  done
  exit 1
}

# new_dir NAME: a sandbox directory below $work, as $dir; it doesn't exist yet.
new_dir() {
  dir=$work/$1
  sandboxes+=("$dir")
}

# expect STATUS WHAT COMMAND…: runs it, with stdout and stderr in $work/out and last.err.
expect() {
  local wanted=$1 what=$2 got=0
  shift 2
  "$@" >"$work/out" 2>"$work/last.err" || got=$?
  [ "$got" = "$wanted" ] || fail "$what: exit status $got, not $wanted"
}

# says TEXT: the last command said so, on either stream.
says() { grep -qF -- "$1" "$work/out" "$work/last.err" || fail "nobody said \"$1\""; }

# state KEY: a number or text of the state file of $dir (the first of that name).
state() { sed -n "s/.*\"$1\": \"\{0,1\}\([^\",]*\).*/\1/p" "$dir/state.json" | head -n 1; }

# daemon_pid NAME: the pid that the state file has for a daemon.
daemon_pid() { sed -n "/\"name\": \"$1\"/,/\"pid\"/s/.*\"pid\": \([0-9]*\).*/\1/p" "$dir/state.json"; }

# processes_with TOKEN: pids of those that carry it in their environment.
processes_with() {
  grep -lzxF -s -- "LAB_SANDBOX_TOKEN=$1" /proc/[0-9]*/environ | cut -d/ -f3
}

# listeners FIRST LAST: "address:port" (hex) of listening sockets with such a port.
listeners() {
  local first last
  printf -v first %04X "$1"
  printf -v last %04X "$2"
  awk -v first="$first" -v last="$last" \
    '$4 == "0A" { n = split($2, a, ":"); p = "x" a[n]; if (p >= "x" first && p <= "x" last) print $2 }' \
    /proc/net/tcp /proc/net/tcp6 2>/dev/null
}

# nothing_left TOKEN BASE_PORT: no process, file or port of the sandbox in $dir.
nothing_left() {
  [ -e "$dir" ] && fail "$dir is left: $(ls -A "$dir")"
  local pids
  pids=$(processes_with "$1")
  [ -z "$pids" ] || fail "processes are left: $pids"
  local ports
  ports=$(listeners "$2" $(($2 + 63)))
  [ -z "$ports" ] || fail "ports are left: $ports"
}

small=(--osds=3 --osd-size=1G)
