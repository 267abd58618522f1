"""Tests epg browse with the sample guide, whose Sunday has 25 hours in London."""

import difflib
import os
import random
import shlex
import signal
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from support import SAMPLES
from support.report import long, need
from terminal import Terminal


def _run(build, folder, *arguments):
    return subprocess.run([build / "epg", *arguments, "--database", Path(folder) / "guide.sqlite"], check=True, capture_output=True, text=True)


def _browse(build, folder, *arguments, **options):
    if not (Path(folder) / "guide.sqlite").exists():
        _run(build, folder, "import", SAMPLES / "evening.xml")
        _run(build, folder, "import", SAMPLES / "evening.m3u")
    terminal = Terminal([build / "epg", "browse", "--at", "2026-10-24T18:40:00Z", "--zone", "Europe/London",
                         "--database", Path(folder) / "guide.sqlite", *arguments], **options)
    terminal.wait_for("TV guide")
    return terminal


def grid_shows_current_airings(build):
    with tempfile.TemporaryDirectory() as folder:
        terminal = _browse(build, folder, columns=80, rows=24)
        terminal.expect_golden("browse-80x24")
        terminal.resize(160, 50)
        terminal.wait_for(lambda terminal: "? help" in terminal.line(49))
        terminal.expect_golden("browse-160x50")
        terminal.resize(40, 12)
        terminal.wait_for(lambda terminal: "Enter details" in terminal.line(11))
        terminal.expect_golden("browse-40x12")
        terminal.resize(80, 24)
        terminal.wait_for(lambda terminal: "? help" in terminal.line(23))
        terminal.expect_golden("browse-80x24")


def keys_navigate_search_and_show_details(build):
    with tempfile.TemporaryDirectory() as folder:
        terminal = _browse(build, folder)
        terminal.press("right")
        terminal.wait_for(lambda terminal: terminal.line(21) == " Kerbside")
        terminal.press("enter")
        terminal.wait_for("Harbour One (harbour-one.example)")
        terminal.expect_golden("browse-details")
        terminal.press("escape")
        terminal.wait_for(lambda terminal: terminal.line(21) == " Kerbside")
        terminal.press("]")
        terminal.wait_for("Sun 25 Oct  ")
        terminal.press("/", "kest")
        terminal.wait_for("matches")
        terminal.expect_golden("browse-search")
        terminal.press("right")
        terminal.wait_for("▾ Kestrel News")
        terminal.press("down", "left")
        terminal.wait_for("▸ Kestrel News")
        terminal.expect_golden("browse-search")
        terminal.press("enter")
        terminal.wait_for(lambda terminal: "Match 1 of" in terminal.line(23))
        terminal.press("enter")
        terminal.wait_for("Other showings")
        terminal.press("down", "down", "enter")
        terminal.wait_for(lambda terminal: "Sun 25 Oct 2026, 00:00–06:00" in terminal.line(22))
        terminal.press("N", "n")
        terminal.press("n")
        terminal.wait_for(lambda terminal: "Match 2 of" in terminal.line(23))
        terminal.press("t")
        terminal.wait_for("Sat 24 Oct  ")
        terminal.press("s")
        terminal.wait_for("stations")
        terminal.press("escape")
        terminal.wait_for("Enter details")
        terminal.press("?")
        terminal.wait_for("the station or line above")
        terminal.expect_golden("browse-help")
        terminal.press("escape")
        terminal.wait_for("Enter details")
        terminal.press("q")
        assert terminal.wait() == 0
        terminal.expect_restored()


def _shrink(terminal, text):
    """Shrinks the terminal to a single column, and waits until the screen shows a text again."""
    terminal.resize(1, 12)
    terminal.settle(0.5)
    terminal.resize(40, 12)
    terminal.wait_for(text)


