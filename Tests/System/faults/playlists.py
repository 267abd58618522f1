"""Nights of a playlist: its provider renames, reorders, drops and adds channels and changes tokens; refreshes are killed.

Channels keep what the user changed: number, groups, hidden, and the mapped station. Unchanged nights write nothing. After kill -9, the
lineup is the old one or the new one.
"""

import contextlib
import json
import signal
import subprocess
import time

from harness import Harness
from support.report import expect
from unchanged_feed import tables
from workspace import Workspace, digest_of

LINEUP = "SELECT * FROM channel ORDER BY lineup_id, ordinal"
REST = "SELECT * FROM mapping ORDER BY channel_key"


class Provider:
    """A playlist whose channels have a hidden identity, by which the test recognizes them."""

    def __init__(self, harness: Harness, count: int) -> None:
        self.random = harness.random
        self.token = 0
        self.number = 0
        self.channels: list[dict] = []
        self.dropped: list[dict] = []
        for _ in range(count):
            self.add()

    def add(self) -> None:
        number = self.number
        self.number += 1
        self.channels.append({
            "identity": number, "id": None if number % 5 == 4 else f"ch{number}.example",
            "name": f"Channel {number}", "group": f"Group {number % 23}"})

    def change(self) -> None:
        """Changes the list as providers do. A channel changes at most one of what it is recognized by in a night."""
        random, count = self.random, len(self.channels)
        self.token += 1
        touched: set[int] = set()

        def some(share: float) -> list[dict]:
            chosen = [channel for channel in random.sample(self.channels, max(1, int(count * share)))
                      if channel["identity"] not in touched]
            touched.update(channel["identity"] for channel in chosen)
            return chosen

        for channel in some(0.01):
            # Other case and punctuation, or another name; the identifier stays. A channel without one keeps its URL.
            suffix = random.choice([" HD", " FHD", " (Backup)", "!", " [24/7]"])
            channel["name"] = f"Channel {channel['identity']}{suffix}" if random.random() < 0.7 else f"Renamed {channel['identity']}"
        for channel in some(0.005):
            channel["id"] = f"new{self.token}-{channel['identity']}.example"
        for channel in some(0.005):
            channel["group"] = f"Group {random.randrange(30)}"
        for channel in some(0.01):
            self.channels.remove(channel)
            self.dropped.append(channel)
        random.shuffle(self.dropped)
        for _ in range(len(self.dropped) // 3):
            self.channels.insert(random.randrange(len(self.channels)), self.dropped.pop())
        for _ in range(max(1, count // 200)):
            self.add()
        if random.random() < 0.3:
            random.shuffle(self.channels)

    def text(self) -> bytes:
        lines = ['#EXTM3U x-tvg-url="http://guide.example/guide.xml"\n']
        for channel in self.channels:
            identifier = f' tvg-id="{channel["id"]}"' if channel["id"] else ""
            lines.append(f'#EXTINF:-1{identifier} group-title="{channel["group"]}",{channel["name"]}\n'
                         f'http://stream.example/live/{channel["identity"]}.ts?token={self.token}\n')
        return "".join(lines).encode()


class Edits:
    """What the user changed, by the identity of the channel."""

    def __init__(self) -> None:
        self.numbers: dict[int, str] = {}
        self.groups: dict[int, list[str]] = {}
        self.hidden: set[int] = set()
        self.stations: dict[int, str] = {}

    def make(self, workspace: Workspace, provider: Provider, count: int) -> None:
        chosen = provider.random.sample([channel for channel in provider.channels if channel["id"]], count)
        for place, channel in enumerate(chosen):
            identity, key = channel["identity"], channel["id"]
            if place % 4 == 0:
                self.numbers[identity] = str(90_000 + place)
                workspace.succeed("lineup", "set", key, "--number", self.numbers[identity])
            elif place % 4 == 1:
                self.groups[identity] = [f"Mine {place}"]
                workspace.succeed("lineup", "set", key, "--groups", f"Mine {place}")
            elif place % 4 == 2:
                self.hidden.add(identity)
                workspace.succeed("lineup", "set", key, "--hide")
            else:
                self.stations[identity] = f"station{place}"
                workspace.succeed("match", key, f"station{place}")

    def expect_kept(self, workspace: Workspace) -> int:
        """Verifies the changes of the channels in the list; returns how many."""
        with contextlib.closing(workspace.connect()) as connection:
            rows = connection.execute("""
                SELECT c.address, c.number, c.groups, c.attributes, s.feed_id, c.rule
                FROM channel c LEFT JOIN station s ON s.id = c.station_id""").fetchall()
        found = 0
        for address, number, groups, attributes, station, rule in rows:
            identity = int(address.split("/live/")[1].split(".")[0])
            if identity in self.numbers:
                expect(number == self.numbers[identity], f"channel {identity} has the number {number}")
            elif identity in self.groups:
                expect(json.loads(groups) == self.groups[identity], f"channel {identity} has the groups {groups}")
            elif identity in self.hidden:
                expect('"epg-user-hidden"' in attributes, f"channel {identity} is not hidden")
            elif identity in self.stations:
                expect((station, rule) == (self.stations[identity], "mapping"), f"channel {identity} shows {station} by {rule}")
            else:
                expect(rule != "mapping", f"channel {identity} has a mapping")
                continue
            found += 1
        return found


def contents(workspace: Workspace) -> str:
    with contextlib.closing(workspace.connect()) as connection:
        return digest_of(row for query in (LINEUP, REST) for row in connection.execute(query))


def run(harness: Harness) -> None:
    nights, count, edits_count = harness.scaled(60, 8), harness.scaled(10_000, 300), harness.scaled(200, 24)
    provider, edits = Provider(harness, count), Edits()
    stations = "".join(f'<channel id="station{number}"/>' for number in range(edits_count))
    harness.server.body = provider.text()
    workspace = Workspace(harness, harness.subfolder("playlist"))
    workspace.succeed("source", "add", "tv", f"{harness.server.origin}/get.php")
    workspace.succeed("refresh")
    workspace.succeed("import", "/dev/stdin", "--source", "guide", input=f"<tv>{stations}</tv>")
    edits.make(workspace, provider, edits_count)
    favorites = [f"station{number}" for number in range(0, edits_count, 3)]
    for station in favorites:
        workspace.succeed("favorite", "add", station)
    seconds: list[float] = []
    with harness.fault(f"{nights} nights of a playlist of {count} channels keep what the user changed") as fault:
        for night in range(nights):
            with fault.case(f"night {night + 1}"):
                if night % 4 == 3:
                    expect_nothing_written(harness, workspace, night)
                    continue
                provider.change()
                harness.server.body = provider.text()
                old, generation = contents(workspace), workspace.generation()
                if night % 4 == 1:
                    kill(harness, workspace, seconds[-1])
                    expect(workspace.generation() in (generation, generation + 1), "a killed refresh raised several generations")
                    if workspace.generation() == generation:
                        expect(contents(workspace) == old, "a killed refresh left a part of the playlist")
                    workspace.expect_integrity()
                begin = time.monotonic()
                workspace.succeed("refresh", "tv")
                seconds.append(time.monotonic() - begin)
                expect(workspace.generation() == generation + 1, "the refresh did not raise one generation")
                expect(edits.expect_kept(workspace) > edits_count // 2, "most edited channels are gone")
                with contextlib.closing(workspace.connect()) as connection:
                    stored = connection.execute("SELECT count(*) FROM channel").fetchone()[0]
                    kept = [row[0] for row in connection.execute("SELECT feed_id FROM favorite ORDER BY position")]
                expect(stored == len(provider.channels), f"{stored} channels instead of {len(provider.channels)}")
                expect(kept == favorites, "favorites changed")
        workspace.succeed("check")
        fault.note = f"the slowest refresh took {max(seconds):.1f} s; {len(provider.channels)} channels at the end"
    with harness.fault("an implausible playlist keeps the lineup") as fault:
        before = contents(workspace)
        cases = {
            "a web page": (b"<!doctype html><html><title>Log in</title></html>", "web page"),
            "a tenth of the list": (b"\n".join(provider.text().split(b"\n")[:len(provider.channels) // 10 * 2 + 1]) + b"\n",
                                    "the new playlist has"),
            "a list that ends within a channel": (provider.text()[:provider.text().rindex(b"http://stream")], "truncated"),
            "a guide": (b'<tv><channel id="a"/></tv>', "Add the guide as another source"),
            "nothing": (b"", "empty"),
        }
        for name, (body, message) in cases.items():
            with fault.case(name):
                harness.server.body = body
                result = workspace.epg("refresh", "tv")
                expect(result.returncode != 0, "the refresh succeeded")
                expect(message in result.stderr, f"the message is: {result.stderr.strip()[:300]}")
                expect(contents(workspace) == before, "the lineup changed")
        with fault.case("--force accepts a tenth of the list"):
            harness.server.body = cases["a tenth of the list"][0]
            workspace.succeed("refresh", "tv", "--force")
            expect(contents(workspace) != before, "the lineup did not change")


def expect_nothing_written(harness: Harness, workspace: Workspace, night: int) -> None:
    """Refreshes an unchanged playlist, with and without entity tags."""
    before, generation = tables(workspace), workspace.generation()
    harness.server.tags = night % 8 == 3
    workspace.succeed("refresh", "tv")
    harness.server.tags = True
    expect(workspace.generation() == generation, "an unchanged playlist raised the generation")
    after = tables(workspace)
    changed = [name for name in after if after[name] != before.get(name)]
    expect(not changed, f"changed: {', '.join(changed)}")


def kill(harness: Harness, workspace: Workspace, longest: float) -> None:
    process = subprocess.Popen(
        [harness.epg, "refresh", "tv", "--database", workspace.database], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(harness.random.uniform(0, longest))
    process.send_signal(signal.SIGKILL)
    process.wait()
