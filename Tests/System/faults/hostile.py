"""A hostile server: the guide stays the old one, or becomes the complete new one if the server finally sends it.

The report gives the reason. The tests of EPGRefresh check the same for the downloader alone, with more responses."""

import gzip
import itertools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from guides import Guide
from harness import Harness
from hostile_server import HostileServer, Plan, Request, chunked, response, slowly
from support.report import expect
from workspace import Editions

#: Concurrent refreshes: most of the time, they wait between attempts.
AT_ONCE = 32
#: sysexits.h: EX_DATAERR, the download is not a guide; EX_UNAVAILABLE, the guide cannot be downloaded.
INVALID, UNAVAILABLE = 65, 69
XML = "Content-Type: application/xml"


@dataclass
class Case:
    name: str
    plan: Plan
    #: The expected exit code; 0 requires the new guide, all others the old one.
    code: int = UNAVAILABLE
    #: Expected text of the error message.
    message: str = ""
    #: Whether the server backs off after this response, unless the source is named on the command line.
    backs_off: bool = False


def run(harness: Harness) -> None:
    guide = Guide(harness.scaled(12, 6), 2, harness.now - 86_400)
    editions = Editions(harness, "hostile", guide, viewports=harness.scaled(3, 1))
    hostile = HostileServer()
    body = editions.bodies[1]
    count = harness.scaled(100, 3)
    faults = [
        *((f"a truncated response, framed by {how}", truncated(body, how, count)) for how in FRAMINGS),
        *((f"a response truncated once, framed by {how}", truncated_once(body, how, count)) for how in FRAMINGS),
        ("a truncated response, resumed with a Range request", resumed(body, count)),
        ("a body that changes before the Range request", changed(body, guide.xml(2), count)),
        ("a status without a guide", statuses(body)),
        ("a redirect loop, or a redirect to a forbidden URL", redirects(hostile)),
        ("a body that isn't a guide, or is too large", bodies(body, harness.now)),
        *([] if harness.short else [("a byte every second", [slow_body(body)])]),
    ]
    numbers = itertools.count()
    with ThreadPoolExecutor(AT_ONCE) as pool:
        started = [
            (title, [(case, pool.submit(verify, editions, hostile, case, next(numbers))) for case in cases])
            for title, cases in faults]
        for title, futures in started:
            with harness.fault(title) as fault:
                for case, future in futures:
                    with fault.case(case.name):
                        future.result()
    hostile.close()


def verify(editions: Editions, server: HostileServer, case: Case, number: int) -> None:
    """Refreshes a copy of the guide from the hostile server, and again once the server works."""
    workspace = editions.old.copy(f"hostile-{number}")
    path = f"/{number}/guide.xml"
    workspace.succeed("source", "set", "nightly", "--location", server.url(path, case.plan))
    outcome = workspace.epg("refresh", timeout=900)
    message = outcome.stderr.strip()
    expect(outcome.returncode == case.code, f"exit {outcome.returncode}: {message[:300]}")
    expect(case.message in message, f"the message doesn't contain “{case.message}”: {message[:300]}")
    expect(editions.expect_intact(workspace) == ("old" if case.code else "new"), "it is the wrong guide")
    server.url(path, lambda request: [response("200 OK", XML, body=editions.bodies[1])])
    if case.backs_off:
        workspace.succeed("refresh")
        expect(workspace.digest() == editions.old_digest, "the refresh doesn't back off")
    editions.expect_recovery(workspace, *(["nightly"] if case.backs_off else []))


# MARK: - Truncated responses

#: How HTTP/1.1 marks the end of a body (RFC 9112, section 6.3).
FRAMINGS: dict[str, Callable[[bytes], bytes]] = {
    "a length": lambda body: response("200 OK", XML, body=body),
    "chunks": lambda body: response("200 OK", XML, "Transfer-Encoding: chunked", length=False) + chunked(body),
    "connection close": lambda body: response("200 OK", XML, "Connection: close", length=False) + body,
}
CUT = "the connection closed before the guide was complete"


