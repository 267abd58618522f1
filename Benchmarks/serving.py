#!/usr/bin/env python3
"""Compares epgd with nginx on the loopback interface, alternately in one run, and prints a table of ratios.

    Benchmarks/serving.py --epgd PROGRAM --make-guide PROGRAM [--seconds N] [--rounds N] [--stations N]

The request is for a viewport of 20 stations × 3 hours: from epgd's cache, and a different viewport with every request; from nginx
(workers auto, no access log, keep-alive) the same bytes as a static file. wrk runs on the same cores. Finally, a healthy client is
measured next to 1,000 connections that send one byte per second. Exits with 1 if a limit is exceeded, with 69 if a program is
missing.
"""

import argparse
import json
import os
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
#: 2026-10-24T00:00:00Z, the start of make_guide's guide.
FIRST_START = 1_792_800_000
#: A different viewport with every request: random rows and minutes, with a separate seed for each run.
UNCACHED = """
local stations = %d
math.randomseed(tonumber(os.getenv("WRK_SEED")) + 1)
request = function()
  local row = math.random(0, stations - 20)
  local from = %d + math.random(0, 15000) * 60
  return wrk.format("GET", string.format(
    "/api/v1/grid?form=columns&rows=%%d-%%d&from=%%d&hours=3&at=%d", row, row + 19, from))
end
"""


@dataclass(frozen=True)
class Load:
    """The results of wrk."""

    requests_per_second: float
    p99_milliseconds: float
    failures: int


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def wait_until_open(port: int) -> None:
    for _ in range(200):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    sys.exit(f"nothing listens on port {port}")


def wrk(url: str, seconds: float, connections: int = 32, script: str | None = None, seed: int = 0) -> Load:
    command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds:g}s", "--latency"]
    if script:
        command += ["-s", script]
    text = subprocess.run(
        [*command, url], capture_output=True, text=True, check=True, env=os.environ | {"WRK_SEED": str(seed)}
    ).stdout
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", text)[1])
    number, unit = re.search(r"99%\s+([\d.]+)(us|ms|s)", text).groups()
    p99 = float(number) * {"us": 0.001, "ms": 1, "s": 1000}[unit]
    responses = re.search(r"Non-2xx or 3xx responses: (\d+)", text)
    errors = re.search(r"Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)", text)
    failures = (int(responses[1]) if responses else 0) + (sum(map(int, errors.groups())) if errors else 0)
    return Load(rate, p99, failures)


def start_nginx(folder: Path, files: dict[str, bytes]) -> tuple[subprocess.Popen, int]:
    port = free_port()
    (folder / "www").mkdir(mode=0o755)
    folder.chmod(0o755)
    for name, body in files.items():
        (folder / "www" / name).write_bytes(body)
    (folder / "nginx.conf").write_text(
        f"""
        worker_processes auto;
        pid {folder}/nginx.pid;
        error_log {folder}/nginx-error.log;
        events {{ worker_connections 4096; }}
        http {{
            access_log off; sendfile on; keepalive_requests 1000000000; keepalive_timeout 65;
            types {{ application/json json; image/webp webp; }}
            server {{ listen 127.0.0.1:{port}; root {folder}/www; }}
        }}
        """
    )
    process = subprocess.Popen(["nginx", "-c", f"{folder}/nginx.conf", "-g", "daemon off;"])
    wait_until_open(port)
    return process, port


def start_epgd(epgd: str, database: Path, folder: Path, *options: str) -> tuple[subprocess.Popen, int]:
    port = free_port()
    log = open(folder / "epgd.log", "wb")
    process = subprocess.Popen(
        [epgd, "--database", str(database), "--listen", f"127.0.0.1:{port}", "--limits-requests-per-minute", "0",
         "--limits-per-address", "4096", *options],
        stdout=log, stderr=log)
    wait_until_open(port)
    return process, port


