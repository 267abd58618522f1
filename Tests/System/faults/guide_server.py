"""A server of guides on the loopback interface with entity tags."""

import hashlib
import threading

from support.servers import WebServer, send


class GuideServer(WebServer):
    """Serves the current body at every path."""

    def __init__(self, body: bytes = b"") -> None:
        self._body = b""
        #: The entity tag of the body.
        self.tag = ""
        self.requests = 0
        #: Cleared while responses have to wait.
        self.released = threading.Event()
        self.released.set()
        #: Whether the server sends and evaluates entity tags.
        self.tags = True
        self.body = body
        super().__init__(self._respond)

    @property
    def url(self) -> str:
        return f"{self.origin}/guide.xml"

    @property
    def body(self) -> bytes:
        return self._body

    @body.setter
    def body(self, body: bytes) -> None:
        self._body = body
        self.tag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'

    def _respond(self, handler) -> None:
        self.requests += 1
        body, tag = self._body, self.tag
        self.released.wait(20)
        headers = {"ETag": tag} if self.tags else {}
        if self.tags and handler.headers.get("If-None-Match") == tag:
            send(handler, 304, headers)
        else:
            send(handler, 200, {**headers, "Content-Type": "application/xml"}, body)
