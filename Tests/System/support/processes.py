"""The programs under test, and other processes."""

import gzip
import http.client
import json
import os
import re
import socket
import subprocess
import time
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

from support.report import ExpectationFailed


def run(*command: object, **options) -> str:
    """Runs a command that must succeed and returns its standard output."""
    options = {"check": True, "capture_output": True, "text": True, "timeout": 600} | options
    return subprocess.run([str(word) for word in command], **options).stdout


def wait_until(condition, what: str, seconds: float = 20, pause: float = 0.03):
    """Waits until a condition is true and returns its value."""
    end = time.monotonic() + seconds
    while not (value := condition()):
        if time.monotonic() > end:
            raise ExpectationFailed(f"not within {seconds:g} s: {what}")
        time.sleep(pause)
    return value


def stop(process: subprocess.Popen, seconds: float = 20) -> int:
    """Ends a process with SIGTERM, or SIGKILL if it takes longer, and returns its exit code."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
    return process.wait()


def free_port() -> int:
    """Returns a free port, for programs that cannot choose one."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def is_open(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


class Response(NamedTuple):
    status: int
    #: Keys are lowercase names.
    headers: dict[str, str]
    #: The decompressed body.
    body: bytes


def request(port: int, path: str, headers=None, method="GET", body=None, timeout: float = 60, source: str = "") -> Response:
    """Sends a request on a new connection, from the address `source`."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout, source_address=(source, 0) if source else None)
    try:
        connection.request(method, path, body, headers or {})
        response = connection.getresponse()
        content = response.read()
    finally:
        connection.close()
    if response.getheader("Content-Encoding") == "gzip":
        content = gzip.decompress(content)
    return Response(response.status, {name.lower(): value for name, value in response.getheaders()}, content)


def limited(open_files: int, command: list) -> list:
    """Returns the command with a limit of open files."""
    return ["sh", "-c", f'ulimit -n {open_files} && exec "$0" "$@"', *command]


class Programs:
    """The programs of a build folder."""

    def __init__(self, folder):
        self.folder = Path(folder).resolve()
        self.epg, self.epgd = self.folder / "epg", self.folder / "epgd"

    def load(self, guide, database, source="tests"):
        """Imports a guide or a playlist, given as a path or bytes, into a database."""
        given = guide if isinstance(guide, bytes) else None
        command = [self.epg, "import", "-" if given is not None else guide, "--source", source, "--database", database]
        result = subprocess.run(
            command, input=given, stdin=None if given is not None else subprocess.DEVNULL, capture_output=True)
        if result.returncode:
            raise RuntimeError(f"epg import failed (exit {result.returncode}): {result.stderr.decode()[-500:]}")


class StartFailed(ExpectationFailed):
    """The service ended before it listened (with `code`), or did not listen in time (`None`)."""

    def __init__(self, code: int | None, log: str) -> None:
        super().__init__(f"epgd didn't start (exit {code}): {log[-500:]}")
        self.code = code


class Service:
    """An epgd process on its own port (by default, any free one), until it is closed."""

    def __init__(self, programs, database, *arguments, zone="Europe/London", port=0, open_files=None, environment=None, log=None):
        self.log = log or Path(f"{database}.log")
        # All clients of the tests share one address.
        command = [programs.epgd, "--database", database, "--port", str(port), "--limits-requests-per-minute", "0", *arguments]
        variables = {key: value for key, value in os.environ.items() if not key.startswith("EPG")}
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                command if open_files is None else limited(open_files, command), stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                env={**variables, "TZ": zone, **(environment or {})})
        try:
            self.port = wait_until(self._announced_port, "epgd listens")
        except ExpectationFailed:
            code = self.process.poll()
            self.close()
            raise StartFailed(code, self.log_text()) from None
        self.origin = f"http://127.0.0.1:{self.port}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _announced_port(self) -> int | None:
        """Returns the port from the log, if the service listens."""
        code = self.process.poll()
        found = re.search(r"listening on (?:\w+://)?(?:port )?(?:[\w.\[\]]+:)?(\d{2,5})\b", self.log_text())
        if code is not None and not found:
            raise ExpectationFailed("the service ended")
        return int(found[1]) if found else None

    def log_text(self) -> str:
        return self.log.read_text("utf-8", "replace")

    def request(self, path, headers=None, method="GET", body=None, timeout=60, source="", **parameters) -> Response:
        """Sends a request on a new connection."""
        if parameters:
            path += "?" + urlencode(parameters)
        return request(self.port, path, headers, method, body, timeout, source)

    def json(self, path, **parameters):
        """Requests JSON from the API, expects status 200, and returns the decoded value."""
        response = self.request(path, **parameters)
        if response.status != 200:
            raise AssertionError(f"{path} {parameters} returned {response.status}: {response.body[:300]!r}")
        return json.loads(response.body)

    def memory(self, name="VmRSS"):
        """Returns a size of the process in bytes, as in /proc/PID/status: `VmRSS`, `VmHWM`, `RssAnon` or `RssFile`."""
        found = re.search(rf"{name}:\s+(\d+) kB", Path(f"/proc/{self.process.pid}/status").read_text())
        return int(found[1]) * 1024

    def expect_running(self):
        code = self.process.poll()
        if code is not None:
            raise ExpectationFailed(f"epgd ended with {code}")

    def close(self):
        stop(self.process)
