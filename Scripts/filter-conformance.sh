#!/bin/sh
# Runs the XMLTV project's filter suite against `epg filter` and prints "N passed, N failed" at the end.
#
#   Scripts/filter-conformance.sh [FLAGS OF swift test]
#
# Exits with 1 if a case fails, or if none ran because the suite is missing.
set -eu

cd "$(dirname "$0")/.."
suite=../shared/data/XMLTV_xmltv/t/data
log=$(mktemp)
trap 'rm -f "$log"' EXIT
status=0
swift test "$@" --filter 'EPGFilterTests.ConformanceTests' >"$log" 2>&1 || status=1
cat "$log"
if ! grep -E '^[0-9]+ passed, [0-9]+ failed' "$log"; then
    if [ ! -d "$suite" ]; then
        echo "The XMLTV project's suite is missing: the folder $suite does not exist." >&2
    fi
    echo "0 passed, 0 failed: no case ran"
    status=1
fi
exit $status
