#!/bin/sh
# Build steps of the Dockerfile, which a test also runs in a clean Debian without Docker.
#
#   packaging/image.sh build    build the Debian package in .build-package (run in the project folder; needs Swift)
#   packaging/image.sh install  install the Debian package from /tmp for a container
set -eu
export DEBIAN_FRONTEND=noninteractive

case "${1:-}" in
build)
    cd "$(dirname "$0")/.."
    apt-get -qq update
    apt-get -qq install -y --no-install-recommends make
    Scripts/setup.sh packaging
    make deb
    ;;
install)
    apt-get -qq update
    # A container has no systemd, but the package needs systemd-sysusers to create its user.
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
