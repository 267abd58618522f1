"""A WebDriver client (https://www.w3.org/TR/webdriver2/) that uses only the standard library."""

import base64
import http.client
import json
import os
import subprocess
from pathlib import Path

from support.processes import free_port, stop, wait_until

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


class WebDriverError(Exception):
    """An error response of the driver, starting with its error code."""


class Driver:
    """A chromedriver process that runs until it is closed."""

    def __init__(self, program="chromedriver", log=None):
        self.port = free_port()
        output = open(log, "ab") if log else subprocess.DEVNULL
        # Viewers are in the zone of the services, unless a test sets another one.
        self.process = subprocess.Popen(
            [program, f"--port={self.port}"], stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
            env={**os.environ, "TZ": "Europe/London"})
        wait_until(self._is_ready, f"{program} is ready")

    def _is_ready(self):
        if self.process.poll() is not None:
            raise WebDriverError(f"{self.process.args[0]} ended with {self.process.returncode}")
        try:
            return self.request("GET", "/status")["ready"]
        except OSError:
            return False

    def request(self, method, path, body=None, timeout=120):
        """Sends a command and returns the value of the response."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            text = None if body is None else json.dumps(body)
            connection.request(method, path, text, {"Content-Type": "application/json; charset=utf-8"})
            value = json.loads(connection.getresponse().read())["value"]
        finally:
            connection.close()
        if isinstance(value, dict) and "error" in value and "stacktrace" in value:
            raise WebDriverError(f"{value['error']}: {value['message'].splitlines()[0]}")
        return value

    def close(self):
        stop(self.process)


class Session:
    """A browser window with a separate profile."""

    def __init__(self, driver, capabilities):
        self.driver = driver
        session = driver.request("POST", "/session", {"capabilities": {"alwaysMatch": capabilities}})
        self.path = f"/session/{session['sessionId']}"

    def get(self, path):
        return self.driver.request("GET", self.path + path)

    def post(self, path, **body):
        return self.driver.request("POST", self.path + path, body)

    def close(self):
        self.driver.request("DELETE", self.path)

    def go(self, url):
        self.post("/url", url=url)

    def run(self, script, *arguments):
        """Runs a function body with `arguments` and returns its result."""
        return self.post("/execute/sync", script=script, args=list(arguments))

    def run_async(self, script, *arguments):
        """Runs a function body and returns the value passed to its callback, the last of `arguments`."""
        return self.post("/execute/async", script=script, args=list(arguments))

    def developer(self, command, **parameters):
        """Sends a command of the Chrome DevTools Protocol and returns its result."""
        return self.post("/goog/cdp/execute", cmd=command, params=parameters)

    def log(self, kind):
        """Returns the log entries since the last call: `browser` (console) or `performance` (DevTools events)."""
        entries = self.post("/se/log", type=kind)
        return [json.loads(entry["message"])["message"] for entry in entries] if kind == "performance" else entries

    def elements(self, selector):
        return self.post("/elements", using="css selector", value=selector)

    def act(self, *sources):
        self.post("/actions", actions=list(sources))

    def screenshot(self, path):
        """Saves a screenshot of the window."""
        Path(path).write_bytes(base64.b64decode(self.get("/screenshot")))
