#!/bin/bash
# Entry point of the container.
#
#   container.sh serve   start epgd, which creates the guide at the first start
#   container.sh health  succeed if the service is healthy
#
# EPG_LISTEN is the host and port.
set -eu
port=${EPG_LISTEN##*:}

case "${1:-}" in
serve)
    exec epgd
    ;;
health)
    exec 3<>"/dev/tcp/127.0.0.1/$port"
    printf 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' >&3
    read -r _ status _ <&3
    [ "$status" = 200 ]
    ;;
*)
    echo "usage: container.sh serve | health" >&2
    exit 64
    ;;
esac
