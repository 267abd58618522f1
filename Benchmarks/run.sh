#!/usr/bin/env bash
# Measures epg against the yardsticks, each pair by turns in one run, and prints ratios.
#
#   Benchmarks/run.sh                 on copies of the sample guide
#   Benchmarks/run.sh GUIDE.xml       on a guide of your own, UTF-8 and not compressed
#   Benchmarks/run.sh --build         builds the yardsticks and stops
#
# RUNS is the number of counted runs (5), EPG an epg that is built already, ROWS, FROM and TO the viewport.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
built=$here/.build-yardsticks
runs=${RUNS:-5}

mkdir -p "$built"
yardstick() {
    local name=$1
    shift
    if [ ! "$built/$name" -nt "$here/yardsticks/$name.c" ]; then
        "${CC:-cc}" -std=gnu11 -O2 -Wall -Wextra -o "$built/$name" "$here/yardsticks/$name.c" "$@"
    fi
}
yardstick measure
yardstick expat_parse -lexpat
yardstick sqlite_seeks -lsqlite3
[ "${1:-}" != --build ] || exit 0

guide=${1:-}
if [ -z "$guide" ]; then
    guide=$built/large.xml
    # 300 copies: 3,600 stations, 125,100 programmes, 39 MB.
    [ "$guide" -nt "$here/../sample-data/evening.xml" ] || python3 "$here/enlarge.py" "$here/../sample-data/evening.xml" 300 >"$guide"
fi
[ -r "$guide" ] || { echo "$guide can't be read" >&2; exit 66; }

if [ -z "${EPG:-}" ]; then
    swift build --package-path "$here/.." -c release --product epg
    EPG=$(swift build --package-path "$here/.." -c release --show-bin-path)/epg
fi

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# Every import begins with no database.
import='rm -f "$1"* && exec "$2" import "$3" --database "$1"'

python3 "$here/compare.py" --runs "$runs" --name "import of $(basename "$guide") (A) against parsing it with libexpat (B)" \
    -- sh -c "$import" sh "$folder/guide.sqlite" "$EPG" "$guide" --- "$built/expat_parse" "$guide"

query=$here/yardsticks/viewport.sql
if [ -r "$query" ]; then
    echo "viewport of rows ${ROWS:-0...19} with SQLite's C interface"
    "$built/sqlite_seeks" "$folder/guide.sqlite" "$query" "${ROWS:-0...19}" "${FROM:-1792951200}" "${TO:-1792962000}" 2000
fi
