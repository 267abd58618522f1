"""Rules for manual pages and completions."""

import json
import os
import re
import subprocess
from pathlib import Path

from support.processes import run
from support.report import Report, need


def dumps(programs: Path) -> list[tuple[str, dict, int]]:
    """Returns each command's path, its help dump, and the section of its manual page; without `help`."""
    found: list[tuple[str, dict, int]] = []

    def walk(path: list[str], command: dict, section: int) -> None:
        found.append((" ".join(path), command, section))
        for each in command.get("subcommands", []):
            if each["shouldDisplay"] and each["commandName"] != "help":
                walk([*path, each["commandName"]], each, section)
    for program, section in (("epg", 1), ("epgd", 8)):
        walk([program], json.loads(run(programs / program, "--experimental-dump-help"))["command"], section)
    return found


def flags(command: dict) -> set[str]:
    """Returns the flags and options of a command, with dashes."""
    dashes = {"short": "-", "long": "--", "longWithSingleDash": "-"}
    return {dashes[name["kind"]] + name["name"] for argument in command.get("arguments", [])
            if argument["shouldDisplay"] for name in argument.get("names", [])}


def text(page: Path) -> str:
    """Renders a page as text without line breaks in paragraphs."""
    need("man", "man-db")
    environment = os.environ | {"MANWIDTH": "4000", "LC_ALL": "C.UTF-8", "MAN_KEEP_FORMATTING": "", "MANROFFOPT": ""}
    output = run("man", "-P", "cat", "-l", page, env=environment)
    return re.sub(r".\x08", "", output)


def check(report: Report, installed: Path, commands: list[tuple[str, dict, int]]) -> None:
    manuals = installed / "usr/share/man"
    pages = sorted(manuals.glob("man*/*"))
    page_of = {path: manuals / f"man{section}" / f"{path.replace(' ', '-')}.{section}" for path, _, section in commands}

    def without_warnings() -> str:
        need("man", "man-db")
        need("groff")
        for page in pages:
            for locale in ("C.UTF-8", "C"):
                result = subprocess.run(
                    ["man", "--warnings", "-E", "UTF-8" if locale != "C" else "ascii", "-l", str(page)], text=True,
                    capture_output=True, env=os.environ | {"MANWIDTH": "80", "LC_ALL": locale})
                assert result.returncode == 0 and not result.stderr, f"{page.name}: {result.stderr}"
        return f"{len(pages)} pages"
    report.check("man --warnings reports nothing for the pages, in UTF-8 and in ASCII", without_warnings)

    def one_page_each() -> str:
        names = {page.name for page in pages}
        wanted = {page.name for page in page_of.values()} | {"tv_grab_zz_epg.1"}
        assert names == wanted, names ^ wanted
        return f"{len(commands)} commands"
    report.check("each command has a page, and each page a command", one_page_each)

    def all_flags() -> str:
        count = 0
        for path, command, _ in commands:
            # Entries are on the left, their explanations below.
            heads = re.findall(r"^ {7}((?:--?[\w-]+(?:, )?)+)", text(page_of[path]), flags=re.M)
            entries = {word for head in heads for word in head.split(", ")}
            missing = flags(command) - entries
            assert not missing, f"{path}: {missing}"
            count += len(flags(command))
        return f"{count} flags"
    report.check("each flag of a command has an entry on its page", all_flags)

    def all_help() -> None:
        for path, command, _ in commands:
            page = " ".join(text(page_of[path]).split())
            for argument in command.get("arguments", []):
                if argument["shouldDisplay"]:
                    abstract = " ".join(argument.get("abstract", "").split())
                    assert abstract in page, f"{path}: {abstract}"
    report.check("each page contains the help of each argument verbatim", all_help)

    def whatis() -> None:
        need("lexgrog", "man-db")
        for page in pages:
            line = run("lexgrog", page).strip()
            assert re.search(rf'"{re.escape(page.stem)} - .+"', line), line
    report.check("lexgrog reads a name and a purpose from each page", whatis)

    for shell, folder, name in (("bash", "share/bash-completion/completions", "{}"),
                                ("zsh", "share/zsh/site-functions", "_{}"),
                                ("fish", "share/fish/vendor_completions.d", "{}.fish")):
        def accepted() -> None:
            need(shell)
            for program in ("epg", "epgd"):
                run(shell, "-n", installed / "usr" / folder / name.format(program))

        def complete() -> str:
            count = 0
            for path, command, _ in commands:
                script = (installed / "usr" / folder / name.format(path.split()[0])).read_text()
                for flag in flags(command) | {path.split()[-1]}:
                    word = flag if shell != "fish" else flag.lstrip("-")
                    assert word in script, f"{path}: {flag}"
                    count += 1
            return f"{count} entries"
        report.check(f"{shell} accepts the completions", accepted)
        report.check(f"the {shell} completions contain each command and flag", complete)

    def bash_completes() -> str:
        script = installed / "usr/share/bash-completion/completions/epg"
        completions = run("bash", "-c", f'''
            source "{script}"; PATH="{installed}/usr/bin:$PATH"
            COMP_WORDS=(epg ref); COMP_CWORD=1; COMP_LINE="epg ref"; COMP_POINT=7
            $(complete -p epg | sed 's/.*-F \\([^ ]*\\).*/\\1/') epg ref epg; echo "${{COMPREPLY[@]}}"''').split()
        assert completions == ["refresh"], completions
        return "epg ref → refresh"
    report.check("bash completes the name of a command", bash_completes)
