"""Services that read from a streaming standby."""

import contextlib
import time

from comparison import Comparison
from engines import Engine, Engines, Pair
from guides import Guide
from postgresql import PostgreSQL
from support import SAMPLES
from support.processes import wait_until
from support.report import expect

#: Time that a request waits for a generation that the standby does not have yet, by the requirements, and what the rest may take.
WAIT, SLACK = 1.0, 2.0


def _standby(engines: Engines) -> PostgreSQL:
    """Returns a standby that has everything the primary has."""
    standby = engines.standbys[0] if engines.standbys else engines.standby()
    standby.wait_for_replay(engines.server)
    return standby


def _node(engines: Engines, name: str, database: str, *servers: PostgreSQL) -> Engine:
    """Returns a guide of the primary, as read from other servers."""
    return Engine(engines, engines.folder / name, servers[0].url(database, *servers[1:]))


@contextlib.contextmanager
def _paused(standby: PostgreSQL):
    """Lets a standby receive changes without applying them."""
    standby.sql("SELECT pg_wal_replay_pause()")
    wait_until(lambda: standby.sql("SELECT pg_get_wal_replay_pause_state()") == "paused", "the replay pauses")
    try:
        yield
    finally:
        standby.sql("SELECT pg_wal_replay_resume()")


def answers_from_a_standby_are_equal(engines: Engines) -> str:
    primary = engines.postgresql("equal")
    sqlite = engines.sqlite("equal")
    primary.succeed("import", SAMPLES / "evening.xml", SAMPLES / "evening.m3u")
    primary.succeed("import", SAMPLES / "evening-next.xml")
    done = primary.epg_alone("copy", primary.location, sqlite.location)
    expect(done.returncode == 0, f"epg copy: {done.stderr.decode()}")
    pair = Pair(engines, "equal", [sqlite, _node(engines, "equal-standby", "equal", _standby(engines))], has_standby=True)
    comparison = Comparison(pair, 0.05)
    comparison.stage(is_aligned=True)
    return comparison.text()


def service_waits_for_a_generation_that_its_standby_lacks(engines: Engines) -> str:
    """Names a generation of the primary to a service on a standby that is behind: 503, or 200 as soon as the standby has it."""
    start = int(time.time())
    guide, primary, standby = Guide(20, 2, start), engines.postgresql("behind"), _standby(engines)
    primary.succeed("import", "-", input=guide.xml(0))
    standby.wait_for_replay(engines.server)
    node = _node(engines, "behind-standby", "behind", standby)
    with node.serve() as service, primary.serve() as other:
        expect("standby" in service.request("/readyz").body.decode(), f"/readyz: {service.request('/readyz').body!r}")
        expect("primary" in other.request("/readyz").body.decode(), f"/readyz: {other.request('/readyz').body!r}")
        before = service.request("/api/v1/now").headers["guide-generation"]
        with _paused(standby):
            primary.succeed("import", "-", input=guide.xml(1))
            path = "/api/v1/now"
            newer = wait_until(
                lambda: (name := other.request(path).headers["guide-generation"]) != before and name, "a new generation")
            expect(service.request(path).headers["guide-generation"] == before, "the standby is not behind")
            begin = time.monotonic()
            response = service.request(f"{path}?generation={newer}")
            waited = time.monotonic() - begin
            expect(response.status == 503, f"status {response.status}: {response.body!r}")
            expect("retry-after" in response.headers, f"no Retry-After: {response.headers}")
            expect(response.headers.get("cache-control") == "no-store", f"cacheable: {response.headers}")
            expect(WAIT * 0.9 <= waited <= WAIT + SLACK, f"an answer after {waited:.2f} s")
            wait_until(lambda: "0 generations" not in service.request("/readyz").body.decode(), "/readyz has the lag")
            behind = service.request("/readyz").body.decode().split("\n")[1]
            metrics = [line for line in service.request("/metrics").body.decode().split("\n") if "standby" in line or "lag" in line]
            expect(bool(metrics), "no metrics of the standby")
        response = service.request(f"{path}?generation={newer}")
        expect(response.status == 200, f"status {response.status} after the replay: {response.body!r}")
        expect(response.body == other.request(f"{path}?generation={newer}").body, "other answers than the primary")
    return f"503 after {waited:.2f} s; {behind}"


def import_through_a_standby_is_refused_or_reaches_the_primary(engines: Engines) -> str:
    guide, primary, standby = Guide(20, 2, int(time.time())), engines.postgresql("through"), _standby(engines)
    primary.succeed("import", "-", input=guide.xml(0))
    standby.wait_for_replay(engines.server)
    generation = engines.server.sql("SELECT generation FROM guide", "through")
    alone = _node(engines, "through-alone", "through", standby)
    result = alone.epg("import", "-", input=guide.xml(1))
    messages = result.stderr.decode()
    expect(result.returncode in (69, 75), f"epg import exited with {result.returncode}: {messages}")
    expect("primary" in messages, f"the message does not name the reason: {messages}")
    refused = _post(alone, guide.xml(1))
    expect(refused.status == 503 and b"primary" in refused.body, f"status {refused.status}: {refused.body!r}")
    expect(engines.server.sql("SELECT generation FROM guide", "through") == generation, "a refused import changed the guide")
    both = _node(engines, "through-both", "through", standby, engines.server)
    accepted = _post(both, guide.xml(1))
    expect(accepted.status == 200, f"status {accepted.status}: {accepted.body!r}")
    both.succeed("import", "-", input=guide.xml(2))
    standby.wait_for_replay(engines.server)
    expect(b" edition 2<" in both.succeed("export"), "the standby does not show the import")
    return f"refused with {result.returncode}: {messages.strip()[:120]}"


def _post(node: Engine, body: bytes):
    token = node.add_token("import")
    with node.serve("--spool", node.folder) as service:
        return service.request("/api/v1/import", {"Authorization": f"Bearer {token}"}, "POST", body)
