#!/bin/bash
# What runs in the container.
#
#   container.sh serve   epgd, as soon as there is a guide; at once where it refreshes the guide by itself
#   container.sh health  whether the service is well, or waits for the first guide
#
# EPG_DATABASE names the guide, EPG_LISTEN host and port.
set -eu
port=${EPG_LISTEN##*:}

case "${1:-}" in
serve)
    # SIGTERM must end the wait too: as process 1 a shell would overlook it.
    trap 'exit 0' TERM INT
    # The line is: refresh, the cron expression, where that stands.
    timetable=$(epg config show | awk '$1 == "refresh" && $NF != "default"')
    if [ ! -f "$EPG_DATABASE" ] && [ -z "$timetable" ]; then
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
