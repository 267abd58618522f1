# Sourced by tests that need the service and a browser: checks that both are available.
#
#   . Scripts/browser-programs.sh BUILD NAME    BUILD contains epg and epgd; NAME is the name of the tests
#
# Exits with 66 if a program is missing, with 0 if there is no browser.
for program in epg epgd; do
    [ -x "$1/$program" ] || { echo "$1/$program is missing: swift build --product $program" >&2; exit 66; }
done
missing=''
command -v python3 >/dev/null || missing="$missing python3"
command -v "${CHROMIUM:-chromium}" >/dev/null || missing="$missing chromium"
command -v "${CHROMEDRIVER:-chromedriver}" >/dev/null || missing="$missing chromium-driver"
if [ -n "$missing" ]; then
    echo "skipped: the $2 tests need$missing (Scripts/setup.sh --browser, or apt-get install$missing)"
    exit 0
fi
