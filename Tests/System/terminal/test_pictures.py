"""Tests pictures in the details of epg browse, downloaded from a local server."""

import re
import struct
import subprocess
import tempfile
import threading
import zlib
from contextlib import closing, contextmanager
from pathlib import Path

from support import ROOT, SAMPLES
from support.servers import WebServer, send
from terminal import Terminal

JPEG = ROOT / "Tests/EPGPictureTests/Fixtures/progressive-444.jpg"
ORANGE, BLUE = (255, 128, 0, 255), (0, 0, 255, 255)


def _png(width, height, pixel):
    """Returns a PNG file with RGBA pixels."""
    rows = b"".join(b"\0" + b"".join(bytes(pixel(x, y)) for x in range(width)) for y in range(height))

    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


#: Orange on the left, blue on the right.
POSTER = _png(120, 80, lambda x, y: ORANGE if x < 60 else BLUE)
#: The upper half is transparent.
LOGO = _png(20, 20, lambda x, y: (0, 0, 0, 0) if y < 10 else ORANGE)


def _gradient(x, y):
    """Returns one of 4,096 colors of a picture with 64 × 64 pixels."""
    return (x * 4, y * 4, (x * 7 + y * 3) % 256, 255)


class _Server(WebServer):
    """Serves files by path and records the requests. The path /slow.png waits for `release`."""

    def __init__(self):
        self.files = {"/poster.png": POSTER, "/logo.png": LOGO, "/slow.png": POSTER, "/photo.jpg": JPEG.read_bytes(), "/text.png": b"no picture",
                      "/cut.png": POSTER[:60], "/gradient.png": _png(64, 64, _gradient)}
        self.requests = []
        self.release = threading.Event()
        super().__init__(self._respond)

    def _respond(self, handler):
        self.requests.append(handler.path)
        if handler.path == "/slow.png":
            self.release.wait(20)
        body = self.files.get(handler.path)
        send(handler, 200 if body else 404, body=body or b"")

    def url(self, name):
        return f"{self.origin}/{name}"


@contextmanager
def _details(build, picture=None, logo=None, **options):
    """Runs epg browse with the details of “Kerbside” open, whose icon is `picture`; its station has the icon `logo`. Both are file
    names on the server, or other URLs."""
    with tempfile.TemporaryDirectory() as folder, closing(_Server()) as server:
        guide = re.sub(r"<icon [^>]*/>|<image.*?</image>", "", (SAMPLES / "evening.xml").read_text())
        icon = lambda name: f'<icon src="{name if ":" in name else server.url(name)}"/>' if name else ""
        guide = re.sub("(<title[^>]*>Kerbside</title>)", lambda match: match[0] + icon(picture), guide)
        guide = guide.replace('<url>https://harbour-one.example/</url>', icon(logo))
        path = Path(folder) / "guide.xml"
        path.write_text(guide)
        database = ["--database", Path(folder) / "guide.sqlite"]
        subprocess.run([build / "epg", "import", path, *database], check=True, capture_output=True)
        terminal = Terminal([build / "epg", "browse", "--at", "2026-10-24T18:40:00Z", "--zone", "Europe/London", *database], **options)
        terminal.server = server
        terminal.wait_for("TV guide")
        terminal.press("right")
        terminal.wait_for(lambda terminal: terminal.line(terminal.screen.lines - 3) == " Kerbside" or terminal.screen.lines < 20)
        terminal.press("enter")
        terminal.wait_for("(harbour-one.example)")
        try:
            yield terminal
        finally:
            server.release.set()


def _shown(terminal):
    """Waits for a picture and returns the only one on the screen."""
    terminal.wait_for(lambda terminal: len(terminal.pictures.shown) == 1)
    return next(iter(terminal.pictures.shown.values()))


def _footer(terminal):
    return terminal.line(terminal.screen.lines - 1)


def _expect_poster(picture):
    assert (picture.width, picture.height) == (120, 80), (picture.width, picture.height)
    for row in picture.pixels:
        assert set(row[:60]) == {ORANGE} and set(row[60:]) == {BLUE}


