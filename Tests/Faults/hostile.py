"""A hostile server: the old guide stands, or the whole new one where the server gave it in the end; never a part. And the
report says why. The tests of EPGRefresh ask the same of the fetcher alone, with more answers."""

import gzip
import itertools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from frame import Bench, expect
from guides import Guide
from hostile_server import HostileServer, Plan, Request, answer, chunked, slowly
from place import Editions
from server import GuideServer

#: Refreshes that are under way at once: most of their time they wait between attempts.
AT_ONCE = 32
#: sysexits.h: what was fetched is no guide, and it wasn't to be had.
BAD, AWAY = 65, 69
XML = "Content-Type: application/xml"


@dataclass
class Case:
    name: str
    plan: Plan
    #: The exit code that is due; 0 stands for the new guide, and all others for the old one.
    code: int = AWAY
    #: What the report has to say.
    words: str = ""
    #: Whether the server is left alone then, unless the source is asked for by its name.
    rests: bool = False


def run(bench: Bench) -> None:
    server = GuideServer()
    guide = Guide(bench.scaled(12, 6), 2, bench.now - 86_400)
    editions = Editions(bench, "hostile", guide, server, viewports=bench.scaled(3, 1))
    hostile = HostileServer()
    body = editions.bodies[1]
    count = bench.scaled(100, 3)
    faults = [
        *((f"a connection cut off, its end told by {how}", cut(body, how, count)) for how in FRAMINGS),
        *((f"a connection cut off once, its end told by {how}", cut_once(body, how, count)) for how in FRAMINGS),
        ("a connection cut off, the rest asked for by Range", resumed(body, count)),
        ("a body that is another one when the rest is asked for", changed(body, guide.xml(2), count)),
        ("a status that brings no guide", statuses(body)),
        ("a redirect that leads nowhere or where nothing may be fetched", redirects(hostile)),
        ("a body that is no guide, or too much", bodies(body, bench.now)),
        *([] if bench.short else [("a byte every second", [trickle(body)])]),
    ]
    numbers = itertools.count()
    with ThreadPoolExecutor(AT_ONCE) as pool:
        begun = [
            (title, [(case, pool.submit(judge, editions, hostile, case, next(numbers))) for case in cases])
            for title, cases in faults]
        for title, endings in begun:
            with bench.fault(title) as fault:
                for case, ending in endings:
                    with fault.case(case.name):
                        ending.result()
    hostile.close()
    server.close()


def judge(editions: Editions, server: HostileServer, case: Case, number: int) -> None:
    """A refresh of a guide of its own from a server that does so, and one once the server is well again."""
    place = editions.old.copy(f"hostile-{number}")
    path = f"/{number}/guide.xml"
    place.done("source", "add", "nightly", server.address(path, case.plan))
    outcome = place.epg("refresh", timeout=900)
    words = outcome.stderr.strip()
    expect(outcome.returncode == case.code, f"exit {outcome.returncode}: {words[:300]}")
    expect(case.words in words, f"the report doesn't say “{case.words}”: {words[:300]}")
    expect(editions.expect_whole(place) == ("old" if case.code else "new"), "it is the other guide")
    server.address(path, lambda request: [answer("200 OK", XML, body=editions.bodies[1])])
    if case.rests:
        place.done("refresh")
        expect(place.digest() == editions.old_digest, "the server isn't left alone")
    editions.expect_recovery(place, *(["nightly"] if case.rests else []))


# MARK: - Connections that break

#: How HTTP/1.1 says where a body ends (RFC 9112, 6.3).
FRAMINGS: dict[str, Callable[[bytes], bytes]] = {
    "a length": lambda body: answer("200 OK", XML, body=body),
    "chunks": lambda body: answer("200 OK", XML, "Transfer-Encoding: chunked", length=False) + chunked(body),
    "its close": lambda body: answer("200 OK", XML, "Connection: close", length=False) + body,
}
CUT = "the connection ended before the guide did"


