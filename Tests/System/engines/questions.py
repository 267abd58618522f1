"""Random questions to the services of several guides with the same content, whose answers must be equal."""

import contextlib
import http.client
import random
import re
import sqlite3
import threading
from collections import Counter
from dataclasses import dataclass, field
from urllib.parse import quote, urlencode

from engines import Engine, differing
from support.processes import Service
from support.report import expect
from support.times import iso_time

#: Threads that ask, each from an address of its own, so that the limits of searches per client apply to each.
THREADS = 4
#: Headers that differ between any two responses.
IGNORED = {"x-request-id"}
ZONES = ("Europe/London", "America/New_York", "Asia/Kolkata", "Pacific/Chatham", "Australia/Lord_Howe", "Asia/Shanghai", "UTC")
LANGUAGES = ("en", "de,en", "zh", "ar", "he,en", "ja", "pt-BR,pt", "fr,es,en")
FIELDS = (
    "id,station,start,stop,title,subtitle,description,categories,episode,inferredStop,clump,published,continuation,cut,stationName,"
    "row,highlights,series,images,ratings,minimumAge,links,catchup,genre,marks").split(",")
STATION_FIELDS = "row,id,name,displayNames,number,icons,urls,extras,channelNumber,images".split(",")
ODD_WORDS = (
    "xyzzy", '"', "a*", "* *", "新闻", "晚间", "ニュース", "", " ", "\0", "NEAR(a b)", "a AND b", "-a", "ÄÉ", "é", "אח", "الأخبار")
HOUR = 3600
DAY = 86_400


class Facts:
    """What a guide contains, so that most questions find something."""

    def __init__(self, guide: Engine, chance: random.Random, *, names_later: bool = True) -> None:
        """- names_later: Whether questions also name a generation that the guide has not reached, for which a standby waits."""
        self.later = [(99, "x")] if names_later else []
        with contextlib.closing(sqlite3.connect(f"file:{guide.location}?mode=ro", uri=True)) as connection:
            def column(sql: str) -> list:
                return [value for (value,) in connection.execute(sql)]
            self.stations: list[str] = column("SELECT feed_id FROM station ORDER BY position")
            numbers = column("SELECT id FROM airing")
            chosen = chance.sample(numbers, min(3000, len(numbers)))
            self.airings = connection.execute(f"""
                SELECT airing.id, start, feed_id FROM airing JOIN station ON station.id = station_id
                WHERE airing.id IN ({','.join(map(str, chosen))})""").fetchall() or [(1, 0, "none")]
            texts = connection.execute(f"""
                SELECT title, subtitle, substr(description, 1, 300) FROM programme
                WHERE id IN (SELECT programme_id FROM airing WHERE id IN ({','.join(map(str, chosen))}))""").fetchall()
            self.words = sorted({word for row in texts for text in row if text for word in re.findall(r"\w+", text)}) or ["none"]
            self.phrases = sorted({text for row in texts for text in row[:2] if text}) or ["none"]
            self.categories = column("SELECT DISTINCT category FROM programme WHERE category <> ''")
            self.lineups = column("SELECT name FROM lineup")
            self.groups = column("SELECT DISTINCT value FROM channel, json_each(groups)")
            self.sources = column("SELECT name FROM source")
            generations = connection.execute("SELECT generation, nonce FROM generation").fetchall()
            self.generations = [(generation, base36(nonce % 2**64)) for generation, nonce in generations]


def base36(number: int) -> str:
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    text = ""
    while number or not text:
        number, rest = divmod(number, 36)
        text = digits[rest] + text
    return text


@dataclass
class Question:
    path: str
    method: str = "GET"
    headers: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.method} {self.path}" + (f" {self.headers}" if self.headers else "")


