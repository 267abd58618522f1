#!/usr/bin/env bash
# Compares epg with its yardsticks (libexpat, SQLite's C interface, sqlite3), alternately in one run, and prints a table of ratios.
# Exits with 1 if a limit is exceeded.
#
#   Benchmarks/run.sh [--quick] [GUIDE.xml]
#   Benchmarks/run.sh --build                only build everything
#
# GUIDE.xml is uncompressed UTF-8. The default is the large guide in ../shared/data, for which the limits are set, or, if it is
# missing, copies of the sample guide. --quick measures less. RELEASE_FLAGS are the flags of `swift build`; TMPDIR needs 1.2 GB for
# scratch files.
set -euo pipefail
export PYTHONDONTWRITEBYTECODE=1
here=$(cd "$(dirname "$0")" && pwd)
package=$(dirname "$here")
built=$here/.build-yardsticks
read -ra flags <<<"${RELEASE_FLAGS:--c release --static-swift-stdlib -Xlinker -z -Xlinker now -Xlinker -no-pie}"
options=() guide='' builds_only=no
for argument in "$@"; do
    case $argument in
    --quick) options+=(--quick) ;;
    --build) builds_only=yes ;;
    -*)
        echo "usage: Benchmarks/run.sh [--quick | --build] [GUIDE.xml]" >&2
        exit 64
        ;;
    *) guide=$argument ;;
    esac
done
for tool in sqlite3 python3 "${CC:-cc}"; do
    command -v "$tool" >/dev/null || { echo "$tool is missing: apt-get install sqlite3 python3 gcc" >&2; exit 69; }
done

mkdir -p "$built"
yardstick() {
    local name=$1 source=$here/yardsticks/$1.c
    shift
    if [ ! "$built/$name" -nt "$source" ] || [ ! "$built/$name" -nt "$here/yardsticks/random.h" ]; then
        "${CC:-cc}" -std=gnu11 -O2 -Wall -Wextra -o "$built/$name" "$source" "$@"
    fi
}
yardstick measure
yardstick expat_parse -lexpat
yardstick make_guide -lsqlite3
yardstick viewport_seeks -lsqlite3
swift build --package-path "$package" "${flags[@]}" --product epg >&2
swift build --package-path "$here" "${flags[@]}" >&2
epg=$(swift build --package-path "$package" "${flags[@]}" --show-bin-path)/epg
programs=$(swift build --package-path "$here" "${flags[@]}" --show-bin-path)
[ $builds_only = no ] || exit 0

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
reference=$package/../shared/data/derived/mega.xml.gz
if [ -n "$guide" ]; then
    [ -r "$guide" ] || { echo "cannot read $guide" >&2; exit 66; }
elif [ -r "$reference" ]; then
    guide=$folder/mega.xml
    gunzip -c "$reference" >"$guide"
else
    echo "note: ${reference#"$package/"} is missing; the limits are set for that guide" >&2
    guide=$folder/large.xml
    # 300 copies: 3,600 stations, 125,100 programmes, 39 MB.
    python3 "$here/enlarge.py" "$package/sample-data/evening.xml" 300 >"$guide"
fi
python3 "$here/bench.py" --epg "$epg" --programs "$programs" --guide "$guide" --folder "$folder" ${options[@]+"${options[@]}"}
