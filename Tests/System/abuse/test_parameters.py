"""Every parameter of every path with invalid values, alone and in combinations."""

import random
import time
from urllib.parse import quote, urlencode

from world import EVENING

PATHS = [
    "/api/v1/stations", "/api/v1/groups", "/api/v1/lineups", "/api/v1/grid", "/api/v1/now", "/api/v1/next",
    "/api/v1/stations/harbour-one.example", "/api/v1/stations/harbour-one.example/schedule", "/api/v1/airings/1",
    "/api/v1/search", "/api/v1/categories", "/api/v1/changes", "/api/v1/sources", "/", "/home", "/stations",
    "/stations/harbour-one.example", "/airings/1", "/search", "/grid.svg", "/xmltv.xml", "/playlist.m3u",
    "/stations/harbour-one.example.ics", "/healthz", "/readyz", "/metrics", "/openapi.yaml",
]
#: Parameters of some paths; the others are tested with all parameters.
KNOWN = {
    "/api/v1/grid": "at from to hours rows pointsPerHour x y width height rowHeight stationWidth headerHeight scale orientation "
    "direction zone lang cluster form generation origin stations lineup group".split(),
    "/api/v1/stations": "q group lineup offset limit lang fields".split(),
    "/api/v1/now": "at rows offset limit zone lang fields maxAge unrated lineup group".split(),
    "/api/v1/next": "at rows offset limit zone lang fields maxAge unrated lineup group".split(),
    "/api/v1/search": "q at offset limit zone lang fields maxAge unrated".split(), "/api/v1/changes": ["since"],
    "/api/v1/airings/1": "at zone lang fields maxAge unrated".split(),
    "/api/v1/stations/harbour-one.example/schedule": "day at zone from to lang fields maxAge unrated".split(),
    "/": "at from hours row zoom zone lang dir".split(), "/search": "q at offset zone lang dir".split(),
    "/home": "at zone lang dir".split(), "/stations": "q group at zone lang dir offset".split(),
    "/stations/harbour-one.example": "day at zone lang dir".split(), "/grid.svg": "from to hours at rows zone lang".split(),
    "/xmltv.xml": "days stations lineup from to".split(), "/playlist.m3u": ["lineup"],
}
NAMES = [
    "at", "from", "to", "hours", "rows", "row", "pointsPerHour", "x", "y", "width", "height", "rowHeight", "stationWidth",
    "headerHeight", "scale", "orientation", "direction", "dir", "zone", "lang", "cluster", "form", "generation", "origin",
    "stations", "q", "group", "lineup", "offset", "limit", "day", "since", "zoom", "days", "fields",
    "maxAge", "unrated",
]
GOOD = {
    "at": [EVENING], "from": [EVENING, "2026-10-25T18:00:00Z"], "to": [EVENING + 7200], "hours": [1, 3, 24], "rows": ["0-11", "1,3", "11-12", "12", "500-600", "0,5,999999999"],
    "form": ["columns", "elements"], "zone": ["Europe/London", "Asia/Kathmandu"], "lang": ["en", "ar,en", "zh"], "q": ["low", "新闻"],
    "day": ["2026-10-25"], "since": [0, 1], "limit": [1, 50], "offset": [0, 5, 11, 12, 13, 486, 100_000], "orientation": ["vertical"], "direction": ["rtl"],
    "fields": ["id,title,images", "series,links,catchup", "name,images"], "maxAge": [0, 12], "unrated": [0, 1],
    "lineup": ["evening"], "group": ["News"], "origin": [EVENING], "stations": [0, 1], "scale": [1, 2, 1.5], "cluster": [12],
}
WRONG = [
    "", " ", "0", "-1", "1", "00", "+5", "1e3", "1e308", "-1e308", "1e999", "nan", "NaN", "inf", "-inf", "0x10", "9223372036854775807",
    "9223372036854775808", "-9223372036854775808", "99999999999999999999999999", "0.0000000001", "1,000", "１２", "٣", "null",
    "undefined", "true", "[]", "{}", "%", "%25", "\x00", "\x7f", "\n", "\r\nX: y", "\u202e", "\ud7ff", "\U0010ffff", "é" * 100,
    "a" * 201, "a" * 7000, "../../etc/passwd", "/etc/passwd", "' OR 1=1 --", "\"; DROP TABLE airing; --", "*", "\"", "NEAR(", "a* AND",
    "(" * 500, "\" OR \"", "title:x", "-", "^", "{", "0-", "-0", "0-99999999", "5-1", "0,0,0", "0-1,1-2,0-3", "1," * 2000 + "1",
    "2026-02-30", "2026-13-01", "0000-00-00", "9999-12-31", "2026-10-25T25:61:61Z", "2026-10-25T00:00:00+99:99", "-62135596801",
    "253402300800", "2026-10-25T00:00:00", "now", "yesterday", "Mars/Olympus", "../UTC", "/UTC", "Europe/../UTC", "UTC\x00", "posixrules",
    "EST5EDT,M3.2.0,M11.1.0", "xx-" * 80, "en;q=nan", "i-default", "columns ", "ELEMENTS",
]


