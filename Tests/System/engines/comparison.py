"""Compares guides in several engines: answers of epgd to random questions, and outputs of epg."""

import contextlib
import http.client
import random
from collections import Counter

from engines import Pair
from questions import HOUR, Facts, Interview, Questions
from support.processes import Service, wait_until
from support.report import expect

#: Questions of the full form and of the short one, in all tests together.
QUESTIONS, SHORT_QUESTIONS = 100_000, 2_000


class Comparison:
    """Compares the members of a pair, again and again while their guide changes."""

    def __init__(self, pair: Pair, share: float) -> None:
        """- share: The share of all questions that this comparison asks in each stage."""
        engines = pair.engines
        self.pair = pair
        self.count = round(share * engines.options.count(engines.scaled(QUESTIONS, SHORT_QUESTIONS)))
        self.stages = 0
        self.statuses: Counter[int] = Counter()
        self.commands = 0

    def stage(self, *, is_aligned: bool = False) -> None:
        """Compares the guides as they are now.

        - is_aligned: Whether even the random names of generations are equal, because all members are copies.
        """
        pair, self.stages = self.pair, self.stages + 1
        seed = f"{pair.engines.seed}/{pair.name}/{self.stages}"
        if not is_aligned:
            pair.align()
        pair.clock += HOUR
        # The clock of the services stands still, so Swift's `Task.sleep` never ends: a service on a standby would wait forever.
        facts = Facts(pair.members[0], random.Random(seed), names_later=not pair.has_standby)
        with contextlib.ExitStack() as stack:
            services = [stack.enter_context(member.serve(clock=pair.clock)) for member in pair.members]
            for member, service in zip(pair.members, services):
                # A new node fills its search index; until then, results of searches have no entity tag.
                wait_until(
                    lambda: "etag" in service.request("/api/v1/search?q=x").headers,
                    f"the search index of {member.folder.name} is complete", 120)
            interview = Interview(services, Questions(facts, seed))
            interview.run(range(self.count))
            events = {first_event(service) for service in services}
            expect(len(events) == 1, f"the first events differ: {events}")
        self.statuses += interview.statuses
        found = interview.differences
        expect(not found, f"stage {self.stages}, seed {pair.engines.seed}: {len(found)} differences: " + "\n".join(found[:5]))
        chosen = commands(facts, random.Random(seed), max(4, self.count // 50)) + [
            ["check"], ["check", "--json"], ["sources"], ["export", "--format", "xmltv"], ["export", "--format", "json"]]
        for words in chosen:
            pair.run(*words)
        self.commands += len(chosen)
        pair.expect_equal()

    def copies(self) -> None:
        """Copies each guide into the other engine, and compares all four."""
        engines, members = self.pair.engines, self.pair.members
        target = engines.postgresql(f"{self.pair.name}-copy")
        back = engines.sqlite(f"{self.pair.name}-copy")
        for source, copied in ((members[0], target), (members[1], back)):
            done = source.epg_alone("copy", source.location, copied.location)
            expect(done.returncode == 0, f"epg copy from {source}: exit {done.returncode}: {done.stderr.decode()[-400:]}")
        self.pair.members = [*members, target, back]
        self.stage(is_aligned=True)

    def text(self) -> str:
        statuses = ", ".join(f"{count} × {status}" for status, count in sorted(self.statuses.items()))
        return (f"seed {self.pair.engines.seed}, {self.stages} stages, {self.statuses.total()} answers ({statuses}), "
                f"{self.commands} commands")


def first_event(service: Service) -> bytes:
    """Returns the first server-sent event, which names the generation."""
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=30)
    with contextlib.closing(connection):
        connection.request("GET", "/api/v1/events")
        response = connection.getresponse()
        lines = []
        while (line := response.readline()).strip() or not lines:
            lines.append(line)
        return b"".join(lines)


def commands(facts: Facts, chance: random.Random, count: int) -> list[list[str]]:
    """Returns random commands that read a guide."""
    questions = Questions(facts, "commands")
    questions.chance = chance

    def at() -> list[str]:
        return ["--at", f"@{questions._instant()}", "--zone", chance.choice(("UTC", "Europe/London", "Asia/Kolkata"))]

    def grid() -> list[str]:
        hours = str(chance.choice((1, 3, 6)))
        words = ["grid", "--rows", questions._rows(), "--from", f"@{questions._instant()}", "--hours", hours]
        return words + chance.choice((["--json"], [], ["--format", "svg"]))

    kinds = {
        grid: 4, lambda: ["now", *at()]: 1, lambda: ["airings", "--station", questions._id(), *at()]: 3,
        lambda: ["search", "--limit", "20", *at(), "--", questions._words().replace("\0", "")]: 4,
        lambda: ["show", str(questions._number())]: 4, lambda: ["stations"]: 1, lambda: ["sources"]: 1,
        lambda: ["favorite", "list"]: 1,
        lambda: ["match", "--explain"]: 1, lambda: ["changes", "--since", str(chance.choice(facts.generations or [(0, "")])[0])]: 2,
        lambda: ["export", "--stations", questions._id(), "--format", chance.choice(("xmltv", "json", "ics")), *at()]: 2}
    chosen = []
    for _ in range(count):
        words = chance.choices(list(kinds), list(kinds.values()))[0]()
        if words[0] not in ("grid", "export") and chance.random() < 0.6:
            words.insert(1, "--json")
        chosen.append(words)
    return chosen
