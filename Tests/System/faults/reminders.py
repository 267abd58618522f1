"""kill -9 of a process that sends reminders, moves of airings, and changes of the clock, against a server that records keys.

Each reminder arrives at least once, always with the same key, and no airing has two keys.
"""

import calendar
import http.server
import json
import os
import signal
import subprocess
import threading
import time
from pathlib import Path

from harness import Fault, Harness
from support.processes import wait_until
from support.report import expect
from workspace import Workspace

#: The programmes of a station, and their length in seconds.
COUNT, LENGTH = 30, 1200
#: The airings of the strip, which has the same title every two hours and no description, and their distance in seconds.
STRIPS, DISTANCE = 5, 7200


class Receiver(http.server.ThreadingHTTPServer):
    """A server that records the key and the title of each reminder, sometimes late, and sometimes confirms none."""

    def __init__(self, harness: Harness) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.received: dict[str, set[str]] = {}
        self.start = 0
        self.count = 0
        self.status = 204
        self.delay = 0.0
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/hook?token=s3cret"


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        expect(self.headers["Idempotency-Key"] == body["key"], "the header has another key than the body")
        name = body["airing"]["title"]
        if name == "Strip":
            begin = calendar.timegm(time.strptime(body["airing"]["start"], "%Y-%m-%dT%H:%M:%SZ"))
            name = f"Strip {(begin - self.server.start) // DISTANCE}"
        self.server.received.setdefault(name, set()).add(body["key"])
        self.server.count += 1
        time.sleep(self.server.delay)
        self.send_response(self.server.status)
        self.end_headers()

    def handle(self) -> None:
        try:
            super().handle()
        except OSError:
            # The client was killed.
            pass

    def log_message(self, *arguments: object) -> None:
        pass


