"""Three nodes with etcd, PostgreSQL under Patroni, epgd and nginx, as network namespaces with the files of packaging/cluster.

A node is a network, a host name and a few mounts: it sees its own /var/lib/postgresql, /etc/patroni and so on, in a temporary
folder, and the other nodes by their names. So the files of packaging/cluster are used as they are.
"""

import contextlib
import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from support import ROOT
from support.processes import run, stop, wait_until
from support.report import ExpectationFailed, Skipped, expect

EXAMPLE = ROOT / "packaging/cluster"
NAMES = ("n1", "n2", "n3")
#: The documentation's network (RFC 5737). The suite itself has the last address.
NETWORK = "192.0.2."
#: Longest time without writes after a failure, by the requirements.
LONGEST_WRITE_OUTAGE = 30.0
#: The folders that each node has for itself, and the user that owns them.
FOLDERS = {
    "/etc/patroni": "root", "/var/lib/postgresql": "postgres", "/var/lib/etcd": "etcd", "/etc/nginx/conf.d": "root",
    "/var/lib/nginx": "root"}


def in_own_namespaces() -> None:
    """Runs the suite again in namespaces of its own for networks, mounts and processes, and exits with its result.

    The first process of the namespace is a shell, which reaps orphans. When it ends, for whatever reason, the kernel ends all
    others: no server survives the suite.
    """
    if os.environ.get("CLUSTER_FOLDER"):
        return
    flags = ["--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
    if os.geteuid() != 0 or subprocess.run(["unshare", *flags, "true"], capture_output=True).returncode:
        raise Skipped("needs root and the permission to create namespaces")
    folder = Path(tempfile.mkdtemp(prefix="cluster-"))
    folder.chmod(0o755)
    process = subprocess.Popen(
        ["unshare", *flags, "sh", "-c", '"$@"; exit $?', "sh", sys.executable, *sys.argv],
        env={**os.environ, "CLUSTER_FOLDER": str(folder)})
    try:
        code = process.wait()
    finally:
        # The end of unshare's child is the end of the namespace.
        with contextlib.suppress(OSError, ValueError):
            children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
            os.kill(int(children[0]), signal.SIGKILL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(20)
        process.kill()
        process.wait()
        shutil.rmtree(folder, ignore_errors=True)
    sys.stdout.flush()
    os._exit(code)


def variables(text: str) -> dict[str, str]:
    """Returns the variables of an environment file, as systemd reads it."""
    return dict(re.findall(r"^(\w+)=(.*)$", text, re.MULTILINE))


class Node:
    """One machine: namespaces, held by a sleeping process, and the servers in them."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name = name
        self.folder = folder / name
        self.address = NETWORK + name[1:]
        self.port = f"port-{name}"
        self.servers: dict[str, subprocess.Popen] = {}
        self.variables = variables((EXAMPLE / "node.env").read_text().replace("NODE", name))
        self._create_folders(folder)
        mounts = "".join(f"mount --bind {self.folder}{path} {path}\n" for path in FOLDERS)
        self.holder = subprocess.Popen(
            ["unshare", "--net", "--uts", "--mount", "sh", "-ec", f"""
                hostname {name}
                ip link set lo up
                {mounts}
                for path in /run /var/cache /var/log /var/backups; do mount -t tmpfs tmpfs $path; done
                mkdir -p /run/postgresql /var/cache/nginx /var/backups/epg /var/log/nginx
                chown postgres /run/postgresql
                mount --bind {folder}/backups /var/backups/epg
                echo ready
                exec sleep infinity
                """], stdout=subprocess.PIPE)
        expect(self.holder.stdout.readline() == b"ready\n", f"{name} has no namespaces")
        run("ip", "link", "add", self.port, "type", "veth", "peer", "name", "eth0", "netns", self.holder.pid)
        run("ip", "link", "set", self.port, "master", "epg0", "up")
        self.run("sh", "-ec", f"ip address add {self.address}/24 dev eth0; ip link set eth0 up")

    def _create_folders(self, shared: Path) -> None:
        for path, owner in FOLDERS.items():
            (self.folder / path.lstrip("/")).mkdir(parents=True)
            shutil.chown(self.folder / path.lstrip("/"), owner)
        shutil.copy(EXAMPLE / "patroni.yml", self.folder / "etc/patroni/config.yml")
        for name in ("nginx.conf", "cluster/nginx-cluster.conf"):
            shutil.copy(ROOT / "packaging" / name, self.folder / "etc/nginx/conf.d" / Path(name).name)

    # MARK: Processes

    def words(self, *command: object, user: str = "root") -> list[str]:
        """Returns a command that runs another one on this node."""
        enter = ["nsenter", "-t", str(self.holder.pid), "--net", "--uts", "--mount"]
        drop = [] if user == "root" else ["setpriv", f"--reuid={user}", f"--regid={user}", "--init-groups"]
        return [*enter, *drop, *map(str, command)]

    def run(self, *command: object, user: str = "root", **options) -> str:
        return run(*self.words(*command, user=user), **options)

    def start(self, server: str, *command: object, user: str = "root", environment: dict[str, str] | None = None) -> None:
        """Starts a server, whose output goes to a file in the folder of the node."""
        with open(self.folder / f"{server}.log", "ab") as log:
            self.servers[server] = subprocess.Popen(
                self.words(*command, user=user), stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                env={**os.environ, **(environment or {})})

    def is_running(self, server: str) -> bool:
        return server in self.servers and self.servers[server].poll() is None

    def stop(self, server: str) -> None:
        if process := self.servers.pop(server, None):
            stop(process, 30)

    def log(self, server: str) -> str:
        return (self.folder / f"{server}.log").read_text("utf-8", "replace")

    def start_etcd(self, state: str = "new") -> None:
        # As in Debian's etcd.service.
        self.start("etcd", "etcd", user="etcd", environment={
            "ETCD_DATA_DIR": "/var/lib/etcd/default", **self.variables, "ETCD_INITIAL_CLUSTER_STATE": state})

    def start_patroni(self) -> None:
        # As in Debian's patroni.service.
        self.start("patroni", "patroni", "/etc/patroni/config.yml", user="postgres", environment=self.variables)

    def start_nginx(self) -> None:
        (self.folder / "etc/nginx/conf.d/nginx.conf").write_text(
            "pid /run/nginx.pid; worker_processes 1; error_log stderr; events { worker_connections 8192; }\n"
            "http { access_log off; include /etc/nginx/conf.d/epg*.conf; }\n")
        self.start("nginx", "nginx", "-c", "/etc/nginx/conf.d/nginx.conf", "-g", "daemon off;")

    def postmaster(self) -> int | None:
        """Returns the process ID of PostgreSQL."""
        with contextlib.suppress(OSError, ValueError, IndexError):
            process = int((self.data / "postmaster.pid").read_text().split("\n")[0])
            os.kill(process, 0)
            return process
        return None

    @property
    def data(self) -> Path:
        return self.folder / "var/lib/postgresql/15/epg"

    def processes(self) -> list[int]:
        """Returns all processes on this node but the one that holds its namespaces."""
        own = os.readlink(f"/proc/{self.holder.pid}/ns/uts")
        found = []
        for path in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if os.readlink(path / "ns/uts") == own and int(path.name) != self.holder.pid:
                    found.append(int(path.name))
        return found

    def crash(self) -> None:
        """Kills all processes of the node, as a power failure would."""
        while processes := self.processes():
            for process in processes:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
            time.sleep(0.02)
        for process in self.servers.values():
            process.wait()
        self.servers.clear()
        # A restart empties /run.
        self.run("sh", "-c", "rm -f /run/postgresql/* /run/postgresql/.s*")

    def boot(self) -> None:
        """Starts the database after a crash."""
        self.start_etcd("existing")
        self.start_patroni()

    # MARK: Network

    def partition(self) -> None:
        """Drops all packets from and to the node; connections hang."""
        run("bridge", "link", "set", "dev", self.port, "state", 0)

    def heal(self) -> None:
        run("bridge", "link", "set", "dev", self.port, "state", 3)

    def patroni(self, path: str) -> tuple[int, dict]:
        """Sends a request to Patroni's API and returns the status and the JSON; status 0 if it doesn't respond."""
        connection = http.client.HTTPConnection(self.name, 8008, timeout=1.5)
        try:
            connection.request("GET", path)
            response = connection.getresponse()
            text = response.read()
        except (OSError, http.client.HTTPException):
            return 0, {}
        finally:
            connection.close()
        return response.status, json.loads(text) if text[:1] == b"{" else {}

    def is_primary(self) -> bool:
        return self.patroni("/primary")[0] == 200


class Cluster:
    """The nodes, a network between them, and HAProxy in front."""

    def __init__(self, folder: Path, options) -> None:
        self.folder = folder
        self.options = options
        self.programs = options.programs
        self.password = "guide"
        (folder / "backups/wal").mkdir(parents=True)
        for path in (folder / "backups", folder / "backups/wal"):
            shutil.chown(path, "postgres")
        (folder / "pgpass").write_text(f"*:*:*:epg:{self.password}\n")
        (folder / "pgpass").chmod(0o600)
        hosts = "127.0.0.1 localhost\n" + "".join(f"{NETWORK}{name[1:]} {name}\n" for name in NAMES)
        (folder / "hosts").write_text(hosts)
        run("sh", "-ec", f"""
            mount --bind {folder}/hosts /etc/hosts
            mount -t tmpfs tmpfs /run
            ip link set lo up
            ip link add epg0 type bridge
            ip address add {NETWORK}254/24 dev epg0
            ip link set epg0 up
            """)
        self.nodes = {name: Node(name, folder) for name in NAMES}
        os.environ["PGPASSFILE"] = str(folder / "pgpass")

    def __iter__(self):
        return iter(self.nodes.values())

    def __getitem__(self, name: str) -> Node:
        return self.nodes[name]

    # MARK: Start and stop

    def start(self) -> str:
        """Starts the database on all nodes and creates the user and the database, as in Documentation/cluster.md."""
        begin = time.monotonic()
        for node in self:
            node.start_etcd()
        for node in self:
            node.start_patroni()
        leader = self.leader(60)
        elected = time.monotonic() - begin
        self.settle(120)
        leader.run("psql", "-qc", f"CREATE ROLE epg LOGIN PASSWORD '{self.password}'", user="postgres")
        leader.run("createdb", "--owner=epg", "epg", user="postgres")
        return f"a primary after {elected:.1f} s, two standbys after {time.monotonic() - begin:.1f} s"

    def stop(self) -> None:
        """Ends everything at once; the namespace ends what this misses."""
        for node in self:
            node.crash()
            node.holder.kill()
            node.holder.wait()

    def keep_logs(self, folder: Path) -> None:
        """Copies the logs of all servers to a folder that remains."""
        folder.mkdir(parents=True, exist_ok=True)
        for path in self.folder.rglob("*.log"):
            shutil.copy(path, folder / "-".join(path.relative_to(self.folder).parts))
        print(f"        logs: {folder}", flush=True)

    # MARK: State

    def leader(self, seconds: float = 30, other_than: Node | None = None) -> Node:
        """Waits for a reachable primary and returns it."""
        def found() -> Node | None:
            return next((node for node in self if node is not other_than and node.is_primary()), None)
        return wait_until(found, "a primary", seconds, 0.1)

    def members(self) -> list[dict]:
        """Returns the members of the cluster, as the leader reports them."""
        for node in self:
            status, found = node.patroni("/cluster")
            if status == 200 and any(member["role"] == "leader" for member in found.get("members", [])):
                return found["members"]
        return []

    def has_member(self, name: str, role: str) -> bool:
        return any(member["name"] == name and member["role"] == role for member in self.members())

    def lag(self) -> dict[str, int]:
        """Returns how many bytes of WAL each standby has not applied yet, as PostgreSQL reports it."""
        text = self.leader().run("psql", "-Atc", """
            SELECT application_name, pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn) FROM pg_stat_replication
            WHERE application_name IN ('n1', 'n2', 'n3')""", user="postgres")
        return {name: int(bytes) for name, bytes in (line.split("|") for line in text.split())}

    def repair(self) -> None:
        """Ends all faults: networks are whole again, and what ended starts again."""
        for node in self:
            node.heal()
            for server, start in {"etcd": lambda: node.start_etcd("existing"), "patroni": node.start_patroni}.items():
                if not node.is_running(server):
                    start()

    def settle(self, seconds: float = 60) -> None:
        """Ends all faults, and waits until there are one primary and two streaming standbys, one of them synchronous."""
        self.repair()

        def problem() -> str:
            members = self.members()
            roles = sorted(member["role"] for member in members)
            wanted = ["leader", "replica", "sync_standby"] if self.is_synchronous else ["leader", "replica", "replica"]
            if roles != wanted or {member["state"] for member in members} - {"running", "streaming"}:
                return str([(member["name"], member["role"], member["state"]) for member in members])
            lag = self.lag()
            return "" if len(lag) == 2 and max(lag.values()) < 1_000_000 else f"lag {lag}"
        state = ""

        def is_settled() -> bool:
            nonlocal state
            with contextlib.suppress(ExpectationFailed, subprocess.SubprocessError, ValueError):
                state = problem()
                return not state
            return False
        try:
            wait_until(is_settled, "all nodes are in the cluster", seconds, 0.2)
        except ExpectationFailed as error:
            logs = "".join(f"\n{node.name}: " + " / ".join(node.log("patroni").split("\n")[-6:]) for node in self)
            raise ExpectationFailed(f"{error}: {state}{logs}") from None

    is_synchronous = True

    @contextlib.contextmanager
    def asynchronous(self):
        """Runs the cluster without synchronous replication."""
        def change(synchronous: bool) -> None:
            level = "remote_apply" if synchronous else "local"
            self.leader().run(
                "patronictl", "-c", "/etc/patroni/config.yml", "edit-config", "--force", "-s", f"synchronous_mode={str(synchronous).lower()}",
                "-p", f"synchronous_commit={level}", user="postgres")
            self.is_synchronous = synchronous
            wait_until(lambda: self.leader().run(
                "psql", "-Atc", "SELECT current_setting('synchronous_commit'), current_setting('synchronous_standby_names') <> ''",
                user="postgres").strip() == f"{level}|{'t' if synchronous else 'f'}", "the configuration is in effect", 40, 0.2)
            self.settle()
        change(False)
        try:
            yield
        finally:
            change(True)

    def switch_over(self) -> Node:
        """Makes a synchronous standby the primary, and returns the previous one."""
        before = self.leader()
        candidate = next(member["name"] for member in self.members() if member["role"] in ("sync_standby", "replica")
                         and (member["role"] == "sync_standby") == self.is_synchronous)
        before.run("patronictl", "-c", "/etc/patroni/config.yml", "switchover", "--master", before.name, "--candidate", candidate,
                   "--force", "epg", user="postgres")
        return before

    # MARK: Clients

    def url(self, attributes: str = "read-write", hosts: str = "n1,n2,n3") -> str:
        """Returns the URL of the database in packaging/cluster/epgd.conf, with other hosts and `target_session_attrs`."""
        url = re.search(r"EPG_DATABASE=([^\"]+)", (EXAMPLE / "epgd.conf").read_text())[1]
        expect("localhost,n1,n2,n3" in url and "=any" in url, url)
        return url.replace("localhost,n1,n2,n3", hosts).replace("=any", f"={attributes}")

    def psql(self, statement: str, attributes: str = "read-write", timeout: float = 30) -> str:
        """Runs a statement as the user epg, from the network of the suite."""
        return run("psql", self.url(attributes), "-XAtq", "-v", "ON_ERROR_STOP=1", "-c", statement, timeout=timeout).strip()