def kitty_shows_the_picture_next_to_the_text_on_request_only(build):
    with _details(build, "poster.png", "logo.png", columns=80, rows=24, graphics=["kitty", "sixel"], cell=(10, 20)) as terminal:
        terminal.wait_for(lambda terminal: "i picture" in _footer(terminal))
        assert terminal.server.requests == [] and not terminal.pictures.shown
        terminal.press("i")
        picture = _shown(terminal)
        assert terminal.server.requests == ["/poster.png"]
        _expect_poster(picture)
        # 12 × 4 cells on the right, followed by one column.
        assert (picture.column, picture.row) == (67, 1)
        terminal.wait_for(lambda terminal: "i hide picture" in _footer(terminal))
        assert all(terminal.line(row)[67:79].strip() == "" for row in range(1, 23)), terminal.text


def sixel_shows_the_same_pixels(build):
    with _details(build, "poster.png", graphics=["sixel"], cell=(10, 20)) as terminal:
        terminal.press("i")
        picture = _shown(terminal)
        # Sixel colors are percentages: 128 becomes 50%, which is 127.5.
        assert (picture.width, picture.height, picture.column, picture.row) == (120, 80, 67, 1)
        for row in picture.pixels:
            assert set(row[:60]) == {ORANGE} and set(row[60:]) == {BLUE}


def sixel_of_many_colors_is_close_to_the_picture(build):
    with _details(build, "gradient.png", graphics=["sixel"], cell=(10, 20)) as terminal:
        terminal.press("i")
        picture = _shown(terminal)
        found = [pixel for row in picture.pixels for pixel in row]
        assert len(set(found)) <= 256
        wanted = [_gradient(x, y) for y in range(64) for x in range(64)]
        differences = [max(abs(a - b) for a, b in zip(*pair)) for pair in zip(found, wanted)]
        # In the worst case, 256 colors are a cube of 6.3 levels per channel: 255 / 6.3 / 2 = 20.
        assert sum(differences) / len(differences) <= 20, (sum(differences) / len(differences), max(differences))


def large_picture_is_scaled_to_two_fifths_of_the_pane(build):
    with _details(build, "poster.png", columns=100, rows=30, graphics=["kitty"], cell=(2, 4)) as terminal:
        terminal.press("i")
        picture = _shown(terminal)
        # 2/5 of 100 columns are 80 pixels, and 28 rows are 112: the width is the limit, and the height is 80 × 80 / 120 = 53.3.
        assert (picture.width, picture.height) == (80, 53), (picture.width, picture.height)
        assert picture.column == 100 - 40 - 1


def narrow_terminal_shows_the_picture_above_the_text(build):
    with _details(build, "poster.png", columns=40, rows=24, graphics=["kitty"], cell=(10, 20)) as terminal:
        terminal.press("i")
        picture = _shown(terminal)
        _expect_poster(picture)
        assert (picture.column, picture.row) == (1, 1)
        terminal.settle()
        assert [terminal.line(row) for row in range(1, 5)] == [""] * 4 and terminal.line(5) == " Kerbside", terminal.text


def programme_without_a_picture_shows_the_station_logo(build):
    for graphics in ["kitty", "sixel"]:
        with _details(build, None, "logo.png", graphics=[graphics], cell=(8, 16)) as terminal:
            terminal.press("i")
            picture = _shown(terminal)
            assert (picture.width, picture.height) == (20, 20)
            assert {pixel[3] for row in picture.pixels[:10] for pixel in row} == {0}
            assert {pixel for row in picture.pixels[10:] for pixel in row} == {ORANGE}


def jpeg_is_shown(build):
    with _details(build, "photo.jpg", graphics=["kitty"], cell=(8, 16)) as terminal:
        terminal.press("i")
        picture = _shown(terminal)
        assert (picture.width, picture.height) == (37, 29)


def picture_disappears_when_the_pane_scrolls_closes_or_resizes(build):
    for graphics in ["kitty", "sixel"]:
        with _details(build, "poster.png", columns=80, rows=12, graphics=[graphics], cell=(10, 20)) as terminal:
            for remove in [lambda: terminal.press("down"), lambda: terminal.wheel("up", 5, 5), lambda: terminal.press("i"),
                           lambda: terminal.resize(90, 12), lambda: terminal.press("escape")]:
                terminal.press("i")
                _shown(terminal)
                remove()
                terminal.wait_for(lambda terminal: not terminal.pictures.shown)
            terminal.press("enter")
            terminal.wait_for("Harbour One (harbour-one.example)")
            terminal.settle()
            assert not terminal.pictures.shown
            assert terminal.server.requests == ["/poster.png"] * 5


