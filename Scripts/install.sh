#!/bin/sh
# Puts the programs, their manual pages, completions, systemd units and examples where they belong; or takes them away.
#
#   Scripts/install.sh FOLDER    FOLDER has the programs epg and epgd
#   Scripts/install.sh --remove  takes away what it put there
#
# PREFIX is /usr/local unless the environment says otherwise; DESTDIR, where all of it is put below another folder.
# ZSH_FOLDER, under PREFIX, is where zsh looks. What was put where stands in PREFIX/share/doc/swift-epg/installed.
# Needs python3 for the manual pages.
set -eu
cd "$(dirname "$0")/.."

prefix=${PREFIX:-/usr/local}
zsh_folder=${ZSH_FOLDER:-share/zsh/site-functions}
root=${DESTDIR:-}$prefix
documents=$root/share/doc/swift-epg
list=$documents/installed

case "${1:-}" in
--remove)
    [ -f "$list" ] || { echo "nothing is installed under $root: there is no $list" >&2; exit 66; }
    while IFS= read -r file; do rm -f "$root/$file"; done <"$list"
    rm -f "$list"
    rmdir "$documents/examples" "$documents" 2>/dev/null || : # others may have put something there
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

# --- What is made from the programs

Scripts/man-pages.py "$built" "$scratch"
for program in epg epgd; do
    for shell in bash zsh fish; do
        "$built/$program" --generate-completion-script $shell >"$scratch/$program.$shell"
    done
    # It is read by a shell, never run.
    sed -i '1{/^#!/d}' "$scratch/$program.bash"
done
# Units name the folder of the programs.
for file in systemd/epgd.service systemd/epg-refresh.service systemd/epg-refresh.timer; do
    sed "s,=/usr/bin/,=$prefix/bin/," "packaging/$file" >"$scratch/${file#*/}"
done
# Every setting with its explanation.
"$built/epg" config example >"$scratch/epg.yml"

# --- Where it goes

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
for example in crontab.example nginx.conf varnish.vcl; do
    put 644 packaging/$example share/doc/swift-epg/examples/$example
done
