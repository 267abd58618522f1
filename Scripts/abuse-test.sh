#!/usr/bin/env bash
# Sends hostile input to the service (Tests/Abuse): malformed requests, requests generated from the OpenAPI document, and guides
# with script payloads, shown in a browser.
#
#   Scripts/abuse-test.sh BUILD [--short] [--only WORD]
#
# BUILD is the folder with the built programs epg and epgd, such as .build/debug. --short sends fewer requests. schemathesis is
# installed from PyPI into .build/schemathesis; SCHEMATHESIS is the path of another one. Exits with 1 if a test failed, with 0 if
# there is no browser.
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
