#!/usr/bin/env bash
# Builds the fuzz targets and runs each for some seconds, from its corpus and from what earlier runs found.
#
#   Fuzz/run.sh SECONDS [NAME...]        all targets, or those named (a name is that of a folder here)
#
# With FUZZ_SANITIZER=address they are built under the address sanitizer, and their C traps on undefined behavior.
#
# Exit 1 where one crashed, hung or took too much memory; the input that did it is then under .build/findings, and
# `Fuzz/.build/fuzzers/NAME FILE` runs it again. Exit 64 where the arguments are wrong.
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
        echo "Fuzz/run.sh: there is no target $name here; a target is a folder with a folder corpus" >&2
        exit 64
    fi
done

# libFuzzer keeps the input of a crash only where Swift's own handler doesn't come first.
export SWIFT_BACKTRACE=enable=no

flags=()
sanitizers=fuzzer
scratch=.build
if [ -n "${FUZZ_SANITIZER:-}" ]; then
    scratch=.build-$FUZZ_SANITIZER
    flags+=(--sanitize="$FUZZ_SANITIZER" -Xcc -fsanitize=undefined -Xcc -fsanitize-trap=undefined)
    sanitizers=fuzzer,$FUZZ_SANITIZER
    # Swift's runtime keeps metadata until the process ends, which is no leak.
    export ASAN_OPTIONS=detect_leaks=0
fi
flags+=(--scratch-path "$scratch")
mkdir -p "$scratch/fuzzers" "$scratch/findings"

failed=()
for name in "${names[@]}"; do
    # NIOEmbedded crashes in a release build that is linked with libFuzzer: the runtime finds no metadata for the
    # ManagedAtomic<Bool> of its channel.
    configuration=release
    if [ "$name" = HTTPHead ]; then configuration=debug; fi
    build=("${flags[@]}" -c "$configuration")
    built=$(swift build "${build[@]}" --show-bin-path)
    swift build "${build[@]}" --product "Fuzz$name"
    swiftc -sanitize="$sanitizers" -o "$scratch/fuzzers/$name" \
        -Xlinker --whole-archive "$built/libFuzz$name.a" -Xlinker --no-whole-archive -ldl

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
