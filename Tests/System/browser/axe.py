"""Accessibility audits with axe-core (Deque Systems), from PyPI's axe-playwright-python."""

from pathlib import Path

from support import packages


def source():
    """Returns axe-core's code."""
    folder = packages.installed(Path(__file__).with_name("requirements.txt"), "--no-deps")
    return (packages.modules(folder) / "axe_playwright_python/axe.min.js").read_text()


def violations(browser):
    """Returns the accessibility violations of the current page."""
    found = browser.run_async(
        source() + """
        ;const done = arguments[arguments.length - 1];
        axe.run(document, {resultTypes: ['violations']}).then(
            (result) => done(result.violations.map(({impact, id, help, nodes}) => ({
                impact, id, help, count: nodes.length,
                nodes: nodes.slice(0, 3).map((node) => node.html.slice(0, 160) + ' — ' + (node.any[0] || node.all[0] || node.none[0] || {message: ''}).message),
            }))), (problem) => done('axe failed: ' + problem));""")
    if isinstance(found, str):
        raise AssertionError(found)
    return found


def serious(found):
    """Describes the violations whose impact is serious or critical."""
    return [
        f"{each['id']} ({each['impact']}, {each['count']}×): {each['help']}: {' | '.join(each['nodes'])}"
        for each in found if each["impact"] in ("serious", "critical")
    ]
