#!/usr/bin/env python3
"""Puts nginx and Varnish, set up by packaging/, in front of epgd, and proves what they are there for.

    Tests/Proxies/proxies.py --epg PROGRAM --epgd PROGRAM [--down SECONDS] [--short]

For each of the two: a thousand clients at once on a cold key cost one request upstream; both encodings are kept; an answer
304 passes; events pass as they come; and while epgd is down, for SECONDS (10; the issue's ten minutes are 600), the guide
is still served. Requests whose parts join to the same cache key never share an answer; with --short only this is tested,
on fewer requests. Prints a line for each rule and `N passed, N failed`; exit 1 where one failed, 69 where a program is missing.
"""

import argparse
import asyncio
import gzip
import http.client
import itertools
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
#: The origin that packaging/ lists as an example.
ORIGIN = "https://tv.example"
#: In the evening of the sample guide.
GRID = "/api/v1/grid?from=2026-10-24T18:00:00Z&hours=3&at=2026-10-24T18:00:00Z&rows="


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def wait_until(condition, what: str, seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return
        time.sleep(0.1)
    raise AssertionError(f"{what} didn't come within {seconds:g} s")


def is_open(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def get(port: int, path: str, **fields: str) -> tuple[int, dict[str, str], bytes]:
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}")
    for name, value in fields.items():
        request.add_header(name.replace("_", "-"), value)
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status, {k.lower(): v for k, v in answer.headers.items()}, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, {k.lower(): v for k, v in error.headers.items()}, error.read()


class Service:
    """epgd over the sample guide."""

    def __init__(self, epg: str, epgd: str, folder: Path) -> None:
        self.epgd = epgd
        self.database = folder / "guide.sqlite"
        self.port = free_port()
        subprocess.run(
            [epg, "import", "--database", self.database, ROOT / "sample-data" / "evening.xml"],
            check=True, capture_output=True)
        playlist = folder / "channels.m3u"
        playlist.write_text("#EXTM3U\n#EXTINF:-1,One\nhttp://127.0.0.1:9/one\n")
        subprocess.run([epg, "import", "--database", self.database, playlist], check=True, capture_output=True)
        self.process: subprocess.Popen | None = None

    def start(self) -> None:
        self.process = subprocess.Popen(
            [self.epgd, "--database", self.database, "--listen", f"127.0.0.1:{self.port}",
             "--cors-origins", ORIGIN, "--trusted-proxies", "127.0.0.1", "--limits-requests-per-minute", "0", "--limits-per-address", "4096"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_until(lambda: is_open(self.port), "epgd")

    def stop(self) -> None:
        if self.process:
            self.process.terminate()
            self.process.wait(timeout=20)
            self.process = None

    def requests(self, route: str) -> int:
        """How many requests of a route it has answered."""
        text = get(self.port, "/metrics")[2].decode()
        lines = re.findall(r"^epg_http_requests_total\{([^}]*)\} (\d+)", text, re.MULTILINE)
        return sum(int(count) for labels, count in lines if f'route="{route}"' in labels)


def nginx(folder: Path, upstream: int, limited: bool = False) -> tuple[list[str], int]:
    """The command that runs nginx with packaging/nginx.conf, and its port. Unless `limited`, its limits are raised: all
    clients of a test have the same address."""
    port = free_port()
    site = (ROOT / "packaging" / "nginx.conf").read_text()
    changes = {"listen 80;": f"listen 127.0.0.1:{port};", "127.0.0.1:8080": f"127.0.0.1:{upstream}",
               "/var/cache/nginx/epg": f"{folder}/cache"}
    if not limited:
        changes |= {"rate=100r/s": "rate=100000r/s", "burst=1000": "burst=100000",
                    "limit_conn epg_connections 256": "limit_conn epg_connections 8192"}
    for old, new in changes.items():
        assert old in site, old
        site = site.replace(old, new)
    (folder / "site.conf").write_text(site)
    (folder / "nginx.conf").write_text(
        f"pid {folder}/nginx.pid; error_log {folder}/error.log; worker_processes auto; events {{ worker_connections 4096; }}\n"
        f"http {{ access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;\n"
        f"include {folder}/site.conf; }}\n")
    return ["nginx", "-c", f"{folder}/nginx.conf", "-g", "daemon off;"], port


def varnish(folder: Path, upstream: int, limited: bool = False) -> tuple[list[str], int]:
    """The command that runs Varnish with packaging/varnish.vcl, and its port; for `limited` see nginx()."""
    port = free_port()
    vcl = (ROOT / "packaging" / "varnish.vcl").read_text()
    assert '.port = "8080"' in vcl
    if not limited:
        assert "client.ip, 6000, 60s" in vcl
        vcl = vcl.replace("client.ip, 6000, 60s", "client.ip, 1000000, 60s")
    (folder / "epg.vcl").write_text(vcl.replace('.port = "8080"', f'.port = "{upstream}"'))
    return ["varnishd", "-F", "-n", f"{folder}/work", "-f", f"{folder}/epg.vcl", "-a", f"127.0.0.1:{port}",
            "-s", "malloc,64m", "-p", "thread_pool_min=50", "-p", "thread_pool_max=1500"], port


async def at_once(port: int, path: str, count: int) -> list[bytes]:
    """The status lines of so many clients that ask at the same moment."""
    connections = [await asyncio.open_connection("127.0.0.1", port) for _ in range(count)]
    request = f"GET {path} HTTP/1.1\r\nHost: tv.example\r\nConnection: close\r\n\r\n".encode()
    for _, writer in connections:
        writer.write(request)
    answers = await asyncio.gather(*(reader.read() for reader, _ in connections))
    for _, writer in connections:
        writer.close()
    return [answer.split(b"\r\n", 1)[0] for answer in answers]


#: The parts of a request on which answers may depend, as a client sends them.
Request = dict[str, str]


def ask(connection: http.client.HTTPConnection, request: Request) -> tuple:
    """What of the answer shows whose answer it is. The pages hold the current time: their title stands for them."""
    connection.putrequest(request.get("method", "GET"), request["uri"], skip_host=True, skip_accept_encoding=True)
    connection.putheader("Host", request["host"])
    for part, field in {"encoding": "Accept-Encoding", "origin": "Origin", "accept": "Accept"}.items():
        if request.get(part):
            connection.putheader(field, request[part])
    connection.endheaders()
    answer = connection.getresponse()
    body = answer.read()
    if answer.status >= 400:
        return ("refused",)
    fields = tuple(answer.getheader(name) for name in
                   ("Content-Type", "Content-Encoding", "Access-Control-Allow-Origin"))
    if answer.getheader("Content-Encoding") == "gzip":
        body = gzip.decompress(body)
    if b"<!DOCTYPE html" in body[:100] or b"<!doctype html" in body[:100]:
        body = re.search(rb"<title>[^<]*</title>", body).group()
    return (answer.status, *fields, body)


def splits(text: str, parts: list[str], separators: list[str]):
    """All requests whose parts, joined by the separators that stand behind them, give a text."""
    if len(parts) == 1:
        if is_sendable(parts[0], text):
            yield {parts[0]: text}
        return
    for end in range(len(text) + 1):
        if text.startswith(separators[0], end) and is_sendable(parts[0], text[:end]):
            for rest in splits(text[end + len(separators[0]):], parts[1:], separators[1:]):
                yield {parts[0]: text[:end], **rest}


def is_sendable(part: str, text: str) -> bool:
    if part == "uri":
        return text.startswith("/") and "#" not in text
    if part == "host":
        # Proxies refuse what can't be a host, such as ".", by rules of their own.
        return re.fullmatch(r"[A-Za-z0-9]+([.-][A-Za-z0-9]+)*(:[0-9]{1,5})?", text) is not None
    if part == "encoding":
        return text in ("", "gzip")
    return True


def key_of_nginx() -> tuple[list[str], list[str]]:
    """The parts of the key in packaging/nginx.conf, and what separates them."""
    text = (ROOT / "packaging" / "nginx.conf").read_text()
    key = re.search(r'proxy_cache_key "?([^";]*)"?;', text).group(1)
    pieces = re.split(r"\$(\w+)", key)
    names = {"request_uri": "uri", "http_host": "host", "epg_host": "host", "epg_encoding": "encoding",
             "http_origin": "origin", "epg_origin": "origin"}
    assert pieces[0] == "" and pieces[-1] == "", key
    return [names[name] for name in pieces[1::2]], pieces[2:-1:2]


def colliding_requests(is_short: bool):
    """Groups of requests: a usual one, and those that have the same key if a key joins their parts."""
    paths = ["/api/v1/stations", "/", "/playlist.m3u"]
    if not is_short:
        paths += ["/guide", "/openapi.yaml", "/api/v1/lineups", "/search?q=news"]
    orders = [key_of_nginx()]
    orders += [(list(order), [""] * 3) for order in
               ([("host", "uri", "encoding", "origin")] if is_short else
                itertools.permutations(("host", "uri", "encoding", "origin")))]
    for path in paths:
        for encoding, origin in itertools.product(("", "gzip"), ("", ORIGIN, "/", "api/v1/stationsgzip")):
            usual = {"host": "tv.example", "uri": path, "encoding": encoding, "origin": origin}
            group = [usual, {**usual, "method": "HEAD"}, {**usual, "accept": "text/html"},
                     {**usual, "host": "other.example"}, {**usual, "encoding": "gzip;q=0"},
                     {**usual, "uri": path + "/nothing", "accept": "text/html"}]
            for parts, separators in orders:
                values = [usual[part] for part in parts]
                key = "".join(itertools.chain(*itertools.zip_longest(values, separators, fillvalue="")))
                group += splits(key, parts, separators)
            yield [dict(same) for same in dict.fromkeys(tuple(sorted(request.items())) for request in group)]


def no_answer_is_shared(front: int, service: int, is_short: bool) -> None:
    """Asks for each group in both directions, so that each request of two that collide comes first once."""
    count = 0
    # Whether a request is refused depends on the host and the URL alone.
    refusals: set[tuple[str, str]] = set()
    for group in colliding_requests(is_short):
        direct = http.client.HTTPConnection("127.0.0.1", service, timeout=20)
        own = []
        for request in group:
            target = (request["host"], request["uri"])
            own.append(("refused",) if target in refusals else ask(direct, request))
            if own[-1] == ("refused",):
                refusals.add(target)
        direct.close()
        # Proxies close connections that are idle for long.
        through = http.client.HTTPConnection("127.0.0.1", front, timeout=20)
        # Only an answer of its own can be stored for others: one refusal stands for all of a group.
        refused = [index for index, answer in enumerate(own) if answer == ("refused",)]
        chosen = [index for index in range(len(group)) if index not in refused[20:]]
        for index in chosen + chosen[::-1]:
            count += 1
            answer = ask(through, group[index])
            assert answer == own[index], f"{group[index]} got {str(answer)[:200]}, not {str(own[index])[:200]}"
        through.close()
    assert count > 1000, f"{count} requests"
    # Without a host, a proxy would send its own name for that of the service.
    with socket.create_connection(("127.0.0.1", front), timeout=20) as client:
        client.send(b"GET /playlist.m3u HTTP/1.0\r\n\r\n")
        line = client.recv(4096).split(b"\r\n", 1)[0]
    assert line.split(b" ")[1] == b"400", line


def check_front(name: str, port: int, service: Service, down: float, report) -> None:
    def one_request_upstream() -> None:
        before = service.requests("/api/v1/grid")
        lines = asyncio.run(at_once(port, GRID + "0-3", 1000))
        assert set(lines) == {b"HTTP/1.1 200 OK"}, set(lines)
        cost = service.requests("/api/v1/grid") - before
        assert cost == 1, f"{cost} requests upstream"

    def both_encodings() -> None:
        plain = get(port, GRID + "0-5")
        packed = get(port, GRID + "0-5", Accept_Encoding="gzip")
        again = get(port, GRID + "0-5")
        assert "content-encoding" not in plain[1] and packed[1]["content-encoding"] == "gzip"
        assert again[2] == plain[2]

    def not_modified() -> None:
        tag = get(port, GRID + "0-6")[1]["etag"]
        assert get(port, GRID + "0-6", If_None_Match=tag)[0] == 304

    def problems_pass() -> None:
        status, fields, _ = get(port, "/api/v1/grid?rows=x")
        assert status == 400 and fields["content-type"] == "application/problem+json", (status, fields)

    def metrics_are_local() -> None:
        # In the second form the target names the host, too (RFC 9112, 3.2.2).
        for target in ["/metrics", "https://tv.example/metrics", "HTTPS://tv.example/metrics?x"]:
            for source, status in [("127.0.0.1", 200), ("127.0.0.2", 403)]:
                client = http.client.HTTPConnection("127.0.0.1", port, timeout=20, source_address=(source, 0))
                client.request("GET", target, headers={"Host": "tv.example"})
                found = client.getresponse().status
                assert found == status or status == 200 and found == 400, f"{source} {target}: {found}"
                client.close()

    def events_pass() -> None:
        with socket.create_connection(("127.0.0.1", port), timeout=5) as client:
            client.send(b"GET /api/v1/events HTTP/1.1\r\nHost: tv.example\r\n\r\n")
            text = b""
            while b"event: generation" not in text:
                piece = client.recv(4096)
                assert piece, text
                text += piece

    def served_while_down() -> None:
        paths = [GRID + "0-3", "/", "/api/v1/stations"]
        before = {path: get(port, path) for path in paths}
        assert all(answer[0] == 200 for answer in before.values())
        service.stop()
        try:
            end = time.monotonic() + down
            while True:
                for path, answer in before.items():
                    status, _, body = get(port, path)
                    assert (status, body) == (200, answer[2]), f"{path}: {status}"
                if time.monotonic() > end:
                    break
                time.sleep(min(7, down / 2))
        finally:
            service.start()
        wait_until(lambda: get(port, GRID + "0-7")[0] == 200, "a new answer after the service came back")

    for rule, check in {
        "a thousand clients at once on a cold key cost one request upstream": one_request_upstream,
        "both encodings are kept": both_encodings,
        "an answer 304 passes": not_modified,
        "problem documents pass": problems_pass,
        "events pass as they come": events_pass,
        "metrics are for the machine itself alone": metrics_are_local,
        "requests that differ in what matters share no answer": lambda: no_answer_is_shared(port, service.port, False),
        f"the guide is served with the service down {down:g} s": served_while_down,
    }.items():
        report(f"{name}: {rule}", check)


def limits_are_enforced(port: int) -> None:
    """One client sends more requests than it may, all of which the cache could answer."""
    client = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    statuses: dict[int, int] = {}
    for _ in range(9000):
        client.request("GET", "/api/v1/groups", headers={"Host": "tv.example"})
        answer = client.getresponse()
        answer.read()
        statuses[answer.status] = statuses.get(answer.status, 0) + 1
        if answer.status == 429:
            break
        if answer.getheader("Connection") == "close":
            client.close()
    client.close()
    assert set(statuses) == {200, 429} and statuses[200] >= 1000, statuses


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--epg", required=True)
    parser.add_argument("--epgd", required=True)
    parser.add_argument("--down", type=float, default=10)
    parser.add_argument("--short", action="store_true")
    arguments = parser.parse_args()
    os.environ["PATH"] += ":/usr/sbin"
    for tool, package in {"nginx": "nginx-light", "varnishd": "varnish"}.items():
        if not shutil.which(tool):
            print(f"{tool} is missing: apt-get install {package}", file=sys.stderr)
            sys.exit(69)
    counts = {True: 0, False: 0}

    def report(rule: str, check) -> None:
        try:
            check()
            error = None
        except (AssertionError, OSError, KeyError, http.client.HTTPException, subprocess.SubprocessError) as failure:
            error = failure
        counts[error is None] += 1
        print(f"ok      {rule}" if error is None else f"FAILED  {rule}: {error!r}", flush=True)

    for name, front in {"nginx": nginx, "varnish": varnish}.items():
        folder = Path(tempfile.mkdtemp())
        folder.chmod(0o755)
        service = Service(arguments.epg, arguments.epgd, folder)
        service.start()
        command, port = front(folder, service.port)
        with open(folder / "front.log", "wb") as log:
            process = subprocess.Popen(command, stdout=log, stderr=log)
        try:
            wait_until(lambda: is_open(port), name)
            # Varnish takes a service for ill until it has looked twice.
            wait_until(lambda: get(port, "/healthz")[0] == 200, f"an answer through {name}")
            if arguments.short:
                report(
                    f"{name}: requests that differ in what matters share no answer",
                    lambda: no_answer_is_shared(port, service.port, True))
            else:
                check_front(name, port, service, arguments.down, report)
                process.send_signal(signal.SIGTERM)
                process.wait(timeout=20)
                command, port = front(folder, service.port, limited=True)
                with open(folder / "front.log", "wb") as log:
                    process = subprocess.Popen(command, stdout=log, stderr=log)
                wait_until(lambda: is_open(port), name)
                wait_until(lambda: get(port, "/healthz")[0] == 200, f"an answer through {name}")
                report(f"{name}: a client above its rate gets 429", lambda: limits_are_enforced(port))
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=20)
            service.stop()
            shutil.rmtree(folder, ignore_errors=True)
    print(f"{counts[True]} passed, {counts[False]} failed")
    sys.exit(1 if counts[False] else 0)


main()