class World:
    """A guide in which every programme is on once, at changing times, and the clock.

    On one station, the strip is on every two hours, and specials displace it.
    """

    def __init__(self, harness: Harness, receiver: Receiver) -> None:
        self.harness, self.receiver, self.random = harness, receiver, harness.random
        self.workspace = Workspace(harness, harness.subfolder("reminders"))
        self.start = harness.now // 3600 * 3600
        self.now = receiver.start = self.start
        #: The seconds by which specials displace each airing of the strip.
        self.delays = [0] * STRIPS
        self.stations = [[f"P{station}-{index}" for index in range(COUNT)] for station in range(3)]
        self.settings = self.workspace.folder / "epg.yml"
        self.settings.write_text(f"reminders:\n  - name: phone\n    webhook: {receiver.url}\n")
        self.import_guide()
        self.workspace.succeed("watch", "add", "watched", "--category", "Watched")

    def window(self, index: int) -> tuple[int, int]:
        return self.start + index * LENGTH, self.start + (index + 1) * LENGTH

    def strip(self, index: int) -> tuple[int, int]:
        begin = self.start + index * DISTANCE + self.delays[index]
        return begin, begin + 1800

    def is_watched(self, name: str | None) -> bool:
        return name is not None and int(name.split("-")[1]) % 3 != 0

    def import_guide(self) -> None:
        stamp = lambda instant: time.strftime("%Y%m%d%H%M%S +0000", time.gmtime(instant))
        lines = ["<tv>"]

        def add(station: int, begin: int, end: int, title: str, category: str) -> None:
            description = "" if title == "Strip" else f"<desc>About {title}</desc>"
            lines.append(
                f'<programme start="{stamp(begin)}" stop="{stamp(end)}" channel="s{station}"><title>{title}</title>'
                f"{description}<category>{category}</category></programme>")

        for station, names in enumerate(self.stations):
            # Fixed airings around, so that each import covers the same time.
            add(station, self.start - 7200, self.start - 5400, "Before", "Other")
            for index, name in enumerate(names):
                if name:
                    add(station, *self.window(index), name, "Watched" if self.is_watched(name) else "Other")
            add(station, self.window(COUNT)[1] + 3600, self.window(COUNT)[1] + 7200, "After", "Other")
        station = len(self.stations)
        add(station, self.start - 7200, self.start - 5400, "Before", "Other")
        for index, delay in enumerate(self.delays):
            if delay:
                add(station, self.start + index * DISTANCE, self.strip(index)[0], f"Special {index}", "Other")
            add(station, *self.strip(index), "Strip", "Watched")
        add(station, self.window(COUNT)[1] + 3600, self.window(COUNT)[1] + 7200, "After", "Other")
        path = self.workspace.folder / "guide.xml"
        path.write_text("\n".join([*lines, "</tv>"]))
        self.workspace.succeed("import", path, "--source", "feed")

    def change(self) -> None:
        """Moves programmes, or changes the clock."""
        names = self.random.choice(self.stations)
        kind = self.random.randrange(11)
        if kind == 0:
            first = self.random.randrange(COUNT)
            second = min(COUNT - 1, max(0, first + self.random.randint(-6, 6)))
            names[first], names[second] = names[second], names[first]
            self.import_guide()
        elif kind == 1:
            others = [index for index, name in enumerate(names) if not self.is_watched(name)]
            # A gap moves, and with it all programmes between.
            names.pop(self.random.choice(others))
            names.insert(self.random.randrange(COUNT), None)
            self.import_guide()
        elif kind == 2:
            self.now -= self.random.randrange(3600)
        elif kind == 3:
            self.now += self.random.randrange(3600)
        elif kind == 4:
            self.delays[self.random.randrange(STRIPS)] = self.random.randrange(6) * 600
            self.import_guide()
        else:
            self.now += self.random.randrange(300)
        if not self.start - 600 <= self.now < self.window(COUNT)[0]:
            self.now = self.start

    def choose_unsent(self) -> bool:
        """Sets the clock to a time at which a reminder is due that was never sent. Returns whether there is one."""
        windows = [
            self.window(index) for names in self.stations for index, name in enumerate(names)
            if self.is_watched(name) and name not in self.receiver.received]
        windows += [self.strip(index) for index in range(STRIPS) if f"Strip {index}" not in self.receiver.received]
        if not windows:
            return False
        begin, end = self.random.choice(windows)
        self.now = self.random.randrange(begin - 300, end)
        return True

    def command(self) -> list[object]:
        return [self.harness.epg, "watch", "send", "--config", self.settings, "--at", f"@{self.now}", "--zone", "UTC",
                "--database", self.workspace.database]

    def send(self) -> subprocess.CompletedProcess:
        return subprocess.run([str(part) for part in self.command()], capture_output=True, text=True, timeout=60)

    def expect_complete(self) -> None:
        """Verifies that a complete run sent every reminder that is due, except those that wait after a failure."""
        self.receiver.status, self.receiver.delay = 204, 0
        result = self.send()
        expect(result.returncode in (0, 69), f"exit {result.returncode}: {result.stderr.strip()[:300]}")
        expect("s3cret" not in result.stderr, "a message has the URL of the target")
        listed = json.loads(self.workspace.succeed("watch", "list", "--json"))
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self.now))
        waiting = {
            reminder["title"] for reminder in listed["reminders"]
            if reminder["state"] != "sent" and reminder.get("notBefore", "") > now}
        for names in self.stations:
            for index, name in enumerate(names):
                begin, end = self.window(index)
                if self.is_watched(name) and name not in waiting and begin - 300 <= self.now < end:
                    expect(name in self.receiver.received, f"{name} is due at {self.now - self.start} s and wasn't sent")
        for index in range(STRIPS):
            begin, end = self.strip(index)
            if "Strip" not in waiting and begin - 300 <= self.now < end:
                expect(f"Strip {index}" in self.receiver.received, f"strip {index} is due and wasn't sent")
        twice = {name: keys for name, keys in self.receiver.received.items() if len(keys) != 1}
        expect(not twice, f"airings with several keys: {list(twice.items())[:3]}")


def run(harness: Harness) -> None:
    receiver = Receiver(harness)
    try:
        with harness.fault("kill -9 while reminders are sent") as fault:
            at_random(harness, receiver, fault, harness.scaled(200, 20))
        with harness.fault("several processes send reminders at once") as fault:
            at_once(harness, receiver, fault, harness.scaled(20, 3))
        with harness.fault("kill -9 while services send reminders") as fault:
            by_services(harness, receiver, fault, harness.scaled(6, 2))
    finally:
        receiver.shutdown()


