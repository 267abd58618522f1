#!/bin/sh
# Builds the documentation of CollectionLayout with the toolchain's DocC, without network and without a package for it.
#
#   Scripts/docs.sh            into .build/docs; `python3 -m http.server -d .build/docs -b 127.0.0.1 8000` shows it at
#                              http://127.0.0.1:8000/documentation/collectionlayout/
#
# A link that leads nowhere, a picture that is missing and any other warning fails, with exit status 65 (EX_DATAERR).
# Parameters without a comment of their own are no warning here: only those are described that need it.
set -eu

cd "$(dirname "$0")/.."
module=CollectionLayout
folder=.build/docs
graphs=.build/docs-symbols

for tool in docc swift-symbolgraph-extract; do
    if ! command -v "$tool" >/dev/null 2>&1; then
        echo "$tool was not found in PATH; it comes with the toolchain: https://www.swift.org/install/linux/" >&2
        exit 69
    fi
done

swift build --target "$module"
target=$(swift -print-target-info | sed -n 's/^ *"triple": "\(.*\)",$/\1/p' | head -n 1)
rm -rf "$graphs"
mkdir -p "$graphs"
swift-symbolgraph-extract -module-name "$module" -I "$(swift build --show-bin-path)/Modules" -target "$target" \
    -minimum-access-level public -skip-synthesized-members -output-dir "$graphs"

status=0
docc convert "Sources/$module/$module.docc" --additional-symbol-graph-dir "$graphs" \
    --fallback-bundle-identifier "swift-epg.$module" --fallback-default-module-kind Library \
    --transform-for-static-hosting --output-path "$folder" --ide-console-output >"$graphs/docc.log" 2>&1 || status=$?
found=$(grep -E '(warning|error): ' "$graphs/docc.log" | grep -v 'is missing documentation' || true)
if [ -n "$found" ]; then
    echo "$found" >&2
    exit 65
fi
if [ "$status" -ne 0 ]; then
    cat "$graphs/docc.log" >&2
    exit "$status"
fi
echo "$folder: python3 -m http.server -d $folder -b 127.0.0.1 8000, then"
echo "http://127.0.0.1:8000/documentation/$(echo "$module" | tr '[:upper:]' '[:lower:]')/"
