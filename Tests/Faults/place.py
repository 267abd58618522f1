"""A folder with a guide in it, as the programs and SQLite itself see it."""

import contextlib
import hashlib
import os
import shutil
import sqlite3
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from frame import Bench, Expectation, expect
from guides import Guide

NAMES = ("guide.sqlite", "guide.sqlite-wal", "guide.sqlite-search", "guide.sqlite-search-wal")
#: All that readers see of the guide, in one order.
SHOWN = """
    SELECT station.feed_id, station.name, station.position, airing.start, airing.part, airing.stop, airing.id,
        programme.title, programme.subtitle, programme.description, programme.category
    FROM airing JOIN station ON station.id = airing.station_id JOIN programme ON programme.id = airing.programme_id
    ORDER BY airing.station_id, airing.start, airing.part
    """


class Place:
    """A guide's database in a folder of its own."""

    def __init__(self, bench: Bench, folder: Path) -> None:
        self.bench = bench
        self.folder = folder
        self.database = folder / "guide.sqlite"

    # MARK: The programs

    def epg(
        self, *arguments: object, timeout: float = 120, prefix: tuple[str, ...] = (), **settings: object
    ) -> subprocess.CompletedProcess:
        """Runs epg on the guide; the prefix is a program that runs it, with its arguments."""
        return subprocess.run(
            [*prefix, str(self.bench.epg), *map(str, arguments), "--database", str(self.database)],
            capture_output=True, text=True, timeout=timeout, **settings)

    def done(self, *arguments: object, **settings: object) -> str:
        """Runs epg, which has to succeed; what it printed."""
        answer = self.epg(*arguments, **settings)
        expect(answer.returncode == 0, f"epg {arguments[0]} ended with {answer.returncode}: {answer.stderr.strip()[:300]}")
        return answer.stdout

    def copy(self, name: str, with_shared_memory: bool = True) -> "Place":
        """A copy in a folder of another name."""
        folder = self.bench.subfolder(name)
        for path in self.folder.iterdir():
            if path.is_file() and (with_shared_memory or not path.name.endswith("-shm")):
                with contextlib.suppress(FileNotFoundError):
                    shutil.copy(path, folder)
        return Place(self.bench, folder)

    # MARK: What stands

    def connect(self) -> sqlite3.Connection:
        """A connection that only reads."""
        return sqlite3.connect(f"file:{self.database}?mode=ro", uri=True, isolation_level=None, timeout=10)

    def digest(self) -> str:
        """A digest of all that readers see, in one read transaction."""
        with contextlib.closing(self.connect()) as connection:
            return shown(connection)

    def generation(self) -> int:
        with contextlib.closing(self.connect()) as connection:
            return connection.execute("SELECT generation FROM guide").fetchone()[0]

    def expect_integrity(self) -> None:
        """SQLite finds no damage in what was on the disk: the files without the shared memory."""
        copy = self.copy(f"{self.folder.name}-integrity", with_shared_memory=False)
        for name in ("guide.sqlite", "guide.sqlite-search"):
            path = copy.folder / name
            # The index for searches may be one that was never committed.
            if name == "guide.sqlite" or path.exists() and path.stat().st_size > 0:
                with contextlib.closing(sqlite3.connect(path)) as connection:
                    for pragma in ("integrity_check", "foreign_key_check"):
                        rows = connection.execute(f"PRAGMA {pragma}").fetchall()
                        expect(rows in ([], [("ok",)]), f"{name} is damaged: {rows[:3]}")

    def viewports(self, windows: list[tuple[int, int, int, int]]) -> list[str]:
        """A digest of what `epg grid --json` shows in each of the viewports."""
        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            return list(pool.map(self._viewport, windows))

    def _viewport(self, window: tuple[int, int, int, int]) -> str:
        first, last, start, hours = window
        text = self.done("grid", "--json", "--rows", f"{first}-{last}", "--from", f"@{start}", "--hours", hours,
                         "--at", f"@{start}", "--zone", "UTC")
        return hashlib.sha256(text.encode()).hexdigest()


def shown(connection: sqlite3.Connection) -> str:
    """A digest of the guide that a connection sees."""
    digest = hashlib.sha256()
    for row in connection.execute(SHOWN):
        digest.update(repr(row).encode())
    return digest.hexdigest()


def fixed_viewports(guide: Guide, count: int, bench: Bench) -> list[tuple[int, int, int, int]]:
    """First and last row, start and hours of viewports all over the guide."""
    chosen = []
    for _ in range(count):
        first = bench.random.randrange(guide.stations)
        last = min(guide.stations - 1, first + bench.random.randrange(1, 20))
        hours = bench.random.randrange(2, 13)
        latest = guide.days * 24 - hours
        chosen.append((first, last, guide.start + 3600 * bench.random.randrange(latest), hours))
    return chosen


def spread(numbers: list[int], count: int) -> list[int]:
    """At most so many of the numbers, evenly: the first and the last are among them."""
    if len(numbers) <= count:
        return numbers
    return [numbers[round(place * (len(numbers) - 1) / max(1, count - 1))] for place in range(count)]


class Editions:
    """A guide that stands in its first edition, and how it looks with the second."""

    def __init__(self, bench: Bench, name: str, guide: Guide, server, viewports: int = 0) -> None:
        self.bench = bench
        self.guide = guide
        self.server = server
        self.bodies = [guide.xml(0), guide.xml(1)]
        self.old = Place(bench, bench.subfolder(f"{name}-old"))
        server.body = self.bodies[0]
        self.old.done("source", "add", "nightly", server.address)
        self.old.done("refresh")
        server.body = self.bodies[1]
        self.new = self.old.copy(f"{name}-new")
        self.new.done("refresh")
        self.old_digest = self.old.digest()
        self.new_digest = self.new.digest()
        expect(self.old_digest != self.new_digest, "both editions show the same")
        self.windows = fixed_viewports(guide, viewports, bench)
        self.old_views = self.old.viewports(self.windows)
        self.new_views = self.new.viewports(self.windows)
        for old, new in zip(self.old_views, self.new_views):
            expect(old != new, "a viewport shows the same in both editions")

    def expect_whole(self, place: Place) -> str:
        """The guide is sound, and is the old one or the new one in every viewport: which."""
        place.expect_integrity()
        seen = place.digest()
        if seen not in (self.old_digest, self.new_digest):
            raise Expectation("the guide is neither the old one nor the new one")
        which = "old" if seen == self.old_digest else "new"
        views = place.viewports(self.windows)
        wanted = self.old_views if which == "old" else self.new_views
        wrong = sum(1 for one, other in zip(views, wanted) if one != other)
        expect(wrong == 0, f"{wrong} viewports don't show the {which} guide")
        return which

    def expect_recovery(self, place: Place, *sources: str) -> None:
        """The next refresh (of these sources) brings the new guide, and searches find in it."""
        place.done("refresh", *sources)
        expect(place.digest() == self.new_digest, "after the next refresh the guide isn't the new one")
        found = place.done("search", "lighthouse", "--json", "--at", f"@{self.guide.start}", "--zone", "UTC")
        wanted = self.new.done("search", "lighthouse", "--json", "--at", f"@{self.guide.start}", "--zone", "UTC")
        expect(found == wanted, "after the next refresh searches find something else")
