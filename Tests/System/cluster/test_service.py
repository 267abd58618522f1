"""The service on three nodes: reads and imports during failures, upgrades and outages."""

import asyncio
import http.client
import json
import os
import signal
import time

from cluster import LONGEST_WRITE_OUTAGE, NAMES, Cluster
from reader import VIEWPORTS, paths
from services import FRONT, RATE, READERS, Importer, Readers, Services, running
from support.processes import wait_until
from support.report import expect, long

#: Longest time in which reads fail without the HTTP cache, by the requirements.
LONGEST_READ_OUTAGE = 2.0
#: The s-maxage of responses that follow the guide, in seconds.
FRESHNESS = 5


# MARK: The proxies


def cold_url_of_1000_clients_costs_one_request(cluster: Cluster) -> None:
    async def status_lines(path: str) -> list[bytes]:
        connections = [await asyncio.open_connection(FRONT, 80) for _ in range(1000)]
        for _, writer in connections:
            writer.write(f"GET {path} HTTP/1.1\r\nHost: tv.example\r\nConnection: close\r\n\r\n".encode())
        responses = await asyncio.gather(*(reader.read() for reader, _ in connections))
        for _, writer in connections:
            writer.close()
        return [response.split(b"\r\n", 1)[0] for response in responses]

    with running(cluster) as services:
        before = services.requests("/api/v1/grid")
        lines = asyncio.run(status_lines(services.viewport))
        cost = services.requests("/api/v1/grid") - before
    expect(set(lines) == {b"HTTP/1.1 200 OK"}, f"{ {line: lines.count(line) for line in set(lines)} }")
    expect(cost == 1, f"{cost} requests upstream")


@long
def caches_absorb_requests_as_sized_on_paper(cluster: Cluster) -> str:
    """Verifies the formula in Documentation/cluster.md: each URL costs one request per freshness period and gap between requests."""
    with running(cluster) as services:
        seconds = 20
        with Readers(services, is_direct=False):
            time.sleep(8)
            before = services.requests("/api/v1/grid")
            time.sleep(seconds)
            upstream = (services.requests("/api/v1/grid") - before) / seconds
        expected = VIEWPORTS / (FRESHNESS + VIEWPORTS / RATE)
        expect(upstream <= 1.2 * expected, f"{upstream:.0f} requests per second upstream, not {expected:.0f}")
        return f"{upstream:.0f} of {RATE} requests per second upstream, {expected:.0f} on paper"


def killed_service_causes_no_errors_through_proxies(cluster: Cluster) -> str:
    with running(cluster) as services:
        with Readers(services, is_direct=False) as readers:
            for name in NAMES:
                time.sleep(1)
                os.kill(cluster[name].servers["epgd"].pid, signal.SIGKILL)
                time.sleep(2)
                services.start([cluster[name]])
        return _expect_no_errors(readers)


@long
def crashed_node_causes_no_errors_through_proxies(cluster: Cluster) -> str:
    with running(cluster) as services:
        node = cluster["n2"]
        with Readers(services, is_direct=False) as readers:
            time.sleep(1)
            node.crash()
            time.sleep(8)
        text = _expect_no_errors(readers)
        node.boot()
        return text


@long
def unreachable_service_everywhere_leaves_cached_responses(cluster: Cluster) -> str:
    with running(cluster) as services:
        for path in paths(services.guide.stations, services.guide.start, 24 * services.guide.days):
            expect(services.status(path=path) == 200, f"{path} is not in a cache")
        for name in NAMES:
            cluster[name].stop("epgd")
        wait_until(lambda: services.status() != 200, "HAProxy notices", 10)
        with Readers(services, is_direct=False) as readers:
            time.sleep(cluster.options.seconds(10))
        return _expect_no_errors(readers)


@long
def events_pass_the_proxies_after_a_long_pause(cluster: Cluster) -> str:
    with running(cluster) as services:
        connection = http.client.HTTPConnection(FRONT, 80, timeout=70)
        connection.request("GET", "/api/v1/events", headers={"Host": "tv.example"})
        stream = connection.getresponse()

        def next_generation() -> str:
            while (line := stream.readline()) != b"event: generation\n":
                expect(line != b"", "the stream ended")
            return json.loads(stream.readline().removeprefix(b"data: "))["name"]

        first = next_generation()
        # Longer than the timeouts of HAProxy for clients and servers.
        time.sleep(40)
        services.advance()
        begin = time.monotonic()
        second = next_generation()
        connection.close()
        expect(first != second, f"generation {first} twice")
        return f"{time.monotonic() - begin:.1f} s after the import"


def _expect_no_errors(readers: Readers) -> str:
    errors = readers.errors("proxy")
    expect(len(readers.reports["proxy"]) == READERS, "a reader ended early")
    expect(not errors, f"{len(errors)} of {readers.total('proxy')} requests failed: {errors[:3]}")
    return f"{readers.total('proxy')} requests, slowest {readers.slowest('proxy'):.2f} s"


# MARK: Failures of the database


