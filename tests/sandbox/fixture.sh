#!/bin/bash
# fixture.sh up|down LAB DIR LINK: the sandbox that the tests on a cluster share.
set -eu
what=$1 lab=$2 dir=$3 link=$4
case $what in
  up)
    "$lab" sandbox up --dir="$dir" --osd-size=4G
    mkdir -p "$(dirname "$link")"
    ln -sfn "$dir" "$link"
    ;;
  down)
    "$lab" sandbox down --dir="$dir"
    rm -f "$link"
    ;;
esac
