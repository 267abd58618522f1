#!/usr/bin/env bash
# Measures how much of CollectionLayout and CollectionView the programs execute: the terminal guide in a pseudo-terminal, epg
# grid, and the documentation's programs, which draw its images.
#
#   Scripts/layout-coverage.sh [--functions]
#
# Prints the line coverage of both modules, the total, and the files with uncovered lines; --functions also lists the uncovered
# functions. Builds in .build/coverage.
set -euo pipefail
cd "$(dirname "$0")/.."

build=(--scratch-path .build/coverage)
swift build "${build[@]}" --build-tests --enable-code-coverage >&2
programs=$(swift build "${build[@]}" --show-bin-path)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

export LLVM_PROFILE_FILE="$folder/%p-%m.profraw"
Tests/Terminal/run.sh "$programs" --only browse
database=(--database "$folder/guide.sqlite" --zone Europe/London --at 2026-10-24T18:40:00Z)
"$programs/epg" import sample-data/evening.xml --database "$folder/guide.sqlite" >"$folder/log"
for options in "--format svg" "--format json --orientation vertical" "--format svg --direction rtl --x 300 --y 50" "--style dense"; do
    # shellcheck disable=SC2086
    "$programs/epg" grid $options "${database[@]}" >"$folder/log"
done
tests=$(find "$programs" -maxdepth 1 -name '*PackageTests.xctest')
"$tests" --testing-library swift-testing --filter DocumentationTests >"$folder/log" 2>&1 || { cat "$folder/log" >&2; exit 1; }

# Use the tools of the Swift toolchain: others cannot read the profiles.
PATH="$(dirname "$(readlink -f "$(command -v swift)")"):$PATH"
llvm-profdata merge -sparse "$folder"/*.profraw -o "$folder/all.profdata"
llvm-cov export "$tests" -object "$programs/epg" -instr-profile "$folder/all.profdata" Sources/CollectionLayout Sources/CollectionView \
    >"$folder/coverage.json"
python3 Scripts/layout-coverage.py "$folder/coverage.json" "$@"
