"""Runs nginx and Varnish with the configuration from packaging/ in front of epgd and verifies their caching.

For each proxy: 1,000 simultaneous clients on a cold key cost one upstream request; both encodings are cached; a 304 response
passes; events pass immediately; and while epgd is down, the proxy still serves the guide. Requests whose parts concatenate to
the same cache key never share a response. The log-in and administration pass uncached, with uploads; and with require-login,
nothing is served that was stored before. No form of a path gets around the rules for it. The short form tests only the last three, on
fewer requests.
"""

import asyncio
import contextlib
import gzip
import http.client
import itertools
import os
import re
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.parse
from pathlib import Path

from support import ROOT, SAMPLES
from support.processes import Service, free_port, is_open, request, stop, wait_until
from support.report import Skipped, expect, need

#: The password of the administrator, and that of readers.
PASSWORD = "correct horse battery"
PASSES = "the log-in and administration pass uncached, with an upload"
IGNORES_NO_SLASH = "a path with an empty segment leads to no resource, and is not cached"
LOCAL = "metrics are available only on the local machine"
REQUIRES = "with require-login, nothing is served that was stored before"
#: The example origin in packaging/.
ORIGIN = "https://tv.example"
SHARES_NOTHING = "requests that differ in a relevant part share no response"
#: A viewport in the evening of the sample guide.
GRID = "/api/v1/grid?from=2026-10-24T18:00:00Z&hours=3&at=2026-10-24T18:00:00Z&rows="


class GuideService:
    """epgd with the sample guide and a playlist, which can be stopped and started on the same port."""

    def __init__(self, programs, folder: Path) -> None:
        self.programs = programs
        self.database = folder / "guide.sqlite"
        playlist = folder / "channels.m3u"
        playlist.write_text("#EXTM3U\n#EXTINF:-1,One\nhttp://127.0.0.1:9/one\n")
        programs.load(SAMPLES / "evening.xml", self.database, "evening")
        programs.load(playlist, self.database, "channels")
        run_program([programs.epg, "admin", "password", "--database", self.database], input=PASSWORD + "\n")
        self.port = 0
        self.start()

    def start(self, requires_login: bool = False) -> None:
        self.service = Service(
            self.programs, self.database, "--cors-origins", ORIGIN, "--trusted-proxies", "127.0.0.1", "--limits-per-address", "4096",
            port=self.port, environment={"EPG_REQUIRE_LOGIN": "true"} if requires_login else None)
        self.port = self.service.port

    def stop(self) -> None:
        self.service.close()

    def requests(self, route: str) -> int:
        """Returns the number of requests of a route that the service has handled."""
        text = self.service.request("/metrics").body.decode()
        lines = re.findall(r"^epg_http_requests_total\{([^}]*)\} (\d+)", text, re.MULTILINE)
        return sum(int(count) for labels, count in lines if f'route="{route}"' in labels)


def run_program(command: list, **options) -> str:
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True, timeout=60, **options).stdout


def nginx(folder: Path, upstream: int, limited: bool = False, port: int = 0, requires_login: bool = False) -> tuple[list[str], int]:
    """Returns the command that runs nginx with packaging/nginx.conf, and its port. Unless `limited`, raises the limits, because
    all clients of a test share one address. `requires_login` makes the change for require-login."""
    port = port or free_port()
    site = (ROOT / "packaging" / "nginx.conf").read_text()
    changes = {"listen 80;": f"listen 127.0.0.1:{port};", "127.0.0.1:8080": f"127.0.0.1:{upstream}",
               "/var/cache/nginx/epg": f"{folder}/cache"}
    if requires_login:
        changes['map $host $epg_login {\n    default "";'] = 'map $host $epg_login {\n    default 1;'
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


