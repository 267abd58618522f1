#!/usr/bin/env bash
# Builds the fuzz targets and runs each for some seconds, starting with its corpus and the inputs found by earlier runs.
#
#   Fuzz/run.sh SECONDS [NAME...]        all targets, or the named ones (folders next to this script)
#
# FUZZ_SANITIZER=address builds them with the address sanitizer and with C code that traps on undefined behavior.
#
# Exits with 1 if a target crashed, hung or exceeded its memory limit; .build/findings then contains the input, and
# `Fuzz/.build/fuzzers/NAME FILE` reproduces the failure. Exits with 64 if the arguments are invalid.
set -euo pipefail
cd "$(dirname "$0")"

if ! [[ ${1:-} =~ ^[1-9][0-9]*$ ]]; then
    echo "usage: Fuzz/run.sh SECONDS [NAME...]" >&2
    exit 64
fi
seconds=$1
shift
names=("$@")
if [ ${#names[@]} -eq 0 ]; then
    for corpus in */corpus; do names+=("${corpus%/corpus}"); done
fi
for name in "${names[@]}"; do
    if [ ! -d "$name/corpus" ]; then
        echo "Fuzz/run.sh: unknown target $name; a target is a folder that contains a folder named corpus" >&2
        exit 64
    fi
done

# libFuzzer saves the input of a crash only if Swift's own handler is disabled.
export SWIFT_BACKTRACE=enable=no

flags=()
sanitizers=fuzzer
scratch=.build
if [ -n "${FUZZ_SANITIZER:-}" ]; then
    scratch=.build-$FUZZ_SANITIZER
    flags+=(--sanitize="$FUZZ_SANITIZER" -Xcc -fsanitize=undefined -Xcc -fsanitize-trap=undefined)
    sanitizers=fuzzer,$FUZZ_SANITIZER
    # The Swift runtime keeps metadata until the process ends, which is not a leak.
    export ASAN_OPTIONS=detect_leaks=0
fi
flags+=(--scratch-path "$scratch")
mkdir -p "$scratch/fuzzers" "$scratch/findings"

failed=()
for name in "${names[@]}"; do
    # NIOEmbedded crashes in a release build that is linked with libFuzzer: the runtime finds no metadata for
    # ManagedAtomic<Bool> of its channel.
    configuration=release
    if [ "$name" = HTTPHead ]; then configuration=debug; fi
    build=("${flags[@]}" -c "$configuration")
    built=$(swift build "${build[@]}" --show-bin-path)
    swift build "${build[@]}" --product "Fuzz$name"
    swiftc -sanitize="$sanitizers" -o "$scratch/fuzzers/$name" \
        -Xlinker --whole-archive "$built/libFuzz$name.a" -Xlinker --no-whole-archive -ldl -lz -lcrypt

    found=$scratch/corpus/$name
    mkdir -p "$found"
    echo "== $name: $seconds s"
    status=0
    "$scratch/fuzzers/$name" -max_total_time="$seconds" -max_len=65536 -timeout=10 -rss_limit_mb=1024 -print_final_stats=1 \
        -artifact_prefix="$scratch/findings/$name-" -verbosity=0 "$found" "$name/corpus" 2>"$scratch/findings/$name.log" ||
        status=$?
    sed -n 's/^stat:://p' "$scratch/findings/$name.log"
    if [ "$status" -ne 0 ]; then
        tail -n 40 "$scratch/findings/$name.log" >&2
        failed+=("$name")
    fi
done

if [ ${#failed[@]} -gt 0 ]; then
    echo "failed: ${failed[*]}; see Fuzz/$scratch/findings" >&2
    exit 1
fi
echo "none of ${#names[@]} targets failed"
