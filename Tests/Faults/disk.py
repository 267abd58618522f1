"""A disk that is full, and a limit of file sizes: exit 74, and the old guide is served."""

import contextlib
import os
import resource
import subprocess

from frame import Bench, Fault, LeftOut, expect
from guides import Guide
from place import Editions, Place
from server import GuideServer

MEBIBYTE = 1 << 20


def run(bench: Bench) -> None:
    server = GuideServer()
    with bench.fault("disk full on a tmpfs of 1, 2, 4 … 64 MiB") as fault:
        for size in (1, 2, 4, 8, 16, 32, 64) if not bench.short else (2, 4):
            full_disk(bench, server, fault, size)
    with bench.fault("no room for the guide that is fetched") as fault:
        full_temporary_folder(bench, server, fault)
    with bench.fault("no room for a backup") as fault:
        full_place_of_a_backup(bench, server, fault)
    with bench.fault("a limit of file sizes") as fault:
        file_limit(bench, server, fault)
    server.close()


@contextlib.contextmanager
def tmpfs(bench: Bench, mebibytes: int):
    if os.environ.get("FAULTS_NAMESPACE") != "own":
        raise LeftOut("a tmpfs needs root, or a user who may make namespaces")
    folder = bench.subfolder("tmpfs")
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={mebibytes}m", "tmpfs", folder], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", folder], check=True)


def editions_of(bench: Bench, server: GuideServer, mebibytes: float) -> Editions:
    """A guide whose database takes about so many MiB; a programme of it takes 350 bytes, and its share of the index."""
    stations = max(1, int(mebibytes * MEBIBYTE / 450 / (4 * 48)))
    return Editions(bench, "disk", Guide(stations, 4, bench.now - 86_400), server, viewports=bench.scaled(10, 3))


def full_disk(bench: Bench, server: GuideServer, fault: Fault, size: int) -> None:
    """The old guide fits, and more and more of the new one, until all of it does."""
    editions = editions_of(bench, server, size * 0.2)
    ends = []
    for share in (0, 0.02, 0.1, 0.3, 0.6, 1) if not bench.short else (0, 0.1, 1):
        with fault.case(f"{size} MiB, {share:.0%} of the rest free"), tmpfs(bench, size) as folder:
            place = moved(bench, editions, folder)
            room = os.statvfs(folder)
            ballast = int(room.f_bavail * room.f_frsize * (1 - share))
            with open(folder / "ballast", "wb") as file:
                os.posix_fallocate(file.fileno(), 0, max(1, ballast))
            answer = place.epg("refresh")
            ends.append(answer.returncode)
            judge(place, editions, answer)
            (folder / "ballast").unlink()
            editions.expect_recovery(place)
    expect(74 in ends, f"{size} MiB: the disk was never full: exit codes {ends}")
    fault.note = (fault.note + ", " if fault.note else "") + f"{size} MiB {ends.count(74)} of {len(ends)} full"


def moved(bench: Bench, editions: Editions, folder) -> Place:
    """The old guide in another folder."""
    for path in editions.old.folder.iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    return Place(bench, folder)


def judge(place: Place, editions: Editions, answer: subprocess.CompletedProcess) -> None:
    """Exit 74 and the old guide; or the new one, where only what comes after it had no room, or all had."""
    which = editions.expect_whole(place)
    if answer.returncode == 0:
        expect(which == "new", "exit 0, but the old guide stands")
        return
    expect(answer.returncode == 74, f"exit {answer.returncode}: {answer.stderr.strip()[:300]}")
    expect(str(place.database) in answer.stderr, f"the message doesn't name the file: {answer.stderr.strip()[:300]}")


def full_temporary_folder(bench: Bench, server: GuideServer, fault: Fault) -> None:
    editions = editions_of(bench, server, 2)
    with fault.case("1 MiB in TMPDIR"), tmpfs(bench, 1) as folder:
        place = editions.old.copy("run")
        answer = place.epg("refresh", env={**os.environ, "TMPDIR": str(folder)})
        expect(answer.returncode == 74, f"exit {answer.returncode}: {answer.stderr.strip()[:300]}")
        expect("TMPDIR" in answer.stderr, f"the message doesn't say where: {answer.stderr.strip()[:300]}")
        expect(editions.expect_whole(place) == "old", "the guide isn't the old one")
        editions.expect_recovery(place)


def full_place_of_a_backup(bench: Bench, server: GuideServer, fault: Fault) -> None:
    editions = editions_of(bench, server, 2)
    with fault.case("1 MiB"), tmpfs(bench, 1) as folder:
        copy = folder / "copy.sqlite"
        answer = editions.old.epg("backup", copy)
        expect(answer.returncode == 74, f"exit {answer.returncode}: {answer.stderr.strip()[:300]}")
        expect(f"for {copy}" in answer.stderr, f"the message names another file: {answer.stderr.strip()[:300]}")
        expect(list(folder.iterdir()) == [], "a part of the copy is left")
        expect(editions.expect_whole(editions.old) == "old", "the guide isn't what it was")


def file_limit(bench: Bench, server: GuideServer, fault: Fault) -> None:
    """RLIMIT_FSIZE: a write beyond it fails, and by default a signal ends the process."""
    editions = editions_of(bench, server, bench.scaled(4, 1))
    whole = (editions.new.folder / "guide.sqlite").stat().st_size
    body = len(editions.bodies[1])
    for share in (0.001, 0.01, 0.1, 0.5, 0.9, 1.0) if not bench.short else (0.01, 0.5):
        for what, limit in (("the database", int(whole * share)), ("the guide that is fetched", int(body * share))):
            with fault.case(f"{share:.1%} of {what}"):
                place = editions.old.copy("run")
                answer = place.epg(
                    "refresh", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
                expect(answer.returncode >= 0, f"signal {-answer.returncode} ended it")
                which = editions.expect_whole(place)
                if answer.returncode == 0:
                    expect(which == "new", "exit 0, but the old guide stands")
                else:
                    expect(answer.returncode in (73, 74), f"exit {answer.returncode}: {answer.stderr.strip()[:300]}")
                    named = str(place.database) in answer.stderr or "TMPDIR" in answer.stderr
                    expect(named, f"the message names no file: {answer.stderr.strip()[:300]}")
                editions.expect_recovery(place)