def every_screen_fits_a_small_terminal(build):
    with tempfile.TemporaryDirectory() as folder:
        terminal = _browse(build, folder, columns=40, rows=12)
        terminal.press("?")
        terminal.wait_for("Moving")
        terminal.expect_golden("browse-help-40x12")
        terminal.press("end")
        terminal.wait_for(lambda terminal: " q " in terminal.text and "↓" not in terminal.line(10))
        terminal.press("up", "page up", "home", "escape")
        terminal.wait_for("/ search")
        # Kestrel News, on four times a day.
        terminal.press("down", "down", "down", "enter")
        terminal.wait_for("kestrel.example")
        terminal.press(*["down"] * 12)
        terminal.wait_for("Other showings")
        terminal.expect_golden("browse-details-40x12")
        # The program may handle the resize only after the size is back to the original.
        terminal.resize(30, 10)
        terminal.resize(40, 12)
        terminal.settle(0.5)
        shown = terminal.text
        os.kill(terminal.process.pid, signal.SIGCONT)
        terminal.settle(0.5)
        assert terminal.text == shown, terminal.text
        terminal.press("end", "page up", "home", "escape")
        # Escape directly followed by a character would be a single key.
        terminal.wait_for("/ search")
        terminal.press("/", "kest")
        terminal.wait_for("matches")
        terminal.press("right", *["down"] * 12, "page up", "left", "end", "home")
        terminal.wait_for("▸ Kestrel News")
        terminal.press("escape")
        terminal.wait_for("/ search")
        terminal.press("tab")
        terminal.wait_for("Highlights tonight")
        terminal.press("right", *["down"] * 6, "up", "up", "left")
        terminal.wheel("down", 20, 5)
        terminal.wheel("right", 20, 5)
        terminal.wheel("left", 20, 5)
        _shrink(terminal, "later tonight")
        terminal.press("tab")
        terminal.wait_for("12 stations")
        _shrink(terminal, "12 stations")
        terminal.press("down", "up", "end", "enter")
        terminal.wait_for(lambda terminal: "Vinyl" in terminal.text or "Waterfront" in terminal.text)
        terminal.press("q")
        assert terminal.wait() == 0


def home_shows_shelves_and_favorites(build):
    with tempfile.TemporaryDirectory() as folder:
        terminal = _browse(build, folder, columns=80, rows=30)
        terminal.press("down", "f")
        terminal.wait_for(lambda terminal: "★" in terminal.line(4))
        terminal.press("F")
        terminal.wait_for("TV guide · favorites")
        assert "Harbour Two" in terminal.line(2) and "Harbour One" not in terminal.text, terminal.text
        terminal.press("F", "tab")
        terminal.wait_for("Highlights tonight")
        terminal.expect_golden("browse-home")
        terminal.press("enter")
        terminal.wait_for("Harbour Two (harbour-two.example)")
        terminal.press("escape")
        terminal.wait_for("Highlights tonight")
        # The station of the first highlight becomes the second favorite, moves to the left, and is removed again.
        terminal.press("down", "f")
        terminal.wait_for("★ Lantern Films")
        terminal.press("up", "right", "<")
        terminal.wait_for(lambda terminal: terminal.line(3).startswith(" │ ★ Lantern Films"))
        terminal.press("f")
        terminal.wait_for(lambda terminal: "★ Lantern Films" not in terminal.text)
        terminal.press("tab")
        terminal.wait_for("12 stations")
        terminal.press("tab", "q")
        assert terminal.wait() == 0
        # The favorite persists between runs.
        terminal = _browse(build, folder, columns=80, rows=30)
        assert "★" in terminal.line(4), terminal.text
        # Without favorites, there is no shelf of favorites.
        terminal.press("tab")
        terminal.wait_for("Favorites")
        terminal.press("f")
        terminal.wait_for(lambda terminal: "Favorites" not in terminal.text and "Highlights tonight" in terminal.text)


def configured_keys_take_effect(build):
    with tempfile.TemporaryDirectory() as folder:
        settings = Path(folder) / "epg.yml"
        settings.write_text("browse:\n  keys: [quit=ctrl-x, later=space]\n")
        terminal = _browse(build, folder, environment={"EPG_CONFIG": str(settings)})
        terminal.press(" ")
        terminal.wait_for(lambda terminal: terminal.line(21) == " Kerbside")
        terminal.press("control x")
        assert terminal.wait() == 0
        settings.write_text("browse:\n  keys: [quit=ctrl-xy]\n")
        run = subprocess.run([build / "epg", "config", "check"], env={**os.environ, "EPG_CONFIG": str(settings)},
                             capture_output=True, text=True)
        assert run.returncode == 78 and "there is no key “ctrl-xy”" in run.stderr + run.stdout, run


def mouse_click_moves_the_focus_and_activates_the_footer(build):
    with tempfile.TemporaryDirectory() as folder:
        terminal = _browse(build, folder, columns=100)
        row = next(row for row in range(24) if "Kerbside" in terminal.line(row))
        terminal.click(terminal.line(row).index("Kerbside"), row)
        terminal.wait_for(lambda terminal: terminal.line(21) == " Kerbside")
        terminal.click(terminal.line(23).index("? help"), 23)
        terminal.wait_for("the station or line above")
        terminal.press("escape")
        terminal.wait_for("Enter details")
        terminal.press("m")
        terminal.wait_for("The mouse selects text.")
        assert not terminal.screen.is_set(1006)
        terminal = _browse(build, folder, "--no-mouse")
        terminal.settle()
        assert not terminal.screen.is_set(1006)


