#!/bin/bash
# Checks the installed package in a booted, clean Debian (see clean_debian.py).
#
# Writes a line for each rule to /try/result and powers the machine off. /try contains the package.
set -u
exec >>/try/result 2>&1

guide=/var/lib/epg/guide.sqlite
port=8080

rule() { # NAME COMMAND…: the output of the command is the figure, or the reason of a failure
    local name=$1 output
    shift
    if output=$("$@" 2>&1); then
        echo "ok      $name${output:+: $output}"
    else
        echo "FAILED  $name: $output" | tr '\n' '~'
        echo
    fi
}
until_true() { # SECONDS COMMAND…
    local end=$((SECONDS + $1))
    shift
    until "$@" >/dev/null 2>&1; do
        [ $SECONDS -lt $end ] || { echo "timeout: $*"; journalctl --no-pager -n 15 -u 'epg*'; return 1; }
        sleep 0.2
    done
}
is() { # PROPERTY UNIT VALUE
    local value
    value=$(systemctl show -p "$1" --value "$2")
    [ "$value" = "$3" ] || { echo "$1 of $2 is $value"; return 1; }
}
responds() { curl -fsS -m 10 "http://127.0.0.1:$port$1"; }
as_epg() { (cd / && runuser -u epg -- env EPG_DATABASE=$guide epg "$@"); }
pid() { systemctl show -p MainPID --value epgd; }
write_guide() { # TITLE: two days of two stations, from this hour on
    local hour
    {
        echo '<tv><channel id="one"><display-name>One</display-name></channel><channel id="two"><display-name>Two</display-name></channel>'
        for station in one two; do
            for hour in $(seq 0 47); do
                echo "<programme channel=\"$station\" start=\"$(date -u -d "+$hour hours" +%Y%m%d%H0000) +0000\"><title>$1 $hour</title></programme>"
            done
        done
        echo '</tv>'
    } >/srv/guide.xml
}

systemctl is-system-running --wait >/dev/null

# --- State after the installation

waits() {
    is UnitFileState epgd.service enabled && is UnitFileState epg-refresh.timer enabled &&
        is ActiveState epg-refresh.timer active && is ActiveState epgd.service active &&
        until_true 20 sh -c "journalctl --no-pager -o cat -u epgd.service | grep -q '/admin/start?token='"
}
rule "after the installation the timer and the service are active, and the log has the link to set it up" waits

due() {
    local next
    next=$(systemctl show -p NextElapseUSecRealtime --value epg-refresh.timer)
    case $(date -d "$next" +%H) in 03 | 04 | 05) echo "$next" ;; *) echo "next is $next"; return 1 ;; esac
}
rule "the refresh is scheduled at night" due

private_state() {
    local owner
    owner=$(stat -c '%U %G %a' /var/lib/epg)
    [ "$owner" = "epg epg 750" ] || { echo "$owner"; return 1; }
}
rule "the guide's folder belongs to epg and is unreadable for others" private_state

# --- A source, a refresh, a guide

first_refresh() {
    write_guide Morning
    as_epg source add home /srv/guide.xml && systemctl start epg-refresh.service && is Result epg-refresh.service success
}
rule "a refresh from a file succeeds in its sandbox" first_refresh
rule "epgd is healthy" until_true 45 responds /healthz
serves() { responds /xmltv.xml | grep -c Morning; }
rule "epgd serves the guide" serves

second_refresh() {
    write_guide Evening
    systemctl start epg-refresh.service && until_true 10 sh -c "curl -fsS http://127.0.0.1:$port/xmltv.xml | grep -q Evening"
}
rule "epgd serves a refreshed guide at once, without a restart" second_refresh

over_http() {
    as_epg source add again "http://127.0.0.1:$port/xmltv.xml" && systemctl start epg-refresh.service &&
        is Result epg-refresh.service success && as_epg sources | grep -q again && as_epg source remove again
}
rule "a refresh over HTTP succeeds in its sandbox" over_http

silent() {
    local output
    output=$(journalctl --no-pager -o cat -u epg-refresh.service _COMM=epg)
    [ -z "$output" ] || { echo "$output"; return 1; }
}
rule "a successful refresh logs nothing" silent

command_source() {
    printf '#!/bin/sh\ncat /srv/guide.xml\n' >/usr/local/bin/tv_grab_zz_test
    chmod 755 /usr/local/bin/tv_grab_zz_test
    cp -p /etc/epg/epg.yml /tmp/epg.yml
    printf 'sources:\n  - name: grabber\n    command: [/usr/local/bin/tv_grab_zz_test]\n' >>/etc/epg/epg.yml
    epg config check /etc/epg/epg.yml >/dev/null && systemctl start epg-refresh.service &&
        is Result epg-refresh.service success && as_epg sources | grep -q grabber
    local result=$?
    cp -p /tmp/epg.yml /etc/epg/epg.yml
    return $result
}
rule "a refresh from a command in epg.yml succeeds in its sandbox" command_source

# --- The sandbox

