"""A folder with a guide, accessed through the programs and through SQLite."""

import contextlib
import hashlib
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from guides import Guide
from harness import Harness
from support.processes import Service
from support.report import expect

NAMES = ("guide.sqlite", "guide.sqlite-wal", "guide.sqlite-search", "guide.sqlite-search-wal")
#: All contents of the guide that readers see, in a fixed order.
CONTENTS = """
    SELECT station.feed_id, station.name, station.position, airing.start, airing.part, airing.stop, airing.id,
        programme.title, programme.subtitle, programme.description, programme.category
    FROM airing JOIN station ON station.id = airing.station_id JOIN programme ON programme.id = airing.programme_id
    ORDER BY airing.station_id, airing.start, airing.part
    """


class Workspace:
    """A folder with the database of a guide."""

    def __init__(self, harness: Harness, folder: Path) -> None:
        self.harness = harness
        self.folder = folder
        self.database = folder / "guide.sqlite"

    @classmethod
    def with_source(cls, harness: Harness, name: str, body: bytes) -> "Workspace":
        """Returns the guide of a new source, `nightly`, after its first refresh."""
        workspace = cls(harness, harness.subfolder(name))
        harness.server.body = body
        workspace.succeed("source", "add", "nightly", harness.server.url)
        workspace.succeed("refresh")
        return workspace

    # MARK: The programs

    def epg(self, *arguments: object, timeout: float = 120, **settings: object) -> subprocess.CompletedProcess:
        """Runs epg on the guide."""
        return subprocess.run(
            [str(self.harness.epg), *map(str, arguments), "--database", str(self.database)],
            capture_output=True, text=True, timeout=timeout, **settings)

    def succeed(self, *arguments: object, **settings: object) -> str:
        """Runs epg, expects success, and returns its output."""
        result = self.epg(*arguments, **settings)
        expect(result.returncode == 0, f"epg {arguments[0]} exited with {result.returncode}: {result.stderr.strip()[:300]}")
        return result.stdout

    def copy(self, name: str, with_shared_memory: bool = True) -> "Workspace":
        """Copies the files to the folder `name`."""
        folder = self.harness.subfolder(name)
        for path in self.folder.iterdir():
            if path.is_file() and (with_shared_memory or not path.name.endswith("-shm")):
                with contextlib.suppress(FileNotFoundError):
                    shutil.copy(path, folder)
        return Workspace(self.harness, folder)

    def serve(self, *arguments: object, **settings: object) -> Service:
        """Runs epgd on the guide."""
        return Service(self.harness.programs, self.database, "--limits-per-address", "4096", *arguments, **settings)

    # MARK: Contents

    def connect(self) -> sqlite3.Connection:
        """Opens a read-only connection."""
        return sqlite3.connect(f"file:{self.database}?mode=ro", uri=True, isolation_level=None, timeout=10)

    def digest(self) -> str:
        """Returns a digest of all contents that readers see, from one read transaction."""
        with contextlib.closing(self.connect()) as connection:
            return digest_of(connection.execute(CONTENTS))

    def generation(self) -> int:
        with contextlib.closing(self.connect()) as connection:
            return connection.execute("SELECT generation FROM guide").fetchone()[0]

    def expect_integrity(self) -> None:
        """Verifies with SQLite that the files, without the shared memory, are intact."""
        copy = self.copy(f"{self.folder.name}-integrity", with_shared_memory=False)
        for name in ("guide.sqlite", "guide.sqlite-search"):
            path = copy.folder / name
            # The search index may be empty because it was never committed.
            if name == "guide.sqlite" or path.exists() and path.stat().st_size > 0:
                with contextlib.closing(sqlite3.connect(path)) as connection:
                    for pragma in ("integrity_check", "foreign_key_check"):
                        rows = connection.execute(f"PRAGMA {pragma}").fetchall()
                        expect(rows in ([], [("ok",)]), f"{name} is damaged: {rows[:3]}")

    def viewports(self, windows: list[tuple[int, int, int, int]]) -> list[str]:
        """Returns a digest of the output of `epg grid --json` for each viewport."""
        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            return list(pool.map(self._viewport, windows))

    def _viewport(self, window: tuple[int, int, int, int]) -> str:
        first, last, start, hours = window
        text = self.succeed("grid", "--json", "--rows", f"{first}-{last}", "--from", f"@{start}", "--hours", hours,
                         "--at", f"@{start}", "--zone", "UTC")
        return hashlib.sha256(text.encode()).hexdigest()


def digest_of(rows: Iterable[object]) -> str:
    digest = hashlib.sha256()
    for row in rows:
        digest.update(repr(row).encode())
    return digest.hexdigest()


def fixed_viewports(guide: Guide, count: int, harness: Harness) -> list[tuple[int, int, int, int]]:
    """Returns random viewports as first row, last row, start and hours."""
    chosen = []
    for _ in range(count):
        first = harness.random.randrange(guide.stations)
        last = min(guide.stations - 1, first + harness.random.randrange(1, 20))
        hours = harness.random.randrange(2, 13)
        latest = guide.days * 24 - hours
        chosen.append((first, last, guide.start + 3600 * harness.random.randrange(latest), hours))
    return chosen


def spread(numbers: list[int], count: int) -> list[int]:
    """Returns at most `count` of the numbers, evenly spread and including the first and the last."""
    if len(numbers) <= count:
        return numbers
    return [numbers[round(index * (len(numbers) - 1) / max(1, count - 1))] for index in range(count)]


class Editions:
    """A guide in its first edition, and the expected contents after a refresh to the second."""

    def __init__(self, harness: Harness, name: str, guide: Guide, viewports: int = 0) -> None:
        self.harness = harness
        self.guide = guide
        self.bodies = [guide.xml(0), guide.xml(1)]
        self.old = Workspace.with_source(harness, f"{name}-old", self.bodies[0])
        harness.server.body = self.bodies[1]
        self.new = self.old.copy(f"{name}-new")
        self.new.succeed("refresh")
        self.old_digest = self.old.digest()
        self.new_digest = self.new.digest()
        expect(self.old_digest != self.new_digest, "both editions have the same contents")
        self.windows = fixed_viewports(guide, viewports, harness)
        self.old_views = self.old.viewports(self.windows)
        self.new_views = self.new.viewports(self.windows)
        for old, new in zip(self.old_views, self.new_views):
            expect(old != new, "a viewport is the same in both editions")

    def expect_intact(self, workspace: Workspace) -> str:
        """Verifies that the guide is intact and in every viewport the old one or the new one; returns which."""
        workspace.expect_integrity()
        seen = workspace.digest()
        expect(seen in (self.old_digest, self.new_digest), "the guide is neither the old one nor the new one")
        which = "old" if seen == self.old_digest else "new"
        views = workspace.viewports(self.windows)
        wanted = self.old_views if which == "old" else self.new_views
        different = sum(1 for one, other in zip(views, wanted) if one != other)
        expect(different == 0, f"{different} viewports don't show the {which} guide")
        return which

    def expect_recovery(self, workspace: Workspace, *sources: str) -> None:
        """Verifies that the next refresh (of these sources) imports the new guide and updates the search index."""
        workspace.succeed("refresh", *sources)
        expect(workspace.digest() == self.new_digest, "after the next refresh the guide isn't the new one")
        found = workspace.succeed("search", "lighthouse", "--json", "--at", f"@{self.guide.start}", "--zone", "UTC")
        wanted = self.new.succeed("search", "lighthouse", "--json", "--at", f"@{self.guide.start}", "--zone", "UTC")
        expect(found == wanted, "after the next refresh, searches return other results")