def at_random(harness: Harness, receiver: Receiver, fault: Fault, wanted: int) -> None:
    """Kills processes that have something to send: half of them at any time, half of them soon after a request arrived."""
    world = World(harness, receiver)
    kills = tries = delivered = airings = requests = 0
    longest = 0.2
    while kills < wanted and tries < wanted * 20:
        tries += 1
        world.change()
        if not world.choose_unsent():
            airings, requests = airings + len(receiver.received), requests + receiver.count
            receiver.received.clear()
            receiver.count = 0
            world = World(harness, receiver)
            continue
        receiver.status = harness.random.choice([204, 204, 204, 500])
        receiver.delay = harness.random.choice([0, 0.005, 0.02])
        before = receiver.count
        process = subprocess.Popen(
            [str(part) for part in world.command()], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if tries % 2:
            time.sleep(harness.random.uniform(0, longest))
        else:
            wait_until(lambda: receiver.count > before or process.poll() is not None, "the process sends", pause=0.0005)
            time.sleep(harness.random.uniform(0, receiver.delay + 0.02))
        process.kill()
        if process.wait() != -signal.SIGKILL:
            longest = max(0.02, longest * 0.9)
            continue
        kills += 1
        delivered += receiver.count > before
        with fault.case(f"kill {kills}"):
            world.expect_complete()
    airings, requests = airings + len(receiver.received), requests + receiver.count
    expect(kills == wanted, f"only {kills} of {tries} processes could be killed")
    expect(delivered >= wanted // 4, f"only {delivered} of {kills} processes were killed after a request")
    fault.note = f"{delivered} kills after a request; {requests} requests for {airings} airings"


def at_once(harness: Harness, receiver: Receiver, fault: Fault, wanted: int) -> None:
    """Starts several processes at the same time: together they send each reminder once."""
    receiver.received.clear()
    receiver.count = 0
    receiver.status, receiver.delay = 204, 0.05
    world = World(harness, receiver)
    for turn in range(wanted):
        with fault.case(f"turn {turn}"):
            world.now = world.start + turn * LENGTH
            processes = [
                subprocess.Popen([str(part) for part in world.command()], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
                for _ in range(4)]
            for process in processes:
                message = process.communicate()[1].decode()
                expect(process.returncode == 0, f"exit {process.returncode}: {message[:200]}")
            world.expect_complete()
            expect(receiver.count == len(receiver.received), f"{receiver.count} requests for {len(receiver.received)} airings")


def by_services(harness: Harness, receiver: Receiver, fault: Fault, wanted: int) -> None:
    """Runs two epgd on one guide, and kills one or its process that sends: together they send each reminder, with one key."""
    for turn in range(wanted):
        receiver.received.clear()
        receiver.count, receiver.start = 0, 0
        # The request of a run is still waiting when its process is killed.
        receiver.status, receiver.delay = 204, 1.5
        with fault.case(f"turn {turn}"):
            workspace = Workspace(harness, harness.subfolder("services"))
            settings = workspace.folder / "epg.yml"
            settings.write_text(f"reminders:\n  - name: phone\n    webhook: {receiver.url}\n")
            begin = int(time.time()) + 120
            stamp = lambda instant: time.strftime("%Y%m%d%H%M%S +0000", time.gmtime(instant))
            guide = workspace.folder / "guide.xml"
            guide.write_text("<tv>" + "".join(
                f'<programme start="{stamp(begin)}" stop="{stamp(begin + 3600)}" channel="s{station}">'
                f"<title>On {station}</title><category>Watched</category></programme>" for station in range(3)) + "</tv>")
            workspace.succeed("import", guide)
            workspace.succeed("watch", "add", "watched", "--category", "Watched")
            services = [
                workspace.serve("--config", settings, log=workspace.folder / f"log{index}") for index in range(2)]
            try:
                wait_until(lambda: receiver.count > 0, "a service sends the first reminder", 40)
                # That of the other service ends at once.
                senders = wait_until(
                    lambda: len(found := [pid for each in services for pid in children(each.process.pid)]) == 1 and found,
                    "one process sends", 4, 0.01)
                if turn % 2:
                    os.kill(senders[0], signal.SIGKILL)
                else:
                    victim = next(each for each in services if senders[0] in children(each.process.pid))
                    victim.process.kill()
                    victim.process.wait()
                receiver.delay = 0
                wait_until(lambda: len(receiver.received) == 3, "the services send all reminders", 60)
                listed = lambda: json.loads(workspace.succeed("watch", "list", "--json"))["reminders"]
                wait_until(lambda: [each["state"] for each in listed()] == ["sent"] * 3, "all reminders are confirmed", 60)
                twice = {name: keys for name, keys in receiver.received.items() if len(keys) != 1}
                expect(not twice, f"airings with several keys: {twice}")
                # The service that is left sends nothing again.
                count = receiver.count
                time.sleep(16)
                expect(receiver.count == count, "a confirmed reminder was sent again")
            finally:
                for service in services:
                    service.close()
                    expect("s3cret" not in service.log_text(), "a log has the URL of the target")


def children(process: int) -> list[int]:
    """Returns the processes that a process has started."""
    try:
        return [int(child) for task in Path(f"/proc/{process}/task").iterdir() for child in (task / "children").read_text().split()]
    except FileNotFoundError:
        return []
