"""The programs under test: `epg` imports guides into a database, `epgd` serves it."""

import gzip
import http.client
import json
import os
import re
import subprocess
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlencode


class Programs:
    """The programs of a build folder."""

    def __init__(self, folder):
        self.epg, self.epgd = Path(folder, "epg").resolve(), Path(folder, "epgd").resolve()

    def load(self, guide, database, source="tests"):
        """Imports a guide, given as a path or bytes, into a database."""
        given = guide if isinstance(guide, bytes) else None
        command = [self.epg, "import", "-" if given is not None else guide, "--source", source, "--database", database]
        run = subprocess.run(
            command, input=given, stdin=None if given is not None else subprocess.DEVNULL, capture_output=True)
        if run.returncode:
            raise RuntimeError(f"epg import failed (exit {run.returncode}): {run.stderr.decode()[-500:]}")
        return run.stdout.decode()


class Service:
    """An epgd process on its own port (by default, any free one), until it is closed."""

    def __init__(self, programs, database, *arguments, zone="Europe/London", port=0):
        self.log = Path(f"{database}.log")
        environment = {key: value for key, value in os.environ.items() if not key.startswith("EPG")}
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                [
                    programs.epgd, "--database", database, "--port", str(port),
                    # All windows and all hostile clients of the tests share one address.
                    "--limits-requests-per-minute", "0", *arguments],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, env={**environment, "TZ": zone})
        self.port = self.announced_port(20)
        self.origin = f"http://127.0.0.1:{self.port}"

    def announced_port(self, seconds):
        """Waits for the log line with the port and returns the port."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and self.process.poll() is None:
            found = re.search(r"listening on (?:\w+://)?(?:port )?(?:[\w.\[\]]+:)?(\d{2,5})\b", self.log.read_text("utf-8", "replace"))
            if found:
                return int(found[1])
            time.sleep(0.03)
        self.close()
        raise RuntimeError(f"epgd didn't start (exit {self.process.returncode}): {self.log.read_text()[-500:]}")

    def request(self, path, headers=None, method="GET", body=None, **parameters):
        """Sends a request and returns the status, headers and decompressed body."""
        if parameters:
            path += "?" + urlencode(parameters)
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, path, body, headers or {})
            response = connection.getresponse()
            content = response.read()
        finally:
            connection.close()
        if response.getheader("Content-Encoding") == "gzip":
            content = gzip.decompress(content)
        return response.status, dict((name.lower(), value) for name, value in response.getheaders()), content

    def json(self, path, **parameters):
        """Requests JSON from the API, expects status 200, and returns the decoded value."""
        status, _, content = self.request(path, **parameters)
        if status != 200:
            raise AssertionError(f"{path} {parameters} returned {status}: {content[:300]!r}")
        return json.loads(content)

    def memory(self):
        """Returns the resident memory in bytes."""
        found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{self.process.pid}/status").read_text())
        return int(found[1]) * 1024

    def close(self):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(15)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


class PictureServer:
    """A server of logos for guides that refer to http://pictures.example/TEXT.svg."""

    def __init__(self):
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                name = re.sub(r"[^A-Za-z0-9]", "", self.path.split("?")[0].rsplit("/", 1)[-1].split(".")[0])[:3] or "x"
                hue = sum(ord(character) * 37 for character in name) % 360
                picture = (
                    f'<svg xmlns="http://www.w3.org/2000/svg" width="96" height="64" viewBox="0 0 96 64">'
                    f'<rect width="96" height="64" rx="10" fill="hsl({hue} 60% 40%)"/><text x="48" y="42" fill="#fff" '
                    f'font-family="sans-serif" font-size="30" text-anchor="middle">{name}</text></svg>').encode()
                self.send_response(200)
                self.send_header("Content-Type", "image/svg+xml")
                self.send_header("Content-Length", str(len(picture)))
                self.end_headers()
                self.wfile.write(picture)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class CachingProxy:
    """Forwards requests to a service and caches each tile without revalidation."""

    def __init__(self, service):
        self.json, self.cache, self.grids = service.json, {}, []
        proxy = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                if self.path.startswith("/api/v1/events"):
                    self.send_response(204)
                    self.end_headers()
                    return
                response = proxy.cache.get(self.path)
                if not response:
                    response = service.request(self.path, {"Accept": self.headers.get("Accept", "*/*")})
                if self.path.startswith("/api/v1/grid"):
                    proxy.grids.append(self.path)
                    if response[0] == 200:
                        proxy.cache[self.path] = response
                status, headers, body = response
                self.send_response(status)
                for name, value in headers.items():
                    if name not in ("connection", "content-length", "date", "etag", "transfer-encoding"):
                        self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.origin = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()