def varnish(folder: Path, upstream: int, limited: bool = False, port: int = 0, requires_login: bool = False) -> tuple[list[str], int]:
    """Returns the command that runs Varnish with packaging/varnish.vcl, and its port; for the others, see nginx()."""
    port = port or free_port()
    vcl = (ROOT / "packaging" / "varnish.vcl").read_text()
    assert '.port = "8080"' in vcl
    if not limited:
        assert "client.ip, 6000, 60s" in vcl
        vcl = vcl.replace("client.ip, 6000, 60s", "client.ip, 1000000, 60s")
    if requires_login:
        assert vcl.count("    # return (pass);") == 1
        vcl = vcl.replace("    # return (pass);", "    return (pass);")
    (folder / "epg.vcl").write_text(vcl.replace('.port = "8080"', f'.port = "{upstream}"'))
    return ["varnishd", "-F", "-n", f"{folder}/work", "-f", f"{folder}/epg.vcl", "-a", f"127.0.0.1:{port}",
            "-s", "malloc,64m", "-p", "thread_pool_min=50", "-p", "thread_pool_max=1500"], port


async def request_simultaneously(port: int, path: str, count: int) -> list[bytes]:
    """Returns the status lines of `count` simultaneous requests."""
    connections = [await asyncio.open_connection("127.0.0.1", port) for _ in range(count)]
    request = f"GET {path} HTTP/1.1\r\nHost: tv.example\r\nConnection: close\r\n\r\n".encode()
    for _, writer in connections:
        writer.write(request)
    responses = await asyncio.gather(*(reader.read() for reader, _ in connections))
    for _, writer in connections:
        writer.close()
    return [response.split(b"\r\n", 1)[0] for response in responses]


#: The parts of a request that may affect the response, as the client sends them.
Request = dict[str, str]


def send(connection: http.client.HTTPConnection, request: Request) -> tuple:
    """Sends a request and returns what identifies its response. Pages contain the current time, so only language, title and mode count."""
    connection.putrequest(request.get("method", "GET"), request["uri"], skip_host=True, skip_accept_encoding=True)
    connection.putheader("Host", request["host"])
    for part, header in {"encoding": "Accept-Encoding", "origin": "Origin", "accept": "Accept", "scheme": "X-Forwarded-Proto", "agent": "User-Agent", "language": "Accept-Language"}.items():
        if request.get(part):
            connection.putheader(header, request[part])
    connection.endheaders()
    response = connection.getresponse()
    body = response.read()
    if response.status >= 400:
        return ("rejected",)
    headers = tuple(response.getheader(name) for name in
                   ("Content-Type", "Content-Encoding", "Access-Control-Allow-Origin"))
    if response.getheader("Content-Encoding") == "gzip":
        body = gzip.decompress(body)
    if b"<!DOCTYPE html" in body[:100] or b"<!doctype html" in body[:100]:
        language, title = (re.search(part, body).group() for part in (rb'lang="[^"]*"', rb"<title>[^<]*</title>"))
        body = language + title + (b" for televisions" if b" data-tv=" in body[:300] else b"")
    return (response.status, *headers, body)


def splits(text: str, parts: list[str], separators: list[str]):
    """Yields all requests whose parts, each followed by its separator, concatenate to `text`."""
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
        # Proxies reject invalid hosts, such as ".", by their own rules.
        return re.fullmatch(r"[A-Za-z0-9]+([.-][A-Za-z0-9]+)*(:[0-9]{1,5})?", text) is not None
    if part == "encoding":
        return text in ("", "gzip")
    if part == "scheme":
        return text in ("http", "https")
    if part == "agent":
        return text in ("", "SmartTV")
    if part == "language":
        return text in ("", "de", "en-US")
    return True


def key_of_nginx() -> tuple[list[str], list[str]]:
    """Returns the parts of the cache key in packaging/nginx.conf, and the separators between them."""
    text = (ROOT / "packaging" / "nginx.conf").read_text()
    key = re.search(r'proxy_cache_key "?([^";]*)"?;', text).group(1)
    pieces = re.split(r"\$(\w+)", key)
    names = {"request_uri": "uri", "http_host": "host", "epg_host": "host", "epg_encoding": "encoding",
             "http_origin": "origin", "epg_origin": "origin", "epg_scheme": "scheme", "epg_agent": "agent", "epg_language": "language"}
    assert pieces[0] == "" and pieces[-1] == "", key
    return [names[name] for name in pieces[1::2]], pieces[2:-1:2]


