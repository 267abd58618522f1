"""epgd over a guide."""

import contextlib
import http.client
import socket
import subprocess
import time

from frame import Expectation
from place import Place


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def limited(open_files: int, command: list) -> list:
    """A command with a limit of open files."""
    return ["sh", "-c", f'ulimit -n {open_files} && exec "$0" "$@"', *command]


@contextlib.contextmanager
def service(place: Place, open_files: int | None = None):
    """Runs epgd; its process and its port."""
    port = free_port()
    command = [place.bench.epgd, "--database", place.database, "--listen", f"127.0.0.1:{port}",
               "--limits-requests-per-minute", "0", "--limits-per-address", "4096"]
    process = subprocess.Popen(
        command if open_files is None else limited(open_files, command),
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        end = time.monotonic() + 20
        while not is_open(port):
            if process.poll() is not None or time.monotonic() > end:
                raise Expectation(f"epgd didn't begin: exit {process.poll()}")
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
    """One request on a connection of its own."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()
