"""A television with a remote control, and what its browser knows."""

import time

from guide_page import GuidePage
from world import EVENING

#: The name and the code that a key sends, by television and key. The codes are in the manufacturers' documentation, see remote.js.
REMOTES = {
    "Tizen": {"Back": ("XF86Back", 10009), "ChannelUp": ("ChannelUp", 427), "ChannelDown": ("ChannelDown", 428)},
    "webOS": {"Back": ("GoBack", 461), "ChannelUp": ("PageUp", 33), "ChannelDown": ("PageDown", 34)},
    "Android TV": {"Back": ("GoBack", 4), "ChannelUp": ("Unidentified", 166), "ChannelDown": ("Unidentified", 167)},
    "HbbTV": {"Back": ("Unidentified", 461), "ChannelUp": ("Unidentified", 427), "ChannelDown": ("Unidentified", 428)},
}
#: Keys that all remote controls have.
COMMON = {
    "OK": ("Enter", 13), "Left": ("ArrowLeft", 37), "Up": ("ArrowUp", 38), "Right": ("ArrowRight", 39), "Down": ("ArrowDown", 40),
    **{str(digit): (str(digit), 48 + digit) for digit in range(10)},
}


class Television(GuidePage):
    """A window of 1920 × 1080 pixels that is used with a remote control."""

    @classmethod
    def on(cls, world, service, kind="Tizen", size=(1920, 1080), **settings):
        page = super().on(world, service, size=size, **settings)
        page.keys = {**COMMON, **REMOTES[kind]}
        return page

    def key(self, name, seconds=0):
        """Presses a key of the remote control, and holds it for some seconds."""
        key, code = self.keys[name]
        event = {"key": key, "windowsVirtualKeyCode": code}
        # Only these keys do something by default.
        if name == "OK":
            event["text"] = "\r"
        self.developer("Input.dispatchKeyEvent", type="keyDown" if "text" in event else "rawKeyDown", **event)
        if seconds:
            time.sleep(seconds)
        event.pop("text", None)
        self.developer("Input.dispatchKeyEvent", type="keyUp", **event)

    def show(self, path="/"):
        super().show(path)
        self.wait("document.activeElement !== document.body || !('tv' in document.documentElement.dataset)")

    def watch(self, path="/"):
        """Opens a page of the sample guide."""
        path += ("&" if "?" in path else "?") + f"tv=1&at={EVENING}"
        if path.startswith("/?"):
            self.show(path)
            self.wait("document.activeElement.closest('.cell')")
        else:
            self.open(path, wait="document.readyState === 'complete'")
            self.settle()

    def active(self):
        """Returns the identifier, or the text, of the focused element."""
        return self.run("const found = document.activeElement; return found.id || found.textContent.trim()")


#: The pages for viewers, by name. STATION and AIRING are identifiers.
PAGES = {
    "guide": "/", "home": "/home", "stations": "/stations", "day": "/stations/STATION", "airing": "/airings/AIRING", "search": "/search?q=the",
    "no results": "/search?q=qqqq", "watchlist": "/watch", "error": "/nothing",
}


def pages(service, isShort=False):
    """Returns the paths of the pages for viewers by name; in short runs, of one page of each kind."""
    station = service.json("/api/v1/stations")["stations"][1]["id"]
    airing = service.json(f"/api/v1/stations/{station}/schedule?day=2026-10-25")["airings"][-1]["id"]
    return {name: path.replace("STATION", station).replace("AIRING", str(airing)) for name, path in PAGES.items()
            if not isShort or name in ("guide", "home", "airing", "search")}
