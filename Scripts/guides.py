"""The real guides of a folder, for survey.py, round-trip.py and player-guide.py."""

import gzip
import json
from pathlib import Path

#: Names of files that are source code, documents or settings of the repositories that the guides were found in.
NO_GUIDES = {".md", ".txt", ".py", ".js", ".ts", ".go", ".rs", ".cs", ".php", ".pl", ".dtd", ".yml", ".toml"}


def first_bytes(path: Path) -> bytes:
    """The first bytes of a file, unpacked where it is gzip."""
    with path.open("rb") as file:
        head = file.read(2)
    opened = gzip.open(path) if head == b"\x1f\x8b" else path.open("rb")
    with opened as file:
        try:
            return file.read(4096)
        except EOFError:
            return b""


def guides(folder: Path) -> list[Path]:
    """Every file that may be a guide: by its content where its name says nothing."""
    found = []
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or path.suffix.lower() in NO_GUIDES:
            continue
        names = path.name.lower()
        if any(part in names for part in (".xml", ".json", ".m3u", ".xz", ".zip")):
            found.append(path)
        elif b"<tv" in first_bytes(path):
            found.append(path)
    return found


def lines(text: str) -> list[dict]:
    """Objects, one on each line."""
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]
