#!/bin/sh
# Runs the XMLTV project's filter suite against `epg filter`, and prints "N passed, N failed" last.
#
#   Scripts/filter-conformance.sh [FLAGS OF swift test]
#
# Ends with 1 where a case fails.
set -eu

log=$(mktemp)
trap 'rm -f "$log"' EXIT
status=0
swift test "$@" --filter 'EPGFilterTests.ConformanceTests' >"$log" 2>&1 || status=1
cat "$log"
grep -E '^[0-9]+ passed, [0-9]+ failed' "$log" || echo "0 passed, 0 failed: the suite is not here"
exit $status
