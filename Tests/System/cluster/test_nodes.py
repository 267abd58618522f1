"""What each node reports about its database, what it does while it is behind, and where its imports go."""

import contextlib
import os
import re
import signal
import subprocess
import threading
import time
from urllib.parse import quote

from cluster import Cluster, Node
from reader import paths
from services import FRONT, Services, running
from support.processes import wait_until
from support.report import expect, long

#: The server of the node, as the service names it.
OWN = "localhost:5432"
#: Maximum time that a request waits for a standby.
LONGEST_WAIT = 1.0
#: Maximum time after which a node reads from its own database again, with a margin.
LONGEST_DETOUR = 75


def readiness_and_metrics_name_role_host_and_lag(cluster: Cluster) -> str:
    with running(cluster) as services:
        lines = []
        for node in cluster:
            _wait_for_own_database(services, node)
            role = "primary" if node.is_primary() else "standby"
            first, second = services.get(node, "/readyz").splitlines()
            expect(first == "ready", first)
            expect(second.startswith(f"{role} {OWN}"), f"{node.name}, a {role}: {second}")
            metrics = services.get(node, "/metrics")
            for other in ("primary", "standby"):
                sample = f'epg_database_role{{host="{OWN}",role="{other}"}} {int(other == role)}'
                expect(sample in metrics, f"{node.name} does not report {sample}")
            expect(_metric(metrics, "epg_database_lag_seconds") < 5, f"{node.name}: lag in seconds")
            lines.append(f"{node.name}: {second}")
        return "; ".join(lines)


@long
def node_without_its_own_database_reads_from_another_and_returns(cluster: Cluster) -> str:
    with running(cluster) as services:
        node = next(node for node in cluster if not node.is_primary())
        _wait_for_own_database(services, node)
        node.stop("patroni")
        wait_until(lambda: OWN not in services.get(node, "/readyz"), f"{node.name} reads from another server", 10, 0.2)
        other = services.get(node, "/readyz").splitlines()[1]
        services.advance()
        services.expect_edition(services.edition)
        services.repair()
        begin = time.monotonic()
        _wait_for_own_database(services, node)
        return f"{node.name} read from {other}; returned {time.monotonic() - begin:.0f} s after its database did"


def lagging_node_waits_a_second_and_then_refuses(cluster: Cluster) -> str:
    """Verifies a node whose standby does not have the generation that a client names."""
    with running(cluster) as services:
        # Imports wait for the synchronous standby, so it cannot be behind.
        node = cluster[next(member["name"] for member in cluster.members() if member["role"] == "replica")]
        _wait_for_own_database(services, node)
        old = _generation(services, node)
        with _paused_replay(node) as resume:
            services.advance()
            wait_until(lambda: _generation(services, cluster.leader()) != old, "the primary's node has the new generation", 10)
            new = _generation(services, cluster.leader())
            begin = time.monotonic()
            refused = services.request(node, f"{services.viewport}&generation={new}")
            seconds = time.monotonic() - begin
            expect(refused.status == 503, f"status {refused.status} for generation {new} on a node with {old}: {refused.body[:300]!r}")
            expect("retry-after" in refused.headers and "no-store" in refused.headers.get("cache-control", ""), f"{refused.headers}")
            expect(LONGEST_WAIT <= seconds < LONGEST_WAIT + 2, f"refused after {seconds:.1f} s")
            expect(_generation(services, node) == old, "a URL without a generation shows what the node has")
            wait_until(lambda: re.search(r", \d+\.\d s and [1-9]\d* generations? behind", services.get(node, "/readyz")),
                       "/readyz reports the lag", 10)
            lag = services.get(node, "/readyz").splitlines()[1]
            expect(_metric(services.get(node, "/metrics"), "epg_database_lag_generations") >= 1, "no lag in /metrics")
            # HAProxy repeats the requests that this node refuses on another one.
            for path in paths(services.guide.stations, services.guide.start, 24 * services.guide.days)[:6]:
                status = services.status(FRONT, f"{path}&generation={quote(new)}")
                expect(status == 200, f"status {status} through the proxies")
            threading.Timer(LONGEST_WAIT / 3, resume).start()
            waited = services.request(node, f"{services.viewport}&generation={new}")
            expect(waited.status == 200 and waited.headers["guide-generation"] == new, f"status {waited.status} after the standby caught up")
        return f"{lag}; refused after {seconds:.2f} s"


