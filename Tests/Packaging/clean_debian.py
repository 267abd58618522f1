"""Rules that are tried in a clean Debian: the package on a booted machine, and the container's steps."""

import os
import re
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

from report import Report, run

#: What a small machine has beyond the packages that every Debian has.
PACKAGES = "systemd,systemd-sysv,dbus,curl,man-db,procps"
SUITE = "bookworm"
MIRROR = "http://deb.debian.org/debian"


def base(folder: Path, packages: str) -> Path | None:
    """A folder with a Debian as debootstrap leaves it; made once. `None` where there is none to be had."""
    if folder.is_dir():
        return folder
    scratch = folder.with_suffix(".making")
    shutil.rmtree(scratch, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    include = [f"--include={packages}"] if packages else []
    result = subprocess.run(
        ["debootstrap", "--variant=minbase", *include, SUITE, str(scratch), MIRROR], capture_output=True, text=True)
    if result.returncode != 0:
        print(result.stdout[-1000:], result.stderr[-1000:], flush=True)
        shutil.rmtree(scratch, ignore_errors=True)
        return None
    scratch.rename(folder)
    return folder


def copy(clean: Path, target: Path) -> Path:
    run("cp", "-a", "--reflink=auto", clean, target)
    return target


def inside(root: Path, *command: object, **options) -> str:
    """Runs a command below a root, with a /proc and a /dev of its own that are gone afterwards."""
    mounts = ('mount -t proc proc "$0/proc"; mount --rbind /dev "$0/dev"; '
              'cp /etc/resolv.conf "$0/etc/resolv.conf" 2>/dev/null; exec chroot "$@"')
    return run("unshare", "--mount", "sh", "-c", mounts, root, root, *command,
               **({"env": {"PATH": "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive",
                           **{k: v for k, v in os.environ.items() if k.lower().endswith("_proxy")}}} | options))


def check_machine(report: Report, project: Path, clean: Path, package: Path, scratch: Path) -> None:
    root = copy(clean, scratch / "machine")
    ways = scratch / "try"
    ways.mkdir()
    shutil.copy(package, ways)
    shutil.copy(project / "Tests/Packaging/machine.sh", ways)
    shutil.copy(project / "Tests/EPGStoreTests/Schema/Fixtures/guide-5.sqlite.gz", ways)

    def installs() -> str:
        shutil.copy(package, root / "tmp")
        inside(root, "apt-get", "-qq", "update")
        words = inside(root, "apt-get", "-y", "install", "--no-install-recommends", f"/tmp/{package.name}")
        (root / "tmp" / package.name).unlink()
        assert "Creating user 'epg'" in words, words[-500:]
        return re.search(r"(\d+) newly installed", words)[0]
    report.rule("apt installs the package on a clean Debian, with all that it needs", installs)

    def pages() -> None:
        for page in ("epg", "epg-import", "epgd", "tv_grab_zz_epg"):
            assert run("dpkg-query", f"--admindir={root}/var/lib/dpkg", "-S", f"*/{page}.[18].gz")
        inside(root, "systemd-analyze", "verify", "epgd.service", "epg-refresh.service", "epg-refresh.timer")
    report.rule("systemd of that machine verifies the units, programs and pages among them", pages)

    unit = root / "etc/systemd/system/try.service"
    unit.write_text("[Unit]\nDescription=Rules\n[Service]\nExecStart=/try/machine.sh\n")
    wants = root / "etc/systemd/system/multi-user.target.wants"
    wants.mkdir(parents=True, exist_ok=True)
    (wants / "try.service").symlink_to("../try.service")
    result = ways / "result"
    result.touch()
    machine = subprocess.Popen(
        ["systemd-nspawn", "--quiet", f"--directory={root}", f"--bind={ways}:/try", "--boot", "--register=no", "--keep-unit",
         "--private-network", "--link-journal=no", "--console=pipe", "--machine=epg-package-test"],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        console = machine.communicate(timeout=400)[0]
    except subprocess.TimeoutExpired:
        # The first signal turns the machine off, the second ends it.
        for _ in range(2):
            machine.send_signal(signal.SIGTERM)
            time.sleep(5)
        machine.kill()
        console = "the time was over"
    lines = result.read_text().splitlines()
    if not lines:
        report.skip("the package on a booted machine", f"systemd-nspawn can't boot one here: {console[-300:]}")
        return
    for line in lines:
        head, _, words = line.partition("  ")
        if head in ("ok", "FAILED"):
            report.line(head == "ok", words.strip(), "")
        elif line != "ended":
            print("        " + line)
    if "ended" not in lines:
        report.line(False, "all rules of the booted machine are tried", console[-500:])


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def check_container(report: Report, project: Path, clean: Path, package: Path, scratch: Path) -> None:
    file = (project / "packaging/Dockerfile").read_text()

    def dockerfile() -> str:
        steps = re.findall(r"^([A-Z]+) (.*)", file, flags=re.M)
        assert [words for name, words in steps if name == "RUN"] == ["packaging/image.sh build", "image.sh install"], steps
        assert sum(name == "FROM" for name, _ in steps) == 2
        names = [name for name, _ in steps]
        assert {"HEALTHCHECK", "VOLUME", "EXPOSE"} <= set(names)
        assert dict(steps)["USER"] == "epg" and names.index("USER") > len(names) - 7
        for path in re.findall(r"packaging/\S+", " ".join(words for name, words in steps if name in ("COPY", "RUN"))):
            assert (project / path).exists(), path
        return f"{len(steps)} lines"
    report.rule("the Dockerfile has two stages, ends as a user without rights, and runs our scripts alone", dockerfile)

    root = copy(clean, scratch / "container")

    def installs() -> str:
        for script in ("image.sh", "container.sh"):
            shutil.copy(project / "packaging" / script, root / "usr/local/bin")
        shutil.copy(package, root / "tmp")
        inside(root, "image.sh", "install")
        assert not list((root / "tmp").iterdir()), "the package is still there"
        assert not (root / "usr/bin/systemctl").exists()
        return f"{int(run('du', '-sxm', root).split()[0])} MiB"
    report.rule("image.sh install makes a clean Debian into the image, without systemd", installs)

    port = free_port()
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8",
                   "EPG_DATABASE": re.search(r"EPG_DATABASE=(\S+)", file)[1], "EPG_LISTEN": f"127.0.0.1:{port}"}
    # A name space of processes with a /proc of its own, from which Swift takes a program's arguments.
    command = ["unshare", "--pid", "--fork", "--kill-child", f"--mount-proc={root}/proc",
               "/usr/sbin/chroot", "--userspec=epg:epg", str(root)]

    def within(*words: str, **options) -> subprocess.CompletedProcess:
        return subprocess.run(command + list(words), env=environment, capture_output=True, text=True, timeout=60, **options)

    def start() -> subprocess.Popen:
        # container.sh is the first process there, as in a container.
        return subprocess.Popen(
            [*command, "container.sh", "serve"], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def end(serving: subprocess.Popen) -> int:
        # unshare passes no signals on: the container's first process is its child.
        child = run("pgrep", "-P", serving.pid).split()[0]
        os.kill(int(child), signal.SIGTERM)
        return serving.wait(timeout=20)

    def waits() -> None:
        serving = start()
        try:
            time.sleep(1)
            assert serving.poll() is None
            assert within("container.sh", "health").returncode == 0
            assert end(serving) == 0
        finally:
            serving.kill()
    report.rule("the container waits for the first guide, is well meanwhile, and ends on SIGTERM", waits)

    def serves() -> None:
        serving = start()
        try:
            shutil.copy(project / "sample-data/evening.xml", root / "srv")
            imported = within("epg", "import", "/srv/evening.xml")
            assert imported.returncode == 0, imported.stderr
            end_of_wait = time.monotonic() + 20
            answer = ""
            while "200 OK" not in answer and time.monotonic() < end_of_wait:
                time.sleep(0.3)
                answer = subprocess.run(["curl", "-sS", "--noproxy", "*", "-i", f"http://127.0.0.1:{port}/healthz"],
                                        capture_output=True, text=True).stdout
            assert "200 OK" in answer, answer
            health = within("container.sh", "health")
            assert health.returncode == 0, health.stderr
            assert end(serving) == 0
            assert within("container.sh", "health").returncode != 0
        finally:
            serving.kill()
    report.rule("it serves the guide as soon as there is one, says that it is well, and when it isn't", serves)


def check_build(report: Report, project: Path, clean: Path, swift: Path, scratch: Path) -> None:
    """The first stage: the project, at its own path and with what is built of it, in a clean Debian that has Swift."""
    root = copy(clean, scratch / "build")

    def builds() -> str:
        # What Swift's own image has beyond Debian.
        inside(root, "apt-get", "-qq", "update")
        inside(root, "apt-get", "-y", "-qq", "install", "--no-install-recommends", "ca-certificates", "binutils", "git", "libc6-dev",
               "gcc", "g++", "libedit2", "libncurses6", "libpython3.11", "libsqlite3-0", "libxml2-dev", "libz3-4", "pkg-config",
               "tzdata", "libcurl4-openssl-dev", "zlib1g-dev")
        for folder in (swift, project):
            (root / str(folder).lstrip("/")).mkdir(parents=True, exist_ok=True)
        mounts = ('mount --rbind "$1" "$0$1"; mount --rbind "$2" "$0$2"; mount -t proc proc "$0/proc"; mount --rbind /dev "$0/dev"; '
                  'cp /etc/resolv.conf "$0/etc/"; exec chroot "$0" "$2/packaging/image.sh" build')
        words = run("unshare", "--mount", "sh", "-c", mounts, root, swift, project, timeout=5000, env={
            "PATH": f"{swift}/usr/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "HOME": "/root",
            **{k: v for k, v in os.environ.items() if k.lower().endswith("_proxy")}})
        return Path(words.strip().splitlines()[-1]).name
    report.rule("image.sh build makes the package in a clean Debian that has Swift", builds)
