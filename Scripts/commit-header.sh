#!/bin/sh
# Writes FOLDER/epg-commit.h with the commit that a release was built from, unless it has that content already.
#
#   Scripts/commit-header.sh FOLDER [COMMIT]    default: the commit of the Git repository, with -dirty for uncommitted changes
set -eu
cd "$(dirname "$0")/.."

if [ $# -lt 1 ] || [ $# -gt 2 ]; then
    echo "usage: Scripts/commit-header.sh FOLDER [COMMIT]" >&2
    exit 64
fi
commit=${2:-$(git describe --always --exclude '*' --abbrev=12 --dirty 2>/dev/null || :)}
header=
if [ -n "$commit" ]; then header="#define COMMIT \"$commit\""; fi
mkdir -p "$1"
if [ "$header" != "$(cat "$1/epg-commit.h" 2>/dev/null || :)" ] || [ ! -e "$1/epg-commit.h" ]; then
    printf '%s\n' "$header" >"$1/epg-commit.h"
fi
