#!/usr/bin/env bash
# Kills imports at random instants and verifies that the guide is then intact: either the old one or the new one.
#
#   Scripts/kill-test.sh EPG [ROUNDS]     EPG is the built program; 50 rounds by default
#
# OLD and NEW are the paths of two editions, imported one over the other. The default is copies of the two sample editions,
# as many as keep an import busy for a quarter of a second. LONGEST is the latest kill in milliseconds after the start (default:
# the duration of one import).
#
# After each kill: SQLite finds no damage in a copy of the files, every reading command prints the same as before (or, if the
# kill came after the commit, the same as after a complete import), and the next import creates the new guide. Needs sqlite3,
# and python3 for the copies. Exits with 1 if a guide is not intact.
set -euo pipefail

epg=$(realpath "${1:?usage: Scripts/kill-test.sh EPG [ROUNDS]}")
rounds=${2:-50}
package=$(realpath "$(dirname "$0")/..")
command -v sqlite3 >/dev/null || { echo "sqlite3 is missing: apt-get install sqlite3" >&2; exit 69; }

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Both editions belong to one source, as in a nightly refresh.
import() { "$epg" import "$1" --source nightly --database "$2/guide.sqlite" >/dev/null; }
# Prints what readers see: every airing of every station with all details, without the search index.
guide() {
    "$epg" grid --json --from "$from" --hours "$hours" --zone UTC --database "$1/guide.sqlite"
    "$epg" stations --json --database "$1/guide.sqlite"
    "$epg" now --json --at "$from" --zone UTC --database "$1/guide.sqlite"
}
found() { "$epg" search "$word" --json --at "$from" --zone UTC --database "$1/guide.sqlite"; }
# Copies the files as of the death of the process, without the -shm files: SQLite recreates them from the logs, as after a power
# failure.
copy() {
    rm -rf "$2"
    mkdir "$2"
    for name in guide.sqlite guide.sqlite-wal guide.sqlite-search guide.sqlite-search-wal; do
        if [ -e "$1/$name" ]; then cp "$1/$name" "$2/"; fi
    done
}
fail() {
    echo "round $round, killed after $milliseconds ms: $1" >&2
    exit 1
}

# Imports both editions and prints the duration of the second import in milliseconds.
prepare() {
    rm -rf "$folder/base"
    mkdir "$folder/base"
    import "$old" "$folder/base"
    copy "$folder/base" "$folder/full"
    local begin
    begin=$(date +%s%3N)
    import "$new" "$folder/full"
    echo $(($(date +%s%3N) - begin))
}
edition() { python3 "$package/Benchmarks/enlarge.py" "$package/sample-data/$1.xml" "$2" >"$folder/$1.xml"; }
if [ -n "${OLD:-}" ] && [ -n "${NEW:-}" ]; then
    old=$OLD new=$NEW
    duration=$(prepare)
else
    old=$folder/evening.xml new=$folder/evening-next.xml
    copies=10 duration=0
    while [ "$duration" -lt 250 ] && [ "$copies" -lt 2000 ]; do
        copies=$((copies * 2))
        edition evening $copies
        edition evening-next $copies
        duration=$(prepare)
    done
fi
longest=${LONGEST:-$duration}
query() { sqlite3 -readonly "$folder/full/guide.sqlite" "$1"; }
from=@$(query "SELECT min(start) FROM airing")
hours=$(query "SELECT min(8784, (max(stop) - min(start)) / 3600 + 1) FROM airing")
# A searchable word.
word=$(query "SELECT title FROM programme ORDER BY id LIMIT 100" | tr -c 'A-Za-z' '\n' |
    awk 'length >= 5 && word == "" { word = $0 } END { print word }')
guide "$folder/base" >"$folder/old.json"
guide "$folder/full" >"$folder/new.json"
found "$folder/full" >"$folder/found.json"
if cmp -s "$folder/old.json" "$folder/new.json"; then
    echo "both editions contain the same guide, so the test would be meaningless" >&2
    exit 65
fi

killed=0 saw_old=0 saw_new=0 round=0
# A kill after the end of the import doesn't count: the loop adds another round.
while [ "$killed" -lt "$rounds" ] && [ "$round" -lt $((rounds * 10)) ]; do
    round=$((round + 1))
    copy "$folder/base" "$folder/run"
    milliseconds=$((RANDOM * (longest + 1) / 32768))
    "$epg" import "$new" --source nightly --database "$folder/run/guide.sqlite" >/dev/null 2>&1 &
    process=$!
    sleep "$(printf '%d.%03d' $((milliseconds / 1000)) $((milliseconds % 1000)))"
    kill -KILL "$process" 2>/dev/null || true
    status=0
    wait "$process" 2>/dev/null || status=$?
    if [ "$status" -eq 137 ]; then killed=$((killed + 1)); elif [ "$status" -ne 0 ]; then fail "the import failed"; fi

    copy "$folder/run" "$folder/check"
    for database in guide.sqlite guide.sqlite-search; do
        [ -s "$folder/check/$database" ] || continue
        result=$(sqlite3 "$folder/check/$database" 'PRAGMA integrity_check; PRAGMA foreign_key_check;')
        [ "$result" = ok ] || fail "$database is damaged: $result"
    done

    guide "$folder/run" >"$folder/seen.json"
    if cmp -s "$folder/seen.json" "$folder/old.json"; then
        saw_old=$((saw_old + 1))
    elif cmp -s "$folder/seen.json" "$folder/new.json"; then
        saw_new=$((saw_new + 1))
    else
        fail "the guide is neither the old one nor the new one"
    fi

    # Leftovers of a kill must not affect the next import or searches.
    import "$new" "$folder/run" || fail "the next import failed"
    guide "$folder/run" | cmp -s - "$folder/new.json" || fail "after the next import the guide isn't the new one"
    found "$folder/run" | cmp -s - "$folder/found.json" || fail "after the next import, searches return other results"
done
echo "$round imports, $killed of them killed, within $longest ms: the guide was the old one $saw_old times, the new one" \
    "$saw_new times"
[ "$killed" -eq "$rounds" ] || { echo "the imports were too quick to be killed $rounds times" >&2; exit 1; }
