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

. Scripts/browser-programs.sh "$build" abuse

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
