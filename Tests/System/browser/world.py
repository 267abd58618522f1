"""The context that tests share: the programs, services with guides, and the browser driver. Closing it ends them all."""

import calendar
import os
import shutil
import tempfile
import time
from pathlib import Path

import generated_guide
from browser import Browser
from local_servers import PictureServer
from support import SAMPLES, SCRATCH
from support.processes import Service
from webdriver import Driver

#: 18:40 in London, on the evening of the sample guide: the day on which daylight saving time ends.
EVENING = calendar.timegm((2026, 10, 25, 18, 40, 0))

#: Numbers of stations and days of the generated guides.
SIZES = {"small": (400, 3), "medium": (5_000, 3), "large": (20_000, 2)}


class World:
    def __init__(self, programs, short):
        self.programs, self.short = programs, short
        self.shots = SCRATCH / "screenshots"
        self.shots.mkdir(parents=True, exist_ok=True)
        self.folder = Path(tempfile.mkdtemp(prefix="epg-browser-"))
        self.pictures = PictureServer()
        self.driver = Driver(os.environ.get("CHROMEDRIVER", "chromedriver"), self.folder / "chromedriver.log")
        self.services, self.browsers, self.facts = {}, [], []
        #: Yesterday's midnight (UTC), the start of generated guides.
        self.start = (int(time.time()) // 86_400 - 1) * 86_400

    # --- Guides and services

    def service(self, name):
        """Returns a service with the guide `sample`, the same with its lineup (`grouped`), or a generated current one (`small`, `medium`, `large`)."""
        if name in self.services and self.services[name].process.poll() is not None:
            self.services.pop(name)
        if name not in self.services:
            self.services[name] = Service(self.programs, self.database(name), "--private-hosts", "127.0.0.1")
        return self.services[name]

    def database(self, name):
        """Returns the path of a database with the guide, creating it if needed."""
        path = self.folder / f"{name}.sqlite"
        if path.exists():  # A new service replaces one that ended.
            return path
        if name == "sample":
            self.programs.load(SAMPLES / "evening.xml", path)
            return path
        if name == "grouped":
            for file in ("evening.xml", "evening.m3u"):
                self.programs.load(SAMPLES / file, path, file)
            return path
        stations, days = SIZES[name]
        guide = self.folder / f"{name}.xml"
        generated_guide.write(guide, stations, days, self.start, self.pictures.origin)
        self.programs.load(guide, path)
        guide.unlink()
        return path

    def own_service(self, guide, name, *arguments, **settings):
        """Returns a service with a separate database that the test may change; `guide` is a path or bytes."""
        path = self.folder / f"{name}.sqlite"
        self.programs.load(guide, path)
        self.services[f"own {name}"] = service = Service(self.programs, path, *arguments, **settings)
        service.database = path
        return service

    # --- Windows

    def browser(self, service, kind=Browser, **settings):
        """Opens a new window for a service; it closes when the test ends."""
        browser = kind(
            self.driver, service.origin, program=os.environ.get("CHROMIUM"), **settings)
        self.browsers.append(browser)
        return browser

    def screenshot(self, browser, name):
        browser.screenshot(self.shots / f"{name}.png")

    def close_browsers(self):
        while self.browsers:
            self.browsers.pop().close()

    def note(self, text):
        """Records a figure that is printed with the test's result."""
        self.facts.append(text)

    def close(self):
        for close in [self.close_browsers, *(each.close for each in self.services.values()), self.driver.close, self.pictures.close]:
            try:
                close()
            except Exception as problem:  # The other processes must end too.
                print(f"while closing: {problem}")
        shutil.rmtree(self.folder, ignore_errors=True)
