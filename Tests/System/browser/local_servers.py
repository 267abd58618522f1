"""Servers of pictures, and of a service's responses from a cache."""

import struct
import zlib

from support.servers import WebServer, send


def png(width, height, color=(200, 40, 40)):
    """Returns a picture of one color (ISO/IEC 15948)."""
    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    rows = (b"\0" + bytes(color) * width) * height
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


class PictureServer(WebServer):
    """A server of logos, in a color that depends on their names."""

    def __init__(self):
        super().__init__(self._respond)

    def _respond(self, handler):
        hue = zlib.crc32(handler.path.encode())
        send(handler, 200, {"Content-Type": "image/png"}, png(96, 64, (hue & 127, hue >> 8 & 127, 64 + (hue >> 16 & 127))))


class CachingProxy(WebServer):
    """Forwards requests to a service and caches each tile without revalidation."""

    def __init__(self, service):
        self.service, self.json, self.cache, self.grids = service, service.json, {}, []
        super().__init__(self._respond)

    def _respond(self, handler):
        if handler.path.startswith("/api/v1/events"):
            send(handler, 204)
            return
        response = self.cache.get(handler.path)
        if not response:
            response = self.service.request(handler.path, {"Accept": handler.headers.get("Accept", "*/*")})
        if handler.path.startswith("/api/v1/grid"):
            self.grids.append(handler.path)
            if response.status == 200:
                self.cache[handler.path] = response
        hidden = ("connection", "content-encoding", "content-length", "date", "etag", "transfer-encoding")
        send(handler, response.status, {name: value for name, value in response.headers.items() if name not in hidden}, response.body)
