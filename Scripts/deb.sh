#!/bin/sh
# Creates the Debian package from built programs.
#
#   Scripts/deb.sh FOLDER TARGET    FOLDER contains epg and epgd; writes TARGET/swift-epg_VERSION_ARCHITECTURE.deb
#
# The build is reproducible: all dates are SOURCE_DATE_EPOCH (default: the time of the commit). The version consists of the
# program's version and DEBIAN_REVISION (default: 1); the changelog comes from CHANGELOG.md.
set -eu
cd "$(dirname "$0")/.."

if [ $# -ne 2 ]; then
    echo "usage: Scripts/deb.sh FOLDER TARGET" >&2
    exit 64
fi
for program in dh_builddeb dh_installsysusers dpkg-deb python3; do
    command -v $program >/dev/null || { echo "$program is missing: run Scripts/setup.sh packaging" >&2; exit 69; }
done
SOURCE=$PWD
BUILT=$(realpath "$1")
mkdir -p "$2"
target=$(realpath "$2")
: "${SOURCE_DATE_EPOCH:=$(git log -1 --format=%ct 2>/dev/null || stat -c %Y CHANGELOG.md)}"
export SOURCE BUILT SOURCE_DATE_EPOCH LC_ALL=C.UTF-8

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
work=$scratch/swift-epg
mkdir "$work"
cp -R packaging/debian "$work/debian"

version=$("$BUILT/epg" --version | cut -d " " -f 1)-${DEBIAN_REVISION:-1}
Scripts/debian-changelog.py "$version" <CHANGELOG.md >"$work/debian/changelog"
# The Apache License requires the notices of linked libraries.
cat .build/checkouts/*/NOTICE* >"$work/debian/NOTICE" 2>/dev/null || :
if [ -s "$work/debian/NOTICE" ]; then echo debian/NOTICE >"$work/debian/swift-epg.docs"; fi

(umask 022 && cd "$work" && debian/rules binary) >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; exit 70; }
cp "$scratch"/*.deb "$target/"
ls "$target"/swift-epg_"$version"_*.deb
