#!/usr/bin/env bash
# Generates a Python client from the OpenAPI document and tests epgd with it (openapi.py).
#
#   Tests/Client/openapi.sh [BUILD]    BUILD is the folder with the built programs epg and epgd (default: the folder of swift build)
#
# The generator is installed from PyPI into .build/openapi-client, with the versions of requirements.txt. Without PyPI the test
# is skipped with a notice.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=$(realpath "${1:-$(swift build --show-bin-path)}")
folder=$PWD/.build/openapi-client
environment=$folder/environment
wanted=Tests/Client/requirements.txt
mkdir -p "$folder"

if ! cmp -s "$wanted" "$folder/installed.txt"; then
    rm -rf "$environment"
    if ! python3 -m venv "$environment" >"$folder/log" 2>&1; then
        echo "the test of the generated client is skipped: python3 -m venv fails (Debian: python3-venv)" >&2
        exit 0
    fi
    if ! "$environment/bin/pip" install --disable-pip-version-check --retries 1 --timeout 20 -r "$wanted" >"$folder/log" 2>&1; then
        tail -n 3 "$folder/log" >&2
        unreachable='NewConnectionError|Timeout|ProxyError|SSLError|name resolution|Network is unreachable|HTTP error'
        # Another package index may lack these versions.
        if grep -qE "$unreachable|No matching distribution" "$folder/log"; then
            echo "the test of the generated client is skipped: PyPI does not provide the generator" >&2
            exit 0
        fi
        exit 1
    fi
    cp "$wanted" "$folder/installed.txt"
fi

rm -rf "$folder/client"
mkdir "$folder/client"
"$environment/bin/openapi-python-client" generate --path Sources/CPage/Assets/openapi.yaml --config Tests/Client/openapi.yaml \
    --meta none --output-path "$folder/client/guide_client" --fail-on-warning >"$folder/log" 2>&1 || {
    cat "$folder/log" >&2
    exit 1
}
PYTHONPATH="$folder/client" PYTHONDONTWRITEBYTECODE=1 "$environment/bin/python" Tests/Client/openapi.py "$build"