def dragging_scrolls_every_screen(build):
    with tempfile.TemporaryDirectory() as folder:
        terminal = _browse(build, folder, columns=60, rows=12)
        terminal.settle()
        before = terminal.text
        # In the grid, a drag stays on its axis: the stations stay, and the times move.
        terminal.drag(30, 1, columns=-20, rows=2)
        terminal.wait_for(lambda terminal: terminal.text != before)
        assert [terminal.line(row)[:12] for row in range(2, 9)] == [line[:12] for line in before.splitlines()[2:9]]
        terminal.drag(20, 1, columns=20)
        terminal.wait_for(lambda terminal: terminal.text == before)
        terminal.press("?")
        terminal.wait_for("Moving")
        terminal.drag(20, 8, rows=-6)
        terminal.wait_for(lambda terminal: "Moving" not in terminal.text)
        terminal.drag(20, 2, rows=8)
        terminal.wait_for("Moving")
        terminal.press("escape")
        terminal.wait_for("/ search")
        terminal.press("tab")
        terminal.wait_for("Highlights tonight")
        terminal.settle()
        home = terminal.text
        terminal.drag(50, 3, columns=-40)
        terminal.wait_for(lambda terminal: terminal.text != home)
        terminal.drag(10, 3, columns=40)
        terminal.wait_for(lambda terminal: terminal.text == home)
        terminal.drag(20, 8, rows=-5)
        terminal.wait_for(lambda terminal: terminal.text != home)
        terminal.drag(20, 3, rows=8)
        terminal.wait_for(lambda terminal: terminal.text == home)
        terminal.press("q")
        assert terminal.wait() == 0
        terminal.expect_restored()


def every_screen_follows_an_import(build):
    def change(*pairs):
        text = (SAMPLES / "evening.xml").read_text()
        for old, new in pairs:
            assert old in text
            text = text.replace(old, new)
        (Path(folder) / "changed.xml").write_text(text)
        _run(build, folder, "import", Path(folder) / "changed.xml")

    with tempfile.TemporaryDirectory() as folder:
        terminal = _browse(build, folder)
        terminal.press("/", "kest")
        terminal.wait_for("matches")
        terminal.press("right", "down")
        terminal.wait_for("▾ Kestrel News")
        change(("Kestrel News", "Kestrel Newsroom"))
        terminal.wait_for("Kestrel Newsroom")
        change()
        terminal.wait_for(lambda terminal: "Kestrel Newsroom" not in terminal.text)
        terminal.press("escape")
        terminal.wait_for("/ search")
        terminal.press("tab")
        terminal.wait_for("Highlights tonight")
        change(("The Ferry Choir", "The Barge Choir"))
        terminal.wait_for("The Barge Choir")
        terminal.press("tab")
        terminal.wait_for("12 stations")
        change(("Harbour One", "Harbor One"))
        terminal.wait_for("Harbor One")
        # Letters filter the list of stations.
        terminal.press("tab", "q")
        assert terminal.wait() == 0


def import_by_another_process_appears(build):
    with tempfile.TemporaryDirectory() as folder:
        terminal = _browse(build, folder)
        terminal.press("right")
        terminal.wait_for(lambda terminal: terminal.line(21) == " Kerbside")
        changed = Path(folder) / "changed.xml"
        changed.write_text((SAMPLES / "evening.xml").read_text().replace("Kerbside", "Curbside"))
        _run(build, folder, "import", changed)
        terminal.wait_for(lambda terminal: terminal.line(21) == " Curbside")


@long
def arrow_key_outputs_at_most_two_kilobytes(build):
    with tempfile.TemporaryDirectory() as folder:
        terminal = _browse(build, folder, columns=120, rows=40)
        costs = []
        for key in ["right", "right", "down", "down", "left", "up"] * 5:
            terminal.settle(0.05)
            before = len(terminal.output)
            terminal.press(key)
            terminal.settle(0.05)
            costs.append(len(terminal.output) - before)
        # If the grid scrolls horizontally, every row changes.
        assert statistics.mean(costs) <= 2048 and max(costs) <= 4096, costs


def focus_is_reversed_without_color(build):
    with tempfile.TemporaryDirectory() as folder:
        terminal = _browse(build, folder, environment={"NO_COLOR": "1"})
        terminal.settle()
        assert b"8;5;" not in terminal.output and b"8;2;" not in terminal.output
        column = terminal.line(2).index("The Ferry Choir")
        assert "reversed" in terminal.style(2, column), terminal.styles()


