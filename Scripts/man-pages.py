#!/usr/bin/env python3
"""Generates the manual pages of epg, its commands, epgd and the grabber from the help of the programs.

    Scripts/man-pages.py FOLDER TARGET

FOLDER contains the programs epg and epgd. Writes TARGET/man1/epg.1, man1/epg-import.1 …, man1/tv_grab_zz_epg.1, man8/epgd.8.
Inserts packaging/man/NAME.roff, if it exists, before SEE ALSO. The date is SOURCE_DATE_EPOCH (default: today).
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

EXTRAS = Path(__file__).resolve().parents[1] / "packaging" / "man"


def escaped(text: str) -> str:
    """Escapes text for roff: no line is a request, and non-ASCII characters have names."""
    quotes = {"“": r"\(lq", "”": r"\(rq", "’": r"\(cq", "‘": r"\(oq", "\\": r"\(rs", "-": r"\-", "'": r"\(aq",
              "`": r"\(ga", "^": r"\(ha", "~": r"\(ti", "…": "..."}
    text = "".join(quotes.get(letter, letter if letter.isascii() else f"\\[u{ord(letter):04X}]") for letter in text)
    return "\n".join(r"\&" + line if line[:1] in (".", "'") else line for line in text.split("\n"))


def names(argument: dict) -> list[str]:
    dashes = {"short": "-", "long": "--", "longWithSingleDash": "-"}
    return [dashes[name["kind"]] + name["name"] for name in argument.get("names", [])]


def shown(command: dict, kinds: tuple[str, ...]) -> list[dict]:
    return [each for each in command.get("arguments", []) if each["shouldDisplay"] and each["kind"] in kinds]


def commands(command: dict) -> list[dict]:
    """Returns the subcommands of a command, except `help`."""
    return [each for each in command.get("subcommands", []) if each["shouldDisplay"] and each["commandName"] != "help"]


def synopsis(path: list[str], command: dict) -> str:
    words = [r"\fB" + escaped(" ".join(path)) + r"\fR"]
    if commands(command):
        words.append(r"\fIcommand\fR")
    for argument in shown(command, ("flag", "option", "positional")):
        value = r"\fI" + escaped(argument.get("valueName", "value")) + r"\fR"
        if argument["kind"] == "positional":
            word = value
        else:
            word = r"\fB" + escaped(names(argument)[-1]) + r"\fR" + (" " + value if argument["kind"] == "option" else "")
        if argument["isRepeating"]:
            word += " ..."
        words.append(f"[{word}]" if argument["isOptional"] else word)
    # A flag and its value stay on one line.
    return "\n".join(word.replace(" ", r"\ ") for word in words)


def entry(argument: dict) -> str:
    value = escaped(argument.get("valueName", "value"))
    if argument["kind"] == "positional":
        head = rf"\fI{value}\fR"
    else:
        head = ", ".join(rf"\fB{escaped(name)}\fR" for name in names(argument))
        if argument["kind"] == "option":
            head += rf" \fI{value}\fR"
    words = [argument.get("abstract", ""), argument.get("discussion", "")]
    if argument.get("allValues"):
        words.append(f"One of {', '.join(argument['allValues'])}.")
    if argument.get("defaultValue"):
        words.append(f"The default is {argument['defaultValue']}.")
    return f".TP\n{head}\n{escaped(' '.join(filter(None, words)))}"


def sections(command: dict, kinds: tuple[str, ...], title: str) -> list[str]:
    """Returns the sections of arguments: first those without a heading of their own, then the others."""
    groups: dict[str, list[str]] = {}
    for argument in shown(command, kinds):
        groups.setdefault(argument.get("sectionTitle", title), []).append(entry(argument))
    order = sorted(groups, key=lambda each: each != title)
    return [f".SH {escaped(each).upper()}\n" + "\n".join(groups[each]) for each in order]


def exit_codes(text: str) -> tuple[str, str]:
    """Returns a discussion without its paragraph about exit codes, and a section with these codes."""
    rest, section = [], ""
    for paragraph in text.split("\n\n"):
        if paragraph.startswith("Exit codes: "):
            codes = re.findall(r"(\d+) ([^,.]+)", paragraph)
            section = ".SH EXIT STATUS\n" + "\n".join(f".TP\n.B {code}\n{escaped(words)}" for code, words in codes)
        else:
            rest.append(paragraph)
    return "\n\n".join(rest), section


class Pages:
    def __init__(self, target: Path, version: str):
        self.target = target
        self.version = version
        moment = int(os.environ.get("SOURCE_DATE_EPOCH") or time.time())
        self.date = time.strftime("%Y-%m-%d", time.gmtime(moment))

    def write(self, name: str, section: int, parts: list[str]) -> None:
        title = {1: "User Commands", 8: "System Administration"}[section]
        extra = EXTRAS / f"{name}.roff"
        if extra.is_file():
            parts = parts[:-1] + [extra.read_text().rstrip("\n")] + parts[-1:]
        head = f'.TH {escaped(name).upper()} {section} {self.date} "swift\\-epg {self.version}" "{title}"\n.nh\n.ad l'
        folder = self.target / f"man{section}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.{section}").write_text("\n".join([head, *filter(None, parts)]) + "\n")

    def tree(self, path: list[str], command: dict, section: int, inherited: str = "") -> None:
        """Writes the pages of a command and its subcommands."""
        name = "-".join(path)
        abstract = command.get("abstract", "").rstrip(".")
        description, codes = exit_codes(command.get("discussion", ""))
        codes = codes or inherited
        parts = [
            f".SH NAME\n{escaped(name)} \\- {escaped(abstract)}",
            f".SH SYNOPSIS\n{synopsis(path, command)}",
            f".SH DESCRIPTION\n{escaped(abstract)}.\n" + "\n".join(
                f".PP\n{escaped(paragraph)}" for paragraph in description.split("\n\n") if paragraph),
        ]
        below = commands(command)
        if below:
            parts.append(".SH COMMANDS\n" + "\n".join(
                f".TP\n.BR {escaped('-'.join([*path, each['commandName']]))} ({section})\n{escaped(each.get('abstract', ''))}"
                for each in below))
        parts += sections(command, ("positional",), "Arguments")
        parts += sections(command, ("flag", "option"), "Options")
        parts.append(codes)
        related = [("-".join(path[:-1]), section)] if len(path) > 1 else []
        related += [("-".join([*path, each["commandName"]]), section) for each in below]
        if len(path) == 1:
            related.append({"epg": ("epgd", 8), "epgd": ("epg", 1)}[path[0]])
        parts.append(".SH SEE ALSO\n" + ",\n".join(f".BR {escaped(each)} ({number})" for each, number in related))
        self.write(name, section, parts)
        for each in below:
            self.tree([*path, each["commandName"]], each, section, codes)

    def grabber(self, text: str) -> None:
        """Writes the grabber's page with its help verbatim."""
        head, rest = text.split("\n", 1)
        name, purpose = head.rstrip(".").split(": ", 1)
        self.write(name, 1, [
            f".SH NAME\n{escaped(name)} \\- {escaped(purpose)}",
            f".SH SYNOPSIS\n.B {escaped(name)}\n.RI [ options ]",
            f".SH DESCRIPTION\nA grabber as the XMLTV project's tools expect one.\n.PP\n.EX\n{escaped(rest.strip(chr(10)))}\n.EE",
            ".SH SEE ALSO\n.BR epg (1)",
        ])


def output(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit("usage: Scripts/man-pages.py FOLDER TARGET")
    folder, target = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    pages = Pages(target, output(str(folder / "epg"), "--version").strip())
    for program, section in (("epg", 1), ("epgd", 8)):
        dump = json.loads(output(str(folder / program), "--experimental-dump-help"))
        pages.tree([program], dump["command"], section)
    with tempfile.TemporaryDirectory() as scratch:
        grabber = Path(scratch) / "tv_grab_zz_epg"
        grabber.symlink_to(folder / "epg")
        pages.grabber(output(str(grabber), "--help"))


if __name__ == "__main__":
    main()
