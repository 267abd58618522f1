"""epgd with the guide of a workspace."""

import contextlib
import http.client
import socket
import subprocess
import time

from harness import ExpectationFailed
from workspace import Workspace


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def limited(open_files: int, command: list) -> list:
    """Returns the command with a limit of open files."""
    return ["sh", "-c", f'ulimit -n {open_files} && exec "$0" "$@"', *command]


@contextlib.contextmanager
def service(workspace: Workspace, open_files: int | None = None):
    """Runs epgd and yields its process and port."""
    port = free_port()
    command = [workspace.harness.epgd, "--database", workspace.database, "--listen", f"127.0.0.1:{port}",
               "--limits-requests-per-minute", "0", "--limits-per-address", "4096"]
    process = subprocess.Popen(
        command if open_files is None else limited(open_files, command),
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        end = time.monotonic() + 20
        while not is_open(port):
            if process.poll() is not None or time.monotonic() > end:
                raise ExpectationFailed(f"epgd didn't start: exit {process.poll()}")
            time.sleep(0.05)
        yield process, port
    finally:
        if process.poll() is None:
            process.terminate()
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def is_open(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def get(port: int, path: str, timeout: float = 20) -> tuple[int, bytes]:
    """Sends one request on a new connection and returns the status and body."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
    try:
        connection.request("GET", path)
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()
