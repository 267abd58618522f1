#!/bin/sh
# Builds the engine's side and runs the comparison. Passes its arguments to oracle.py.
set -eu
folder=$(dirname "$0")
swift build -c release --package-path "$folder"
exec python3 "$folder/oracle.py" "$(swift build -c release --package-path "$folder" --show-bin-path)/layout-frames" "$@"
