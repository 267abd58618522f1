#!/bin/sh
# Checks that the machine has what swift-epg is built with, and installs Debian packages that are missing.
#
#   Scripts/setup.sh            what the program needs
#   Scripts/setup.sh --demo     and what serves the demonstration's guide
#   Scripts/setup.sh --tests    and what its tests and benchmarks need
#   Scripts/setup.sh --oracle   and the browser that its layouts are compared with
#   Scripts/setup.sh --page     and what runs the guide page's modules
#   Scripts/setup.sh --browser  and the browser that the service's pages are tested in
#   Scripts/setup.sh --client   and what a client of the service is generated with
#   Scripts/setup.sh --terminal and what full-screen programs are tested with
#   Scripts/setup.sh --proxies  and what stands in front of the service, or beside it, in tests and benchmarks
#   Scripts/setup.sh --faults   and what brings faults about
#   Scripts/setup.sh --install  and what `make install` makes manual pages with
#   Scripts/setup.sh --packaging     and what the Debian package is made with
#   Scripts/setup.sh --clean-debian  and what makes and boots a clean Debian, to try the package in
#
# Takes some hundredths of a second where nothing is missing. Exit 69 (EX_UNAVAILABLE) where something is missing that
# can't be installed from here; standard error then has the one line to run.
set -eu

# `a|b` is satisfied by either; the first is the one that is installed.
# The -dev package of libcurl brings the library itself, whose package has another name in each release of Debian.
packages='libsqlite3-dev libcurl4-openssl-dev|libcurl4-gnutls-dev zlib1g-dev liblzma-dev libbz2-dev libzstd-dev
    libutf8proc2|libutf8proc3 tzdata ca-certificates'
required_swift=6.2

case "${1:-}" in
'') ;;
--demo) packages="$packages python3" ;;
--tests) packages="$packages libexpat1-dev unzip zip gzip xz-utils bzip2 zstd sqlite3 python3 libxml2-utils xmltv-util" ;;
--oracle) packages="$packages python3 chromium" ;;
--page) packages="$packages nodejs" ;;
--browser) packages="$packages python3 python3-venv chromium chromium-driver fonts-noto-core" ;;
--client) packages="$packages python3 python3-venv" ;;
--terminal) packages="$packages python3 python3-venv" ;;
--proxies) packages="$packages python3 nginx-light|nginx varnish varnish-modules wrk" ;;
--faults) packages="$packages python3 strace faketime curl util-linux" ;;
--install) packages="$packages python3 binutils" ;;
--packaging) packages="$packages python3 binutils debhelper git" ;;
--clean-debian) packages="$packages python3 debootstrap systemd-container lintian man-db groff zsh fish" ;;
*)
    echo "usage: Scripts/setup.sh [--demo|--tests|--oracle|--page|--browser|--client|--terminal|--proxies|--faults|--install|--packaging|--clean-debian]" >&2
    exit 64
    ;;
esac

# --- Swift

if ! command -v swift >/dev/null 2>&1; then
    echo "swift was not found in PATH: install Swift $required_swift or newer from https://www.swift.org/install/linux/" >&2
    exit 69
fi
version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9][0-9]*\.[0-9][0-9]*\).*/\1/p' | head -n 1)
if [ -z "$version" ]; then
    echo "swift --version names no version; Swift $required_swift or newer is needed" >&2
    exit 69
fi
if [ "$(printf '%s\n%s\n' "$required_swift" "$version" | sort -V | head -n 1)" != "$required_swift" ]; then
    echo "this is Swift $version; Swift $required_swift or newer is needed: https://www.swift.org/install/linux/" >&2
    exit 69
fi

# --- System packages

if ! command -v dpkg-query >/dev/null 2>&1; then
    echo "note: not a Debian system, so nothing was checked; needed, by Debian's names: $packages" >&2
    exit 0
fi

is_installed() {
    # Several rows for a package of several architectures; one installed is enough.
    dpkg-query -W -f '${db:Status-Abbrev}\n' "$1" 2>/dev/null | grep -q '^.i'
}

missing=''
for choice in $packages; do
    found=no
    for package in $(echo "$choice" | tr '|' ' '); do
        if is_installed "$package"; then
            found=yes
            break
        fi
    done
    [ "$found" = yes ] || missing="$missing ${choice%%|*}"
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" -eq 0 ]; then
    as_root=''
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
    as_root='sudo -n'
else
    echo "packages are missing; run:" >&2
    echo "sudo apt-get update && sudo apt-get install -y --no-install-recommends$missing" >&2
    exit 69
fi

echo "installing$missing" >&2
# Unquoted on purpose: $as_root and $missing are lists of words. Another apt-get may be at work: wait for its lock.
apt="$as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300"
if ! { $apt update && $apt install -y --no-install-recommends $missing; } >&2; then
    echo "apt-get could not install them; see above, then run:" >&2
    echo "${as_root:+sudo }apt-get update && ${as_root:+sudo }apt-get install -y --no-install-recommends$missing" >&2
    exit 69
fi
