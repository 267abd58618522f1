#!/usr/bin/env bash
# Draws the PNG icons of the web application manifest from the two SVG files with Chromium, and reduces them to 16 colors with
# pngquant: every page loads one.
set -euo pipefail
assets=$(cd "$(dirname "$0")/../Sources/C/Page/Assets" && pwd)

# Arguments: the drawing, the size in pixels, and the name of the icon.
draw() {
    "${CHROMIUM:-chromium}" --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size="$2,$2" \
        --default-background-color=00000000 --screenshot="$assets/$3.png" "file://$assets/$1.svg" 2>/dev/null
    pngquant --force --speed 1 --strip --output "$assets/$3.png" 16 "$assets/$3.png"
}
# iOS draws its own corners, so the icon for its home screen fills the square.
draw icon-maskable 180 icon-180
draw icon 192 icon-192
draw icon 512 icon-512
draw icon-maskable 512 icon-maskable-512
