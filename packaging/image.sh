#!/bin/sh
# What the Dockerfile does, and what a test does without Docker, in a clean Debian.
#
#   packaging/image.sh build    in the project's folder, where Swift is: leaves the Debian package in .build-package
#   packaging/image.sh install  installs the Debian package that stands in /tmp, and makes it fit for a container
set -eu
export DEBIAN_FRONTEND=noninteractive

case "${1:-}" in
build)
    cd "$(dirname "$0")/.."
    apt-get -qq update
    apt-get -qq install -y --no-install-recommends make
    Scripts/setup.sh --packaging
    make deb
    ;;
install)
    apt-get -qq update
    # A container has no systemd; of it, only the program that makes users is needed.
    apt-get -qq install -y --no-install-recommends systemd-standalone-sysusers ca-certificates
    apt-get -qq install -y --no-install-recommends /tmp/swift-epg_*.deb
    install -d -o epg -g epg -m 750 /var/lib/epg
    rm -rf /tmp/swift-epg_*.deb /var/lib/apt/lists/*
    ;;
*)
    echo "usage: packaging/image.sh build | install" >&2
    exit 64
    ;;
esac
