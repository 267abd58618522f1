#!/usr/bin/env bash
# Builds the program that generates the guide, and runs serving.py.
#
#   Benchmarks/serving.sh EPGD [ARGUMENT…]    EPGD is the release build of epgd
set -euo pipefail
export PYTHONDONTWRITEBYTECODE=1
epgd=$(realpath "${1:?usage: Benchmarks/serving.sh EPGD [ARGUMENT…]}")
shift
cd "$(dirname "$0")"
mkdir -p .build-yardsticks
"${CC:-cc}" -std=gnu11 -O2 -Wall -Wextra -o .build-yardsticks/make_guide yardsticks/make_guide.c -lsqlite3
exec python3 serving.py --epgd "$epgd" --make-guide .build-yardsticks/make_guide "$@"
