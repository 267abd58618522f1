#!/bin/sh
# Imports the sample guide into a separate database and serves it.
#
#   Scripts/serve.sh BUILD [PORT]    BUILD is the folder with the built programs epg and epgd
set -eu

build=$(realpath "${1:?usage: Scripts/serve.sh BUILD [PORT]}")
port=${2:-8080}
cd "$(dirname "$0")/.."
folder=.build-serve
rm -rf "$folder"
mkdir -p "$folder"
EPG_DATABASE=$folder/guide.sqlite
export EPG_DATABASE

"$build/epg" import sample-data/evening.xml >/dev/null
"$build/epg" import sample-data/evening.m3u >/dev/null
echo "The sample guide covers one weekend. Its Saturday evening:"
echo "  http://127.0.0.1:$port/?at=2026-10-24T18:40:00Z&zone=Europe/London"
echo "  http://127.0.0.1:$port/home?at=2026-10-24T18:40:00Z&zone=Europe/London"
exec "$build/epgd" --listen "127.0.0.1:$port" --zone Europe/London
