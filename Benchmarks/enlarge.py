#!/usr/bin/env python3
"""Creates a large guide from a small one: copies all its stations and programmes with new identifiers.

    enlarge.py GUIDE.xml COPIES > LARGE.xml

The stations of each copy get the suffixes `.1`, `.2` and so on. Every title of a copy contains its number, so that a store that
shares equal content has as much work as with a real guide.
"""

import re
import sys


def main() -> None:
    if len(sys.argv) != 3 or not sys.argv[2].isdigit() or int(sys.argv[2]) < 1:
        sys.exit("usage: enlarge.py GUIDE.xml COPIES > LARGE.xml")
    with open(sys.argv[1], encoding="utf-8") as file:
        guide = file.read()
    begin = re.search(r"<tv\b[^>]*>\s*\n", guide)
    programmes = guide.find("  <programme ")
    end = guide.rfind("</tv>")
    if begin is None or programmes < 0 or end < 0:
        sys.exit(f"{sys.argv[1]}: not formatted like sample-data/evening.xml")

    def copies(part: str):
        for number in range(1, int(sys.argv[2]) + 1):
            copy = re.sub(r'(<channel id|<programme [^>]*\bchannel)="([^"]*)"', rf'\1="\2.{number}"', part)
            yield copy.replace("</title>", f" {number}</title>")

    sys.stdout.reconfigure(encoding="utf-8")
    sys.stdout.write(guide[: begin.end()])
    sys.stdout.writelines(copies(guide[begin.end() : programmes]))
    sys.stdout.writelines(copies(guide[programmes:end]))
    sys.stdout.write("</tv>\n")


if __name__ == "__main__":
    main()
