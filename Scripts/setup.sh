#!/bin/sh
# Checks the requirements of swift-epg and installs missing Debian packages.
#
#   Scripts/setup.sh [GROUP…]
#
# Always what the programs need. GROUP adds what others need:
#   python     the demonstration, the manual pages and the suites of Tests/System
#   tests      the tests and benchmarks
#   node       the tests and checks of the pages' scripts
#   browser    the suites browser, abuse and oracle
#   proxies    the suite proxies, and the comparison with nginx
#   faults     the suite faults
#   cluster    the suite cluster
#   engines    the suite engines
#   install    `make install`
#   packaging  `make deb`
#   debian     booting a clean Debian to test the package
#
# Takes a few hundredths of a second if nothing is missing. Exits with 69 (EX_UNAVAILABLE) if something is missing that the
# script cannot install; standard error then contains the command to run.
set -eu

# `a|b` is satisfied by either; the script installs the first. The -dev package of libcurl depends on the library, whose package
# name differs between Debian releases.
packages='libsqlite3-dev libcurl4-openssl-dev|libcurl4-gnutls-dev zlib1g-dev liblzma-dev libbz2-dev libzstd-dev
    libcrypt-dev libpq-dev libutf8proc2|libutf8proc3 libwebp7 tzdata ca-certificates'
required_swift=6.2

for group in "$@"; do
    case $group in
    python) more='python3 python3-venv' ;;
    tests) more='libexpat1-dev unzip zip gzip xz-utils bzip2 zstd sqlite3 postgresql-15 postgresql-client-15 python3 python3-icalendar python3-feedparser
        python3-jsonschema libxml2-utils xmltv-util' ;;
    node) more='nodejs node-acorn node-eslint-scope' ;;
    browser) more='chromium chromium-driver fonts-noto-core esbuild' ;;
    proxies) more='nginx-light|nginx varnish varnish-modules wrk' ;;
    faults) more='strace faketime curl util-linux' ;;
    cluster) more='postgresql-15 postgresql-client-15 patroni etcd-server etcd-client haproxy iproute2 util-linux' ;;
    engines) more='postgresql-15 postgresql-client-15 faketime util-linux gcc wrk' ;;
    install) more='python3 binutils' ;;
    packaging) more='python3 binutils debhelper git' ;;
    debian) more='debootstrap systemd-container lintian man-db groff zsh fish' ;;
    *)
        echo "usage: Scripts/setup.sh [python|tests|node|browser|proxies|faults|cluster|engines|install|packaging|debian]..." >&2
        exit 64
        ;;
    esac
    packages="$packages $more"
done

# --- Swift

if ! command -v swift >/dev/null 2>&1; then
    echo "swift was not found in PATH: install Swift $required_swift or newer from https://www.swift.org/install/linux/" >&2
    exit 69
fi
version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9][0-9]*\.[0-9][0-9]*\).*/\1/p' | head -n 1)
if [ -z "$version" ]; then
    echo "swift --version prints no version; Swift $required_swift or newer is needed" >&2
    exit 69
fi
if [ "$(printf '%s\n%s\n' "$required_swift" "$version" | sort -V | head -n 1)" != "$required_swift" ]; then
    echo "this is Swift $version; Swift $required_swift or newer is needed: https://www.swift.org/install/linux/" >&2
    exit 69
fi

# --- System packages

if ! command -v dpkg-query >/dev/null 2>&1; then
    echo "note: not a Debian system, so nothing was checked; required Debian packages: $packages" >&2
    exit 0
fi

is_installed() {
    # A package of several architectures has several rows; one installed row is enough.
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
# Unquoted on purpose: $as_root and $missing are lists of words. Wait for the lock of another apt-get.
apt="$as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300"
if ! { $apt update && $apt install -y --no-install-recommends $missing; } >&2; then
    echo "apt-get could not install them; see above, then run:" >&2
    echo "${as_root:+sudo }apt-get update && ${as_root:+sudo }apt-get install -y --no-install-recommends$missing" >&2
    exit 69
fi