def keys_work_during_a_download(build):
    with _details(build, "slow.png", graphics=["kitty"], cell=(10, 20)) as terminal:
        terminal.press("i")
        terminal.wait_for(lambda terminal: "Fetching http://127.0.0.1:" in _footer(terminal))
        terminal.press("escape", "left")
        terminal.wait_for(lambda terminal: terminal.line(21) == " The Ferry Choir")
        terminal.press("right", "enter")
        terminal.wait_for("Harbour One (harbour-one.example)")
        terminal.server.release.set()
        # The pane was reopened and shows no picture without a request.
        terminal.settle(0.5)
        assert not terminal.pictures.shown
        terminal.press("i")
        _expect_poster(_shown(terminal))
        terminal.press("escape")
        terminal.wait_for(lambda terminal: "q quit" in _footer(terminal) or "? help" in _footer(terminal))
        terminal.press("q")
        assert terminal.wait() == 0
        terminal.expect_restored()


def program_quits_during_a_download(build):
    with _details(build, "slow.png", graphics=["kitty"], cell=(10, 20)) as terminal:
        terminal.press("i")
        terminal.wait_for(lambda terminal: terminal.server.requests)
        terminal.press("escape")
        terminal.wait_for(lambda terminal: "q quit" in _footer(terminal) or "? help" in _footer(terminal))
        terminal.press("q")
        assert terminal.wait(3) == 0
        terminal.expect_restored()


def failures_are_reported(build):
    cases = {"missing.png": "the server answered with status 404", "text.png": "it is neither PNG nor JPEG", "cut.png": "the file is incomplete",
             "http://127.0.0.1:1/closed.png": "the server is unreachable"}
    for name, reason in cases.items():
        with _details(build, name, columns=100, graphics=["kitty"], cell=(10, 20)) as terminal:
            terminal.press("i")
            terminal.wait_for(lambda terminal: f"Cannot show the picture: {reason}." in _footer(terminal))
            terminal.press("down")
            terminal.wait_for(lambda terminal: "i picture" in _footer(terminal))


def only_http_urls_are_downloaded(build):
    for url in ["file:///etc/passwd", "ftp://127.0.0.1/poster.png"]:
        with _details(build, url, graphics=["kitty"], cell=(10, 20)) as terminal:
            terminal.settle()
            assert "picture" not in _footer(terminal)
            terminal.press("i")
            terminal.wait_for(lambda terminal: "The guide has no picture" in _footer(terminal))


def terminal_without_graphics_shows_a_message(build):
    for options in [{"cell": (10, 20)}, {"graphics": ["kitty"]}]:
        with _details(build, "poster.png", columns=100, **options) as terminal:
            terminal.settle()
            assert "picture" not in _footer(terminal)
            terminal.press("i")
            terminal.wait_for(lambda terminal: "This terminal cannot show pictures" in _footer(terminal))
            assert terminal.server.requests == []


def terminal_reports_the_cell_size_if_the_system_does_not(build):
    with _details(build, "poster.png", graphics=["sixel"], cell=(10, 20), reports_cell=True) as terminal:
        terminal.press("i")
        assert _shown(terminal).column == 67
        terminal.resize(100, 24)
        terminal.wait_for(lambda terminal: not terminal.pictures.shown)
        terminal.wait_for(lambda terminal: "i picture" in _footer(terminal))
        terminal.press("i")
        assert _shown(terminal).column == 87


def resumed_program_shows_the_picture_again(build):
    with _details(build, "poster.png", graphics=["kitty"], cell=(10, 20)) as terminal:
        terminal.press("i")
        _shown(terminal)
        # Without a shell, the program resumes at once.
        terminal.press("control z")
        terminal.wait_for(lambda terminal: terminal.output.count(b"\x1b[?1049h") == 2 and terminal.output.count(b"a=T") == 2)
        _expect_poster(_shown(terminal))


def screen_and_tmux_get_no_kitty_query(build):
    for name in ["screen-256color", "tmux-256color"]:
        with _details(build, "poster.png", graphics=["sixel"], cell=(10, 20), environment={"TERM": name}) as terminal:
            assert b"\x1b_" not in terminal.output
            terminal.press("i")
            assert _shown(terminal).column == 67
