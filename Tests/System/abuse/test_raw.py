"""Malformed requests: the service rejects each and stays healthy."""

import random
import re
import socket
import time

HOST = b"Host: 127.0.0.1\r\n"
END = b"\r\n"


def _get(target=b"/api/v1/sources", headers=b""):
    return b"GET " + target + b" HTTP/1.1\r\n" + HOST + headers + b"Connection: close\r\n" + END


#: Bytes to send, by description.
REQUESTS = {
    "nothing": b"",
    "empty lines": b"\r\n" * 2000,
    "zeros": b"\0" * 5000,
    "a TLS hello": bytes.fromhex("16030100c8010000c40303") + b"\x55" * 190,
    "the preface of HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0\4\0\0\0\0\0",
    "HTTP 0.9": b"GET /\r\n",
    "no version": b"GET /api/v1/sources\r\n\r\n",
    "version 9.9": b"GET / HTTP/9.9\r\n" + HOST + END,
    "version x": b"GET / HTTP/x\r\n" + HOST + END,
    "a method of 9,000 letters": b"G" * 9000 + b" / HTTP/1.1\r\n" + HOST + END,
    "a method in lower case": b"get / HTTP/1.1\r\n" + HOST + END,
    "an unknown method": b"BREW / HTTP/1.1\r\n" + HOST + b"Connection: close\r\n" + END,
    "CONNECT": b"CONNECT 127.0.0.1:22 HTTP/1.1\r\n" + HOST + b"Connection: close\r\n" + END,
    "TRACE": b"TRACE / HTTP/1.1\r\n" + HOST + b"Connection: close\r\n" + END,
    "no host": b"GET / HTTP/1.1\r\nConnection: close\r\n" + END,
    "two hosts": _get(headers=b"Host: other.example\r\n"),
    "an absolute target": _get(b"http://other.example/api/v1/sources"),
    "an asterisk": b"OPTIONS * HTTP/1.1\r\n" + HOST + b"Connection: close\r\n" + END,
    "a target of 100 kB": _get(b"/" + b"a" * 100_000),
    "a query of 100 kB": _get(b"/api/v1/search?q=" + b"a" * 100_000),
    "10,000 parameters": _get(b"/api/v1/stations?" + b"&".join(b"a%d=1" % number for number in range(10_000))),
    "a path of 20,000 slashes": _get(b"/" * 20_000),
    "dots": _get(b"/../../../../etc/passwd"),
    "encoded dots": _get(b"/assets/%2e%2e/%2e%2e/etc/passwd"),
    "encoded slashes": _get(b"/assets/..%2f..%2fetc%2fpasswd"),
    "a zero byte in the path": _get(b"/stations/%00"),
    "a zero byte, not encoded": b"GET /\0 HTTP/1.1\r\n" + HOST + END,
    "invalid percent-encoding": _get(b"/stations/%zz%1"),
    "overlong UTF-8": _get(b"/stations/%c0%af%c0%ae"),
    "a surrogate": _get(b"/search?q=%ed%a0%80"),
    "invalid UTF-8": _get(b"/search?q=\xff\xfe"),
    "a carriage return in the query": _get(b"/search?q=a%0d%0aSet-Cookie:x=1"),
    "a header of 1 MB": _get(headers=b"X: " + b"a" * 1_000_000 + END),
    "10,000 headers": _get(headers=b"".join(b"X-%d: 1\r\n" % number for number in range(10_000))),
    "a header without a colon": _get(headers=b"nonsense\r\n"),
    "a header without a name": _get(headers=b": x\r\n"),
    "a folded header": _get(headers=b"X: a\r\n b\r\n"),
    "a header with a zero byte": _get(headers=b"X: a\0b\r\n"),
    "a header that ends in a bare newline": _get(headers=b"X: a\nY: b\r\n"),
    "a blank before the colon": _get(headers=b"Content-Length : 5\r\n"),
    "a negative length": _get(headers=b"Content-Length: -1\r\n"),
    "a huge length": _get(headers=b"Content-Length: 99999999999999999999\r\n"),
    "two lengths": b"POST /api/v1/import HTTP/1.1\r\n" + HOST + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\nab",
    "length and chunks": b"POST /api/v1/import HTTP/1.1\r\n" + HOST
    + b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\n" + HOST + END,
    "invalid chunk sizes": b"POST /api/v1/import HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n",
    "a chunk larger than any memory": b"POST /api/v1/import HTTP/1.1\r\n" + HOST
    + b"Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nabc",
    "an unknown transfer encoding": b"POST /api/v1/import HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: brotli\r\n\r\nabc",
    "a body of a GET request": _get(headers=b"Content-Length: 5\r\n")[:-2] + b"\r\nhello",
    "an expectation": b"POST /api/v1/import HTTP/1.1\r\n" + HOST + b"Expect: 200-maybe\r\nContent-Length: 0\r\nConnection: close\r\n" + END,
    "an upgrade": _get(headers=b"Upgrade: websocket\r\nSec-WebSocket-Key: x\r\n"),
    "a thousand ranges": _get(b"/xmltv.xml", b"Range: bytes=" + b",".join(b"%d-%d" % (n, n) for n in range(1000)) + END),
    "a reversed range": _get(b"/xmltv.xml", b"Range: bytes=9-3\r\n"),
    "a range of huge numbers": _get(b"/xmltv.xml", b"Range: bytes=99999999999999999999-\r\n"),
    "hostile entity tags": _get(headers=b'If-None-Match: "' + b"a" * 4000 + b'", W/"", """, *,,,\r\n'),
    "a hostile date": _get(headers=b"If-Modified-Since: Sun, 99 Foo 99999 99:99:99 GMT\r\n"),
    "hostile encodings": _get(headers=b"Accept-Encoding: " + b"gzip;q=1," * 1000 + b"*;q=nan\r\n"),
    "hostile languages": _get(b"/", b"Accept-Language: " + b"x-" * 2000 + b";q=\r\n"),
    "a token of 8 kB": b"POST /api/v1/import HTTP/1.1\r\n" + HOST
    + b"Authorization: Bearer " + b"a" * 8000 + b"\r\nContent-Length: 0\r\nConnection: close\r\n" + END,
    "100 pipelined requests, then invalid bytes": _get().replace(b"Connection: close\r\n", b"") * 100 + b"\xff\xff\r\n\r\n",
}


