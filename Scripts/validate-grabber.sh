#!/bin/sh
# Has the XMLTV project's tv_validate_grabber and tv_validate_file judge the grabber and what epg exports.
#
#   Scripts/validate-grabber.sh EPG    EPG is the built program
#
# Installs Debian's xmltv-util where it is missing and that can be done; skips with a message where it can't.
set -eu

epg=${1:?usage: Scripts/validate-grabber.sh EPG}
epg=$(realpath "$epg")
sample=$(realpath "$(dirname "$0")/../sample-data/evening.xml")

if ! command -v tv_validate_grabber >/dev/null 2>&1; then
    if [ "$(id -u)" -ne 0 ] ||
        ! { apt-get -qq update && apt-get -qq install -y --no-install-recommends xmltv-util; } >/dev/null 2>&1; then
        echo "skipped: tv_validate_grabber isn't here and can't be installed (Debian: apt-get install xmltv-util)" >&2
        exit 0
    fi
fi

# Without a file the validators would fetch the DTD from the network.
dtd=/usr/share/xmltv/xmltv.dtd
if [ ! -f "$dtd" ]; then
    echo "skipped: $dtd isn't here; it comes with Debian's libxmltv-perl" >&2
    exit 0
fi

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# A day is one of the machine's zone; in UTC the shifted guide covers today and the two days after it.
TZ=UTC
# The validator compares two outputs of tv_sort, which writes attributes in the random order of Perl's hashes.
PERL_HASH_SEED=0
PERL_PERTURB_KEYS=0
export TZ PERL_HASH_SEED PERL_PERTURB_KEYS
ln -s "$epg" "$folder/tv_grab_zz_epg"
database=$folder/guide.sqlite

# The sample guide begins on 2026-10-24; here it begins today.
shift=$(($(date -u +%s) / 86400 * 86400 - $(date -u -d 2026-10-24 +%s)))
"$epg" import "$sample" --database "$database" --shift "$shift" >"$folder/import.log"

echo "tv_validate_grabber tv_grab_zz_epg"
# The database is asked for first; then all channels are taken.
printf '%s\nall\n' "$database" | "$folder/tv_grab_zz_epg" --configure --config-file "$folder/grabber.conf" \
    2>"$folder/configure.log"
tv_validate_grabber --dtd-file "$dtd" --config-file "$folder/grabber.conf" "$folder/tv_grab_zz_epg"

for options in '' '--strict' '--times shown' '--days 1'; do
    echo "tv_validate_file on epg export $options"
    # Unquoted on purpose: words.
    "$epg" export --database "$database" $options --output "$folder/guide.xml"
    tv_validate_file --dtd-file "$dtd" "$folder/guide.xml"
done