def colliding_requests(is_short: bool):
    """Yields groups of requests: a normal one, and those with the same cache key if the key concatenates the parts."""
    paths = ["/api/v1/stations", "/", "/playlist.m3u"]
    if not is_short:
        paths += ["/guide", "/openapi.yaml", "/api/v1/lineups", "/search?q=news"]
    orders = [key_of_nginx()]
    orders += [(list(order), [""] * 3) for order in
               ([("host", "uri", "encoding", "origin")] if is_short else
                itertools.permutations(("host", "uri", "encoding", "origin")))]
    for path in paths:
        for encoding, origin in itertools.product(("", "gzip"), ("", ORIGIN, "/", "api/v1/stationsgzip")):
            normal = {"host": "tv.example", "uri": path, "encoding": encoding, "origin": origin, "scheme": "http", "agent": "", "language": ""}
            group = [normal, {**normal, "method": "HEAD"}, {**normal, "scheme": "https"}, {**normal, "accept": "text/html"},
                     {**normal, "host": "other.example"}, {**normal, "encoding": "gzip;q=0"}, {**normal, "agent": "Mozilla/5.0 (SMART-TV; Tizen 6.5)"},
                     {**normal, "language": "de-AT,de;q=0.9,en;q=0.8"}, {**normal, "language": "fi, en-US;q=0.9"},
                     {**normal, "uri": path + "/nothing", "accept": "text/html"}]
            for parts, separators in orders:
                values = [normal[part] for part in parts]
                key = "".join(itertools.chain(*itertools.zip_longest(values, separators, fillvalue="")))
                group += splits(key, parts, separators)
            yield [dict(same) for same in dict.fromkeys(tuple(sorted(request.items())) for request in group)]


def check_no_response_is_shared(proxy: int, service: int, is_short: bool) -> None:
    """Sends each group in both orders, so that each of two colliding requests is sent first once."""
    count = 0
    # Only the host and the URL determine whether a request is rejected.
    rejections: set[tuple[str, str]] = set()
    for group in colliding_requests(is_short):
        direct = http.client.HTTPConnection("127.0.0.1", service, timeout=20)
        own = []
        for each in group:
            target = (each["host"], each["uri"])
            own.append(("rejected",) if target in rejections else send(direct, each))
            if own[-1] == ("rejected",):
                rejections.add(target)
        direct.close()
        # Opened late, because proxies close idle connections.
        through = http.client.HTTPConnection("127.0.0.1", proxy, timeout=20)
        # Only successful responses are cached, so a few rejected requests per group suffice.
        rejected = [index for index, response in enumerate(own) if response == ("rejected",)]
        chosen = [index for index in range(len(group)) if index not in rejected[20:]]
        for index in chosen + chosen[::-1]:
            count += 1
            response = send(through, group[index])
            assert response == own[index], f"{group[index]} got {str(response)[:200]}, not {str(own[index])[:200]}"
        through.close()
    assert count > 1000, f"{count} requests"
    # Without a Host header, a proxy would send the name of its upstream.
    with socket.create_connection(("127.0.0.1", proxy), timeout=20) as client:
        client.send(b"GET /playlist.m3u HTTP/1.0\r\n\r\n")
        line = client.recv(4096).split(b"\r\n", 1)[0]
    assert line.split(b" ")[1] == b"400", line


def locations(name: str) -> list[str]:
    """Returns the paths that the rules of a proxy name in packaging/, except the root."""
    if name == "nginx":
        rules = re.findall(r"location (?:= |~ )?(\S+) {", (ROOT / "packaging" / "nginx.conf").read_text())
    else:
        # Without the rules for all paths, which name none.
        rules = re.findall(r'req\.url !?~ "(\^/[\w(][^"]*)"', (ROOT / "packaging" / "varnish.vcl").read_text())
    paths = set()
    for rule in rules:
        path = re.sub(r"\((/\||\\\?\|)+\$\)$|\$$", "", rule.removeprefix("^")).replace("\\.", ".")
        before, choices, after = re.fullmatch(r"([^(]*)\(?([^()]*)\)?(.*)", path).groups()
        for choice in choices.split("|"):
            paths.add(before + choice + after)
    assert all(re.fullmatch(r"/[\w./]*", path) for path in paths), paths
    paths.discard("/")
    expected = {"/metrics", "/xmltv.xml", "/xmltv.xml.gz", "/guide.json", "/api/v1/events", "/login", "/admin"}
    assert paths >= expected, expected - paths
    return sorted(paths)


