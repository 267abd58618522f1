"""A server on the loopback interface that sends exactly the bytes of each test, valid HTTP or not."""

import socketserver
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from support.servers import LocalServer


@dataclass
class Request:
    #: The number of this request for its path, from 0.
    number: int
    path: str
    #: Keys are lowercase names.
    headers: dict[str, str] = field(default_factory=dict)


#: Returns the pieces to send; then the server closes the connection.
Plan = Callable[[Request], Iterable[bytes]]


def response(status: str, *fields: str, body: bytes = b"", length: bool = True) -> bytes:
    """Returns a well-formed response."""
    lines = [f"HTTP/1.1 {status}", *fields] + ([f"Content-Length: {len(body)}"] if length else [])
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def chunked(body: bytes, size: int = 4096) -> bytes:
    """Encodes the body in chunks (RFC 9112, section 7.1)."""
    parts = [b"%x\r\n%s\r\n" % (len(piece := body[at : at + size]), piece) for at in range(0, len(body), size)]
    return b"".join(parts) + b"0\r\n\r\n"


class HostileServer(LocalServer):
    """Serves each path by its own plan."""

    def __init__(self) -> None:
        self._plans: dict[str, Plan] = {}
        self._counts: dict[str, int] = {}
        self._lock = threading.Lock()
        owner = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                owner._serve(self)

        super().__init__(Handler)

    def url(self, path: str, plan: Plan) -> str:
        """Sets the plan of a path and returns its URL."""
        with self._lock:
            self._plans[path] = plan
            self._counts[path] = 0
        return self.origin + path

    def _serve(self, connection: socketserver.StreamRequestHandler) -> None:
        parts = connection.rfile.readline(65_536).split()
        headers: dict[str, str] = {}
        while (line := connection.rfile.readline(65_536).strip()):
            name, _, value = line.decode("latin-1").partition(":")
            headers[name.lower()] = value.strip()
        if len(parts) < 2:
            return
        path = parts[1].decode("latin-1")
        with self._lock:
            plan = self._plans[path]
            request = Request(self._counts[path], path, headers)
            self._counts[path] += 1
        for piece in plan(request):
            connection.wfile.write(piece)


def slowly(data: bytes, seconds: float) -> Iterable[bytes]:
    """Yields the data byte by byte, with a pause before each."""
    for offset in range(len(data)):
        time.sleep(seconds)
        yield data[offset : offset + 1]
