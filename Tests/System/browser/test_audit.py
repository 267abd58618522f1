"""Accessibility audits with axe-core: no serious or critical violation on any page, in light and dark mode."""

import axe
from guide_page import GuidePage
from support.report import long
from test_page_policies import pages
from world import EVENING


def _audit(world, name, path, colors, size=(1280, 800), prepare=None):
    page = GuidePage.on(world, world.service("sample"), size=size)
    page.prefer(color_scheme=colors, reduced_motion="reduce")
    page.open(path)
    page.settle()
    if prepare:
        prepare(page)
    found = axe.violations(page)
    for each in found:
        world.note(f"{name}, {colors}: {each['id']} ({each['impact']}, {each['count']}×)")
    serious = axe.serious(found)
    assert not serious, f"{name}, {colors}: " + "; ".join(serious)


def _every_page(world, colors):
    failures = []
    for name, path in pages(world.service("sample")).items():
        try:
            _audit(world, name, path, colors)
        except AssertionError as problem:
            failures.append(str(problem))
        world.close_browsers()
    assert not failures, "\n".join(failures)


@long
def light_pages_have_no_serious_violation(world):
    _every_page(world, "light")


@long
def dark_pages_have_no_serious_violation(world):
    _every_page(world, "dark")


@long
def phone_page_has_no_serious_violation(world):
    _audit(world, "phone", f"/?at={EVENING}", "light", size=(390, 844))


@long
def details_panel_has_no_serious_violation(world):
    for colors in ("light", "dark"):
        _audit(world, "details", f"/?at={EVENING}", colors, prepare=lambda page: page.open_details())
        world.close_browsers()
