"""Finds the real guides of a folder."""

import gzip
import json
from pathlib import Path

from support.report import Skipped

#: Suffixes of source code, documents and settings from the repositories that contained the guides.
NO_GUIDES = {".md", ".txt", ".py", ".js", ".ts", ".go", ".rs", ".cs", ".php", ".pl", ".dtd", ".yml", ".toml"}


def first_bytes(path: Path) -> bytes:
    """Returns the first bytes of a file, decompressed if it is gzip."""
    with path.open("rb") as file:
        head = file.read(2)
    opened = gzip.open(path) if head == b"\x1f\x8b" else path.open("rb")
    with opened as file:
        try:
            return file.read(4096)
        except EOFError:
            return b""


def guides(folder: Path) -> list[Path]:
    """Returns every file that may be a guide, by its name or else by its content; raises `Skipped` if there is none."""
    found = []
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or path.suffix.lower() in NO_GUIDES:
            continue
        names = path.name.lower()
        if any(part in names for part in (".xml", ".json", ".m3u", ".xz", ".zip")):
            found.append(path)
        elif b"<tv" in first_bytes(path):
            found.append(path)
    if not found:
        raise Skipped(f"there are no real guides in {folder} (--guides FOLDER)")
    return found


def lines(text: str) -> list[dict]:
    """Parses JSON Lines."""
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]
