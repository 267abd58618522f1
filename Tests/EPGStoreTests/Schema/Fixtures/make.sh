#!/bin/sh
# Creates the fixtures of one schema version in this folder with the last epg of that version:
#
#   sh make.sh VERSION /path/to/that/epg
#
# Version 9: commit 68787a66; version 10: commit 62680223; version 11: commit c088b826; version 12: commit 2c8f04ee; version 13: commit
# 88187509. Fixtures are created once, before the next version replaces their version.
set -eu
version=$1
epg=$2
here=$(cd "$(dirname "$0")" && pwd)
samples=$here/../../../../sample-data
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A guide with several sources, lineups, mappings, logs and the state of a refresh.
guide=$work/guide.sqlite
"$epg" import "$samples/evening.xml" --database "$guide" --source evening --zone Europe/London
"$epg" import "$samples/evening.m3u" --database "$guide" --lineup living-room
"$epg" import "$samples/oddities.xml" --database "$guide" --source oddities
"$epg" import "$samples/evening-next.xml" --database "$guide" --source evening --zone Europe/London
"$epg" match "The Larder" larder.example --database "$guide"
python3 -m http.server 8099 --bind 127.0.0.1 --directory "$here" >"$work/log" 2>&1 &
server=$!
sleep 1
"$epg" source add far http://127.0.0.1:8099/far.xml --priority 5 --database "$guide"
"$epg" source add gone http://127.0.0.1:8099/none.xml --stations 'far*' --every 1h --shift 60 --encoding windows-1252 \
    --database "$guide"
"$epg" refresh --force --retention 3650 --database "$guide" || test $? -ne 70
kill "$server"
gzip -9 -n -c "$guide" >"$here/guide-$version.sqlite.gz"

# A guide without an import.
"$epg" source add far http://127.0.0.1:8099/far.xml --database "$work/empty.sqlite"
gzip -9 -n -c "$work/empty.sqlite" >"$here/empty-$version.sqlite.gz"