def _exchange(port, sent, timeout=3.0):
    """Sends bytes and returns the response, up to the end of the connection or a timeout."""
    received = b""
    with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
        try:
            connection.sendall(sent)
            connection.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # The service may close the connection at once.
        connection.settimeout(timeout)
        try:
            while block := connection.recv(65536):
                received += block
                if len(received) > 8_000_000:
                    break
        except OSError:
            pass
    return received


def _statuses(received):
    return [int(status) for status in re.findall(rb"(?:^|\n)HTTP/1\.[01] (\d{3})", received)]


def _expect_healthy(service):
    begin = time.monotonic()
    assert service.process.poll() is None, f"epgd ended with {service.process.returncode}"
    status, _, _ = service.request("/api/v1/sources")
    assert status == 200, f"a valid request returned {status}"
    assert time.monotonic() - begin < 2, "a valid request took more than two seconds"


def malformed_requests_get_no_5xx_and_leave_the_service_healthy(world):
    service = world.service("sample")
    wrong = []
    for name, sent in REQUESTS.items():
        received = _exchange(service.port, sent)
        statuses = _statuses(received)
        if any(status >= 500 for status in statuses):
            wrong.append(f"{name}: {statuses}")
        if b"root:" in received or b"\nSet-Cookie:x" in received:
            wrong.append(f"{name}: leaked a file or injected a header")
        _expect_healthy(service)
    assert not wrong, "; ".join(wrong)


def rejections_have_an_error_message(world):
    service = world.service("sample")
    wrong = []
    for path in [
        "/api/v1/grid?from=yesterday", "/api/v1/grid?hours=-1", "/api/v1/grid?hours=1e9", "/api/v1/grid?rows=5-1",
        "/api/v1/grid?rows=0-99999999999", "/api/v1/stations?limit=0", "/api/v1/stations?nonsense=1",
        "/api/v1/stations/none", "/api/v1/airings/999999999", "/api/v1/airings/x", "/api/v1/search", "/nowhere",
        "/api/v1/now?zone=Mars/Olympus", "/api/v1/grid?scale=nan", "/api/v1/stations?q=%ff", "/stations/none", "/airings/0",
        "/?at=x", "/search?offset=-1", "/api/v1/changes?since=x",
    ]:
        status, headers, body = service.request(path)
        if not 400 <= status < 500:
            wrong.append(f"{path}: {status}")
        elif len(re.sub(rb"<[^>]*>|\s+", b" ", body).strip()) < 12:
            wrong.append(f"{path}: no error message in {body[:80]!r}")
        elif path.startswith("/api") and headers.get("content-type") != "application/problem+json":
            wrong.append(f"{path}: {headers.get('content-type')}")
    assert not wrong, "; ".join(wrong)


def random_bytes_leave_the_service_healthy(world):
    service = world.service("sample")
    chance = random.Random(7)
    valid = _get()
    for _ in range(150 if world.short else 1500):
        corrupted = bytearray(valid)
        for _ in range(chance.randrange(1, 8)):
            corrupted[chance.randrange(len(corrupted))] = chance.randrange(256)
        statuses = _statuses(_exchange(service.port, bytes(corrupted), timeout=0.5))
        assert all(status < 500 for status in statuses), f"{bytes(corrupted)!r} returned {statuses}"
    _expect_healthy(service)
