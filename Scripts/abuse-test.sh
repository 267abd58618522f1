#!/usr/bin/env bash
# Abuses the real service (Tests/Abuse): bytes that no client sends, requests made up from the OpenAPI document, and guides
# full of scripts, shown in a browser.
#
#   Scripts/abuse-test.sh BUILD [--short] [--only WORD]
#
# BUILD is the folder with the built programs epg and epgd, such as .build/debug. --short makes fewer requests.
# schemathesis comes from PyPI into .build/schemathesis; SCHEMATHESIS names another one. Exit 1 where a test failed, 0
# where there is no browser.
set -euo pipefail

build=$(realpath "${1:?usage: Scripts/abuse-test.sh BUILD [--short] [--only WORD]}")
shift
cd "$(dirname "$0")/.."

for program in epg epgd; do
    [ -x "$build/$program" ] || { echo "$build/$program is missing: swift build --product $program" >&2; exit 66; }
done
missing=''
command -v python3 >/dev/null || missing="$missing python3"
command -v "${CHROMIUM:-chromium}" >/dev/null || missing="$missing chromium"
command -v "${CHROMEDRIVER:-chromedriver}" >/dev/null || missing="$missing chromium-driver"
if [ -n "$missing" ]; then
    echo "skipped: the abuse tests need$missing (Scripts/setup.sh --browser, or apt-get install$missing)"
    exit 0
fi

if [ -z "${SCHEMATHESIS:-}" ]; then
    environment=$PWD/.build/schemathesis
    SCHEMATHESIS=$environment/bin/schemathesis
    if [ ! -x "$SCHEMATHESIS" ]; then
        python3 -m venv "$environment"
        "$environment/bin/pip" install --quiet --disable-pip-version-check 'schemathesis>=4,<5'
    fi
    export SCHEMATHESIS
fi

exec python3 Tests/Browser/run.py "$build" --tests Tests/Abuse "$@"
