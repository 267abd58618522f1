"""Servers of pictures, and of a service's responses from a cache."""

import re

from support.servers import WebServer, send


class PictureServer(WebServer):
    """A server of logos for guides that refer to http://pictures.example/TEXT.svg."""

    def __init__(self):
        super().__init__(self._respond)

    def _respond(self, handler):
        name = re.sub(r"[^A-Za-z0-9]", "", handler.path.split("?")[0].rsplit("/", 1)[-1].split(".")[0])[:3] or "x"
        hue = sum(ord(character) * 37 for character in name) % 360
        picture = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="96" height="64" viewBox="0 0 96 64">'
            f'<rect width="96" height="64" rx="10" fill="hsl({hue} 60% 40%)"/><text x="48" y="42" fill="#fff" '
            f'font-family="sans-serif" font-size="30" text-anchor="middle">{name}</text></svg>').encode()
        send(handler, 200, {"Content-Type": "image/svg+xml"}, picture)


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
