"""What tests share: the programs, services over guides, and the browser's driver. Nothing outlives it."""

import calendar
import os
import shutil
import tempfile
import time
from pathlib import Path

import generated_guide
from browser import Browser
from service import PictureServer, Programs, Service
from webdriver import Driver

PACKAGE = Path(__file__).resolve().parents[2]

#: The evening of the sample guide on which clocks go back, when there is always something on: 18:40 in London.
EVENING = calendar.timegm((2026, 10, 25, 18, 40, 0))

#: How many stations and days the generated guides have.
SIZES = {"small": (400, 3), "medium": (5_000, 3), "large": (20_000, 2)}


def thorough(test):
    """A test that is left out of `--short`."""
    test.level = "thorough"
    return test


def long(test):
    """A test that only `--long` runs."""
    test.level = "long"
    return test


class World:
    def __init__(self, build, shots, level="thorough", keep=None):
        self.programs, self.level = Programs(build), level
        self.shots = Path(shots).resolve()
        self.shots.mkdir(parents=True, exist_ok=True)
        self.folder = Path(tempfile.mkdtemp(prefix="epg-browser-"))
        self.kept = keep
        self.pictures = PictureServer()
        self.driver = Driver(os.environ.get("CHROMEDRIVER", "chromedriver"), self.folder / "chromedriver.log")
        self.services, self.browsers, self.facts = {}, [], []
        #: The midnight (UTC) before today, with which generated guides begin.
        self.start = (int(time.time()) // 86_400 - 1) * 86_400

    # --- Guides and services

    def service(self, name):
        """A service over a guide: `sample`, or a generated one that is on now (`small`, `medium`, `large`)."""
        if name in self.services and self.services[name].process.poll() is not None:
            self.services.pop(name).close()
        if name not in self.services:
            self.services[name] = Service(self.programs, self.database(name))
        return self.services[name]

    def database(self, name):
        """A fresh database with a guide in it."""
        path = self.folder / f"{name}.sqlite"
        if path.exists():  # The service over it ended, and another one begins.
            return path
        if name == "sample":
            self.programs.load(PACKAGE / "sample-data/evening.xml", path)
            return path
        stations, days = SIZES[name]
        guide = self.folder / f"{name}.xml"
        generated_guide.write(guide, stations, days, self.start)
        self.programs.load(guide, path)
        guide.unlink()
        return path

    def own_service(self, guide, name, *arguments, **settings):
        """A service over a database of a test's own, which it may change; `guide` is a path or bytes."""
        path = self.folder / f"{name}.sqlite"
        self.programs.load(guide, path)
        self.services[f"own {name}"] = made = Service(self.programs, path, *arguments, **settings)
        made.database = path
        return made

    # --- Windows

    def browser(self, service, kind=Browser, **settings):
        """A new window on a service; it is closed when the test ends."""
        made = kind(
            self.driver, service.origin, pictures=self.pictures.port, program=os.environ.get("CHROMIUM"), **settings)
        self.browsers.append(made)
        return made

    def picture(self, browser, name):
        browser.picture(self.shots / f"{name}.png")

    def close_browsers(self):
        while self.browsers:
            self.browsers.pop().close()

    def note(self, text):
        """A measured figure, printed with the test's result."""
        self.facts.append(text)

    def close(self):
        for close in [self.close_browsers, *(each.close for each in self.services.values()), self.driver.close, self.pictures.close]:
            try:
                close()
            except Exception as problem:  # What else was started has to end too.
                print(f"while closing: {problem}")
        shutil.rmtree(self.folder, ignore_errors=True)
