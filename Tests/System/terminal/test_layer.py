"""Tests the terminal layer with the program TerminalProbe."""

import os
import re
import signal
import subprocess
import tempfile
from pathlib import Path

from support.report import Skipped
from terminal import Terminal


def _probe(build, **options):
    program = build / "TerminalProbe"
    if not program.exists():
        raise Skipped(f"{program} is missing: swift build --product TerminalProbe")
    terminal = Terminal([program], **options)
    terminal.wait_for("Probe")
    return terminal


def screen_shows_texts_of_all_widths_and_directions(build):
    terminal = _probe(build)
    terminal.wait_for("deviceAttributes")
    terminal.expect_golden("probe-80x24")
    assert terminal.line(2) == " 新闻早报|", terminal.line(2)
    assert terminal.screen.buffer[2][9].data == "|", "each wide character takes two columns"
    assert "\u2068" in terminal.output.decode() and "\u2069" in terminal.output.decode(), "right-to-left text must be isolated"


def screen_follows_the_terminal_size(build):
    terminal = _probe(build, columns=120, rows=40)
    for columns, rows in [(40, 12), (80, 24), (1, 1), (120, 40)]:
        terminal.resize(columns, rows)
        terminal.wait_for(f"Probe {columns}x{rows}" if columns > 20 else lambda terminal: terminal.line(0) == "")
    terminal = _probe(build, columns=40, rows=12)
    terminal.wait_for("deviceAttributes")
    terminal.expect_golden("probe-40x12")


def keys_arrive_as_events(build):
    terminal = _probe(build, columns=140)
    for name, event in [("up", "up"), ("page down", "pageDown"), ("back tab", "backTab"), ("control l", "rawValue: 4"), ("escape", "escape"), ("新", "新")]:
        terminal.press(name)
        terminal.wait_for(event)
    terminal.send("\x1b[200~pasted\nq\x1b[201~")
    terminal.wait_for('paste("pasted\\nq")')


def mouse_events_arrive_until_the_mouse_is_turned_off(build):
    terminal = _probe(build, columns=140)
    terminal.click(10, 5)
    terminal.wait_for("Position(column: 10, row: 5)")
    terminal.wheel("right", 3, 4)
    terminal.wait_for("Direction.right")
    terminal.press("m")
    terminal.wait_for("mouse off")
    assert not terminal.screen.is_set(1000) and not terminal.screen.is_set(1006)
    terminal.press("m")
    terminal.wait_for("mouse on")
    assert terminal.screen.is_set(1000) and terminal.screen.is_set(1006)


def keystroke_outputs_less_than_200_bytes(build):
    terminal = _probe(build, synchronized=False)
    terminal.press("c")
    terminal.wait_for("character")
    terminal.settle()
    before = len(terminal.output)
    terminal.press("c")
    terminal.wait_for(lambda terminal: terminal.text.count('character("c")') == 2)
    terminal.settle()
    assert len(terminal.output) - before < 200, len(terminal.output) - before


def frames_are_synchronized_if_the_terminal_supports_it(build):
    terminal = _probe(build)
    terminal.wait_for("mode(2026")
    terminal.press("x")
    terminal.wait_for('character("x")')
    assert terminal.frames > 0
    terminal = _probe(build, synchronized=False)
    terminal.wait_for("mode(2026")
    terminal.press("x")
    terminal.wait_for('character("x")')
    assert terminal.frames == 0


def cursor_is_shown_at_the_requested_position(build):
    terminal = _probe(build)
    assert terminal.screen.cursor.hidden
    terminal.press("c")
    terminal.wait_for(lambda terminal: not terminal.screen.cursor.hidden)
    assert (terminal.screen.cursor.x, terminal.screen.cursor.y) == (1, 0)


def colors_follow_the_environment(build):
    color = re.compile(rb"\x1b\[[0-9;]*(?:[34]8;[25]|\b(?:3|4|9|10)[0-7]\b)[0-9;]*m")
    for environment, expected, unexpected in [
        ({"COLORTERM": "truecolor"}, b"38;2;250;20;30", None),
        ({}, b"38;5;196", b";2;"),
        ({"TERM": "xterm"}, b"91", b"38;5"),
    ]:
        terminal = _probe(build, environment=environment)
        terminal.wait_for("deviceAttributes")
        assert expected in terminal.output, terminal.output
        assert unexpected is None or unexpected not in terminal.output, terminal.output
    terminal = _probe(build, environment={"NO_COLOR": "1", "COLORTERM": "truecolor"})
    terminal.wait_for("deviceAttributes")
    assert not color.search(terminal.output), terminal.output
    assert terminal.style(6, 1) == "reversed"


def every_exit_restores_the_terminal(build):
    terminal = _probe(build)
    terminal.press("q")
    assert terminal.wait() == 0
    terminal.expect_restored()
    terminal = _probe(build)
    terminal.press("e")
    assert terminal.wait() == 3
    terminal.expect_restored()


