"""Servers on the loopback interface."""

import socketserver
import threading
from http.server import BaseHTTPRequestHandler


class LocalServer(socketserver.ThreadingTCPServer):
    """A server on a free port, in a thread, until it is closed."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, handler):
        super().__init__(("127.0.0.1", 0), handler)
        self.port = self.server_address[1]
        self.origin = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()

    def handle_error(self, request, client_address):
        """Ignores errors: clients of the tests end at any time."""

    def close(self):
        self.shutdown()
        self.server_close()


class WebServer(LocalServer):
    """Answers each GET request by calling `respond` with its handler."""

    def __init__(self, respond):
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            # The header and the body of a small response are two writes.
            disable_nagle_algorithm = True

            def do_GET(self):
                respond(self)

            def log_message(self, *_):
                pass

        super().__init__(Handler)


def send(handler: BaseHTTPRequestHandler, status: int, headers=None, body: bytes = b"") -> None:
    """Sends a response, with its length unless it can have no body."""
    handler.send_response(status)
    for name, value in (headers or {}).items():
        handler.send_header(name, value)
    if status not in (204, 304):
        handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)
