#!/usr/bin/env bash
# Builds the fuzz targets and runs each for some seconds, from its corpus and from what earlier runs found.
#
#   Fuzz/run.sh SECONDS [NAME...]        all targets, or those named (a name is that of a folder here)
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

built=$(swift build -c release --show-bin-path)
mkdir -p .build/fuzzers .build/findings

failed=()
for name in "${names[@]}"; do
    swift build -c release --product "Fuzz$name"
    swiftc -sanitize=fuzzer -o ".build/fuzzers/$name" \
        -Xlinker --whole-archive "$built/libFuzz$name.a" -Xlinker --no-whole-archive -ldl

    found=.build/corpus/$name
    mkdir -p "$found"
    echo "== $name: $seconds s"
    status=0
    ".build/fuzzers/$name" -max_total_time="$seconds" -max_len=65536 -timeout=10 -rss_limit_mb=1024 -print_final_stats=1 \
        -artifact_prefix=".build/findings/$name-" -verbosity=0 "$found" "$name/corpus" 2>".build/findings/$name.log" ||
        status=$?
    sed -n 's/^stat:://p' ".build/findings/$name.log"
    if [ "$status" -ne 0 ]; then
        tail -n 40 ".build/findings/$name.log" >&2
        failed+=("$name")
    fi
done

if [ ${#failed[@]} -gt 0 ]; then
    echo "failed: ${failed[*]}; see Fuzz/.build/findings" >&2
    exit 1
fi
echo "none of ${#names[@]} targets failed"
