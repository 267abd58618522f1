"""Lists the results of `epg validate` for every real guide, as Markdown tables: the diagnostics, and the quality of the schedules.

A rejected guide and an unexpected exit code are failures; files that aren't guides are listed and permitted. With --before, the
second table has the quality by another program, too.
"""

import subprocess
from pathlib import Path

from guides import guides, lines

#: Excerpts of error messages for files that are not guides.
NO_GUIDE = (
    "this is an HTML page", "the file is empty", "not XMLTV", "this JSON is not a guide", "an error response of a server",
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
TRUNCATED = "truncated"


def verdict(epg: Path, path: Path) -> tuple[dict, int]:
    done = subprocess.run(
        [epg, "validate", "--json", str(path)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True)
    found = lines(done.stdout)
    return (found[0] if found else {"refusal": done.stderr.strip() or "no output"}), done.returncode


def quality(epg: Path, path: Path) -> dict:
    """Returns the hours that schedules show whole, cut, with an inferred stop and empty, and the affected stations."""
    done = subprocess.run(
        [epg, "validate", "--score", "--json", str(path)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True)
    found = [line["score"] for line in lines(done.stdout) if "score" in line]
    return found[0] if found else {}


def print_quality(paths: list[Path], options) -> None:
    programs = [each for each in (options.before, options.programs.epg) if each]
    print("| file | stations | affected | hours whole | cut | inferred | empty |")
    print("|---|---|---|---|---|---|---|")
    totals = [dict.fromkeys(("stations", "affectedStations", "whole", "cut", "inferred", "empty"), 0) for _ in programs]
    for path in paths:
        found = [quality(epg, path) for epg in programs]
        if not all(found):
            continue
        for total, each in zip(totals, found):
            for key in total:
                total[key] += each[key]
        if found[0]["stations"] and (len(found) == 1 or found[0] != found[1]):
            print(f"| {path.relative_to(options.guides)} |", row(found))
    print("| total |", row(totals))
    print()


def row(found: list[dict]) -> str:
    """Returns cells with one value of each program."""
    cells = [" → ".join(str(each[key]) for each in found) for key in ("stations", "affectedStations")]
    cells += [" → ".join(f"{each[key] / 3600:.1f}" for each in found) for key in ("whole", "cut", "inferred", "empty")]
    return " | ".join(cells) + " |"


def run(options, report) -> None:
    failures, truncated, others, read = {}, 0, 0, 0
    paths = guides(options.guides)
    print("| file | stations | programmes | airings | diagnostics |")
    print("|---|---|---|---|---|")
    for path in paths:
        name = str(path.relative_to(options.guides))
        found, status = verdict(options.programs.epg, path)
        if status not in (0, 65):
            failures[name] = f"exit {status}"
        refusal = found.get("refusal")
        if refusal:
            print(f"| {name} | | | | rejected: {refusal.replace('|', '/')} |")
            if name in KNOWN_NON_GUIDES or any(excerpt in refusal for excerpt in NO_GUIDE):
                others += 1
            elif TRUNCATED in refusal:
                truncated += 1
            else:
                failures[name] = refusal
            continue
        read += 1
        keywords = ", ".join(f"{count} {keyword}" for keyword, count in found["keywords"].items())
        print(f"| {name} | {found['stations']} | {found['programmes']} | {found['airings']} | {keywords} |")
    print()
    print_quality(paths, options)
    for name, failure in failures.items():
        report.add("FAILED", name, failure)
    report.add("ok", f"{read} guides read, {truncated} truncated, {others} files that are not guides")
