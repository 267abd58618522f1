#!/usr/bin/env python3
"""Finds words that CONTRIBUTING.md's language section bans, and pronouns that stand for a noun elsewhere, in comments, texts and
documents. `make lint` runs it.

    Scripts/check-language.py [PATH…]

Reads Swift, C, SQL, Markdown, YAML, shell, Python and JavaScript files of the repository. Prints each line with the better word; exit 1 if there
is one. A line that needs the word, such as one that names an element of XMLTV, is listed in ALLOWED.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SUFFIXES = {".swift", ".h", ".c", ".sql", ".md", ".yml", ".yaml", ".sh", ".js", ".css", ".html"}

#: What is banned, and what to write instead.
BANNED = {
    r"colour": "color", r"\bgrey": "gray", r"\bcentre": "center", r"behaviour": "behavior", r"normalis": "normaliz", r"recognis": "recogniz",
    r"\bfavour(?!ite)": "favor", r"favourite": "favorite", r"\bcatalogue": "catalog", r"\blicence": "license", r"summaris": "summariz",
    r"optimis(e|ation)": "optimize", r"minimis(e|ation)": "minimize", r"initialis": "initializ", r"synchronis": "synchroniz",
    r"\bstands? in the database": "is stored in the database", r"\bnot to be had\b": "unavailable", r"\bspeaks? first\b": "takes precedence",
    r"\bwasn't taken\b": "was rejected", r"\blonger than can be believed\b": "implausibly long", r"\bmakes no sense\b": "is invalid",
    r"\bfor those who pipe\b": "in pipelines", r"\bif nothing else is said\b": "by default", r"\bsomebody else writes\b": "in use by another process",
    r"\btimetable\b": "schedule", r"\bis told\b": "active verb: reports, prints, returns", r"\b(are|was|were) told\b": "active verb: reports, prints",
    r"\bwhoever\b": "name the subject", r"\baught\b": "anything", r"\blest\b": "so that … not", r"\bfor want of\b": "without",
    r"\bof one's own\b": "its own", r"\bfacts, (rule|layout)": "Rules.md, rule N, or LayoutRules.md, layout N", r"\bis not there\b": "is missing",
    r"\bthe guide that stood\b": "the current guide", r"\bnobody\b": "name the subject", r"\bsound copy\b": "consistent copy",
}

#: A pronoun that makes readers search for its noun, also if a line break or a comment mark divides the words.
GAP = r"(?:\s+(?:///?|\*|#+|--)?\s*)"
PRONOUN = re.compile(rf"\b(?:that|those){GAP}of\b|\bthe{GAP}one{GAP}(?:that|of)\b|\banother{GAP}one\b", re.IGNORECASE)

#: Lines that may have the word: the element of XMLTV, test input, names of other projects.
ALLOWED = re.compile(
    r"<colour>|</colour>|\"colour\"|`colour`|\.colour\b|\bcolour:|x-colour|present, colour, aspect|sd-colour|user nobody|nobody:nogroup"
    r"|\"[^\"]*[Nn]obody[^\"]*\"|“nobody”|nobody else -->|nobody’s")


def files(paths):
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", *paths], capture_output=True, text=True, check=True, cwd=ROOT).stdout
    for name in listed.splitlines():
        path = ROOT / name
        if path.suffix in SUFFIXES and "/Goldens/" not in name and not name.startswith(("Tests/XMLTVTests/Fixtures", "sample-data")):
            yield path


def main():
    found = 0

    def report(path, number, match, word, line):
        nonlocal found
        found += 1
        print(f"{path.relative_to(ROOT)}:{number}: “{' '.join(match[0].split())}”: {word}: {line.strip()[:140]}")

    patterns = [(re.compile(pattern, re.IGNORECASE), word) for pattern, word in BANNED.items()]
    for path in files(sys.argv[1:]):
        text = path.read_text(errors="replace")
        lines = text.splitlines()
        for match in PRONOUN.finditer(text):
            number = text.count("\n", 0, match.start()) + 1
            if not ALLOWED.search(lines[number - 1]):
                report(path, number, match, "repeat the noun, or name the thing", lines[number - 1])
        for number, line in enumerate(lines, 1):
            if ALLOWED.search(line):
                continue
            for pattern, word in patterns:
                if match := pattern.search(line):
                    report(path, number, match, word, line)
    if found:
        sys.exit(f"{found} lines have words that language.md bans.")


main()
