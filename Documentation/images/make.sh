#!/usr/bin/env bash
# Draws the pictures of this folder from the sample guide.
#
#   Documentation/images/make.sh EPG    EPG is the built program
#
# The picture of the terminal needs the emulator that `make test-terminal` installs.
set -euo pipefail
epg=$(realpath "${1:?usage: Documentation/images/make.sh EPG}")
cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export EPG_DATABASE=$folder/guide.sqlite EPG_CONFIG=$folder/epg.yml
: >"$EPG_CONFIG"
"$epg" import sample-data/evening.xml sample-data/evening.m3u >/dev/null

for theme in light dark; do
    "$epg" grid --format svg --theme "$theme" --zone Europe/London --at 2026-10-24T19:40 --from 2026-10-24T18:30 --hours 4 \
        --viewport-width 960 --viewport-height 580 >"Documentation/images/guide-$theme.svg"
done
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=Tests/System/terminal .build/system-tests/terminal/bin/python Documentation/images/browse.py \
    "$epg" "$EPG_DATABASE" >"$folder/browse.svg"
mv "$folder/browse.svg" Documentation/images/browse.svg