def check_locations(name: str, port: int) -> None:
    """Requests other forms of the paths, which epgd once served, twice, from this machine and as from another one."""
    for path in locations(name):
        for target in [f"{path}/", f"/{path}", f"{path}/?x=1", f"{path}//", f"http://tv.example/{path}", f"/\u0301x://h{path}",
                       path[:path.rindex("/")] + "/" + path[path.rindex("/"):]]:
            for source in ["127.0.0.1", "127.0.0.2"] * 2:
                with socket.create_connection(("127.0.0.1", port), timeout=20, source_address=(source, 0)) as client:
                    client.send(f"GET {target} HTTP/1.1\r\nHost: tv.example\r\nConnection: close\r\n\r\n".encode())
                    with client.makefile("rb") as file:
                        head = file.read(4096).split(b"\r\n\r\n")[0]
                assert head.split(b" ")[1] in (b"400", b"404"), f"{target} from {source}: {head}"
                assert b"HIT" not in head, f"{target} from {source}: {head}"


def check_metrics_are_local(port: int) -> None:
    # The other targets are in absolute form and include the host (RFC 9112, section 3.2.2).
    for target in ["/metrics", "https://tv.example/metrics", "HTTPS://tv.example/metrics?x"]:
        for source, status in [("127.0.0.1", 200), ("127.0.0.2", 403)]:
            found = request(port, target, {"Host": "tv.example"}, source=source).status
            assert found == status or status == 200 and found == 400, f"{source} {target}: {found}"


def check_proxy(name: str, port: int, service: GuideService, down: float, report) -> None:
    def one_request_upstream() -> None:
        before = service.requests("/api/v1/grid")
        lines = asyncio.run(request_simultaneously(port, GRID + "0-3", 1000))
        assert set(lines) == {b"HTTP/1.1 200 OK"}, set(lines)
        cost = service.requests("/api/v1/grid") - before
        assert cost == 1, f"{cost} requests upstream"

    def both_encodings() -> None:
        plain = request(port, GRID + "0-5")
        compressed = request(port, GRID + "0-5", {"Accept-Encoding": "gzip"})
        again = request(port, GRID + "0-5")
        assert "content-encoding" not in plain.headers and compressed.headers["content-encoding"] == "gzip"
        assert again.body == plain.body

    def not_modified() -> None:
        tag = request(port, GRID + "0-6").headers["etag"]
        assert request(port, GRID + "0-6", {"If-None-Match": tag}).status == 304

    def problems_pass() -> None:
        status, headers, _ = request(port, "/api/v1/grid?rows=x")
        assert status == 400 and headers["content-type"] == "application/problem+json", (status, headers)

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
        before = {path: request(port, path) for path in paths}
        assert all(response.status == 200 for response in before.values())
        service.stop()
        try:
            end = time.monotonic() + down
            while True:
                for path, response in before.items():
                    status, _, body = request(port, path)
                    assert (status, body) == (200, response.body), f"{path}: {status}"
                if time.monotonic() > end:
                    break
                time.sleep(min(7, down / 2))
        finally:
            service.start()
        wait_until(lambda: request(port, GRID + "0-7").status == 200, "a new response after the restart of the service")

    for rule, check in {
        "1,000 simultaneous clients on a cold key cost one upstream request": one_request_upstream,
        "both encodings are cached": both_encodings,
        "a 304 response passes": not_modified,
        "problem documents pass": problems_pass,
        "events pass immediately": events_pass,
        SHARES_NOTHING: lambda: check_no_response_is_shared(port, service.port, False),
        f"the guide is served while the service is down for {down:g} s": served_while_down,
    }.items():
        report.check(f"{name}: {rule}", check)


