"""PostgreSQL under Patroni with psql as the client: how long writes are unavailable, and what is lost."""

import os
import signal
import time

from clients import Writer, lost, written
from cluster import LONGEST_WRITE_OUTAGE, Cluster, Node
from support.processes import wait_until
from support.report import expect, long


def _verdict(cluster: Cluster, since: float, writer: Writer, *others: Writer) -> str:
    """Expects that writes resumed in time and none is lost; returns the figures."""
    outage = writer.longest_pause(since)
    missing = lost(cluster, writer, *others)
    count = sum(len(each.acknowledged) for each in (writer, *others))
    expect(not missing, f"{len(missing)} of {count} acknowledged writes are lost: {missing[:5]}")
    expect(outage <= LONGEST_WRITE_OUTAGE, f"no writes for {outage:.1f} s")
    return f"no writes for {outage:.1f} s; {count} acknowledged, none lost; primary {cluster.leader().name}"


def switchover_pauses_writes_briefly(cluster: Cluster) -> str:
    with written(cluster), Writer(cluster) as writer:
        since = time.monotonic()
        before = cluster.switch_over()
        cluster.leader(other_than=before)
        writer.wait_for_write(time.monotonic(), LONGEST_WRITE_OUTAGE)
    return _verdict(cluster, since, writer)


def killed_postmaster_loses_no_acknowledged_write(cluster: Cluster) -> str:
    with written(cluster), Writer(cluster) as writer:
        since = time.monotonic()
        os.kill(cluster.leader().postmaster(), signal.SIGKILL)
        wait_until(lambda: writer.longest_pause(since) > 1, "the outage")
        writer.wait_for_write(time.monotonic(), LONGEST_WRITE_OUTAGE)
    return _verdict(cluster, since, writer)


def partitioned_primary_is_replaced_and_loses_no_acknowledged_write(cluster: Cluster) -> str:
    with written(cluster):
        before = cluster.leader()
        with Writer(cluster) as writer, Writer(cluster, before) as beside:
            since = time.monotonic()
            before.partition()
            after = _expect_replacement(cluster, before, writer, since)
            count = len([moment for moment in beside.acknowledged.values() if moment > since + 1])
            before.heal()
        text = _verdict(cluster, since, writer, beside)
    return f"{text}; new primary {after:.1f} s after the partition, {count} writes acknowledged on the old one after it"


def _expect_replacement(cluster: Cluster, before: Node, writer: Writer, since: float) -> float:
    cluster.leader(LONGEST_WRITE_OUTAGE, other_than=before)
    elected = time.monotonic() - since
    writer.wait_for_write(time.monotonic(), LONGEST_WRITE_OUTAGE)
    return elected


@long
def crashed_node_is_replaced_and_loses_no_acknowledged_write(cluster: Cluster) -> str:
    with written(cluster), Writer(cluster) as writer:
        before = cluster.leader()
        since = time.monotonic()
        before.crash()
        _expect_replacement(cluster, before, writer, since)
        before.boot()
    return _verdict(cluster, since, writer)


@long
def partitioned_standby_pauses_writes_until_it_is_replaced(cluster: Cluster) -> str:
    with written(cluster), Writer(cluster) as writer:
        standby = next(member["name"] for member in cluster.members() if member["role"] == "sync_standby")
        since = time.monotonic()
        cluster[standby].partition()
        time.sleep(2)
        writer.wait_for_write(time.monotonic(), LONGEST_WRITE_OUTAGE)
        outage = writer.longest_pause(since)
        cluster[standby].heal()
    return _verdict(cluster, since, writer) + f"; {outage:.1f} s until another standby was synchronous"