def _read_and_import_during(cluster: Cluster, fault, *, spared=NAMES) -> str:
    """Runs readers and an importer during a fault, and expects what the requirements say.

    - fault: Takes the services, injects the fault, and returns when the cluster has a primary again.
    - spared: The nodes whose own service must continue to read.
    """
    with running(cluster) as services:
        with Readers(services) as readers, Importer(services) as importer:
            time.sleep(3)
            since = time.monotonic()
            after = fault(services)
            resumed = importer.wait_for_import(time.monotonic(), LONGEST_WRITE_OUTAGE)
            gap = _longest_gap(importer.successes, since)
            # The readers see the new primary's guide.
            time.sleep(3)
            if after:
                after()
            expect(resumed is not None, "no import")
        text = _expect_no_errors(readers)
        outage = readers.outage(spared)
        expect(outage <= LONGEST_READ_OUTAGE, f"reads without the cache failed for {outage:.1f} s: "
               + "; ".join(error for name in spared for error in readers.errors(name)[:2]))
        expect(gap <= LONGEST_WRITE_OUTAGE, f"no import for {gap:.1f} s")
        names = readers.expect_unique_names()
        services.repair()
        services.expect_edition(importer.last)
        direct = sum(readers.total(name) for name in spared)
        return (f"through proxies {text}; {direct} requests without cache, failing for {outage:.1f} s; no import for {gap:.1f} s, "
                f"{len(importer.successes)} imports, {len(importer.failures)} failed; {names} generations seen")


def _longest_gap(moments: list[float], since: float) -> float:
    after = [since, *(moment for moment in moments if moment > since)]
    return max((second - first for first, second in zip(after, after[1:])), default=float("inf"))


def killed_postmaster_is_survived(cluster: Cluster) -> str:
    def fault(services: Services):
        process = cluster.leader().postmaster()
        os.kill(process, signal.SIGKILL)
        wait_until(lambda: all(node.postmaster() not in (None, process) for node in cluster), "PostgreSQL restarts", 30)
        cluster.leader()
    return _read_and_import_during(cluster, fault)


@long
def switchover_is_survived(cluster: Cluster) -> str:
    def fault(services: Services):
        before = cluster.switch_over()
        cluster.leader(other_than=before)
    return _read_and_import_during(cluster, fault)


@long
def partitioned_primary_is_survived(cluster: Cluster) -> str:
    """The services of all nodes continue, also the one beside the partitioned primary, whose database becomes read-only."""
    def fault(services: Services):
        before = cluster.leader()
        before.partition()
        cluster.leader(other_than=before)
        return before.heal
    return _read_and_import_during(cluster, fault)


@long
def crashed_primary_is_survived(cluster: Cluster) -> str:
    before = cluster.leader()

    def fault(services: Services):
        before.crash()
        cluster.leader(other_than=before)
        return before.boot
    return _read_and_import_during(cluster, fault, spared=[name for name in NAMES if name != before.name])


@long
def upgrade_of_one_node_after_the_other_is_unnoticed(cluster: Cluster) -> str:
    """Follows Documentation/cluster.md: drain, switch over, stop, start, wait."""
    def fault(services: Services):
        for name in NAMES:
            node = cluster[name]
            if node.is_primary():
                cluster.switch_over()
                cluster.leader(other_than=node)
            services.command_front(f"set server nodes/{name} state drain")
            for server in ("nginx", "epgd", "patroni", "etcd"):
                node.stop(server)
            node.boot()
            cluster.settle(90)
            services.start([node])
            services.command_front(f"set server nodes/{name} state ready")
    # The services are stopped on purpose, so their own readers see errors.
    return _read_and_import_during(cluster, fault, spared=[])


# MARK: Imports


@long
def primary_killed_in_mid_import_leaves_old_or_new_guide(cluster: Cluster) -> str:
    """Kills PostgreSQL, and each fourth time the whole node, so that a standby becomes the primary."""
    with running(cluster) as services:
        rounds = max(4, round(20 * cluster.options.scale))
        begin = time.monotonic()
        services.advance()
        duration = time.monotonic() - begin
        outcomes = {"old": 0, "new": 0}
        failovers = failures = 0
        with Readers(services) as readers:
            for index in range(rounds):
                before = services.edition
                services.edition += 1
                node = cluster.leader()
                importing = services.start_import()
                time.sleep(duration * (index + 0.5) / rounds)
                if index % 4 == 3:
                    node.crash()
                    cluster.leader(LONGEST_WRITE_OUTAGE, other_than=node)
                    failovers += 1
                    node.boot()
                else:
                    os.kill(node.postmaster(), signal.SIGKILL)
                code = importing.wait(60)
                failures += code != 0
                services.repair()
                shown = services.shown_editions(cluster.leader())
                expect(shown in ({before}, {services.edition}), f"editions {shown} after {before} and {services.edition}")
                expect(code != 0 or shown == {services.edition}, "an acknowledged import is lost")
                outcomes["old" if shown == {before} else "new"] += 1
                code, text = services.load()
                expect(code == 0, f"the same import failed afterwards (exit {code}): {text}")
                services.expect_edition(services.edition)
        text = _expect_no_errors(readers)
        mixtures = [error for name in NAMES for error in readers.errors(name) if "editions" in error]
        expect(not mixtures, f"readers saw mixtures: {mixtures[:3]}")
        return (f"{rounds} kills, {failovers} with failover; {failures} imports failed; afterwards {outcomes}; through proxies {text}; "
                f"{readers.expect_unique_names()} generations seen")
