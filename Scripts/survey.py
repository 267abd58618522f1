#!/usr/bin/env python3
"""Lists the results of `epg validate` for every guide of a folder, as a Markdown table. `make survey` calls it.

    survey.py EPG FOLDER

Exits with 1 if a guide is rejected or the exit code is unexpected; files that aren't guides are listed and permitted.
"""

import subprocess
import sys
from pathlib import Path

from guides import guides, lines

#: Excerpts of error messages for files that are not guides.
NO_GUIDE = (
    "this is an HTML page", "the file is empty", "this is not XMLTV", "this JSON is no guide", "a server's answer",
    "this is a playlist", "the document is empty", "not a list of channels",
)
#: Other files that are not guides.
KNOWN_NON_GUIDES = {
    # Only series descriptions, with a line break in a string, which JSON forbids.
    "OpenSageTV_sagetv/test/resources/epg/sd/json/programs/seriesDesc.json",
    # The W3C XML test suite.
    "xmlts20130923.zip",
}
#: Excerpt of the error message for truncated files, which `--partial` imports.
TRUNCATED = "--partial takes them"


def verdict(epg: str, path: Path) -> tuple[dict, int]:
    done = subprocess.run(
        [epg, "validate", "--json", str(path)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True)
    found = lines(done.stdout)
    return (found[0] if found else {"refusal": done.stderr.strip() or "no output"}), done.returncode


def main() -> int:
    epg, folder = sys.argv[1], Path(sys.argv[2])
    print("| file | stations | programmes | airings | diagnostics |")
    print("|---|---|---|---|---|")
    failures, partial, others, read = [], [], [], 0
    for path in guides(folder):
        name = str(path.relative_to(folder))
        found, status = verdict(epg, path)
        if status not in (0, 65):
            failures.append(f"{name}: exit {status}")
        refusal = found.get("refusal")
        if refusal:
            print(f"| {name} | | | | rejected: {refusal.replace('|', '/')} |")
            if name in KNOWN_NON_GUIDES or any(excerpt in refusal for excerpt in NO_GUIDE):
                others.append(name)
            elif TRUNCATED in refusal:
                partial.append(name)
            else:
                failures.append(f"{name}: {refusal}")
            continue
        read += 1
        keywords = ", ".join(f"{count} {keyword}" for keyword, count in found["keywords"].items())
        print(f"| {name} | {found['stations']} | {found['programmes']} | {found['airings']} | {keywords} |")
    print(f"\n{read} guides read, {len(partial)} truncated, {len(others)} files that are not guides, {len(failures)} failures")
    for line in failures:
        print(f"failure: {line}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
