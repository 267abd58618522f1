#!/usr/bin/env python3
"""Converts CHANGELOG.md, from standard input, to debian/changelog with an entry for each version.

    Scripts/debian-changelog.py VERSION < CHANGELOG.md > changelog

VERSION, including the Debian revision, is the version of the newest entry. Entries have their dates in their headings; the date
of [Unreleased] is SOURCE_DATE_EPOCH.
"""

import os
import re
import sys
import time
import datetime
import textwrap

MAINTAINER = "The swift-epg authors <swift-epg@noreply.invalid>"


def plain(text: str) -> str:
    """Removes Markdown markup."""
    text = re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", text)
    return re.sub(r"[`*]", "", text)


def entries(text: str) -> list[tuple[str, str, list[str]]]:
    """Returns the number, the date as written, and the list items of each version, newest first."""
    found = []
    for part in re.split(r"^## ", text, flags=re.M)[1:]:
        heading, _, body = part.partition("\n")
        number, _, date = heading.partition(" - ")
        items = re.findall(r"^- (.*(?:\n  .*)*)", body, flags=re.M)
        found.append((number.strip(" []"), date.strip(), [" ".join(plain(item).split()) for item in items]))
    return found


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit("usage: Scripts/debian-changelog.py VERSION < CHANGELOG.md")
    version = sys.argv[1]
    now = int(os.environ.get("SOURCE_DATE_EPOCH") or time.time())
    written = [entry for entry in entries(sys.stdin.read()) if entry[2]]
    for index, (number, date, items) in enumerate(written):
        moment = int(datetime.datetime.fromisoformat(date + "T12:00:00+00:00").timestamp()) if date else now
        if index > 0:
            version = f"{number}-1"
        print(f"swift-epg ({version}) unstable; urgency=medium\n")
        for item in items:
            print(textwrap.fill(item, 78, initial_indent="  * ", subsequent_indent="    ", break_on_hyphens=False))
        stamp = time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(moment))
        print(f"\n -- {MAINTAINER}  {stamp}\n")


if __name__ == "__main__":
    main()
