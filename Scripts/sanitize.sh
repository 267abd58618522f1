#!/usr/bin/env bash
# Runs code under the sanitizers that Swift has on Linux, address and thread. It has none for undefined behavior there; the
# short form compiles the C of the readers with clang's, which traps.
#
#   Scripts/sanitize.sh address|thread [FILTER]   the suites of the modules with unsafe code, C or threads; FILTER for some
#   Scripts/sanitize.sh --short [SECONDS]         the readers' fuzz targets under the address sanitizer, SECONDS (5) each
#
# Builds go to .build-asan, .build-tsan and Fuzz/.build-address. Exit 1 where something was found, 64 where the arguments are wrong.
set -euo pipefail
cd "$(dirname "$0")/.."

suites='XMLTVTests|EPGImportTests|EPGStoreTests|EPGServerTests|EPGRefreshTests|FuzzTests'
# Swift's runtime keeps metadata until the process ends, which is no leak.
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
