"""A full disk and a limit of file sizes: exit 74, and the old guide stays available."""

import contextlib
import os
import resource
import subprocess

from guides import Guide
from harness import Fault, Harness
from support.report import Skipped, expect
from workspace import Editions, Workspace

MEBIBYTE = 1 << 20


def run(harness: Harness) -> None:
    with harness.fault("disk full on a tmpfs of 1, 2, 4 … 64 MiB") as fault:
        for size in (1, 2, 4, 8, 16, 32, 64) if not harness.short else (2, 4):
            full_disk(harness, fault, size)
    with harness.fault("no space for the downloaded guide") as fault:
        full_temporary_folder(harness, fault)
    with harness.fault("no space for a backup") as fault:
        full_backup_folder(harness, fault)
    with harness.fault("a file size limit") as fault:
        file_limit(harness, fault)


@contextlib.contextmanager
def tmpfs(harness: Harness, mebibytes: int):
    if os.environ.get("FAULTS_NAMESPACE") != "own":
        raise Skipped("a tmpfs needs root, or a user who may create namespaces")
    folder = harness.subfolder("tmpfs")
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={mebibytes}m", "tmpfs", folder], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", folder], check=True)


def editions_of(harness: Harness, mebibytes: float) -> Editions:
    """Returns a guide whose database takes about `mebibytes`; a programme takes 350 bytes and its share of the index."""
    stations = max(1, int(mebibytes * MEBIBYTE / 450 / (4 * 48)))
    return Editions(harness, "disk", Guide(stations, 4, harness.now - 86_400), viewports=harness.scaled(10, 3))


def full_disk(harness: Harness, fault: Fault, size: int) -> None:
    """Refreshes with enough space for the old guide and an increasing share of the new one."""
    editions = editions_of(harness, size * 0.2)
    ends = []
    for share in (0, 0.02, 0.1, 0.3, 0.6, 1) if not harness.short else (0, 0.1, 1):
        with fault.case(f"{size} MiB, {share:.0%} of the rest free"), tmpfs(harness, size) as folder:
            workspace = moved(harness, editions, folder)
            room = os.statvfs(folder)
            ballast = int(room.f_bavail * room.f_frsize * (1 - share))
            with open(folder / "ballast", "wb") as file:
                os.posix_fallocate(file.fileno(), 0, max(1, ballast))
            result = workspace.epg("refresh")
            ends.append(result.returncode)
            verify(workspace, editions, result)
            (folder / "ballast").unlink()
            editions.expect_recovery(workspace)
    expect(74 in ends, f"{size} MiB: the disk was never full: exit codes {ends}")
    fault.note = (fault.note + ", " if fault.note else "") + f"{size} MiB {ends.count(74)} of {len(ends)} full"


def moved(harness: Harness, editions: Editions, folder) -> Workspace:
    """Copies the old guide to another folder."""
    for path in editions.old.folder.iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    return Workspace(harness, folder)


def verify(workspace: Workspace, editions: Editions, result: subprocess.CompletedProcess) -> None:
    """Verifies exit 74 with the old guide; or the new one, if the disk became full after the commit or not at all."""
    which = editions.expect_intact(workspace)
    if result.returncode == 0:
        expect(which == "new", "exit 0, but the guide is the old one")
        return
    expect(result.returncode == 74, f"exit {result.returncode}: {result.stderr.strip()[:300]}")
    expect(str(workspace.database) in result.stderr, f"the message doesn't name the file: {result.stderr.strip()[:300]}")


def full_temporary_folder(harness: Harness, fault: Fault) -> None:
    editions = editions_of(harness, 2)
    with fault.case("1 MiB in TMPDIR"), tmpfs(harness, 1) as folder:
        workspace = editions.old.copy("run")
        result = workspace.epg("refresh", env={**os.environ, "TMPDIR": str(folder)})
        expect(result.returncode == 74, f"exit {result.returncode}: {result.stderr.strip()[:300]}")
        expect("TMPDIR" in result.stderr, f"the message doesn't name TMPDIR: {result.stderr.strip()[:300]}")
        expect(editions.expect_intact(workspace) == "old", "the guide isn't the old one")
        editions.expect_recovery(workspace)


def full_backup_folder(harness: Harness, fault: Fault) -> None:
    editions = editions_of(harness, 2)
    with fault.case("1 MiB"), tmpfs(harness, 1) as folder:
        copy = folder / "copy.sqlite"
        result = editions.old.epg("backup", copy)
        expect(result.returncode == 74, f"exit {result.returncode}: {result.stderr.strip()[:300]}")
        expect(f"for {copy}" in result.stderr, f"the message names another file: {result.stderr.strip()[:300]}")
        expect(list(folder.iterdir()) == [], "a partial copy remains")
        expect(editions.expect_intact(editions.old) == "old", "the guide changed")


def file_limit(harness: Harness, fault: Fault) -> None:
    """RLIMIT_FSIZE: a write beyond it fails; by default, a signal terminates the process."""
    editions = editions_of(harness, harness.scaled(4, 1))
    database_size = (editions.new.folder / "guide.sqlite").stat().st_size
    body_size = len(editions.bodies[1])
    for share in (0.001, 0.01, 0.1, 0.5, 0.9, 1.0) if not harness.short else (0.01, 0.5):
        for what, limit in (("the database", int(database_size * share)), ("the downloaded guide", int(body_size * share))):
            with fault.case(f"{share:.1%} of {what}"):
                workspace = editions.old.copy("run")
                result = workspace.epg(
                    "refresh", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
                expect(result.returncode >= 0, f"signal {-result.returncode} terminated it")
                which = editions.expect_intact(workspace)
                if result.returncode == 0:
                    expect(which == "new", "exit 0, but the guide is the old one")
                else:
                    expect(result.returncode in (73, 74), f"exit {result.returncode}: {result.stderr.strip()[:300]}")
                    named = str(workspace.database) in result.stderr or "TMPDIR" in result.stderr
                    expect(named, f"the message names no file: {result.stderr.strip()[:300]}")
                editions.expect_recovery(workspace)
