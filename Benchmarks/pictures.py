#!/usr/bin/env python3
"""Compares the pictures of epgd with the same files of nginx, alternately in one run, and prints a table.

    Benchmarks/pictures.py --programs FOLDER [--pictures N] [--limit SIZE] [--seconds N] [--rounds N]

The programs epg and epgd are in FOLDER. A server on the loopback interface has a different logo for each station; epgd fetches all of them.
Then wrk requests one picture, and random ones of all. Exits with 1 if the p99 of a picture exceeds twice nginx's, or the folder of
pictures its limit.
"""

import argparse
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile
import time
import urllib.request
import zlib
from hashlib import sha1
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from serving import Load, row, start_epgd, start_nginx, wrk

RANDOM = """
local paths = {}
for line in io.lines("%s") do paths[#paths + 1] = line end
math.randomseed(tonumber(os.getenv("WRK_SEED")) + 1)
request = function() return wrk.format("GET", paths[math.random(#paths)]) end
"""


def png(seed: int) -> bytes:
    """Returns a picture of 200 × 120 pixels with stripes that depend on the seed."""
    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    stripe = b"".join(bytes([(seed * 7 + x * 5) & 255, (seed >> 3) & 255, (x * (seed % 9)) & 255]) for x in range(200))
    rows = b"".join(b"\0" + stripe[y * 3:] + stripe[:y * 3] for y in range(120))
    header = struct.pack(">IIBBBBB", 200, 120, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 1)) + chunk(b"IEND", b"")


class Logos(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        body = png(int(self.path.strip("/").split(".")[0]))
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


def metric(port: int, name: str) -> int:
    text = urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics").read().decode()
    return next(int(line.split()[1]) for line in text.splitlines() if line.startswith(name + " "))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", type=Path, required=True)
    parser.add_argument("--pictures", type=int, default=20_000)
    parser.add_argument("--limit", type=int, default=256, help="size of the folder in MiB")
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    folder = Path(tempfile.mkdtemp())
    started: list[subprocess.Popen] = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), Logos)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        origin = f"http://127.0.0.1:{server.server_address[1]}"
        urls = [f"{origin}/{number}.png" for number in range(arguments.pictures)]
        database = folder / "guide.sqlite"
        guide = "".join(f'<channel id="s{n}"><display-name>S {n}</display-name><icon src="{url}"/></channel>' for n, url in enumerate(urls))
        subprocess.run([arguments.programs / "epg", "import", "-", "--database", database], input=f"<tv>{guide}</tv>".encode(),
                       check=True, capture_output=True)
        service, port = start_epgd(
            str(arguments.programs / "epgd"), database, folder, "--private-hosts", "127.0.0.1", "--limits-artwork", f"{arguments.limit} MiB")
        started.append(service)
        start = time.monotonic()
        # The service fetches the logos by itself, until the folder is nearly full.
        previous, count = -1, 0
        while count < arguments.pictures and (count != previous or count == 0):
            time.sleep(4)
            previous, count = count, metric(port, "epg_artwork_pictures")
        seconds = time.monotonic() - start
        size = metric(port, "epg_artwork_bytes")
        print(f"{count} pictures in {seconds:.0f} s, {size >> 20} MiB on the disk of {arguments.limit} MiB, "
              f"{metric(port, 'epg_artwork_failures_total')} failures")
        keys = {sha1(url.encode()).hexdigest()[:32]: number for number, url in enumerate(urls)}
        kept = {path.name.split(".")[0]: path for path in Path(f"{database}-art").rglob("*.webp")}
        paths = [f"/art/stations/s{keys[key]}/{key}" for key in kept]
        nginx, nginx_port = start_nginx(folder, {f"{key}.webp": path.read_bytes() for key, path in kept.items()})
        started.append(nginx)
        (folder / "ours.txt").write_text("\n".join(paths))
        (folder / "theirs.txt").write_text("\n".join(f"/{key}.webp" for key in kept))
        for name in ("ours", "theirs"):
            (folder / f"{name}.lua").write_text(RANDOM % (folder / f"{name}.txt"))
        sides = {
            "one picture, epgd": (f"http://127.0.0.1:{port}{paths[0]}", None),
            "one picture, nginx": (f"http://127.0.0.1:{nginx_port}/{next(iter(kept))}.webp", None),
            "random pictures, epgd": (f"http://127.0.0.1:{port}/", str(folder / "ours.lua")),
            "random pictures, nginx": (f"http://127.0.0.1:{nginx_port}/", str(folder / "theirs.lua")),
        }
        loads: dict[tuple[str, int], list[Load]] = {}
        for turn in range(arguments.rounds + 1):
            for name in sides if turn % 2 == 0 else reversed(sides):
                for connections in (1, 32):
                    url, script = sides[name]
                    load = wrk(url, arguments.seconds, connections, script, seed=turn)
                    if turn > 0:  # The first turn is a warm-up.
                        loads.setdefault((name, connections), []).append(load)
        for (name, connections), of in sorted(loads.items()):
            print(f"{name:24} {connections:3} connections {statistics.median(load.requests_per_second for load in of):10.0f} requests/s"
                  f"   p99 {statistics.median(load.p99_milliseconds for load in of):7.3f} ms")
        good = row("failed responses", str(sum(load.failures for of in loads.values() for load in of)), "0",
                   all(load.failures == 0 for of in loads.values() for load in of))
        good &= row("folder of pictures", f"{size >> 20} MiB", f"≤ {arguments.limit}", size <= arguments.limit << 20)
        for what in ("one picture", "random pictures"):
            ours, theirs = (
                statistics.median(load.p99_milliseconds for load in loads[f"{what}, {side}", 1]) for side in ("epgd", "nginx"))
            good &= row(f"{what}, p99 / nginx", f"{ours / theirs:.2f}", "≤ 2", ours <= 2 * theirs)
        sys.exit(0 if good else 1)
    finally:
        for process in started:
            process.terminate()
            process.wait()
        server.shutdown()
        shutil.rmtree(folder)


main()