class Questions:
    """Generates questions about a guide: the same for the same seed and number."""

    def __init__(self, facts: Facts, seed: str) -> None:
        self.facts = facts
        self.seed = seed
        kinds = {
            self._grid: 24, self._picture: 4, self._now: 12, self._schedule: 9, self._day: 9, self._versions: 3, self._airing: 10,
            self._search: 12, self._changes: 4, self._stations: 6, self._station: 3, self._lists: 2, self._feed: 3,
            self._calendar: 3, self._page: 8, self._invalid: 2}
        self.kinds, self.weights = list(kinds), list(kinds.values())

    def question(self, number: int) -> Question:
        self.chance = chance = random.Random(f"{self.seed}/{number}")
        question = Question(chance.choices(self.kinds, self.weights)[0]())
        if chance.random() < 0.05:
            question.method = "HEAD"
        if chance.random() < 0.1:
            question.headers["Accept-Encoding"] = "gzip"
        if chance.random() < 0.1:
            question.headers["Accept-Language"] = chance.choice(LANGUAGES)
        return question

    # MARK: Values

    def _instant(self) -> int:
        """Returns an instant near an airing, often its start."""
        chance = self.chance
        _, start, _ = chance.choice(self.facts.airings)
        return start + chance.choice((0, 0, 0, -1, 1, -HOUR, 60 * chance.randrange(-600, 600), chance.randrange(-DAY, DAY)))

    def _time(self) -> object:
        instant = self._instant()
        return self.chance.choice((instant, iso_time(instant)))

    def _id(self) -> str:
        if self.chance.random() < 0.02 or not self.facts.stations:
            return "missing.example"
        return self.chance.choice(self.facts.stations)

    def _rows(self) -> str:
        first = self.chance.randrange(max(1, len(self.facts.stations)) + 3)
        return f"{first}-{first + self.chance.choice((0, 1, 4, 9, 19, 19, 49))}"

    def _words(self) -> str:
        """Returns words to search."""
        chance, words = self.chance, self.facts.words
        form = chance.randrange(10)
        if form < 4:
            return " ".join(chance.choice(words) for _ in range(chance.choice((1, 1, 2, 3))))
        if form == 4:
            return chance.choice(words)[: chance.randrange(1, 5)] + "*"
        if form == 5:
            return f'"{chance.choice(self.facts.phrases)}"'
        if form == 6:
            phrase = chance.choice(self.facts.phrases)
            start = chance.randrange(len(phrase))
            return phrase[start:start + chance.randrange(1, 8)]
        if form == 7:
            return chance.choice(words).upper() + " " + chance.choice(words)[:3] + "*"
        if form == 8:
            return chance.choice(self.facts.phrases)
        return chance.choice(ODD_WORDS)

    def _some(self, **parameters) -> dict:
        """Returns each parameter with its probability: values are functions with a probability."""
        chosen = {name: value for name, (probability, value) in parameters.items() if self.chance.random() < probability}
        return {name.rstrip("_"): value() for name, value in chosen.items()}

    def _common(self, at: float = 1.0) -> dict:
        """Parameters that all lists of airings have."""
        chance = self.chance
        return self._some(
            at=(at, self._time), zone=(0.2, lambda: chance.choice(ZONES)), lang=(0.2, lambda: chance.choice(LANGUAGES)),
            fields=(0.3, lambda: ",".join(chance.sample(FIELDS, chance.randrange(1, 12)))),
            maxAge=(0.08, lambda: chance.randrange(22)), unrated=(0.08, lambda: chance.randrange(2)),
            generation=(0.03, self._generation))

    def _selected(self) -> dict:
        return self._some(
            lineup=(0.1, lambda: self.chance.choice([*self.facts.lineups, "missing"])),
            group=(0.1, lambda: self.chance.choice([*self.facts.groups, "missing"])))

    def _generation(self) -> str:
        number, nonce = self.chance.choice([*self.facts.generations, (0, "0"), *self.facts.later])
        return self.chance.choice((str(number), f"{number}.{nonce}"))

    # MARK: Kinds

    def _geometry(self) -> dict:
        chance = self.chance
        return self._some(
            to=(0.1, self._time), hours=(0.7, lambda: chance.choice((0.25, 1, 2, 3, 3, 4.5, 6, 12, 24))), rows=(0.85, self._rows),
            pointsPerHour=(0.2, lambda: chance.choice((1, 60, 120, 239.5, 480))), x=(0.1, lambda: chance.randrange(-200, 900)),
            y=(0.1, lambda: chance.randrange(-200, 900)), width=(0.15, lambda: chance.randrange(1, 1500)),
            height=(0.15, lambda: chance.randrange(1, 1500)), rowHeight=(0.1, lambda: chance.choice((20, 56, 90.25))),
            stationWidth=(0.1, lambda: chance.choice((0, 100))), headerHeight=(0.1, lambda: chance.choice((0, 40))),
            scale=(0.1, lambda: chance.choice((0.5, 1.5, 2, 3))), orientation=(0.15, lambda: "vertical"),
            direction=(0.15, lambda: "rtl"), cluster=(0.15, lambda: chance.choice((4, 20, 100))),
            at=(1, self._time), zone=(0.2, lambda: chance.choice(ZONES)), lang=(0.2, lambda: chance.choice(LANGUAGES)),
            generation=(0.03, self._generation)) | {"from": self._time()} | self._selected()

    def _grid(self) -> str:
        parameters = self._geometry()
        if self.chance.random() < 0.5:
            parameters |= {"form": "columns"} | self._some(origin=(0.3, self._time), stations=(0.4, lambda: 1))
        return "/api/v1/grid?" + urlencode(parameters)

    def _picture(self) -> str:
        return "/grid.svg?" + urlencode(self._geometry() | self._some(theme=(0.5, lambda: "dark")))

    def _now(self) -> str:
        parameters = self._common() | self._selected() | self._some(
            rows=(0.5, self._rows), offset=(0.2, lambda: self.chance.randrange(len(self.facts.stations) + 2)),
            limit=(0.4, lambda: self.chance.choice((1, 10, 100, 500))))
        return f"/api/v1/{self.chance.choice(('now', 'now', 'next'))}?" + urlencode(parameters)

    def _schedule(self) -> str:
        window = self.chance.choice((
            lambda: {"day": self._date()}, lambda: {"from": (start := self._instant()), "to": start + self.chance.randrange(DAY)},
            lambda: {"from": self._time()}, dict))()
        return f"/api/v1/stations/{quote(self._id(), safe='')}/schedule?" + urlencode(window | self._common())

    def _date(self) -> str:
        return iso_time(self._instant())[:10]

    def _day(self) -> str:
        return f"/api/v1/stations/{quote(self._id(), safe='')}/days/{self._date()}?" + urlencode(
            self._common(at=0) | self._some(version=(0.05, lambda: "1x")))

    def _versions(self) -> str:
        parameters = self._common() | self._selected() | {"date": self._date(), "days": self.chance.randrange(1, 4)} | self._some(
            limit=(0.8, lambda: self.chance.choice((1, 20, 100))), offset=(0.3, lambda: self.chance.randrange(50)))
        return "/api/v1/versions?" + urlencode(parameters)

    def _number(self) -> int:
        if self.chance.random() < 0.03:
            return self.chance.choice((1, 10**9, 2**63 - 1))
        return self.chance.choice(self.facts.airings)[0]

    def _airing(self) -> str:
        return f"/api/v1/airings/{self._number()}?" + urlencode(self._common())

    def _search(self) -> str:
        parameters = self._common() | {"q": self._words()} | self._some(
            limit=(0.5, lambda: self.chance.choice((1, 5, 50, 200))), offset=(0.2, lambda: self.chance.choice((1, 7, 60))))
        return "/api/v1/search?" + urlencode(parameters)

    def _changes(self) -> str:
        return "/api/v1/changes?" + urlencode({"since": self._generation()})

    def _stations(self) -> str:
        chance = self.chance
        parameters = self._selected() | self._some(
            q=(0.5, lambda: chance.choice((self._id()[:4], self._id(), chance.choice("0123456789"), "news", "台", "one"))),
            offset=(0.2, lambda: chance.randrange(100)), limit=(0.5, lambda: chance.choice((1, 20, 500))),
            lang=(0.2, lambda: chance.choice(LANGUAGES)),
            fields=(0.3, lambda: ",".join(chance.sample(STATION_FIELDS, chance.randrange(1, 6)))))
        return "/api/v1/stations?" + urlencode(parameters)

    def _station(self) -> str:
        parameters = self._some(lang=(0.3, lambda: self.chance.choice(LANGUAGES)))
        return f"/api/v1/stations/{quote(self._id(), safe='')}?" + urlencode(parameters)

    def _lists(self) -> str:
        return self.chance.choice(("/api/v1/groups", "/api/v1/categories", "/api/v1/lineups", "/api/v1/sources", "/healthz"))

    def _feed(self) -> str:
        chance = self.chance
        if chance.random() < 0.3:
            return "/playlist.m3u?" + urlencode(self._some(lineup=(0.8, lambda: chance.choice([*self.facts.lineups, "missing"]))))
        parameters = self._some(
            days=(0.4, lambda: chance.randrange(1, 4)), offset=(0.2, lambda: chance.randrange(-3, 3)), from_=(0.5, self._time),
            to=(0.3, self._time), source=(0.2, lambda: chance.choice([*self.facts.sources, "missing"])),
            times=(0.3, lambda: chance.choice(("published", "shown"))), genres=(0.3, lambda: chance.choice(("etsi", "etsi-only"))),
            at=(1, self._time), zone=(0.3, lambda: chance.choice(ZONES)))
        # All stations of a large guide would take seconds.
        parameters["stations"] = ",".join(self._id() for _ in range(chance.randrange(1, 5)))
        path = chance.choice(("/xmltv.xml", "/xmltv.xml", "/xmltv.xml.gz", "/guide.json"))
        return f"{path}?" + urlencode(parameters | (self._some(strict=(0.3, lambda: 1)) if "xmltv" in path else {}))

    def _calendar(self) -> str:
        if self.chance.random() < 0.5:
            return f"/airings/{self._number()}.ics"
        return f"/stations/{quote(self._id(), safe='')}.ics?" + urlencode({"at": self._time(), "days": self.chance.randrange(1, 5)})

    def _page(self) -> str:
        chance = self.chance
        common = self._some(
            at=(0.9, self._time), zone=(0.2, lambda: chance.choice(ZONES)), lang=(0.2, lambda: chance.choice(LANGUAGES)))
        path, more = chance.choice((
            ("/", self._some(from_=(0.7, self._time), row=(0.3, lambda: chance.randrange(30)))), ("/home", {}), ("/stations", {}),
            (f"/stations/{quote(self._id(), safe='')}", self._some(day=(0.5, self._date))), ("/search", {"q": self._words()}),
            (f"/airings/{self._number()}", {})))
        return f"{path}?" + urlencode(common | more)

    def _invalid(self) -> str:
        """Returns a question with an error."""
        chance = self.chance
        path = chance.choice((self._grid, self._now, self._schedule, self._search, self._stations))()
        name = chance.choice(("at", "zone", "hours", "rows", "limit", "fields", "lang", "nonsense", "generation"))
        value = chance.choice(("", "-1", "x", "1e9", "9" * 30, "%00", "2026-13-40", "Mars/Phobos", "5-1"))
        return chance.choice((f"{path}&{name}={value}", "/api/v1/nothing", "/stations/%00", f"/airings/{value}"))


