"""Audits of accessibility by axe-core (Deque Systems), which PyPI's axe-playwright-python carries."""

from world import PACKAGE

SOURCE = PACKAGE / ".build/axe/axe.min.js"


def is_there():
    return SOURCE.exists()


def violations(browser):
    """What is wrong with the page that the window shows: impact, rule, and where, of the gravest kinds."""
    found = browser.run_async(
        SOURCE.read_text() + """
        ;const done = arguments[arguments.length - 1];
        axe.run(document, {resultTypes: ['violations']}).then(
            (result) => done(result.violations.map(({impact, id, help, nodes}) => ({
                impact, id, help, count: nodes.length,
                nodes: nodes.slice(0, 3).map((node) => node.html.slice(0, 160) + ' — ' + (node.any[0] || node.all[0] || node.none[0] || {message: ''}).message),
            }))), (problem) => done('axe failed: ' + problem));""")
    if isinstance(found, str):
        raise AssertionError(found)
    return found


def grave(found):
    """Those of impact serious or critical, in words."""
    return [
        f"{each['id']} ({each['impact']}, {each['count']}×): {each['help']}: {' | '.join(each['nodes'])}"
        for each in found if each["impact"] in ("serious", "critical")
    ]
