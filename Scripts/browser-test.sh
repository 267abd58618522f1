#!/usr/bin/env bash
# Drives the real service in a real browser (Tests/Browser).
#
#   Scripts/browser-test.sh BUILD [--short | --long] [--only WORD] [--shots FOLDER]
#
# BUILD is the folder with the built programs epg and epgd, such as .build/debug.
#   --short   what `make test` runs, at most a minute and a half
#   --long    and guides of 5,000 and 20,000 stations, speed of scrolling, accessibility by axe-core
# CHROMIUM and CHROMEDRIVER name other programs than those in PATH. Exit 1 where a test failed, 0 where there is no browser.
set -euo pipefail

build=$(realpath "${1:?usage: Scripts/browser-test.sh BUILD [--short | --long] [--only WORD] [--shots FOLDER]}")
shift
cd "$(dirname "$0")/.."

. Scripts/browser-programs.sh "$build" browser

# axe-core comes in a wheel from PyPI; without it the accessibility tests say that they were skipped.
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
            echo "axe-core could not be had from PyPI" >&2
        fi
    fi
    ;;
esac

exec python3 Tests/Browser/run.py "$build" "$@"
