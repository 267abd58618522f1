"""Runs three nodes of packaging/cluster, and lets them fail while clients write and read.

Needs root: the nodes are network namespaces. PostgreSQL, etcd and Patroni run as their users.
"""

import os
from pathlib import Path

from cluster import Cluster, in_own_namespaces
from support import SCRATCH
from support.report import need, tests

PROGRAMS = {"patroni": "patroni", "etcd": "etcd-server", "haproxy": "haproxy", "psql": "postgresql-client-15", "nginx": "nginx-light",
            "bridge": "iproute2", "setpriv": "util-linux"}


def run(options, report) -> None:
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    for program, package in PROGRAMS.items():
        need(program, package)
    need("/usr/lib/postgresql/15/bin/postgres", "postgresql-15")
    chosen = list(tests(Path(__file__).parent, "cluster", options))
    in_own_namespaces()
    cluster = Cluster(Path(os.environ["CLUSTER_FOLDER"]), options)
    try:
        report.check("three nodes elect a primary, and the others become standbys", cluster.start)
        if not report.failed:
            for name, test in chosen:
                report.check(name, test, cluster)
    finally:
        if report.failed:
            cluster.keep_logs(SCRATCH / "cluster")
        cluster.stop()
