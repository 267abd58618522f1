#!/bin/sh
# Imports the sample guide into a database of its own and shows it, on the night when the clocks go back.
#
#   Scripts/demo.sh EPG    EPG is the built program
set -eu

epg=${1:?usage: Scripts/demo.sh EPG}
epg=$(realpath "$epg")
cd "$(dirname "$0")/.."
folder=.build-demo

# Always the same evening, so that there is always something on.
evening=2026-10-25T18:30:00Z
zone=Europe/London

say() { printf '\n\033[1m$ %s\033[0m\n' "$*"; }
run() {
    say "epg $*"
    "$epg" "$@"
}

rm -rf "$folder"
mkdir -p "$folder"
EPG_DATABASE=$folder/guide.sqlite
export EPG_DATABASE

# Both editions go into one source, as a nightly refresh would bring them.
run import sample-data/evening.xml --source evening
run grid --from "$evening" --hours 3 --zone "$zone"
run now --at "$evening" --zone "$zone"
run search 新闻 --at "$evening" --zone "$zone"

# A night later: what changed?
run import sample-data/evening-next.xml --source evening

# The hour that happens twice.
run grid --from 2026-10-25T00:00:00Z --hours 3 --zone "$zone"