class Browser:
    """A browser without scripts behind a proxy, which sends the headers of an old one: Origin, but no Sec-Fetch-Site."""

    def __init__(self, port: int) -> None:
        self.port, self.cookie, self.token = port, "", ""

    def request(self, path: str, method="GET", body=None, **headers: str):
        sent = {"Host": "tv.example", "Accept": "text/html", **({"Cookie": self.cookie} if self.cookie else {}), **headers}
        return request(self.port, path, sent, method, body)

    def post(self, path: str, **fields: str):
        body = urllib.parse.urlencode({**fields, "form-token": self.token})
        return self.request(path, "POST", body, **{"Content-Type": "application/x-www-form-urlencoded", "Origin": "http://tv.example"})

    def log_in(self, **headers: str):
        response = self.post("/login", password=PASSWORD)
        assert response.status == 303, (response.status, response.body[:300])
        self.cookie = response.headers["set-cookie"].split(";")[0]
        self.token = re.search(r'name="form-token" value="([0-9a-f]{64})"', self.page("/admin"))[1]

    def page(self, path: str) -> str:
        response = self.request(path)
        assert response.status == 200, (path, response.status)
        assert response.headers["cache-control"] == "no-store", response.headers
        return response.body.decode()

    def upload(self, path: str, name: str, content: bytes):
        parts = [f'--xyz\r\nContent-Disposition: form-data; name="form-token"\r\n\r\n{self.token}\r\n',
                 f'--xyz\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n']
        body = "".join(parts).encode() + content + b"\r\n--xyz--\r\n"
        return self.request(path, "POST", body, **{"Content-Type": "multipart/form-data; boundary=xyz", "Origin": "http://tv.example"})


def check_administration(port: int) -> None:
    # Responses to strangers must not be stored for others.
    stranger = Browser(port)
    for path in ("/admin", "/admin/access"):
        assert stranger.request(path).status == 303, path
    browser = Browser(port)
    browser.log_in()
    for _ in range(2):
        assert "Log out" in browser.page("/admin")
        assert stranger.request("/admin").status == 303
    other = Browser(port).request("/login", "POST", "password=x", **{
        "Content-Type": "application/x-www-form-urlencoded", "Origin": "https://evil.example"})
    assert other.status == 403, other.status
    secure = request(port, "/login", {
        "Host": "tv.example", "Origin": "https://tv.example", "X-Forwarded-Proto": "https",
        "Content-Type": "application/x-www-form-urlencoded"}, "POST", urllib.parse.urlencode({"password": PASSWORD}))
    assert secure.headers["set-cookie"].startswith("__Host-epg=") and "; Secure" in secure.headers["set-cookie"], secure.headers
    # Above the limit of other bodies: two megabytes.
    guide = (SAMPLES / "evening.xml").read_bytes().replace(b"</tv>", b" " * 2_000_000 + b"</tv>")
    uploaded = browser.upload("/admin/add/file", "evening.xml", guide)
    assert uploaded.status == 303, (uploaded.status, uploaded.body[:300])
    preview = uploaded.headers["location"]
    wait_until(lambda: "Add it" in browser.page(preview), "the preview is complete")
    accepted = browser.post("/admin/preview/accept", id=preview.split("=")[1], name="uploaded")
    assert accepted.status == 303, (accepted.status, accepted.body[:300])
    wait_until(lambda: "uploaded" in browser.page("/admin"), "the guide is imported")
    # A response for a session is not stored, and a stored one is not sent to a session.
    for _ in range(2):
        assert browser.request("/api/v1/categories").headers["x-cache"] in ("BYPASS", "MISS")
    assert browser.post("/logout").status == 303
    assert browser.request("/admin").status == 303


def check_required_login(name: str, folder: Path, service: GuideService, port: int, restart) -> None:
    """Stores responses, and restarts the proxy and the service with require-login."""
    paths = ["/", "/home", "/api/v1/stations", GRID + "0-3", "/playlist.m3u", "/openapi.yaml", "/xmltv.xml"]
    host = {"Host": "tv.example", "Accept": "text/html"}
    for _ in range(2):
        for path in paths:
            assert request(port, path, host).status == 200, path
    restart()
    service.stop()
    service.start(requires_login=True)
    try:
        wait_until(lambda: request(port, "/healthz").status == 200, f"a response through {name}")
        for _ in range(3):
            for path in paths:
                status = request(port, path, host).status
                assert status in (303, 401), f"{path}: {status}"
        browser = Browser(port)
        browser.log_in()
        for path in paths:
            assert browser.request(path).status == 200, path
            status = request(port, path, host).status
            assert status in (303, 401), f"{path} after the log-in of somebody else: {status}"
        service.stop()
        for path in paths:
            status = request(port, path, host).status
            assert status >= 500, f"{path} while the service is down: {status}"
    finally:
        service.stop()
        service.start()


