"""A server of guides on the loopback interface with entity tags."""

import hashlib
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class GuideServer:
    """Serves the current body at every path."""

    def __init__(self, body: bytes = b"") -> None:
        self._body = b""
        #: The entity tag of the body.
        self.tag = ""
        self.requests = 0
        #: Delay of each response before its first byte, in seconds.
        self.delay = 0.0
        #: Whether the server sends and evaluates entity tags.
        self.tags = True
        self.body = body
        owner = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            # The header and the body of a small response are two writes.
            disable_nagle_algorithm = True

            def do_GET(self) -> None:  # noqa: N802 (the name is http.server's)
                owner._respond(self)

            def log_message(self, *_: object) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 128

            def handle_error(self, request: object, client_address: object) -> None:
                """Ignores errors: the tests kill clients on purpose."""

        self._server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/guide.xml"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    @property
    def body(self) -> bytes:
        return self._body

    @body.setter
    def body(self, body: bytes) -> None:
        self._body = body
        self.tag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'

    def _respond(self, request: BaseHTTPRequestHandler) -> None:
        self.requests += 1
        body, tag = self._body, self.tag
        if self.delay:
            time.sleep(self.delay)
        unchanged = self.tags and request.headers.get("If-None-Match") == tag
        request.send_response(304 if unchanged else 200)
        if self.tags:
            request.send_header("ETag", tag)
        if not unchanged:
            request.send_header("Content-Type", "application/xml")
            request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        if not unchanged:
            request.wfile.write(body)

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
