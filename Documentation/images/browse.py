"""Writes the screen of `epg browse` as an SVG picture to standard output.

    PYTHONPATH=Tests/System/terminal .build/system-tests/terminal/bin/python Documentation/images/browse.py EPG DATABASE

`make test-terminal` installs the terminal emulator (pyte) into .build/system-tests/terminal.
"""

import html
import sys

from terminal import Terminal

COLUMNS, ROWS = 96, 26
CELL_WIDTH, CELL_HEIGHT, BASELINE, MARGIN = 8.4, 18, 13.5, 12
BACKGROUND, FOREGROUND = "#1b1d21", "#d8dade"


def color(value, default):
    return default if value == "default" else f"#{value}" if len(value) == 6 else value


def runs(line):
    """Yields (column, width in cells, text, style) for each run of cells with one style."""
    column = 0
    current = None
    while column < COLUMNS:
        cell = line[column]
        width = 2 if column + 1 < COLUMNS and line[column + 1].data == "" else 1
        fg, bg = color(cell.fg, FOREGROUND), color(cell.bg, BACKGROUND)
        style = (bg, fg) if cell.reverse else (fg, bg)
        style += (cell.bold,)
        # Wide and box-drawing characters have runs of their own, so that they stay in their cells in any font.
        is_plain = width == 1 and (cell.data.isascii() or cell.data.isalnum())
        if current and is_plain and current[4] and current[3] == style:
            current[1] += width
            current[2] += cell.data
        else:
            if current:
                yield current[:4]
            current = [column, width, cell.data, style, is_plain]
        column += width
    yield current[:4]


def main():
    epg, database = sys.argv[1:]
    terminal = Terminal(
        [epg, "browse", "--at", "2026-10-24T19:40", "--zone", "Europe/London", "--database", database],
        columns=COLUMNS, rows=ROWS, environment={"COLORTERM": "truecolor"})
    terminal.settle(1)
    terminal.press("l")
    terminal.settle(1)
    width, height = COLUMNS * CELL_WIDTH + 2 * MARGIN, ROWS * CELL_HEIGHT + 2 * MARGIN
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}" '
          'role="img"><title>epg browse: the guide in a terminal</title>')
    print('<style>text { font: 14px "DejaVu Sans Mono", "Noto Sans Mono", Menlo, Consolas, monospace; white-space: pre } '
          '.b { font-weight: bold }</style>')
    print(f'<rect width="{width:g}" height="{height:g}" rx="8" fill="{BACKGROUND}"/>')
    for row in range(ROWS):
        top = MARGIN + row * CELL_HEIGHT
        for column, cells, text, (fg, bg, bold) in runs(terminal.screen.buffer[row]):
            x = MARGIN + column * CELL_WIDTH
            if bg != BACKGROUND:
                print(f'<rect x="{x:g}" y="{top:g}" width="{cells * CELL_WIDTH + 0.2:g}" height="{CELL_HEIGHT + 0.2:g}" fill="{bg}"/>')
            if text.strip():
                start = len(text) - len(text.lstrip())
                word = text.strip()
                # The length in cells equals the number of characters: runs of several characters have no wide ones.
                length = cells * CELL_WIDTH if len(text) == 1 or cells != len(text) else len(word) * CELL_WIDTH
                bold_class = ' class="b"' if bold else ""
                print(f'<text x="{x + start * CELL_WIDTH:g}" y="{top + BASELINE:g}" fill="{fg}"{bold_class} textLength="{length:g}" '
                      f'lengthAdjust="spacingAndGlyphs">{html.escape(word)}</text>')
    print("</svg>")
    terminal.press("q")
    terminal.close()


if __name__ == "__main__":
    main()
