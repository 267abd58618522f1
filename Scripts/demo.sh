#!/bin/sh
# Imports the sample guide into a separate database and shows it, on the night when daylight saving time ends; then refreshes
# it from a local server with a newer edition.
#
#   Scripts/demo.sh EPG    EPG is the built program
set -eu

epg=${1:?usage: Scripts/demo.sh EPG}
epg=$(realpath "$epg")
cd "$(dirname "$0")/.."
folder=.build-demo

# A fixed evening of the sample guide.
evening=2026-10-25T18:30:00Z
zone=Europe/London

say() { printf '\n\033[1m$ %s\033[0m\n' "$*"; }
run() {
    say "epg $*"
    "$epg" "$@"
}

rm -rf "$folder"
mkdir -p "$folder/www"
EPG_DATABASE=$folder/guide.sqlite
# Ignore the settings of this machine.
EPG_CONFIG=$folder/epg.yml
export EPG_DATABASE EPG_CONFIG
: >"$EPG_CONFIG"

run import sample-data/evening.xml --source evening
run grid --from "$evening" --hours 3 --zone "$zone"
run now --at "$evening" --zone "$zone"
run search 新闻 --at "$evening" --zone "$zone"

# The repeated hour.
run grid --from 2026-10-25T00:00:00Z --hours 3 --zone "$zone"

# A local server, which chooses a port and prints it on its first line.
python3 -u -m http.server 0 --bind 127.0.0.1 --directory "$folder/www" >"$folder/server.log" 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null || true' EXIT
port=
while [ -z "$port" ]; do
    sleep 0.1
    kill -0 "$server"
    port=$(sed -n 's/.* port \([0-9]*\).*/\1/p' "$folder/server.log")
done

# Two nights: the first edition is unchanged, the second contains changes.
publish() {
    cp "sample-data/$1" "$folder/www/guide.xml"
    touch -d "$2" "$folder/www/guide.xml"
}
run source set evening --location "http://127.0.0.1:$port/guide.xml"
publish evening.xml 2026-10-24T02:00:00Z
run refresh --at 2026-10-24T03:00:00Z
publish evening-next.xml 2026-10-25T02:00:00Z
run refresh --at 2026-10-25T03:00:00Z
run changes --since 1 --station harbour-one.example --zone "$zone"
