"""Runs a program in a pseudo-terminal and interprets its output with a terminal emulator (pyte)."""

import difflib
import codecs
import fcntl
import os
import re
import resource
import select
import signal
import struct
import subprocess
import termios
import time
from pathlib import Path

import pyte

from pictures import Pictures

GOLDENS = Path(__file__).resolve().parent / "Goldens"

#: Sequences that xterm sends for keys.
KEYS = {
    "up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D", "home": "\x1b[H", "end": "\x1b[F",
    "page up": "\x1b[5~", "page down": "\x1b[6~", "insert": "\x1b[2~", "delete": "\x1b[3~", "tab": "\t", "back tab": "\x1b[Z",
    "enter": "\r", "escape": "\x1b", "backspace": "\x7f", "space": " ",
}
KEYS |= {f"control {letter}": chr(ord(letter) & 31) for letter in "abcdefghijklmnopqrstuvwxyz"}


class Screen(pyte.Screen):
    """pyte's screen, extended by the alternate screen and by format characters without width."""

    def __init__(self, columns, rows, reply):
        self.main = None
        self.reply = reply
        self.pictures = None
        super().__init__(columns, rows)

    @property
    def is_alternate(self):
        return self.main is not None

    def is_set(self, private_mode):
        return private_mode << 5 in self.mode

    def set_mode(self, *modes, **options):
        if options.get("private") and 1049 in modes and not self.main:
            self.main = ({row: dict(line) for row, line in self.buffer.items()}, self.cursor.x, self.cursor.y)
            self.erase_in_display(2)
        super().set_mode(*modes, **options)

    def reset_mode(self, *modes, **options):
        super().reset_mode(*modes, **options)
        if options.get("private") and 1049 in modes and self.main:
            lines, self.cursor.x, self.cursor.y = self.main
            self.main = None
            self.erase_in_display(2)
            for row, line in lines.items():
                self.buffer[row].update(line)

    def report_device_attributes(self, mode=0, **options):
        if self.pictures is None or not self.pictures.has_sixel:
            super().report_device_attributes(mode, **options)
        elif mode == 0 and not options.get("private"):
            # VT200 with sixel.
            self.reply("\x1b[?62;4c")

    def erase_in_display(self, how=0, *arguments, **options):
        super().erase_in_display(how, *arguments, **options)
        if how == 2 and self.pictures:
            self.pictures.erase()

    def draw(self, data):
        # pyte ignores the characters after one without width.
        for character in data:
            super().draw(character)

    def write_process_input(self, data):
        self.reply(data)


