#!/bin/bash
# Entry point of the container.
#
#   container.sh serve   start epgd as soon as there is a guide, or at once if epgd refreshes the guide itself
#   container.sh health  succeed if the service is healthy or waiting for the first guide
#
# EPG_DATABASE is the path of the database, EPG_LISTEN the host and port.
set -eu
port=${EPG_LISTEN##*:}

case "${1:-}" in
serve)
    # A shell that runs as process 1 ignores SIGTERM without a trap.
    trap 'exit 0' TERM INT
    # The line is "refresh CRON ORIGIN".
    schedule=$(epg config show | awk '$1 == "refresh" && $NF != "default"')
    if [ ! -f "$EPG_DATABASE" ] && [ -z "$schedule" ]; then
        echo "waiting for the first guide: docker exec CONTAINER epg refresh" >&2
        while [ ! -f "$EPG_DATABASE" ]; do
            sleep 2 &
            wait $!
        done
    fi
    exec epgd
    ;;
health)
    [ -f "$EPG_DATABASE" ] || exit 0
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
