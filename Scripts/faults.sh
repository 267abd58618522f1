#!/usr/bin/env bash
# Brings faults about on purpose (Tests/Faults) and proves that no guide is lost.
#
#   Scripts/faults.sh BUILD [--short] [--untimed] [--only WORD]… [--scale S] [--minutes N] [--seed N]
#
# BUILD is the folder with the built programs epg and epgd, such as .build/release. --short takes a minute or two; --untimed
# takes no times, for a debug build; --only runs the files whose names have the word; `--only soak --minutes 10` is the soak.
# A fault whose tool is missing, or that this user may not bring about, is left out and said to be. Exit 1 where one failed,
# 69 where there are no programs.
set -euo pipefail

build=$(realpath "${1:?usage: Scripts/faults.sh BUILD [--short] [--untimed] [--only WORD]… [--scale S] [--minutes N] [--seed N]}")
shift
for program in epg epgd; do
    [ -x "$build/$program" ] || { echo "there is no $program in $build: swift build --product $program" >&2; exit 69; }
done
exec python3 "$(dirname "$0")/../Tests/Faults/run.py" "$build" "$@"