def every_signal_restores_the_terminal_and_ends_the_program(build):
    for name in ["INT", "TERM", "HUP", "QUIT", "ABRT", "SEGV", "ILL", "TRAP", "BUS", "FPE"]:
        number = signal.Signals[f"SIG{name}"]
        terminal = _probe(build)
        os.kill(terminal.process.pid, number)
        assert terminal.wait(30) == -number, f"SIG{name}: {terminal.process.returncode}"
        terminal.expect_restored()


def crash_restores_the_terminal(build):
    for key, numbers in [("a", [signal.SIGABRT]), ("o", [signal.SIGSEGV, signal.SIGBUS])]:
        terminal = _probe(build)
        terminal.press(key)
        assert -terminal.wait(30) in numbers, f"{key}: {terminal.process.returncode}"
        terminal.expect_restored()


def ignored_hangup_stays_ignored(build):
    terminal = _probe(build, before=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    os.kill(terminal.process.pid, signal.SIGHUP)
    terminal.press("x")
    terminal.wait_for('character("x")')
    terminal.press("q")
    assert terminal.wait() == 0


def vanished_terminal_ends_the_program(build):
    terminal = _probe(build)
    terminal.hang_up()
    assert terminal.process.wait(10) == -signal.SIGHUP
    terminal = _probe(build, before=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    terminal.hang_up()
    assert terminal.process.wait(10) == 0


def output_without_a_terminal_is_an_error(build):
    _probe(build)
    program = build / "TerminalProbe"
    run = subprocess.run([program], stdin=subprocess.DEVNULL, capture_output=True, text=True, env={"TERM": "xterm"})
    assert (run.returncode, run.stdout) == (69, "probe: notATerminal\n"), run
    for name in ["dumb", ""]:
        terminal = Terminal([program], environment={"TERM": name})
        assert terminal.wait() == 69
        assert f'cannotPositionCursor(terminalName: "{name}")' in terminal.text
        terminal.expect_restored()


def _shell(build, folder):
    """Runs the probe in a shell with job control."""
    _probe(build)
    terminal = Terminal(["bash", "--norc", "--noprofile", "-i"], environment={"PS1": "$ ", "PROBE": str(build / "TerminalProbe")}, folder=folder)
    terminal.wait_for("$ ".rstrip())
    terminal.send("stty -g > before\r$PROBE\r")
    terminal.wait_for("deviceAttributes")
    return terminal


def _probe_process(terminal):
    return next(identifier for identifier, _, name in terminal.processes() if name == "TerminalProbe")


def _probe_has_ended(terminal):
    return all(name != "TerminalProbe" for _, _, name in terminal.processes())


def _stopped_as(text):
    def shell_reports_the_stop(terminal):
        return not terminal.screen.is_alternate and text in terminal.text
    return shell_reports_the_stop


def _expect_shell_modes(terminal, folder):
    """Verifies that the shell has its original modes and the screen shows nothing of the program."""
    terminal.send("stty -g > after; cmp before after && echo same''modes\r")
    terminal.wait_for("samemodes")
    assert "Probe 80x24" not in terminal.text
    assert not terminal.screen.is_set(1000) and not terminal.screen.cursor.hidden
    (Path(folder) / "after").unlink()
    terminal.send("clear\r")
    terminal.wait_for(lambda terminal: "samemodes" not in terminal.text)


def suspended_program_restores_the_terminal_and_resumes(build):
    with tempfile.TemporaryDirectory() as folder:
        terminal = _shell(build, folder)
        for method in ["control z", signal.SIGTSTP]:
            if method == "control z":
                terminal.press(method)
            else:
                os.kill(_probe_process(terminal), method)
            terminal.wait_for(_stopped_as("Stopped"))
            _expect_shell_modes(terminal, folder)
            terminal.resize(60, 20)
            terminal.send("fg\r")
            terminal.wait_for("Probe 60x20")
            terminal.wait_for("resumed")
            assert terminal.screen.is_alternate and terminal.screen.is_set(1000) and terminal.screen.cursor.hidden
            terminal.resize(80, 24)
            terminal.wait_for("Probe 80x24")
        terminal.press("q")
        terminal.wait_for(lambda terminal: not terminal.screen.is_alternate)
        # Until it exits, the program discards input.
        terminal.wait_for(_probe_has_ended)
        _expect_shell_modes(terminal, folder)


def program_redraws_after_sigstop(build):
    with tempfile.TemporaryDirectory() as folder:
        terminal = _shell(build, folder)
        os.kill(_probe_process(terminal), signal.SIGSTOP)
        terminal.wait_for("Stopped")
        terminal.send("fg\r")
        terminal.wait_for("resumed")
        terminal.press("x")
        terminal.wait_for('character("x")')


def background_program_does_not_change_the_terminal(build):
    with tempfile.TemporaryDirectory() as folder:
        terminal = _shell(build, folder)
        terminal.press("control z")
        terminal.wait_for(_stopped_as("Stopped"))
        terminal.send("clear; bg\r")
        terminal.wait_for("&")
        terminal.send("sleep 0.3; jobs\r")
        terminal.wait_for(_stopped_as("Stopped"))
        _expect_shell_modes(terminal, folder)
        terminal.send("kill %1\r")
        terminal.wait_for(_probe_has_ended)
        terminal.send("\r")
        terminal.wait_for("Terminated")
        _expect_shell_modes(terminal, folder)
