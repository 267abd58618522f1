"""User actions on a page, and queries of its state."""

import os
import re
import time

from support.processes import wait_until
from webdriver import Session

#: Key codes (https://www.w3.org/TR/webdriver2/#keyboard-actions).
KEYS = {
    "Backspace": "\ue003", "Tab": "\ue004", "Enter": "\ue007", "Shift": "\ue008", "Control": "\ue009", "Alt": "\ue00a", "Escape": "\ue00c",
    "Space": " ", "PageUp": "\ue00e", "PageDown": "\ue00f", "End": "\ue010", "Home": "\ue011", "ArrowLeft": "\ue012",
    "ArrowUp": "\ue013", "ArrowRight": "\ue014", "ArrowDown": "\ue015",
}


class Browser(Session):
    """A Chromium window for a service. It can reach only this machine."""

    def __init__(self, driver, origin="", size=(1280, 800), language="en-GB", program=None, switches=(), tracing=None):
        rules = "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
        arguments = [
            "--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions",
            f"--lang={language}", f"--accept-lang={language}", f"--window-size={size[0]},{size[1]}",
            f"--host-resolver-rules={rules}", *switches,
        ]
        if os.geteuid() == 0:
            arguments.append("--no-sandbox")
        options = {"args": arguments, "prefs": {"intl.accept_languages": language}}
        if program:
            options["binary"] = program
        if tracing:  # The performance log has trace events of these categories, too.
            options["perfLoggingPrefs"] = {"traceCategories": tracing}
        super().__init__(driver, {
            "browserName": "chrome", "goog:chromeOptions": options, "timeouts": {"script": 60_000, "pageLoad": 60_000},
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}, "unhandledPromptBehavior": "ignore",
        })
        self.origin = origin
        self.resize(*size)

    # --- Emulation

    def resize(self, width, height, scale=1, touch=False):
        """Sets the size of the viewport in CSS pixels."""
        self.developer("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=touch)
        self.developer("Emulation.setTouchEmulationEnabled", enabled=touch, maxTouchPoints=5 if touch else 1)

    def prefer(self, **features):
        """Emulates media features, such as `color_scheme="dark"` or `reduced_motion="reduce"`, and resets the others."""
        self.developer("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-" + name.replace("_", "-"), "value": value} for name, value in features.items()])

    def scripts(self, enabled):
        self.developer("Emulation.setScriptExecutionDisabled", value=not enabled)

    def zone(self, name):
        self.developer("Emulation.setTimezoneOverride", timezoneId=name)

    # --- User actions

    def open(self, path="/", wait=None):
        """Opens a page of the service and waits until the expression `wait` is true."""
        self.go(self.origin + path)
        if wait:
            self.wait(wait)

    def wait(self, expression, *arguments, timeout=10):
        """Waits until an expression is true and returns its value. The expression can use `arguments`."""
        return wait_until(lambda: self.run(f"return ({expression})", *arguments), expression, timeout)

    def press(self, *names, holding=None):
        """Presses keys in sequence, by name or as single characters."""
        actions = [{"type": "keyDown", "value": KEYS[holding]}] if holding else []
        for name in names:
            key = KEYS.get(name, name)
            actions += [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        if holding:
            actions.append({"type": "keyUp", "value": KEYS[holding]})
        self.act({"type": "key", "id": "keyboard", "actions": actions})

    def write(self, text):
        self.press(*text)

    def wheel(self, x, y, across=0, down=0, milliseconds=0):
        """Turns the mouse wheel at a point of the window."""
        self.act({"type": "wheel", "id": "wheel", "actions": [{
            "type": "scroll", "x": int(x), "y": int(y), "deltaX": int(across), "deltaY": int(down),
            "duration": milliseconds, "origin": "viewport"}]})

    def click(self, selector):
        """Clicks in the middle of the first visible element that matches a selector."""
        point = self.wait("""(() => {
            for (const found of document.querySelectorAll(arguments[0])) {
                found.scrollIntoView({block: 'nearest', inline: 'nearest', behavior: 'instant'});
                const box = found.getBoundingClientRect();
                if (box.width && box.height) return [box.x + box.width / 2, box.y + box.height / 2];
            }
        })()""", selector)
        self.click_at(*point)

    def click_at(self, x, y):
        self.act({"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": [
            {"type": "pointerMove", "duration": 0, "x": int(x), "y": int(y), "origin": "viewport"},
            {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]})

    def swipe(self, start, end, milliseconds=200):
        """Swipes with one finger."""
        steps = max(2, milliseconds // 16)
        points = [[start[axis] + (end[axis] - start[axis]) * step / steps for axis in (0, 1)] for step in range(steps + 1)]
        self.developer("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": points[0][0], "y": points[0][1]}])
        for x, y in points[1:]:
            self.developer("Input.dispatchTouchEvent", type="touchMove", touchPoints=[{"x": x, "y": y}])
            time.sleep(milliseconds / steps / 1000)
        self.developer("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    # --- Queries

    def box(self, selector):
        """Returns the left, top, width and height of an element in the window, or `None` if it is missing."""
        return self.run("""
            const found = document.querySelector(arguments[0]);
            if (!found) return null;
            const box = found.getBoundingClientRect();
            return [box.left, box.top, box.width, box.height];""", selector)

    def count(self, selector):
        return self.run("return document.querySelectorAll(arguments[0]).length", selector)

    def text(self, selector):
        return self.run("const found = document.querySelector(arguments[0]); return found && found.textContent", selector)

    def accessibility(self):
        """Returns the accessibility tree: role, name and properties of all nodes that are not ignored."""
        nodes = self.developer("Accessibility.getFullAXTree")["nodes"]
        return [
            {
                "role": node.get("role", {}).get("value"), "name": node.get("name", {}).get("value", ""),
                **{entry["name"]: entry["value"].get("value") for entry in node.get("properties", [])},
                "id": node["nodeId"], "parent": node.get("parentId"), "element": node.get("backendDOMNodeId"),
            }
            for node in nodes if not node.get("ignored")
        ]

    def console_errors(self):
        """Returns console errors and Content-Security-Policy violations since the last call.

        Ignores failures to load the guide's pictures, whose hosts are unreachable here, also for the service.
        """
        found = []
        for entry in self.log("browser"):
            message = entry["message"]
            picture = "Failed to load resource" in message and (not message.startswith(self.origin) or "/art/" in message)
            violation = "Content Security Policy" in entry["message"] or entry["source"] == "security"
            if (entry["level"] in ("SEVERE",) or violation) and not picture:
                found.append(entry["message"])
        return found

    def requests(self):
        """Returns the URLs requested since the last call, with their resource types (`Document`, `Script`, `Image`, …)."""
        return [
            (message["params"]["request"]["url"], message["params"].get("type"))
            for message in self.log("performance")
            if message["method"] == "Network.requestWillBeSent"
            and re.match("https?:", message["params"]["request"]["url"])
        ]
