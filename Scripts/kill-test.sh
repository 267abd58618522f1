#!/usr/bin/env bash
# Kills imports at random instants and proves that the guide is then whole: the old one or the new one, nothing between.
#
#   Scripts/kill-test.sh EPG [ROUNDS]     EPG is the built program; 50 rounds by default
#
# OLD and NEW name the two editions (sample-data's by default; the larger they are, the more of the import is hit),
# LONGEST the latest kill in milliseconds after the start (by default as long as one import takes).
#
# Every check works on a copy of the database and its WAL, as the kill left them, and needs sqlite3.
set -euo pipefail

epg=$(realpath "${1:?usage: Scripts/kill-test.sh EPG [ROUNDS]}")
rounds=${2:-50}
samples=$(realpath "$(dirname "$0")/../sample-data")
old=${OLD:-$samples/evening.xml}
new=${NEW:-$samples/evening-next.xml}
command -v sqlite3 >/dev/null || { echo "sqlite3 is missing: apt-get install sqlite3" >&2; exit 69; }

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Both editions go into one source, as a nightly refresh would bring them.
import() { "$epg" import "$1" --source nightly --database "$2" >/dev/null 2>&1; }
# What a reader sees, where the editions differ.
guide() { "$epg" grid --json --from 2026-10-26T18:00:00Z --hours 6 --time-zone UTC --database "$1"; }
copy() {
    mkdir -p "$2"
    rm -f "$2"/guide.sqlite*
    cp "$1"/guide.sqlite "$2"/
    # The -shm file is left behind on purpose: it is rebuilt from the WAL, as after a loss of power.
    if [ -e "$1/guide.sqlite-wal" ]; then cp "$1/guide.sqlite-wal" "$2"/; fi
}

mkdir "$folder/base" "$folder/full"
import "$old" "$folder/base/guide.sqlite"
copy "$folder/base" "$folder/full"
begin=$(date +%s%3N)
import "$new" "$folder/full/guide.sqlite"
longest=${LONGEST:-$(($(date +%s%3N) - begin))}
guide "$folder/base/guide.sqlite" >"$folder/old.json"
guide "$folder/full/guide.sqlite" >"$folder/new.json"
if cmp -s "$folder/old.json" "$folder/new.json"; then
    echo "both editions show the same guide, so nothing would be proved" >&2
    exit 65
fi

killed=0 saw_old=0 saw_new=0
for round in $(seq "$rounds"); do
    copy "$folder/base" "$folder/run"
    milliseconds=$((RANDOM * (longest + 1) / 32768))
    "$epg" import "$new" --source nightly --database "$folder/run/guide.sqlite" >/dev/null 2>&1 &
    process=$!
    sleep "$(printf '%d.%03d' $((milliseconds / 1000)) $((milliseconds % 1000)))"
    if kill -KILL "$process" 2>/dev/null; then killed=$((killed + 1)); fi
    wait "$process" 2>/dev/null || true

    copy "$folder/run" "$folder/check"
    verdict=$(sqlite3 "$folder/check/guide.sqlite" 'PRAGMA integrity_check; PRAGMA foreign_key_check;')
    if [ "$verdict" != ok ]; then
        printf 'round %d, killed after %d ms: the database is damaged:\n%s\n' "$round" "$milliseconds" "$verdict" >&2
        exit 1
    fi

    guide "$folder/run/guide.sqlite" >"$folder/seen.json"
    if cmp -s "$folder/seen.json" "$folder/old.json"; then
        saw_old=$((saw_old + 1))
    elif cmp -s "$folder/seen.json" "$folder/new.json"; then
        saw_new=$((saw_new + 1))
    else
        echo "round $round, killed after $milliseconds ms: the guide is neither the old one nor the new one" >&2
        exit 1
    fi

    # What a kill leaves behind must not stand in the way of the next import.
    import "$new" "$folder/run/guide.sqlite"
    guide "$folder/run/guide.sqlite" | cmp - "$folder/new.json"
done
echo "$rounds imports, $killed of them killed within $longest ms: the guide was the old one $saw_old times, the new one $saw_new times"
