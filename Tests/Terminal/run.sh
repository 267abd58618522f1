#!/usr/bin/env bash
# Runs full-screen programs in a pseudo-terminal and compares the screens of a terminal emulator (run.py).
#
#   Tests/Terminal/run.sh [BUILD] [--short] [--only WORD]
#
# BUILD is the folder with the built programs (default: the folder of swift build). The emulator, pyte, is installed from PyPI
# into .build/terminal-test, with the versions of requirements.txt. Without PyPI the tests are skipped with a notice.
set -euo pipefail
cd "$(dirname "$0")/../.."
case ${1:-} in
'' | --*) build=$(swift build --show-bin-path) ;;
*)
    build=$(realpath "$1")
    shift
    ;;
esac
folder=$PWD/.build/terminal-test
environment=$folder/environment
wanted=Tests/Terminal/requirements.txt
mkdir -p "$folder"

if ! cmp -s "$wanted" "$folder/installed.txt"; then
    rm -rf "$environment"
    if ! python3 -m venv "$environment" >"$folder/log" 2>&1; then
        echo "the terminal tests are skipped: python3 -m venv fails (Debian: python3-venv)" >&2
        exit 0
    fi
    if ! "$environment/bin/pip" install --disable-pip-version-check --retries 1 --timeout 20 -r "$wanted" >"$folder/log" 2>&1; then
        tail -n 3 "$folder/log" >&2
        unreachable='NewConnectionError|Timeout|ProxyError|SSLError|name resolution|Network is unreachable|HTTP error'
        # Another package index may lack these versions.
        if grep -qE "$unreachable|No matching distribution" "$folder/log"; then
            echo "the terminal tests are skipped: PyPI does not provide the emulator" >&2
            exit 0
        fi
        exit 1
    fi
    cp "$wanted" "$folder/installed.txt"
fi

PYTHONDONTWRITEBYTECODE=1 exec "$environment/bin/python" Tests/Terminal/run.py "$build" "$@"
