"""The page honors the preference for reduced motion."""

from guide_page import GuidePage
from support.report import long
from world import EVENING


def reduced_motion_disables_animations_and_smooth_scrolling(world):
    page = GuidePage.on(world, world.service("sample"))
    page.prefer(reduced_motion="reduce")
    page.show(f"/?at={EVENING}")
    page.open_details()
    moving = page.run("""
        return document.getAnimations().filter((each) => each.playState === 'running'
            && each.effect.getComputedTiming().duration > 20).map((each) => each.effect.target.outerHTML.slice(0, 100))""")
    assert not moving, moving
    smooth = page.run("""
        return [...document.querySelectorAll('*')].filter((each) => getComputedStyle(each).scrollBehavior === 'smooth')
            .map((each) => each.outerHTML.slice(0, 80))""")
    assert not smooth, smooth


@long
def jump_to_now_is_immediate_with_reduced_motion(world):
    page = GuidePage.on(world, world.service("small"))
    page.prefer(reduced_motion="reduce")
    page.show("/")
    page.scroll_to_part(1, 0)
    far = page.scrolled()[0]
    page.press_button("now")
    page.run_async("requestAnimationFrame(() => requestAnimationFrame(arguments[arguments.length - 1]))")
    page.run_async("requestAnimationFrame(() => requestAnimationFrame(arguments[arguments.length - 1]))")
    there = page.scrolled()[0]
    page.settle()
    assert abs(page.scrolled()[0] - there) < 2 and abs(there - far) > 100, (far, there, page.scrolled())