class Terminal:
    """Runs a program as the session leader on a new pseudo-terminal."""

    _open = []

    def __init__(self, arguments, columns=80, rows=24, environment=None, folder=None, synchronized=True, before=None,
                 graphics=(), cell=(0, 0), reports_cell=False):
        """Starts the program. `environment` extends a small one with TERM=xterm-256color; None removes a variable. `before` is called
        in the new process. The terminal supports synchronized output (mode 2026) if `synchronized`, and the graphics protocols in
        `graphics`: "kitty", "sixel". `cell` is the size of a cell in pixels, from the system or, if `reports_cell`, from the terminal."""
        variables = {
            "PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/"), "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "TZ": "UTC",
            # Otherwise, the Swift runtime would wait for a key after a crash.
            "SWIFT_BACKTRACE": "enable=no",
        }
        # The profile path of a program built with coverage.
        variables |= {name: value for name, value in os.environ.items() if name == "LLVM_PROFILE_FILE"}
        variables |= environment or {}
        self.output = b""
        self.frames = 0
        self._pending = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._synchronized = synchronized
        self.screen = Screen(columns, rows, self.send)
        self.pictures = self.screen.pictures = Pictures(graphics, cell, self.send)
        self._cell, self._reports_cell = cell, reports_cell
        self._stream = pyte.Stream(self.screen)
        self._master, slave = os.openpty()
        self._set_size(columns, rows)
        self.modes_before = termios.tcgetattr(self._master)

        def prepare():
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            # Tests in the background or under nohup inherit ignored signals.
            for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
                signal.signal(number, signal.SIG_DFL)
            if before:
                before()

        self.process = subprocess.Popen(
            [str(argument) for argument in arguments], stdin=slave, stdout=slave, stderr=slave, start_new_session=True,
            preexec_fn=prepare, cwd=folder, env={name: value for name, value in variables.items() if value is not None})
        os.close(slave)
        Terminal._open.append(self)

    # --- Input

    def send(self, data):
        """Sends text or bytes unchanged."""
        try:
            os.write(self._master, data.encode() if isinstance(data, str) else data)
        except OSError:
            pass

    def press(self, *keys):
        """Presses keys by their names in KEYS; sends other names as text."""
        for key in keys:
            self.send(KEYS.get(key, key))

    def click(self, column, row, button=0):
        """Presses and releases a mouse button on a cell, counted from 0, if the program enabled mouse reports."""
        self._mouse(button, column, row, "M")
        self._mouse(button, column, row, "m")

    def drag(self, column, row, columns=0, rows=0):
        """Presses the left button on a cell, moves the mouse in two steps, and releases the button."""
        self._mouse(0, column, row, "M")
        self._mouse(32, column + columns // 2, row + rows // 2, "M")
        self._mouse(32, column + columns, row + rows, "M")
        self._mouse(0, column + columns, row + rows, "m")

    def wheel(self, direction, column=0, row=0):
        """Turns the wheel up, down, left or right."""
        self._mouse(64 + ["up", "down", "left", "right"].index(direction), column, row, "M")

    def _mouse(self, code, column, row, final):
        assert self.screen.is_set(1000) and self.screen.is_set(1006), "the program did not enable mouse reports"
        self.send(f"\x1b[<{code};{column + 1};{row + 1}{final}")

    def resize(self, columns, rows):
        """Resizes the window."""
        self.screen.resize(rows, columns)
        self._set_size(columns, rows)

    def _set_size(self, columns, rows):
        pixels = (0, 0) if self._reports_cell else (columns * self._cell[0], rows * self._cell[1])
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, *pixels))

    # --- Output

    def wait_for(self, condition, seconds=10):
        """Waits until the screen contains a text, or until a predicate on the terminal is true."""
        is_met = (lambda terminal: condition in terminal.text) if isinstance(condition, str) else condition
        end = time.monotonic() + seconds
        while not is_met(self):
            left = end - time.monotonic()
            name = repr(condition) if isinstance(condition, str) else getattr(condition, "__name__", "the condition")
            if left <= 0:
                raise AssertionError(f"{name} not met within {seconds} s; the screen is:\n{self.text}")
            if not self._read(min(left, 0.2)) and self.process.poll() is not None and not is_met(self):
                raise AssertionError(f"the program exited ({self.process.returncode}) before {name}; the screen is:\n{self.text}")

    def settle(self, quiet=0.15):
        """Reads until the output is quiet."""
        while self._read(quiet):
            pass

    def _read(self, seconds):
        ready, _, _ = select.select([self._master], [], [], seconds)
        if not ready:
            return False
        try:
            data = os.read(self._master, 65536)
        except OSError:
            return False
        self.output += data
        self._feed(self._decoder.decode(data))
        return bool(data)

    def _feed(self, text):
        self._pending += text
        # An incomplete sequence or frame waits for its end.
        if re.search(r"\x1b(\[[0-?]*[ -/]*)?$", self._pending):
            return
        if self._synchronized and self._pending.rfind("\x1b[?2026h") > self._pending.rfind("\x1b[?2026l"):
            return
        if re.search(r"\x1b[P_](?:(?!\x1b\\).)*$", self._pending, re.S):
            return
        text, self._pending = self._pending, ""
        self.frames += text.count("\x1b[?2026h")
        for _ in range(text.count("\x1b[?2026$p")):
            self.send("\x1b[?2026;2$y" if self._synchronized else "\x1b[?2026;0$y")
        for _ in range(text.count("\x1b[16t") if self._reports_cell else 0):
            self.send(f"\x1b[6;{self._cell[1]};{self._cell[0]}t")
        # pyte would display device control and application strings.
        for piece in re.split(r"(\x1b[P_].*?\x1b\\)", text, flags=re.S):
            if piece.startswith(("\x1bP", "\x1b_")):
                self.pictures.interpret(piece[1], piece[2:-2], self.screen.cursor.x, self.screen.cursor.y)
            else:
                self._stream.feed(piece)

    def line(self, row):
        """Returns the text of a row without trailing blanks."""
        cells = self.screen.buffer[row]
        return "".join(cells[column].data for column in range(self.screen.columns)).rstrip()

    @property
    def text(self):
        """The rows of the screen, each followed by a line break."""
        return "".join(self.line(row) + "\n" for row in range(self.screen.lines))

    def style(self, row, column):
        """Describes the style of a cell, such as "bold #ffffff on #005f87"; empty for the default style.

        For a blank cell, includes only the visible attributes."""
        cell = self.screen.buffer[row][column]
        if cell.data == " " and not cell.reverse and not cell.underscore:
            cell = cell._replace(bold=False, italics=False, fg="default")
        words = [name for name, attribute in [("bold", cell.bold), ("italic", cell.italics), ("underlined", cell.underscore), ("reversed", cell.reverse)] if attribute]
        for color, before in [(cell.fg, ""), (cell.bg, "on ")]:
            if color != "default":
                words.append(before + (f"#{color}" if re.fullmatch("[0-9a-f]{6}", color) else color))
        return " ".join(words)

    @property
    def styles(self):
        """A line for each run of cells with the same style: row, columns (from 0), style. Blanks continue a run with their background."""
        runs = []
        for row in range(self.screen.lines):
            run = None
            for column in range(self.screen.columns):
                style = self.style(row, column)
                if run and (style == run[2] or self.screen.buffer[row][column].data == " " and style == self._background(run[2])):
                    if style:
                        run[1] = column
                    continue
                run = [column, column, style]
                runs.append((row, run))
        return "".join(f"{row:3} {start:3}-{end:<3} {style}\n" for row, (start, end, style) in runs if style)

    @staticmethod
    def _background(style):
        """Returns the part of a style that is visible on a blank."""
        return style if "reversed" in style or "underlined" in style else style[style.find("on #"):] if "on #" in style else ""

    def expect_golden(self, name, styles=True, seconds=10):
        """Waits until the screen equals a file of Goldens; writes the file with UPDATE_GOLDENS=1."""
        path = GOLDENS / f"{name}.txt"
        end = time.monotonic() + seconds
        while True:
            self.settle()
            found = self.text + (f"--- styles\n{self.styles}" if styles else "")
            if os.environ.get("UPDATE_GOLDENS") == "1":
                GOLDENS.mkdir(exist_ok=True)
                path.write_text(found)
                return
            expected = path.read_text()
            if found == expected:
                return
            if time.monotonic() > end:
                lines = difflib.unified_diff(expected.splitlines(True), found.splitlines(True), str(path), "screen")
                raise AssertionError("\n" + "".join(lines))

    # --- Exit

    def wait(self, seconds=10):
        """Waits for the exit and returns the exit code, or the signal as a negative number."""
        end = time.monotonic() + seconds
        while self.process.poll() is None:
            if time.monotonic() > end:
                raise AssertionError(f"the program did not exit within {seconds} s; the screen is:\n{self.text}")
            self._read(0.02)
        while self._read(0):
            pass
        return self.process.returncode

    def expect_restored(self):
        """Verifies that the program restored the terminal."""
        assert not self._pending, f"the output ends inside a sequence: {self._pending!r}"
        assert not self.screen.is_alternate, "the alternate screen is still shown"
        assert not self.screen.cursor.hidden, "the cursor is still hidden"
        assert self.screen.margins is None or self.screen.margins == (0, self.screen.lines - 1), "the margins are still set"
        assert self.screen.cursor.attrs == self.screen.default_char, "a style is still set"
        for mode in [1000, 1002, 1003, 1006, 2004, 2026]:
            assert not self.screen.is_set(mode), f"mode {mode} is still set"
        assert self.screen.is_set(7), "line wrapping is off"
        assert termios.tcgetattr(self._master) == self.modes_before, "the terminal modes changed"

    def hang_up(self):
        """Closes the terminal, like a closed window or a broken connection."""
        os.close(self._master)
        self._master = -1

    def close(self):
        """Kills the program and closes the terminal."""
        if self.process.poll() is None:
            # The session may have several process groups; stopped processes must continue in order to exit.
            for group in self._groups():
                for number in (signal.SIGKILL, signal.SIGCONT):
                    try:
                        os.killpg(group, number)
                    except ProcessLookupError:
                        pass
            self.process.wait()
        if self._master >= 0:
            os.close(self._master)
            self._master = -1

    def processes(self):
        """Returns the process ID, process group and name of each process in the session."""
        found = []
        for path in Path("/proc").glob("[0-9]*/stat"):
            try:
                before, _, after = path.read_text().rpartition(")")
            except OSError:
                continue
            _, group, session = (int(field) for field in after.split()[1:4])
            if session == self.process.pid:
                found.append((int(path.parent.name), group, before.partition("(")[2]))
        return found

    def _groups(self):
        return {group for _, group, _ in self.processes()} | {self.process.pid}

    @classmethod
    def close_all(cls):
        while cls._open:
            cls._open.pop().close()