def memory_mib(process: subprocess.Popen) -> tuple[float, float]:
    """Returns the private memory and the mapped file pages, which the kernel can reclaim, in MiB."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    own, mapped = (int(re.search(rf"{name}:\s+(\d+) kB", status)[1]) / 1024 for name in ("RssAnon", "RssFile"))
    return own, mapped


class SlowClients:
    """Connections that send one byte of a request per second, at staggered times."""

    def __init__(self, port: int, count: int) -> None:
        self.sockets = []
        for _ in range(count):
            client = socket.create_connection(("127.0.0.1", port))
            client.send(b"GET /api/v1/sources HTTP/1.1\r\nHost: slow\r\nX-Slow: ")
            self.sockets.append(client)
        self.stopped = threading.Event()
        self.thread = threading.Thread(target=self.drip)
        self.thread.start()

    def drip(self) -> None:
        turn = 0
        while not self.stopped.wait(0.01):
            for client in self.sockets[turn % 100 :: 100]:
                try:
                    client.send(b"x")
                except OSError:
                    pass
            turn += 1

    def close(self) -> None:
        self.stopped.set()
        self.thread.join()
        for client in self.sockets:
            client.close()


def row(name: str, figure: str, limit: str, is_met: bool) -> bool:
    print(f"{name:58} {figure:>12} {limit:>10}  {'ok' if is_met else 'EXCEEDED'}")
    return is_met


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--epgd", required=True)
    parser.add_argument("--make-guide", required=True)
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--stations", type=int, default=5000)
    arguments = parser.parse_args()
    for tool in ["wrk", "nginx"]:
        if not shutil.which(tool):
            print(f"{tool} is missing: apt-get install wrk nginx-light", file=sys.stderr)
            sys.exit(69)
    folder = Path(tempfile.mkdtemp())
    started = []
    try:
        database = folder / "guide.sqlite"
        subprocess.run(
            [arguments.make_guide, database, HERE.parent / "schema.sql", str(arguments.stations)], check=True)
        service, port = start_epgd(arguments.epgd, database, folder)
        started.append(service)
        target = f"/api/v1/grid?form=columns&rows=100-119&from={FIRST_START + 86_400}&hours=3&at={FIRST_START}"
        url = f"http://127.0.0.1:{port}{target}"
        body = urllib.request.urlopen(url).read()
        cells = len(json.loads(body)["cells"]["id"])
        nginx, nginx_port = start_nginx(folder, {"grid.json": body})
        started.append(nginx)
        script = folder / "uncached.lua"
        script.write_text(UNCACHED % (arguments.stations, FIRST_START, FIRST_START))
        loads: dict[str, list[Load]] = {"nginx": [], "cached": [], "uncached": []}
        for turn in range(arguments.rounds + 1):
            for name in loads if turn % 2 == 0 else reversed(loads):
                if name == "nginx":
                    load = wrk(f"http://127.0.0.1:{nginx_port}/grid.json", arguments.seconds)
                elif name == "cached":
                    load = wrk(url, arguments.seconds)
                else:
                    load = wrk(f"http://127.0.0.1:{port}/", arguments.seconds, script=str(script), seed=turn * 7919)
                # The first turn is a warm-up.
                if turn > 0:
                    loads[name].append(load)
        rates = {name: statistics.median(load.requests_per_second for load in of) for name, of in loads.items()}
        tails = {name: statistics.median(load.p99_milliseconds for load in of) for name, of in loads.items()}
        failures = sum(load.failures for of in loads.values() for load in of)
        print(f"a viewport of 20 stations × 3 hours: {cells} cells, {len(body)} bytes; {arguments.stations} stations × 14 days")
        print(f"{'':10} {'requests/s':>12} {'p99':>10}")
        for name in loads:
            print(f"{name:10} {rates[name]:12.0f} {tails[name]:8.2f} ms")
        own, mapped = memory_mib(service)
        print(f"memory of epgd afterwards: {own:.0f} MiB private, {mapped:.0f} MiB mapped files")
        print()
        good = row("cached viewport / nginx's static file", f"{rates['cached'] / rates['nginx']:.2f}", "≥ 0.40",
                   rates["cached"] >= 0.4 * rates["nginx"])
        good &= row("uncached viewport / nginx's static file", f"{rates['uncached'] / rates['nginx']:.2f}", "≥ 0.15",
                    rates["uncached"] >= 0.15 * rates["nginx"])
        good &= row("failed responses", str(failures), "0", failures == 0)
        # One connection that repeats its request at once: with more, both cores are busy, and the tail depends on the kernel's
        # scheduler.
        alone, loaded = [], []
        for _ in range(arguments.rounds):
            alone.append(wrk(url, arguments.seconds, connections=1))
            slow = SlowClients(port, 1000)
            # Do not measure the time in which epgd accepts the connections.
            time.sleep(1)
            loaded.append(wrk(url, arguments.seconds, connections=1))
            slow.close()
            time.sleep(1)
        for what, figures in {
            "requests/s alone / next to 1,000 slow connections":
                [statistics.median(load.requests_per_second for load in of) for of in (alone, loaded)],
            "p99 next to 1,000 slow connections / alone":
                [statistics.median(load.p99_milliseconds for load in of) for of in (loaded, alone)],
        }.items():
            ratio = figures[0] / figures[1]
            good &= row(what, f"{ratio:.2f}", "≤ 2", ratio <= 2)
        sys.exit(0 if good else 1)
    finally:
        for process in started:
            process.terminate()
            process.wait()
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
