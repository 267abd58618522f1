#!/usr/bin/env python3
"""Turns CHANGELOG.md, on standard input, into Debian's debian/changelog: an entry for each version.

    Scripts/debian-changelog.py VERSION < CHANGELOG.md > changelog

VERSION, with Debian's revision, is that of the newest entry, which is [Unreleased] until it has a number. Its date is
SOURCE_DATE_EPOCH; those of the others stand in their headings.
"""

import os
import re
import sys
import time
import datetime
import textwrap

MAINTAINER = "The swift-epg authors <swift-epg@noreply.invalid>"


def plain(text: str) -> str:
    """Without Markdown's marks."""
    text = re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", text)
    return re.sub(r"[`*]", "", text)


def entries(text: str) -> list[tuple[str, str, list[str]]]:
    """The number, the date as it is written, and the points of each version, the newest first."""
    found = []
    for part in re.split(r"^## ", text, flags=re.M)[1:]:
        heading, _, body = part.partition("\n")
        number, _, date = heading.partition(" - ")
        points = re.findall(r"^- (.*(?:\n  .*)*)", body, flags=re.M)
        found.append((number.strip(" []"), date.strip(), [" ".join(plain(point).split()) for point in points]))
    return found


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit("usage: Scripts/debian-changelog.py VERSION < CHANGELOG.md")
    version = sys.argv[1]
    now = int(os.environ.get("SOURCE_DATE_EPOCH") or time.time())
    for index, (number, date, points) in enumerate(entries(sys.stdin.read())):
        if not points:
            continue
        moment = now
        if index > 0 and date:
            moment = int(datetime.datetime.fromisoformat(date + "T12:00:00+00:00").timestamp())
        if index > 0:
            version = f"{number}-1"
        print(f"swift-epg ({version}) unstable; urgency=medium\n")
        for point in points:
            print(textwrap.fill(point, 78, initial_indent="  * ", subsequent_indent="    ", break_on_hyphens=False))
        stamp = time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(moment))
        print(f"\n -- {MAINTAINER}  {stamp}\n")


if __name__ == "__main__":
    main()