def places(size: int, count: int) -> list[int]:
    """Places all over an answer, the first among them, its end not."""
    return [number * size // count for number in range(count)]


def cut(body: bytes, how: str, count: int) -> list[Case]:
    whole = FRAMINGS[how](body)
    return [
        Case(f"after {place} of {len(whole)} bytes", lambda request, place=place: [whole[:place]], words=CUT)
        for place in places(len(whole), count)]


def cut_once(body: bytes, how: str, count: int) -> list[Case]:
    whole = FRAMINGS[how](body)
    return [
        Case(f"after {place} of {len(whole)} bytes", lambda request, place=place: [whole[: None if request.number else place]], 0)
        for place in places(len(whole), count)]


def part(request: Request, known: str, body: bytes, tag: str) -> bytes | None:
    """The rest of a body, under its tag (RFC 9110, 14); `None` where no rest is asked for of what is known under a tag."""
    rest = request.headers.get("range", "")
    if not rest.startswith("bytes=") or not rest.endswith("-") or request.headers.get("if-range", known) != known:
        return None
    start = int(rest[len("bytes=") : -1])
    return answer(
        "206 Partial Content", XML, f"ETag: {tag}", f"Content-Range: bytes {start}-{len(body) - 1}/{len(body)}",
        body=body[start:])


def resumed(body: bytes, count: int) -> list[Case]:
    """Cut off twice; each time the server would send the rest alone."""
    tag = '"new"'
    whole = answer("200 OK", XML, f"ETag: {tag}", "Accept-Ranges: bytes", body=body)

    def plan(place: int) -> Plan:
        def pieces(request: Request) -> list[bytes]:
            rest = part(request, tag, body, tag) or whole
            return [rest[:place] if request.number < 2 else rest]
        return pieces

    return [Case(f"after {place} bytes", plan(place), 0) for place in places(len(whole), count)]


def changed(body: bytes, other: bytes, count: int) -> list[Case]:
    """Another edition, cut off; when its rest is asked for, that of the new guide comes, under the new tag."""
    whole = answer("200 OK", XML, 'ETag: "one"', "Accept-Ranges: bytes", body=other)

    def plan(place: int) -> Plan:
        def pieces(request: Request) -> list[bytes]:
            if request.number == 0:
                return [whole[:place]]
            rest = part(request, '"one"', body, '"two"') if request.number == 1 else None
            return [rest or answer("200 OK", XML, 'ETag: "two"', body=body)]
        return pieces

    return [Case(f"after {place} bytes", plan(place), 0) for place in places(len(whole), count)]


def trickle(body: bytes) -> Case:
    head, rest = answer("200 OK", XML, body=body).split(b"\r\n\r\n", 1)
    return Case(
        "from the first byte on", lambda request: (piece for part in ([head + b"\r\n\r\n"], slowly(rest, 1)) for piece in part),
        words="the server was too slow")


# MARK: - Answers that mean no guide

def always(data: bytes) -> Plan:
    return lambda request: [data]


def statuses(body: bytes) -> list[Case]:
    cases = [
        Case(status, always(answer(status, *fields, body=b"No.")), words=f"the server answered with status {status[:3]}",
             rests="Retry-After: 86400" in fields)
        for status, *fields in [
            ("401 Unauthorized", 'WWW-Authenticate: Basic realm="x"'), ("403 Forbidden",), ("404 Not Found",), ("410 Gone",),
            ("429 Too Many Requests",), ("429 Too Many Requests", "Retry-After: 86400"), ("500 Internal Server Error",),
            ("503 Service Unavailable", "Retry-After: 1")]]
    # Nobody asked whether there is a newer one than another address had.
    bare = b"HTTP/1.1 304 Not Modified\r\nLocation: http://127.0.0.1:9/\r\n\r\n"
    cases.append(Case("304 with a Location, unasked", always(bare), words="the server answered with status 304"))
    passing = [b"", answer("500 No"), answer("503 No", "Retry-After: 1"), answer("429 No", "Retry-After: 0")]
    cases += [
        Case(f"{wrong[9:12].decode() or 'nothing'}, and then the guide",
             lambda request, wrong=wrong: [wrong if request.number == 0 else answer("200 OK", XML, body=body)], 0)
        for wrong in passing]
    return cases


def redirects(server: HostileServer) -> list[Case]:
    def to(target: str, status: str = "302 Found") -> Plan:
        return always(answer(status, f"Location: {target}", body=b"moved"))

    port = server.port
    private = {
        "http://10.0.0.1/": "a private address", "http://192.168.1.1:8080/g.xml": "a private address",
        "http://172.16.0.1/": "a private address", "http://169.254.169.254/latest/meta-data": "a link-local address",
        "http://127.0.0.1:1/": "an address of this machine", f"http://127.0.0.2:{port}/": "an address of this machine",
        "http://localhost:1/": "an address of this machine", "http://[::1]/": "an address of this machine",
        "http://[fd00::1]/": "a unique local address", "http://[fe80::1]/": "a link-local address",
        "http://0.0.0.0/": "the unspecified address", "http://2130706433/": "an address of this machine",
        "http://0x7f.1:1/": "an address of this machine", f"http://[::ffff:127.0.0.1]:{port + 1}/": "an address of this machine"}
    cases = [Case(f"to {target}", to(target), words=words) for target, words in private.items()]
    cases += [
        Case(f"to {target}", to(target), words="redirects to something else than http or https")
        for target in ("file:///etc/passwd", "ftp://127.0.0.1/g.xml", "gopher://127.0.0.1/", "javascript:alert(1)")]
    cases += [
        Case(f"to itself, {status}", lambda request, status=status: to(request.path, status)(request),
             words="redirects more than 5 times")
        for status in ("301 Moved Permanently", "302 Found", "307 Temporary Redirect", "308 Permanent Redirect")]
    return cases


def bodies(body: bytes, now: int) -> list[Case]:
    old = Guide(12, 2, now - 30 * 86_400).xml(0)
    packed = gzip.compress(body)
    bomb = gzip.compress(b"<tv>" + bytes(64 << 20), 9)
    page = b"<!DOCTYPE html>\n<html><head><title>Please log in</title></head><body>" + b"<p>x</p>" * 500 + b"</body></html>"
    packing = "Content-Encoding: gzip"
    return [
        Case("a page of the web", always(answer("200 OK", "Content-Type: text/html", body=page)), BAD, "“Please log in”"),
        Case("a page of the web that is said to be XML", always(answer("200 OK", XML, body=page)), BAD, "a page of the web"),
        Case("no byte", always(answer("200 OK", XML)), BAD, "the guide is empty, not one byte"),
        Case("a guide without programmes", always(answer("200 OK", XML, body=b"<tv></tv>")), BAD),
        Case("a guide of last month", always(answer("200 OK", XML, body=old)), BAD, "they are over"),
        Case("a third of the guide", always(answer("200 OK", XML, body=body[: len(body) // 3] + b"</tv>")), BAD),
        Case("gzip within gzip", always(answer("200 OK", XML, packing, body=gzip.compress(packed))), 0),
        Case("gzip that isn't any", always(answer("200 OK", XML, packing, body=body)), BAD, "isn't compressed as the server says"),
        Case("gzip without its last byte, whose end the close tells",
             always(answer("200 OK", XML, packing, "Connection: close", length=False) + packed[: len(packed) // 2]), words=CUT),
        Case("a length of 100 GB", lambda request: [answer("200 OK", XML, "Content-Length: 100000000000", length=False)], BAD,
             "larger than the limit"),
        Case("an archive bomb, as a transfer", always(answer("200 OK", XML, packing, body=bomb)), BAD, "as archive bombs do"),
        Case("an archive bomb, as a file", always(answer("200 OK", "Content-Type: application/gzip", body=bomb)), BAD),
        Case("a header without an end", always(b"HTTP/1.1 200 OK\r\n" + b"X-Filler: xxxxxxxxxxxxxxxx\r\n" * 50_000)),
    ]