def import_on_any_node_reaches_the_primary(cluster: Cluster) -> None:
    with running(cluster) as services:
        for node in cluster:
            services.edition += 1
            response = _post(services, node)
            expect(response.status == 200, f"{node.name}: {response.status} {response.body[:300]!r}")
            services.expect_edition(services.edition)


def import_without_a_primary_is_refused_with_the_reason(cluster: Cluster) -> str:
    with running(cluster) as services:
        before = cluster.leader()
        node = next(node for node in cluster if node is not before)
        services.edition += 1
        before.partition()
        response = _post(services, node)
        before.heal()
        expect(response.status == 503 and "retry-after" in response.headers, f"{response.status} {response.headers} {response.body[:300]!r}")
        services.repair()
        # The same import succeeds afterwards.
        expect(_post(services, node).status == 200, "the import fails after the partition")
        services.expect_edition(services.edition)
        return response.body.decode()[-400:]


def simultaneous_refreshes_on_two_nodes_exclude_each_other(cluster: Cluster) -> str:
    with running(cluster) as services:
        services.edition += 1
        (cluster.folder / "guide.xml").write_bytes(services.body(services.edition))
        config = cluster.folder / "epg.yml"
        # The pause makes the refreshes overlap.
        config.write_text(f"sources:\n  - name: nightly\n    command: [sh, -c, 'sleep 3; cat {cluster.folder}/guide.xml']\n")
        processes = [
            subprocess.Popen(cluster[name].words(
                cluster.programs.epg, "refresh", "--force", "--config", config, "--database", cluster.url("any", "localhost,n1,n2,n3")),
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) for name in ("n1", "n2")]
        texts = [process.communicate(timeout=60)[0] for process in processes]
        codes = sorted(process.returncode for process in processes)
        expect(codes == [0, 75], f"exit codes {codes}: {texts}")
        services.expect_edition(services.edition)
        return next(text.strip() for text, process in zip(texts, processes) if process.returncode == 75)


# MARK: Helpers


def _wait_for_own_database(services: Services, node: Node) -> None:
    wait_until(lambda: OWN in services.get(node, "/readyz"), f"{node.name} reads from its own database", LONGEST_DETOUR, 0.5)


def _metric(text: str, name: str) -> float:
    found = re.search(rf"^{name} (\S+)$", text, re.MULTILINE)
    expect(found is not None, f"no metric {name}")
    return float(found[1])


def _generation(services: Services, node: Node) -> str:
    response = services.request(node, services.viewport)
    expect(response.status == 200, f"{node.name}: status {response.status}")
    return response.headers["guide-generation"]


def _post(services: Services, node: Node):
    return services.request(
        node, "/api/v1/import?source=nightly", {"Authorization": f"Bearer {services.tokens[node.name]}"}, "POST", services.body(services.edition))


@contextlib.contextmanager
def _paused_replay(node: Node):
    """Lets a standby receive changes without applying them, until the given function is called or the block ends.

    Stops the process that applies them, because Patroni revokes `pg_wal_replay_pause()` after some seconds.
    """
    process = int(node.run("psql", "-Atqc", "SELECT pid FROM pg_stat_activity WHERE backend_type = 'startup'", user="postgres"))

    def resume() -> None:
        os.kill(process, signal.SIGCONT)
    os.kill(process, signal.SIGSTOP)
    try:
        yield resume
    finally:
        resume()
