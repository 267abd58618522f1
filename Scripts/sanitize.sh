#!/usr/bin/env bash
# Runs code under the sanitizers that Swift supports on Linux: address and thread. There is none for undefined behavior; the
# short form compiles the readers' C code with clang's sanitizer, which traps.
#
#   Scripts/sanitize.sh address|thread [FILTER]   the suites of the modules with unsafe code, C or threads; FILTER selects some
#   Scripts/sanitize.sh --short [SECONDS]         the readers' fuzz targets under the address sanitizer, SECONDS (5) each
#
# Builds go to .build-asan, .build-tsan and Fuzz/.build-address. Exits with 1 if a sanitizer reported an error, with 64 if the arguments are invalid.
set -euo pipefail
cd "$(dirname "$0")/.."

suites='XMLTVTests|EPGImportTests|EPGStoreTests|EPGServerTests|EPGRefreshTests|FuzzTests'
# The Swift runtime keeps metadata until the process ends, which is not a leak.
export ASAN_OPTIONS=detect_leaks=0:abort_on_error=0
export TSAN_OPTIONS=halt_on_error=0:exitcode=66

case ${1:-} in
address | thread)
    flags=(--sanitize="$1" --scratch-path ".build-${1:0:1}san")
    swift build --build-tests "${flags[@]}"
    if [ "$1" = thread ]; then
        "$(dirname "$(readlink -f "$(command -v swiftc)")")/clang" -O1 -shared -fPIC -o .build-tsan/mutex.so Tests/Sanitizers/mutex.c -ldl
        export LD_PRELOAD=$PWD/.build-tsan/mutex.so
    fi
    exec swift test --skip-build "${flags[@]}" --filter "${2:-$suites}"
    ;;
--short)
    FUZZ_SANITIZER=address Fuzz/run.sh "${2:-5}" Inflate JSONGuide Picture Playlist Times XMLTVReader
    ;;
*)
    echo "usage: Scripts/sanitize.sh address|thread [FILTER] | --short [SECONDS]" >&2
    exit 64
    ;;
esac
