#!/usr/bin/env bash
# Injects faults (Tests/Faults) and verifies that no guide is lost.
#
#   Scripts/faults.sh BUILD [--short] [--untimed] [--only WORD]… [--scale S] [--minutes N] [--seed N]
#
# BUILD is the folder with the built programs epg and epgd, such as .build/release. --short takes a minute or two; --untimed
# skips timing limits, for a debug build; --only runs the files whose names contain WORD; `--only soak --minutes 10` runs the
# soak. A fault that needs a missing tool or privilege is reported as skipped. Exits with 1 if a fault failed, with 69 if a
# program is missing.
set -euo pipefail

build=$(realpath "${1:?usage: Scripts/faults.sh BUILD [--short] [--untimed] [--only WORD]… [--scale S] [--minutes N] [--seed N]}")
shift
for program in epg epgd; do
    [ -x "$build/$program" ] || { echo "$build/$program is missing: swift build --product $program" >&2; exit 69; }
done
exec python3 "$(dirname "$0")/../Tests/Faults/run.py" "$build" "$@"
