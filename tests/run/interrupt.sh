#!/bin/bash
# Ctrl-C: fio ends, what was made is removed, what is finished stays, exit status 130.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

run_two_is_finished() { compgen -G "$work/results/*/runs/0002*" >/dev/null; }
is_filling() { grep -q filling "$work/log"; }

interrupt_when() { # CONDITION SIGNAL
  "$LAB" run --sandbox-dir="$sandbox" --out="$work/results" "$here/small.fio" --matrix=cache \
    --repeat=2 >/dev/null 2>"$work/log" &
  local lab=$! status=0
  for _ in $(seq 600); do
    ! "$1" || break
    kill -0 $lab 2>/dev/null || { cat "$work/log"; fail "lab ended by itself"; }
    sleep 0.1
  done
  kill -"$2" $lab
  wait $lab || status=$?
  [ "$status" = 130 ] || { cat "$work/log"; fail "exit status $status after SIG$2, not 130"; }
  ! pgrep -f "$work/results" >/dev/null || fail "a process is left: $(pgrep -af "$work/results")"
  no_images
}

interrupt_when run_two_is_finished INT
[ -s "$(result)/table.csv" ] || fail "no table of the finished runs"
grep -q 'resume' "$work/log" || fail "does not say how to go on"
lab_run --resume >/dev/null 2>"$work/log" || { cat "$work/log"; fail "--resume failed"; }
[ "$(find "$(result)/runs" -mindepth 1 -maxdepth 1 | wc -l)" = 8 ] || fail "not 8 runs after --resume"

rm -rf "$work/results"
interrupt_when is_filling TERM
echo ok