class Interview:
    """Asks services the same questions, from several threads with connections that stay open, and compares the answers."""

    def __init__(self, services: list[Service], questions: Questions) -> None:
        self.services = services
        self.questions = questions
        self.statuses: Counter[int] = Counter()
        self.differences: list[str] = []
        self.lock = threading.Lock()

    def run(self, numbers: range) -> None:
        """Asks the questions with these numbers."""
        errors: list[BaseException] = []

        def work(thread: int) -> None:
            try:
                self._ask(thread, numbers[thread::THREADS])
            except Exception as error:  # noqa: BLE001
                errors.append(error)

        threads = [threading.Thread(target=work, args=(index,)) for index in range(THREADS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if errors:
            raise errors[0]

    def _ask(self, thread: int, numbers: range) -> None:
        address = (f"127.0.0.{thread + 2}", 0)
        connections = [
            http.client.HTTPConnection("127.0.0.1", service.port, timeout=180, source_address=address) for service in self.services]
        # Generates questions apart from the other threads, because the generator has a state.
        questions = Questions(self.questions.facts, self.questions.seed)
        for number in numbers:
            question = questions.question(number)
            tag = self._compare(connections, question, number)
            # The names of generations are equal, so an entity tag of one service is valid at the other one.
            if tag and number % 20 == 0:
                self._compare(connections, Question(question.path, headers=question.headers | {"If-None-Match": tag}), number)
        for connection in connections:
            connection.close()

    def _compare(self, connections: list[http.client.HTTPConnection], question: Question, number: int) -> str | None:
        """Asks one question; returns the entity tag of the first answer."""
        for connection in connections:
            connection.request(question.method, question.path, headers=question.headers)
        answers = [self._answer(connection) for connection in connections]
        first = answers[0]
        with self.lock:
            self.statuses[first[0]] += 1
            for other in answers[1:]:
                for what, one, two in zip(("status", "headers", "body"), first, other):
                    if one != two:
                        bodies = f" ({first[1][:200]!r} and {other[1][:200]!r})" if what == "status" else ""
                        self.differences.append(f"question {number}, {question}: {what}: {self._difference(one, two)}{bodies}")
                        break
        expect(len(self.differences) < 200, f"200 differences: {self.differences[:5]}")
        return first[2].get("etag")

    @staticmethod
    def _answer(connection: http.client.HTTPConnection) -> tuple[int, bytes, dict[str, str]]:
        response = connection.getresponse()
        body = response.read()
        headers = {name.lower(): value for name, value in response.getheaders() if name.lower() not in IGNORED}
        return response.status, body, headers

    @staticmethod
    def _difference(one, two) -> str:
        if isinstance(one, dict):
            names = sorted(name for name in {*one, *two} if one.get(name) != two.get(name))
            return "; ".join(f"{name}: {one.get(name)!r} and {two.get(name)!r}" for name in names)
        return differing(one, two)