def _requests(chance, count):
    """Yields paths with random parameters, valid and invalid."""
    for _ in range(count):
        path = chance.choice(PATHS)
        names = KNOWN.get(path, NAMES)
        parameters = []
        for name in chance.sample(names, min(len(names), chance.randrange(1, 6))):
            known = GOOD.get(name)
            value = chance.choice(known) if known and chance.random() < 0.75 else chance.choice(WRONG)
            parameters.append((name, value))
        yield path + "?" + urlencode(parameters, errors="surrogatepass")


def _one_by_one():
    """Yields each path with each parameter and each invalid value."""
    for path in PATHS:
        for name in NAMES:
            for value in WRONG:
                yield f"{path}?{name}={quote(str(value).encode('utf-8', 'surrogatepass'), safe='')}"


def _expect_no_server_error(world, paths):
    service = world.service("sample")
    slowest, counts, wrong = (0, ""), {}, []
    for path in paths:
        begin = time.monotonic()
        try:
            status, headers, body = service.request(path[:60_000])
        except OSError as problem:
            raise AssertionError(f"{path[:200]}: {problem}, epgd's state is {service.process.poll()}") from problem
        slowest = max(slowest, (time.monotonic() - begin, path[:200]))
        counts[status] = counts.get(status, 0) + 1
        if status >= 500:
            wrong.append(f"{status} for {path[:200]}: {body[:200]!r}")
        elif status >= 400 and len(body) < 20 and status not in (414, 431):
            wrong.append(f"{status} without an error message for {path[:200]}")
        if len(wrong) > 5:
            break
    world.note(f"{sum(counts.values())} requests: {counts}; the slowest took {slowest[0] * 1000:.0f} ms: {slowest[1][:120]}")
    assert not wrong, "\n".join(wrong)
    assert slowest[0] < 3, f"{slowest[0]:.1f} s for {slowest[1]}"


def viewport_beyond_the_selected_rows_is_accepted(world):
    _expect_no_server_error(world, [
        f"/api/v1/grid?from={EVENING}&rows={rows}&y={y}&height={height}" for rows in ("0,5,9", "11", "0-3,8-11", "500") for y in (
            -5000, 0, 60, 130, 300, 5000) for height in (1, 50, 1000)
    ] + [f"/api/v1/{name}?at={EVENING}&offset={offset}&limit=50" for name in ("now", "next", "stations") for offset in (11, 12, 13, 500)])


def invalid_parameters_are_rejected_with_a_message(world):
    paths = list(_one_by_one())
    if world.short:
        paths = random.Random(5).sample(paths, 1500)
    _expect_no_server_error(world, paths)


def any_combination_of_parameters_is_accepted_or_rejected(world):
    _expect_no_server_error(world, _requests(random.Random(11), 1000 if world.short else 10_000))
