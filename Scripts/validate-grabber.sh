#!/bin/sh
# Checks the grabber and the exports of epg with the XMLTV project's tv_validate_grabber and tv_validate_file.
#
#   Scripts/validate-grabber.sh EPG    EPG is the built program
#
# Installs Debian's xmltv-util if it is missing; skips the checks with a message if that fails.
set -eu

epg=${1:?usage: Scripts/validate-grabber.sh EPG}
epg=$(realpath "$epg")
sample=$(realpath "$(dirname "$0")/../sample-data/evening.xml")

if ! command -v tv_validate_grabber >/dev/null 2>&1; then
    if [ "$(id -u)" -ne 0 ] ||
        ! { apt-get -qq update && apt-get -qq install -y --no-install-recommends xmltv-util; } >/dev/null 2>&1; then
        echo "skipped: tv_validate_grabber is missing and cannot be installed (Debian: apt-get install xmltv-util)" >&2
        exit 0
    fi
fi

# Without a file, the validators would download the DTD.
dtd=/usr/share/xmltv/xmltv.dtd
if [ ! -f "$dtd" ]; then
    echo "skipped: $dtd is missing; Debian's libxmltv-perl contains it" >&2
    exit 0
fi

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# Days depend on the machine's time zone; in UTC, the shifted guide covers today and the following two days.
TZ=UTC
# The validator compares two outputs of tv_sort, which writes attributes in the random order of Perl's hashes.
PERL_HASH_SEED=0
PERL_PERTURB_KEYS=0
export TZ PERL_HASH_SEED PERL_PERTURB_KEYS
ln -s "$epg" "$folder/tv_grab_zz_epg"
database=$folder/guide.sqlite

# Shift the sample guide, which starts on 2026-10-24, to today.
shift=$(($(date -u +%s) / 86400 * 86400 - $(date -u -d 2026-10-24 +%s)))
"$epg" import "$sample" --database "$database" --shift "$shift" >"$folder/import.log"

echo "tv_validate_grabber tv_grab_zz_epg"
# The grabber prompts for the database first; then select all channels.
printf '%s\nall\n' "$database" | "$folder/tv_grab_zz_epg" --configure --config-file "$folder/grabber.conf" \
    2>"$folder/configure.log"
tv_validate_grabber --dtd-file "$dtd" --config-file "$folder/grabber.conf" "$folder/tv_grab_zz_epg"

for options in '' '--strict' '--times shown' '--days 1'; do
    echo "tv_validate_file on epg export $options"
    # Unquoted on purpose: a list of words.
    "$epg" export --database "$database" $options --output "$folder/guide.xml"
    tv_validate_file --dtd-file "$dtd" "$folder/guide.xml"
done