def every_signal_restores_the_terminal(build):
    with tempfile.TemporaryDirectory() as folder:
        for name in ["INT", "TERM", "HUP", "QUIT", "USR1", "ALRM", "XCPU", "SEGV"]:
            terminal = _browse(build, folder)
            number = signal.Signals[f"SIG{name}"]
            os.kill(terminal.process.pid, number)
            assert terminal.wait(30) == -number, f"SIG{name}: {terminal.process.returncode}"
            terminal.expect_restored()


def player_gets_the_stream_without_a_shell(build):
    with tempfile.TemporaryDirectory() as folder:
        player = Path(folder) / "player"
        # A player may wait for child processes.
        player.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" "$(grep SigIgn /proc/$$/status)" > "{folder}/part" && '
                          f'mv "{folder}/part" "{folder}/played"\n')
        player.chmod(0o755)
        terminal = _browse(build, folder, "--player", f"{player} --fs")
        terminal.press("p")
        terminal.wait_for(lambda _: (Path(folder) / "played").exists())
        played = (Path(folder) / "played").read_text().splitlines()
        ignored = int(played[2].split()[1], 16)
        assert not ignored & 1 << signal.SIGCHLD - 1, played
        assert played[0] == "--fs" and played[1] in (SAMPLES / "evening.m3u").read_text().splitlines(), played


def missing_player_is_reported(build):
    with tempfile.TemporaryDirectory() as folder:
        terminal = _browse(build, folder, "--player", "no-such-player")
        terminal.press("p")
        terminal.wait_for("Cannot start the player no-such-player: No such file or directory.")


def random_input_does_not_crash_the_program(build):
    """Sends 300 random keys, clicks and resizes."""
    keys = ["up", "down", "left", "right", "page up", "page down", "home", "end", "enter", "escape", "tab", "back tab", "backspace",
            *"<>[]t+-fFnNsp?i/abk gh"]
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(3):
            generator = random.Random(seed)
            terminal = _browse(build, folder, columns=100, rows=30)
            for _ in range(100):
                choice = generator.random()
                if choice < 0.05:
                    columns, rows = generator.randrange(1, 120), generator.randrange(1, 40)
                    terminal.resize(columns, rows)
                elif choice < 0.15:
                    terminal.click(generator.randrange(terminal.screen.columns), generator.randrange(max(1, terminal.screen.lines - 1)))
                elif choice < 0.25:
                    terminal.wheel(generator.choice(["up", "down", "left", "right"]), terminal.screen.columns // 2, terminal.screen.lines // 2)
                else:
                    terminal.press(generator.choice(keys))
                terminal.settle(0.02)
            terminal.press("control c")
            assert terminal.wait() == 0, f"seed {seed}"
            terminal.expect_restored()


def tmux_screen_matches_a_full_redraw(build):
    """tmux scrolls cells in its own way, which pyte does not cover."""
    need("tmux")
    with tempfile.TemporaryDirectory() as folder:
        _run(build, folder, "import", SAMPLES / "evening.xml")

        def tmux(*arguments):
            run = subprocess.run(["tmux", "-S", f"{folder}/tmux", "-f", "/dev/null", *arguments], capture_output=True, text=True)
            assert run.returncode == 0, run
            return run.stdout

        def screen():
            shown = None
            while shown != (shown := tmux("capture-pane", "-p")) or not shown.strip():
                time.sleep(0.15)
            return shown

        command = [build / "epg", "browse", "--at", "2026-10-24T18:40:00Z", "--zone", "Europe/London", "--database", f"{folder}/guide.sqlite"]
        tmux("new-session", "-d", "-x", "160", "-y", "30", shlex.join(map(str, command)))
        try:
            process = int(tmux("display-message", "-p", "#{pane_pid}"))
            generator = random.Random(1)
            for _ in range(12):
                for _ in range(4):
                    tmux("send-keys", generator.choice(["Right", "Left", "Down", "Up", ">", "<", "Tab", "t", "+", "-", "NPage", "PPage"]))
                shown = screen()
                os.kill(process, signal.SIGCONT)
                time.sleep(0.3)
                again = screen()
                assert shown == again, "\n".join(difflib.unified_diff(shown.splitlines(), again.splitlines(), lineterm=""))
        finally:
            tmux("kill-server")


def missing_terminal_or_guide_is_an_error(build):
    with tempfile.TemporaryDirectory() as folder:
        _browse(build, folder)
        run = subprocess.run([build / "epg", "browse", "--database", Path(folder) / "guide.sqlite"], stdin=subprocess.DEVNULL,
                             capture_output=True, text=True)
        assert run.returncode == 64 and "epg grid" in run.stderr and not run.stdout, run
        run = subprocess.run([build / "epg", "browse", "--database", Path(folder) / "none.sqlite"], stdin=subprocess.DEVNULL,
                             capture_output=True, text=True)
        assert run.returncode == 66, run