@long
def last_node_continues_to_write(cluster: Cluster) -> str:
    """Stops one standby after the other, as a careless upgrade would, while etcd keeps its majority.

    Waits until the remaining standby is synchronous: if it stops earlier, Patroni 3 may leave PostgreSQL waiting for it
    (patroni/patroni#3468).
    """
    with written(cluster), Writer(cluster) as writer:
        primary = cluster.leader()
        first, second = (node for node in cluster if node is not primary)
        since = time.monotonic()
        first.stop("patroni")
        wait_until(lambda: cluster.has_member(second.name, "sync_standby"), "the other standby is synchronous", 30, 0.2)
        second.stop("patroni")
        wait_until(lambda: len(cluster.members()) == 1, "the primary is alone", 40, 0.2)
        writer.wait_for_write(time.monotonic(), LONGEST_WRITE_OUTAGE)
        cluster.settle()
    return _verdict(cluster, since, writer)


@long
def asynchronous_failover_loses_writes(cluster: Cluster) -> str:
    """Shows the price of `synchronous_mode: false`: a client beside a partitioned primary writes in vain."""
    with cluster.asynchronous(), written(cluster):
        before = cluster.leader()
        with Writer(cluster) as writer, Writer(cluster, before) as beside:
            since = time.monotonic()
            before.partition()
            _expect_replacement(cluster, before, writer, since)
            before.heal()
        outage = writer.longest_pause(since)
        missing = lost(cluster, writer, beside)
    others = set(missing) - set(beside.acknowledged)
    expect(bool(missing), "nothing is lost, so this test shows nothing")
    moments = sorted(beside.acknowledged[number] - since for number in missing if number in beside.acknowledged)
    return (f"no writes for {outage:.1f} s; {len(missing)} acknowledged writes lost ({len(others)} of the client outside), "
            f"acknowledged up to {moments[-1]:.1f} s after the partition")


@long
def backup_and_archive_restore_all_acknowledged_writes(cluster: Cluster) -> str:
    """Follows Documentation/cluster.md: a base backup, writes, the loss of all nodes, and a restore from backup and archive."""
    with written(cluster):
        # From a standby, so that the primary has no additional work.
        standby = next(node for node in cluster if not node.is_primary())
        standby.run("pg_basebackup", "--checkpoint=fast", "--pgdata=/var/backups/epg/base", user="postgres")
        with Writer(cluster) as writer:
            pass
        # The archive gets a segment when it is full; a guide that changes rarely needs archive_timeout.
        segment = cluster.leader().run("psql", "-Atc", "SELECT pg_walfile_name(pg_switch_wal())", user="postgres").strip()
        wait_until(lambda: (cluster.folder / "backups/wal" / segment).exists(), f"{segment} is in the archive", 30)
        begin = time.monotonic()
        for node in cluster:
            node.stop("patroni")
        first, *others = cluster
        first.run("patronictl", "-c", "/etc/patroni/config.yml", "remove", "epg", user="postgres", input="epg\nYes I am aware\n")
        for node in cluster:
            node.run("sh", "-c", "rm -r /var/lib/postgresql/15/epg", user="postgres")
        first.run("sh", "-ec", """
            cd /var/lib/postgresql/15
            cp -a /var/backups/epg/base epg
            echo "restore_command = 'cp /var/backups/epg/wal/%f %p'" >>epg/postgresql.auto.conf
            rm -f epg/standby.signal
            touch epg/recovery.signal
            pg_ctl=/usr/lib/postgresql/15/bin/pg_ctl
            $pg_ctl --pgdata=epg --log=/var/lib/postgresql/restore.log start >/dev/null
            until [ "$(psql -Atc 'SELECT pg_is_in_recovery()')" = f ]; do sleep 0.2; done
            $pg_ctl --pgdata=epg stop >/dev/null
            sed -i /restore_command/d epg/postgresql.auto.conf
            """, user="postgres", timeout=90)
        first.start_patroni()
        cluster.leader(60)
        available = time.monotonic() - begin
        for node in others:
            node.start_patroni()
        missing = lost(cluster, writer)
    expect(not missing, f"{len(missing)} of {len(writer.acknowledged)} acknowledged writes are lost")
    return f"{len(writer.acknowledged)} acknowledged, none lost; a primary after {available:.1f} s"