confined() {
    local status
    status=$(cat "/proc/$(pid)/status")
    for line in "NoNewPrivs:	1" "Seccomp:	2" "CapEff:	0000000000000000" "CapBnd:	0000000000000000" "Uid:	$(id -u epg)"; do
        grep -q "^$line" <<<"$status" || { echo "expected: $line"; grep "^${line%%:*}" <<<"$status"; return 1; }
    done
    # In its mount namespace, only its state is writable.
    nsenter -t "$(pid)" -m sh -c 'touch /etc/x /usr/x /srv/x 2>/dev/null' && { echo "/etc is writable"; return 1; }
    nsenter -t "$(pid)" -m sh -c 'touch /var/lib/epg/x && rm /var/lib/epg/x' || { echo "the state is not writable"; return 1; }
    [ -z "$(nsenter -t "$(pid)" -m find /home /root -mindepth 1)" ] || { echo "/home is visible"; return 1; }
}
rule "epgd runs as epg, without capabilities, with a system call filter, and can write only its state" confined

process_metrics() {
    local name
    for name in process_start_time_seconds process_resident_memory_bytes process_open_fds; do
        responds /metrics | grep "^$name" >/dev/null || { echo "no $name"; return 1; }
    done
}
rule "epgd reports metrics of its process" process_metrics

no_warnings() {
    local output
    output=$(journalctl --no-pager -o cat -u epgd.service _COMM=epgd | grep -iE 'warn|error|fail|denied|not permitted' | grep -v 'no guide')
    [ -z "$output" ] || { echo "$output"; return 1; }
}
rule "the sandbox denies epgd nothing" no_warnings

# --- Exits

was_restarted() { # PID of the process that was killed
    local now
    now=$(pid)
    [ "$now" -gt 0 ] && [ "$now" != "$1" ]
}
killed() {
    local old
    old=$(pid)
    kill -9 "$old"
    until_true 45 was_restarted "$old" && until_true 10 responds /healthz
}
rule "systemd restarts epgd after a kill" killed

misconfigured() {
    cp -p /etc/epg/epg.yml /tmp/epg.yml
    echo 'nonsense: 1' >>/etc/epg/epg.yml
    systemctl restart epgd
    until_true 10 is ActiveState epgd.service failed && is ExecMainStatus epgd.service 78
    local result=$?
    cp -p /tmp/epg.yml /etc/epg/epg.yml
    systemctl reset-failed epgd && systemctl start epgd && until_true 10 responds /healthz || return 1
    return $result
}
rule "invalid settings stop epgd with exit code 78, without restarts" misconfigured

stopped() {
    local begin=$SECONDS
    systemctl stop epgd && is Result epgd.service success && is ActiveState epgd.service inactive || return 1
    [ $((SECONDS - begin)) -le 12 ] && systemctl start epgd && until_true 10 responds /healthz
}
rule "systemctl stop ends epgd cleanly" stopped

# --- Upgrade, removal, purge

upgraded() {
    local old
    old=$(pid)
    sed -i 's/^#title: .*/title: Our guide/; s/^# *title: .*/title: Our guide/' /etc/epg/epg.yml
    grep -q '^title: Our guide$' /etc/epg/epg.yml || echo 'title: Our guide' >>/etc/epg/epg.yml
    dpkg -i /try/*.deb >/tmp/upgrade 2>&1 || { cat /tmp/upgrade; return 1; }
    grep -q '^title: Our guide$' /etc/epg/epg.yml && [ "$(pid)" != "$old" ] && until_true 20 responds /xmltv.xml &&
        responds / | grep 'Our guide' >/dev/null
}
rule "an upgrade keeps the guide and settings and restarts the service" upgraded

migrated() {
    systemctl stop epgd.service epg-refresh.timer
    rm -f $guide $guide-*
    gzip -dc /try/guide-9.sqlite.gz >$guide
    chown epg: $guide
    as_epg stations >/tmp/refusal 2>&1 && { echo "a guide of version 9 is read"; return 1; }
    grep 'epg migrate' /tmp/refusal >/dev/null || { cat /tmp/refusal; return 1; }
    dpkg -i /try/*.deb >/tmp/upgrade 2>&1 || { cat /tmp/upgrade; return 1; }
    as_epg check >/tmp/check 2>&1 || { cat /tmp/upgrade /tmp/check; return 1; }
    until_true 20 responds /xmltv.xml
}
rule "an upgrade migrates the guide of an older version" migrated

removed() {
    dpkg -r swift-epg >/tmp/removal 2>&1 || { cat /tmp/removal; return 1; }
    [ -f $guide ] && [ -f /etc/epg/epg.yml ] && [ ! -e /usr/bin/epgd ] && ! responds /healthz >/dev/null 2>&1 &&
        ! systemctl is-active -q epgd.service epg-refresh.timer
}
rule "a removal stops the service and keeps the guide and settings" removed

purged() {
    dpkg -P swift-epg >/tmp/purge 2>&1 || { cat /tmp/purge; return 1; }
    local rest
    rest=$(find / -xdev \( -path /proc -o -path /sys -o -path /try -o -path /var/log -o -path /var/cache -o -path /tmp \) -prune -o \
        \( -name 'epg*' -o -name 'swift-epg*' -o -name '*zz_epg*' -o -name 'stamp-epg*' \) -print)
    [ -z "$rest" ] || { echo "$rest"; return 1; }
}
rule "a purge leaves only the user" purged

echo ended
systemctl poweroff
