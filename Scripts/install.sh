#!/bin/sh
# Installs or removes the programs, manual pages, completions, systemd units and examples.
#
#   Scripts/install.sh FOLDER    FOLDER contains the programs epg and epgd
#   Scripts/install.sh --remove  removes the installed files
#
# PREFIX is the installation folder (default: /usr/local); DESTDIR is a folder below which everything is put. ZSH_FOLDER, under
# PREFIX, is the folder of zsh completions. PREFIX/share/doc/swift-epg/installed lists the installed files. Needs python3 for
# the manual pages.
set -eu
cd "$(dirname "$0")/.."

prefix=${PREFIX:-/usr/local}
zsh_folder=${ZSH_FOLDER:-share/zsh/site-functions}
root=${DESTDIR:-}$prefix
documents=$root/share/doc/swift-epg
list=$documents/installed

case "${1:-}" in
--remove)
    [ -f "$list" ] || { echo "nothing is installed under $root: $list is missing" >&2; exit 66; }
    while IFS= read -r file; do rm -f "$root/$file"; done <"$list"
    rm -f "$list"
    rmdir "$documents/examples/cluster" "$documents/examples" "$documents" 2>/dev/null || : # the folders may contain foreign files
    exit 0
    ;;
'' | -*)
    echo "usage: Scripts/install.sh FOLDER | --remove" >&2
    exit 64
    ;;
esac
built=$1

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# --- Files generated from the programs

Scripts/man-pages.py "$built" "$scratch"
for program in epg epgd; do
    for shell in bash zsh fish; do
        "$built/$program" --generate-completion-script $shell >"$scratch/$program.$shell"
    done
    # The shell sources the file and never runs it.
    sed -i '1{/^#!/d}' "$scratch/$program.bash"
done
# Units contain the folder of the programs.
for file in systemd/epgd.service systemd/epg-refresh.service systemd/epg-refresh.timer; do
    sed "s,=/usr/bin/,=$prefix/bin/," "packaging/$file" >"$scratch/${file#*/}"
done
# Every setting with an explanation.
"$built/epg" config example >"$scratch/epg.yml"

# --- Installation

mkdir -p "$documents"
: >"$list"

put() { # MODE FILE TARGET
    install -D -m "$1" "$2" "$root/$3"
    echo "$3" >>"$list"
}

for program in epg epgd; do
    put 755 "$built/$program" bin/$program
    strip --strip-all --remove-section=.comment "$root/bin/$program"
    put 644 "$scratch/$program.bash" share/bash-completion/completions/$program
    put 644 "$scratch/$program.zsh" "$zsh_folder/_$program"
    put 644 "$scratch/$program.fish" share/fish/vendor_completions.d/$program.fish
done
ln -sf epg "$root/bin/tv_grab_zz_epg"
echo bin/tv_grab_zz_epg >>"$list"
for page in "$scratch"/man*/*; do
    section=$(basename "$(dirname "$page")")
    put 644 "$page" "share/man/$section/$(basename "$page")"
done
for unit in epgd.service epg-refresh.service epg-refresh.timer; do
    put 644 "$scratch/$unit" lib/systemd/system/$unit
done
put 644 packaging/systemd/epg.sysusers lib/sysusers.d/epg.conf
put 644 packaging/systemd/epg.tmpfiles lib/tmpfiles.d/epg.conf
put 644 "$scratch/epg.yml" share/doc/swift-epg/examples/epg.yml
for example in crontab.example nginx.conf varnish.vcl cluster/node.env cluster/patroni.yml cluster/epgd.conf cluster/haproxy.cfg \
    cluster/nginx-cluster.conf; do
    put 644 packaging/$example share/doc/swift-epg/examples/$example
done
