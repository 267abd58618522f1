"""Tests the service in headless Chromium over WebDriver."""

import os
from pathlib import Path

from support.report import need, tests

FOLDER = Path(__file__).resolve().parent


def run(options, report, folder=FOLDER):
    need(os.environ.get("CHROMIUM", "chromium"))
    need(os.environ.get("CHROMEDRIVER", "chromedriver"), "chromium-driver")
    from world import World

    world = World(options.programs, options.short)

    def check(test):
        try:
            test(world)
            return "\n".join(world.facts)
        except Exception:
            for fact in world.facts:
                print(f"        {fact}")
            if world.browsers:
                try:
                    world.screenshot(world.browsers[-1], f"failed-{test.__name__[:60]}")
                except Exception:  # The window itself may have failed.
                    pass
            raise
        finally:
            world.facts.clear()
            world.close_browsers()

    try:
        for name, test in tests(folder, "world", options):
            report.check(name, check, test)
    finally:
        world.close()
    print(f"screenshots: {world.shots}")


def run_abuse(options, report):
    """Sends hostile input, with the windows and services of the browser tests."""
    run(options, report, FOLDER.parent / "abuse")
