"""Accessibility by axe-core: nothing of impact serious or critical, on any page, light and dark."""

import axe
from guide_page import GuidePage
from test_quiet import pages
from world import EVENING, long


def _audit(world, name, path, colours, size=(1280, 800), prepare=None):
    if not axe.is_there():
        world.note("skipped: axe.min.js could not be had from PyPI")
        return
    page = GuidePage.on(world, world.service("sample"), size=size)
    page.prefer(color_scheme=colours, reduced_motion="reduce")
    page.open(path)
    page.settle()
    if prepare:
        prepare(page)
    found = axe.violations(page)
    for each in found:
        world.note(f"{name}, {colours}: {each['id']} ({each['impact']}, {each['count']}×)")
    grave = axe.grave(found)
    assert not grave, f"{name}, {colours}: " + "; ".join(grave)


def _every_page(world, colours):
    wrong = []
    for name, path in pages(world.service("sample")).items():
        try:
            _audit(world, name, path, colours)
        except AssertionError as problem:
            wrong.append(str(problem))
        world.close_browsers()
    assert not wrong, "\n".join(wrong)


@long
def light_pages_have_no_serious_fault(world):
    _every_page(world, "light")


@long
def dark_pages_have_no_serious_fault(world):
    _every_page(world, "dark")


@long
def a_phone_has_no_serious_fault(world):
    _audit(world, "phone", f"/?at={EVENING}", "light", size=(390, 844))


@long
def the_details_panel_has_no_serious_fault(world):
    for colours in ("light", "dark"):
        _audit(world, "details", f"/?at={EVENING}", colours, prepare=lambda page: page.open_details())
        world.close_browsers()
