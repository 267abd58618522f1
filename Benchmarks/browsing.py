"""Runs `epg browse` in a pseudo-terminal and measures the time and size of its frames."""

import fcntl
import os
import select
import struct
import subprocess
import termios
import time
from pathlib import Path

COLUMNS, ROWS = 120, 40
FRAME_END = b"\x1b[?2026l"
UP, DOWN, RIGHT, LEFT = b"\x1b[A", b"\x1b[B", b"\x1b[C", b"\x1b[D"


class Browser:
    """A running `epg browse`. Its terminal supports synchronized output, which marks the end of each frame."""

    def __init__(self, command: list[str | Path]):
        self.master, terminal = os.openpty()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        environment = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
        environment.pop("NO_COLOR", None)
        begin = time.perf_counter()
        self.process = subprocess.Popen(
            command, stdin=terminal, stdout=terminal, stderr=subprocess.PIPE, env=environment, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(terminal)
        self.pending = b""
        self._read_until(b"\x1b[c")
        # The program may send the first frame before it receives the response; that frame has no marks.
        os.write(self.master, b"\x1b[?2026;2$y\x1b[?62c")
        self._read_until(b"quit")
        self.first_screen_seconds = time.perf_counter() - begin
        self.settle()

    def _read(self, seconds: float) -> bytes:
        if not select.select([self.master], [], [], seconds)[0]:
            return b""
        try:
            return os.read(self.master, 1 << 16)
        except OSError:
            return b""

    def _read_until(self, mark: bytes) -> bytes:
        deadline = time.perf_counter() + 10
        while mark not in self.pending:
            self.pending += self._read(1)
            if time.perf_counter() > deadline or self.process.poll() is not None:
                raise SystemExit(f"epg browse showed nothing: {self.process.stderr.read(1000) if self.process.poll() else ''}")
        found, _, self.pending = self.pending.partition(mark)
        return found + mark

    def settle(self) -> None:
        """Waits until the program stops drawing, at most until its next clock tick."""
        while self._read(0.05):
            pass
        self.pending = b""

    def step(self, key: bytes) -> tuple[float, int]:
        """Presses a key that changes the screen; returns the seconds until the end of the frame, and its size in bytes."""
        begin = time.perf_counter()
        os.write(self.master, key)
        frame = self._read_until(FRAME_END)
        return time.perf_counter() - begin, len(frame)

    @property
    def resident_bytes(self) -> int:
        """The private resident memory of the process, without the pages of the database."""
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("RssAnon:"):
                return int(line.split()[1]) * 1024
        raise SystemExit("no RssAnon")

    def quit(self) -> None:
        os.write(self.master, b"q")
        while self._read(1):
            pass
        if self.process.wait(10) != 0:
            raise SystemExit("epg browse failed")
        os.close(self.master)
        self.process.stderr.close()


def walk(command: list[str | Path], steps: int) -> tuple[list[float], list[int], float]:
    """Moves down through new rows; returns the seconds and bytes of each step, and the seconds of the first screen."""
    browser = Browser(command)
    found = [browser.step(DOWN) for _ in range(steps)]
    browser.quit()
    # The focus moves down the screen before the grid scrolls.
    scrolled = found[ROWS:]
    return [seconds for seconds, _ in scrolled], [count for _, count in scrolled], browser.first_screen_seconds


def arrows(command: list[str | Path], rounds: int) -> list[int]:
    """Returns the output size of each arrow key while scrolling in both directions."""
    browser = Browser(command)
    keys = [RIGHT, RIGHT, DOWN, DOWN, LEFT, UP, RIGHT, DOWN]
    found = [browser.step(key)[1] for _ in range(rounds) for key in keys]
    browser.quit()
    return found


def growth(command: list[str | Path], steps: int) -> int:
    """Returns the growth of private memory in bytes over the last four fifths of a walk."""
    browser = Browser(command)
    for _ in range(steps // 5):
        browser.step(DOWN)
    before = browser.resident_bytes
    for _ in range(steps - steps // 5):
        browser.step(DOWN)
    after = browser.resident_bytes
    browser.quit()
    return max(0, after - before)
