"""Clients of the database: psql, run again and again."""

import contextlib
import subprocess
import threading
import time

from cluster import Cluster, Node
from support.processes import wait_until
from support.report import ExpectationFailed, expect

#: Time after which a client gives up a statement, whose outcome it then doesn't know.
PATIENCE = 4.0
_numbers = iter(range(1, 1 << 60))


class Writer:
    """A client that inserts numbers with psql and remembers those that the server acknowledged.

    - node: The node on which the client runs and whose server it uses; by default, any primary from outside.
    """

    def __init__(self, cluster: Cluster, node: Node | None = None, pause: float = 0.01) -> None:
        self.pause = pause
        self.url = cluster.url() if node is None else cluster.url("any", "localhost")
        self.node = node
        #: The acknowledged numbers, with the times of the acknowledgments.
        self.acknowledged: dict[int, float] = {}
        self.errors: list[str] = []
        self._is_finished = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self):
        self._thread.start()
        wait_until(lambda: len(self.acknowledged) >= 20, "the first writes")
        return self

    def __exit__(self, *_) -> None:
        self._is_finished.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._is_finished.wait(self.pause):
            number = next(_numbers)
            command = ["psql", self.url, "-Xq", "-v", "ON_ERROR_STOP=1", "-c", f"INSERT INTO written VALUES ({number})"]
            try:
                done = subprocess.run(
                    self.node.words(*command) if self.node else command, capture_output=True, text=True, timeout=PATIENCE)
            except subprocess.TimeoutExpired:
                self.errors.append("timeout")
                continue
            # A warning means that the server gave up waiting for the standby.
            if done.returncode == 0 and "WARNING" not in done.stderr:
                self.acknowledged[number] = time.monotonic()
            else:
                self.errors.append(done.stderr.strip())

    def wait_for_write(self, since: float, seconds: float) -> float:
        """Waits for a write that was acknowledged after an instant, and returns how long after it."""
        def first() -> float | None:
            return next((moment for moment in list(self.acknowledged.values()) if moment > since), None)
        try:
            return wait_until(first, "a write", seconds, 0.05) - since
        except ExpectationFailed as error:
            raise ExpectationFailed(f"{error}; the last errors: {self.errors[-3:]}") from None

    def longest_pause(self, since: float) -> float:
        """Returns the longest time without an acknowledgment from an instant to now."""
        moments = [since, *(moment for moment in self.acknowledged.values() if moment > since), time.monotonic()]
        return max(after - before for before, after in zip(moments, moments[1:]))


@contextlib.contextmanager
def written(cluster: Cluster):
    """Runs a block with an empty table of numbers."""
    cluster.settle()
    cluster.psql("DROP TABLE IF EXISTS written; CREATE TABLE written (number bigint PRIMARY KEY)")
    yield


def lost(cluster: Cluster, *writers: Writer) -> list[int]:
    """Returns the acknowledged numbers that the database doesn't contain, on the primary and on every standby."""
    cluster.settle(90)
    wanted = {number for writer in writers for number in writer.acknowledged}
    missing: set[int] = set()
    contents = []
    for name in cluster.nodes:
        text = cluster[name].run("psql", "-Atc", "SELECT number FROM written", "epg", user="postgres")
        contents.append({int(line) for line in text.split()})
        missing |= wanted - contents[-1]
    expect(contents[0] == contents[1] == contents[2], "the nodes have different contents")
    return sorted(missing)
