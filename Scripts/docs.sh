#!/bin/sh
# Builds the documentation of the libraries CollectionLayout, CollectionView and EPGLayout with the toolchain's DocC, without
# network access and without a plugin.
#
#   Scripts/docs.sh            into .build/docs; `python3 -m http.server -d .build/docs -b 127.0.0.1 8000` serves it at
#                              http://127.0.0.1:8000/documentation/
#
# A broken link, a missing image, or any other warning fails with exit status 65 (EX_DATAERR). Missing comments on parameters
# are not reported: only parameters that need a description have one.
set -eu

cd "$(dirname "$0")/.."
# Each module may link to the symbols of those before it.
modules="CollectionLayout CollectionView EPGLayout"
folder=.build/docs
work=.build/docs-work

for tool in docc swift-symbolgraph-extract; do
    if ! command -v "$tool" >/dev/null 2>&1; then
        echo "$tool was not found in PATH; it comes with the toolchain: https://www.swift.org/install/linux/" >&2
        exit 69
    fi
done

target=$(swift -print-target-info | sed -n 's/^ *"triple": "\(.*\)",$/\1/p' | head -n 1)
rm -rf "$work" "$folder"
dependencies=
archives=
for module in $modules; do
    swift build --target "$module"
    mkdir -p "$work/$module"
    swift-symbolgraph-extract -module-name "$module" -I "$(swift build --show-bin-path)/Modules" -target "$target" \
        -minimum-access-level public -skip-synthesized-members -output-dir "$work/$module"
    # Omit extensions of other modules' types, which belong to those modules' pages.
    rm -f "$work/$module/$module@"*

    status=0
    log="$work/$module.log"
    # shellcheck disable=SC2086
    docc convert "Sources/$module/$module.docc" --additional-symbol-graph-dir "$work/$module" \
        --fallback-bundle-identifier "swift-epg.$module" --fallback-default-module-kind Library \
        --enable-experimental-external-link-support $dependencies \
        --output-path "$work/$module.doccarchive" --ide-console-output >"$log" 2>&1 || status=$?
    found=$(grep -E '(warning|error): ' "$log" | grep -v 'is missing documentation' || true)
    if [ -n "$found" ]; then
        echo "$found" >&2
        exit 65
    fi
    if [ "$status" -ne 0 ]; then
        cat "$log" >&2
        exit "$status"
    fi
    dependencies="$dependencies --dependency $work/$module.doccarchive"
    archives="$archives $work/$module.doccarchive"
done
# shellcheck disable=SC2086
docc merge $archives --synthesized-landing-page-name swift-epg --output-path "$folder"
rm -rf "$work"
echo "$folder: python3 -m http.server -d $folder -b 127.0.0.1 8000, then open"
echo "http://127.0.0.1:8000/documentation/"
