#!/usr/bin/env bash
# Tests the service in a browser (Tests/Browser).
#
#   Scripts/browser-test.sh BUILD [--short | --long] [--only WORD] [--shots FOLDER]
#
# BUILD is the folder with the built programs epg and epgd, such as .build/debug.
#   --short   the tests that `make test` runs, at most 90 seconds
#   --long    also guides of 5,000 and 20,000 stations, scrolling speed, accessibility with axe-core
# CHROMIUM and CHROMEDRIVER are paths of other programs than those in PATH. Exits with 1 if a test failed, with 0 if there is no
# browser.
set -euo pipefail

build=$(realpath "${1:?usage: Scripts/browser-test.sh BUILD [--short | --long] [--only WORD] [--shots FOLDER]}")
shift
cd "$(dirname "$0")/.."

. Scripts/browser-programs.sh "$build" browser

# A wheel from PyPI contains axe-core; without it, the accessibility tests are reported as skipped.
axe=.build/axe/axe.min.js
case " $* " in
*" --long "*)
    if [ ! -s "$axe" ]; then
        mkdir -p .build/axe
        if python3 -m pip download --quiet --disable-pip-version-check --no-deps -d .build/axe axe-playwright-python; then
            python3 - .build/axe <<'UNPACK'
import sys, zipfile
from pathlib import Path
folder = Path(sys.argv[1])
with zipfile.ZipFile(max(folder.glob("axe_playwright_python-*.whl"))) as wheel:
    (folder / "axe.min.js").write_bytes(wheel.read("axe_playwright_python/axe.min.js"))
UNPACK
        else
            echo "PyPI does not provide axe-core" >&2
        fi
    fi
    ;;
esac

exec python3 Tests/Browser/run.py "$build" "$@"
