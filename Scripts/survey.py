#!/usr/bin/env python3
"""Lists what `epg validate` finds in every guide of a folder, as a Markdown table. `make survey` calls it.

    survey.py EPG FOLDER

Ends with 1 where a guide is refused, or ends otherwise than it should: what is no guide at all is named and may be.
"""

import subprocess
import sys
from pathlib import Path

from guides import guides, lines

#: Refusals of files that are no guides, by words of the message.
NO_GUIDE = (
    "this is an HTML page", "the file is empty", "this is not XMLTV", "this JSON is no guide", "a server's answer",
    "this is a playlist", "the document is empty", "not a list of channels",
)
#: Files that are no guides though their refusal doesn't say so.
KNOWN_STRANGERS = {
    # Descriptions of series alone, with a line break in a string, which JSON doesn't allow.
    "OpenSageTV_sagetv/test/resources/epg/sd/json/programs/seriesDesc.json",
    # The W3C's test suite for XML.
    "xmlts20130923.zip",
}
#: Refusals of files that were cut off, which `--partial` takes.
CUT_OFF = "--partial takes them"


def verdict(epg: str, path: Path) -> tuple[dict, int]:
    done = subprocess.run(
        [epg, "validate", "--json", str(path)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True)
    found = lines(done.stdout)
    return (found[0] if found else {"refusal": done.stderr.strip() or "nothing was said"}), done.returncode


def main() -> int:
    epg, folder = sys.argv[1], Path(sys.argv[2])
    print("| file | stations | programmes | airings | diagnostics |")
    print("|---|---|---|---|---|")
    wrong, partial, strangers, read = [], [], [], 0
    for path in guides(folder):
        name = str(path.relative_to(folder))
        found, status = verdict(epg, path)
        if status not in (0, 65):
            wrong.append(f"{name}: exit {status}")
        refusal = found.get("refusal")
        if refusal:
            print(f"| {name} | | | | refused: {refusal.replace('|', '/')} |")
            if name in KNOWN_STRANGERS or any(words in refusal for words in NO_GUIDE):
                strangers.append(name)
            elif CUT_OFF in refusal:
                partial.append(name)
            else:
                wrong.append(f"{name}: {refusal}")
            continue
        read += 1
        keywords = ", ".join(f"{count} {keyword}" for keyword, count in found["keywords"].items())
        print(f"| {name} | {found['stations']} | {found['programmes']} | {found['airings']} | {keywords} |")
    print(f"\n{read} guides read, {len(partial)} cut off, {len(strangers)} files that are no guides, {len(wrong)} wrong")
    for line in wrong:
        print(f"wrong: {line}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