def check_limits(port: int) -> None:
    """One client exceeds its rate limit with requests that the cache could serve."""
    client = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    statuses: dict[int, int] = {}
    for _ in range(9000):
        client.request("GET", "/api/v1/groups", headers={"Host": "tv.example"})
        response = client.getresponse()
        response.read()
        statuses[response.status] = statuses.get(response.status, 0) + 1
        if response.status == 429:
            break
        if response.getheader("Connection") == "close":
            client.close()
    client.close()
    assert set(statuses) == {200, 429} and statuses[200] >= 1000, statuses


@contextlib.contextmanager
def proxy(name: str, folder: Path, service: GuideService, limited: bool = False):
    """Runs a proxy in front of the service and yields its port."""
    command, port = {"nginx": nginx, "varnish": varnish}[name](folder, service.port, limited)
    with open(folder / "proxy.log", "wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        wait_until(lambda: is_open(port) or process.poll() is not None, f"{name} listens")
        expect(process.poll() is None, f"{name} ended: {(folder / 'proxy.log').read_text()[-500:]}")
        # Varnish considers a backend unhealthy until two probes have succeeded.
        wait_until(lambda: request(port, "/healthz").status == 200, f"a response through {name}")
        yield port
    finally:
        stop(process)


class RestartedProxy:
    """A proxy that can be restarted with the change for require-login. nginx keeps its stored responses."""

    def __init__(self, name: str, folder: Path, service: GuideService) -> None:
        self.name, self.folder, self.service, self.port = name, folder, service, 0

    def __enter__(self):
        self._start(requires_login=False)
        return self

    def __exit__(self, *_) -> None:
        stop(self.process)

    def _start(self, requires_login: bool) -> None:
        command, self.port = {"nginx": nginx, "varnish": varnish}[self.name](
            self.folder, self.service.port, port=self.port, requires_login=requires_login)
        with open(self.folder / "proxy.log", "wb") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log)
        wait_until(lambda: is_open(self.port) or self.process.poll() is not None, f"{self.name} listens")
        expect(self.process.poll() is None, f"{self.name} ended: {(self.folder / 'proxy.log').read_text()[-500:]}")
        wait_until(lambda: request(self.port, "/healthz").status == 200, f"a response through {self.name}")

    def restart(self) -> None:
        if self.name == "varnish":
            # A restart would forget everything: load the changed file, as `varnishreload` does.
            varnish(self.folder, self.service.port, port=self.port, requires_login=True)
            for arguments in (["vcl.load", "changed", f"{self.folder}/epg.vcl"], ["vcl.use", "changed"]):
                run_program(["varnishadm", "-n", f"{self.folder}/work", *arguments])
            return
        stop(self.process)
        self._start(requires_login=True)


def run(options, report) -> None:
    os.environ["PATH"] += ":/usr/sbin"
    for name, (program, package) in {"nginx": ("nginx", "nginx-light"), "varnish": ("varnishd", "varnish")}.items():
        if not options.wants(name):
            continue
        try:
            need(program, package)
        except Skipped as reason:
            report.add("skipped", name, str(reason))
            continue
        folder = Path(tempfile.mkdtemp())
        folder.chmod(0o755)
        service = GuideService(options.programs, folder)
        try:
            with proxy(name, folder, service) as port:
                if options.short:
                    report.check(f"{name}: {SHARES_NOTHING}", check_no_response_is_shared, port, service.port, True)
                else:
                    check_proxy(name, port, service, options.seconds(10), report)
                report.check(f"{name}: {LOCAL}", check_metrics_are_local, port)
                report.check(f"{name}: {IGNORES_NO_SLASH}", check_locations, name, port)
                report.check(f"{name}: {PASSES}", check_administration, port)
            with RestartedProxy(name, folder, service) as restarted:
                report.check(f"{name}: {REQUIRES}", check_required_login, name, folder, service, restarted.port, restarted.restart)
            if not options.short:
                with proxy(name, folder, service, limited=True) as port:
                    report.check(f"{name}: a client above its rate limit gets 429", check_limits, port)
        finally:
            service.stop()
            shutil.rmtree(folder, ignore_errors=True)