def offsets(size: int, count: int) -> list[int]:
    """Returns `count` offsets spread over a response, including 0 but not the end."""
    return [number * size // count for number in range(count)]


def truncated(body: bytes, how: str, count: int) -> list[Case]:
    complete = FRAMINGS[how](body)
    return [
        Case(f"after {offset} of {len(complete)} bytes", lambda request, offset=offset: [complete[:offset]], message=CUT)
        for offset in offsets(len(complete), count)]


def truncated_once(body: bytes, how: str, count: int) -> list[Case]:
    complete = FRAMINGS[how](body)
    return [
        Case(f"after {offset} of {len(complete)} bytes",
             lambda request, offset=offset: [complete[: None if request.number else offset]], 0)
        for offset in offsets(len(complete), count)]


def part(request: Request, known: str, body: bytes, tag: str) -> bytes | None:
    """Returns the requested range of a body (RFC 9110, section 14), or `None` if the request has no range for tag `known`."""
    range_header = request.headers.get("range", "")
    if (not range_header.startswith("bytes=") or not range_header.endswith("-")
            or request.headers.get("if-range", known) != known):
        return None
    start = int(range_header[len("bytes=") : -1])
    return response(
        "206 Partial Content", XML, f"ETag: {tag}", f"Content-Range: bytes {start}-{len(body) - 1}/{len(body)}",
        body=body[start:])


def resumed(body: bytes, count: int) -> list[Case]:
    """The response is truncated twice; the server supports range requests."""
    tag = '"new"'
    complete = response("200 OK", XML, f"ETag: {tag}", "Accept-Ranges: bytes", body=body)

    def plan(offset: int) -> Plan:
        def pieces(request: Request) -> list[bytes]:
            rest = part(request, tag, body, tag) or complete
            return [rest[:offset] if request.number < 2 else rest]
        return pieces

    return [Case(f"after {offset} bytes", plan(offset), 0) for offset in offsets(len(complete), count)]


def changed(body: bytes, other: bytes, count: int) -> list[Case]:
    """Another edition is truncated; the range request returns a range of the new guide, with the new tag."""
    complete = response("200 OK", XML, 'ETag: "one"', "Accept-Ranges: bytes", body=other)

    def plan(offset: int) -> Plan:
        def pieces(request: Request) -> list[bytes]:
            if request.number == 0:
                return [complete[:offset]]
            rest = part(request, '"one"', body, '"two"') if request.number == 1 else None
            return [rest or response("200 OK", XML, 'ETag: "two"', body=body)]
        return pieces

    return [Case(f"after {offset} bytes", plan(offset), 0) for offset in offsets(len(complete), count)]


def slow_body(body: bytes) -> Case:
    head, rest = response("200 OK", XML, body=body).split(b"\r\n\r\n", 1)
    return Case(
        "from the first byte", lambda request: (piece for part in ([head + b"\r\n\r\n"], slowly(rest, 1)) for piece in part),
        message="the server was too slow")


# MARK: - Responses without a guide


def always(data: bytes) -> Plan:
    return lambda request: [data]


def statuses(body: bytes) -> list[Case]:
    cases = [
        Case(status, always(response(status, *fields, body=b"No.")), message=f"the server responded with status {status[:3]}",
             backs_off="Retry-After: 86400" in fields)
        for status, *fields in [
            ("401 Unauthorized", 'WWW-Authenticate: Basic realm="x"'), ("403 Forbidden",), ("404 Not Found",), ("410 Gone",),
            ("429 Too Many Requests",), ("429 Too Many Requests", "Retry-After: 86400"), ("500 Internal Server Error",),
            ("503 Service Unavailable", "Retry-After: 1")]]
    # The request wasn't conditional for this URL.
    bare = b"HTTP/1.1 304 Not Modified\r\nLocation: http://127.0.0.1:9/\r\n\r\n"
    cases.append(Case("304 with a Location, unasked", always(bare), message="the server responded with status 304"))
    passing = [b"", response("500 No"), response("503 No", "Retry-After: 1"), response("429 No", "Retry-After: 0")]
    cases += [
        Case(f"{wrong[9:12].decode() or 'nothing'}, and then the guide",
             lambda request, wrong=wrong: [wrong if request.number == 0 else response("200 OK", XML, body=body)], 0)
        for wrong in passing]
    return cases


def redirects(server: HostileServer) -> list[Case]:
    def to(target: str, status: str = "302 Found") -> Plan:
        return always(response(status, f"Location: {target}", body=b"moved"))

    port = server.port
    private = {
        "http://10.0.0.1/": "a private address", "http://192.168.1.1:8080/g.xml": "a private address",
        "http://172.16.0.1/": "a private address", "http://169.254.169.254/latest/meta-data": "a link-local address",
        "http://127.0.0.1:1/": "a loopback address", f"http://127.0.0.2:{port}/": "a loopback address",
        "http://localhost:1/": "a loopback address", "http://[::1]/": "a loopback address",
        "http://[fd00::1]/": "a unique local address", "http://[fe80::1]/": "a link-local address",
        "http://0.0.0.0/": "the unspecified address", "http://2130706433/": "a loopback address",
        "http://0x7f.1:1/": "a loopback address", f"http://[::ffff:127.0.0.1]:{port + 1}/": "a loopback address"}
    cases = [Case(f"to {target}", to(target), message=message) for target, message in private.items()]
    cases += [
        Case(f"to {target}", to(target), message="redirects to a URL that is not http or https")
        for target in ("file:///etc/passwd", "ftp://127.0.0.1/g.xml", "gopher://127.0.0.1/", "javascript:alert(1)")]
    cases += [
        Case(f"to itself, {status}", lambda request, status=status: to(request.path, status)(request),
             message="more than 5 redirects")
        for status in ("301 Moved Permanently", "302 Found", "307 Temporary Redirect", "308 Permanent Redirect")]
    return cases


def bodies(body: bytes, now: int) -> list[Case]:
    old = Guide(12, 2, now - 30 * 86_400).xml(0)
    packed = gzip.compress(body)
    bomb = gzip.compress(b"<tv>" + bytes(64 << 20), 9)
    page = b"<!DOCTYPE html>\n<html><head><title>Please log in</title></head><body>" + b"<p>x</p>" * 500 + b"</body></html>"
    packing = "Content-Encoding: gzip"
    return [
        Case("an HTML page", always(response("200 OK", "Content-Type: text/html", body=page)), INVALID, "“Please log in”"),
        Case("an HTML page with an XML content type", always(response("200 OK", XML, body=page)), INVALID, "is a web page"),
        Case("an empty body", always(response("200 OK", XML)), INVALID, "the guide is empty (0 bytes)"),
        Case("a guide without programmes", always(response("200 OK", XML, body=b"<tv></tv>")), INVALID),
        Case("a guide of last month", always(response("200 OK", XML, body=old)), INVALID, "they are in the past"),
        Case("a third of the guide", always(response("200 OK", XML, body=body[: len(body) // 3] + b"</tv>")), INVALID),
        Case("gzip within gzip", always(response("200 OK", XML, packing, body=gzip.compress(packed))), 0),
        Case("an uncompressed body with Content-Encoding: gzip", always(response("200 OK", XML, packing, body=body)), INVALID,
             "is not compressed as the server declares"),
        Case("truncated gzip, framed by connection close",
             always(response("200 OK", XML, packing, "Connection: close", length=False) + packed[: len(packed) // 2]), message=CUT),
        Case("a length of 100 GB", lambda request: [response("200 OK", XML, "Content-Length: 100000000000", length=False)], INVALID,
             "exceeds the limit"),
        Case("an archive bomb as a content encoding", always(response("200 OK", XML, packing, body=bomb)), INVALID,
             "like an archive bomb"),
        Case("an archive bomb as a file", always(response("200 OK", "Content-Type: application/gzip", body=bomb)), INVALID),
        Case("an endless header", always(b"HTTP/1.1 200 OK\r\n" + b"X-Filler: xxxxxxxxxxxxxxxx\r\n" * 50_000)),
    ]
