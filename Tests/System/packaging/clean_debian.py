"""Tests in a clean Debian: the package on a booted machine, and the container's build steps."""

import os
import re
import shutil
import signal
import subprocess
from pathlib import Path

from support import ROOT
from support.processes import free_port, is_open, request, run, stop, wait_until
from support.report import Report, Skipped, expect, need

#: Packages of a small machine in addition to the base system.
PACKAGES = "systemd,systemd-sysv,dbus,curl,man-db,procps"
SUITE = "bookworm"
MIRROR = "http://deb.debian.org/debian"


def base(folder: Path, packages: str) -> Path:
    """Returns a folder with a Debian from debootstrap, created on first use; raises `Skipped` if that is impossible."""
    if folder.is_dir():
        return folder
    need("debootstrap")
    if os.geteuid() != 0:
        raise Skipped("debootstrap needs root privileges")
    scratch = folder.with_suffix(".partial")
    shutil.rmtree(scratch, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    include = [f"--include={packages}"] if packages else []
    result = subprocess.run(
        ["debootstrap", "--variant=minbase", *include, SUITE, str(scratch), MIRROR], capture_output=True, text=True)
    if result.returncode != 0:
        shutil.rmtree(scratch, ignore_errors=True)
        raise Skipped(f"debootstrap fails: {(result.stdout + result.stderr)[-500:]}")
    scratch.rename(folder)
    return folder


def copy(clean: Path, target: Path) -> Path:
    run("cp", "-a", "--reflink=auto", clean, target)
    return target


def inside(root: Path, *command: object, **options) -> str:
    """Runs a command in a chroot with temporary mounts of /proc and /dev."""
    mounts = ('mount -t proc proc "$0/proc"; mount --rbind /dev "$0/dev"; '
              'cp /etc/resolv.conf "$0/etc/resolv.conf" 2>/dev/null; exec chroot "$@"')
    return run("unshare", "--mount", "sh", "-c", mounts, root, root, *command,
               **({"env": {"PATH": "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive",
                           **{k: v for k, v in os.environ.items() if k.lower().endswith("_proxy")}}} | options))


def check_machine(report: Report, clean: Path, package: Path, scratch: Path) -> None:
    root = copy(clean, scratch / "machine")
    exchange = scratch / "try"
    exchange.mkdir()
    shutil.copy(package, exchange)
    shutil.copy(ROOT / "Tests/System/packaging/machine.sh", exchange)
    shutil.copy(ROOT / "Tests/EPGStoreTests/Schema/Fixtures/guide-9.sqlite.gz", exchange)

    def installs() -> str:
        shutil.copy(package, root / "tmp")
        inside(root, "apt-get", "-qq", "update")
        output = inside(root, "apt-get", "-y", "install", "--no-install-recommends", f"/tmp/{package.name}")
        (root / "tmp" / package.name).unlink()
        assert "Creating user 'epg'" in output, output[-500:]
        return re.search(r"(\d+) newly installed", output)[0]
    report.check("apt installs the package with its dependencies on a clean Debian", installs)

    def pages() -> None:
        for page in ("epg", "epg-import", "epgd", "tv_grab_zz_epg"):
            assert run("dpkg-query", f"--admindir={root}/var/lib/dpkg", "-S", f"*/{page}.[18].gz")
        inside(root, "systemd-analyze", "verify", "epgd.service", "epg-refresh.service", "epg-refresh.timer")
    report.check("the machine's systemd verifies the units, including their programs and manual pages", pages)

    unit = root / "etc/systemd/system/try.service"
    unit.write_text("[Unit]\nDescription=Rules\n[Service]\nExecStart=/try/machine.sh\n")
    wants = root / "etc/systemd/system/multi-user.target.wants"
    wants.mkdir(parents=True, exist_ok=True)
    (wants / "try.service").symlink_to("../try.service")
    result = exchange / "result"
    result.touch()
    machine = subprocess.Popen(
        ["systemd-nspawn", "--quiet", f"--directory={root}", f"--bind={exchange}:/try", "--boot", "--register=no", "--keep-unit",
         "--private-network", "--link-journal=no", "--console=pipe", "--machine=epg-package-test"],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        console = machine.communicate(timeout=400)[0]
    except subprocess.TimeoutExpired:
        # The signal shuts the machine down.
        stop(machine)
        console = "timeout"
    lines = result.read_text().splitlines()
    if not lines:
        report.add("skipped", "the package on a booted machine", f"systemd-nspawn cannot boot a machine here: {console[-300:]}")
        return
    for line in lines:
        head, _, text = line.partition("  ")
        if head in ("ok", "FAILED"):
            report.add(head, text.strip())
        elif line != "ended":
            print("        " + line)
    if "ended" not in lines:
        report.add("FAILED", "all rules of the booted machine were checked", console[-500:])


def check_container(report: Report, clean: Path, package: Path, scratch: Path) -> None:
    file = (ROOT / "packaging/Dockerfile").read_text()

    def dockerfile() -> str:
        steps = re.findall(r"^([A-Z]+) (.*)", file, flags=re.M)
        assert [text for name, text in steps if name == "RUN"] == ["packaging/image.sh build", "image.sh install"], steps
        assert sum(name == "FROM" for name, _ in steps) == 2
        names = [name for name, _ in steps]
        assert {"HEALTHCHECK", "VOLUME", "EXPOSE"} <= set(names)
        assert dict(steps)["USER"] == "epg" and names.index("USER") > len(names) - 7
        for path in re.findall(r"packaging/\S+", " ".join(text for name, text in steps if name in ("COPY", "RUN"))):
            assert (ROOT / path).exists(), path
        return f"{len(steps)} lines"
    report.check("the Dockerfile has two stages, ends as an unprivileged user, and runs only our scripts", dockerfile)

    root = copy(clean, scratch / "container")

    def installs() -> str:
        for script in ("image.sh", "container.sh"):
            shutil.copy(ROOT / "packaging" / script, root / "usr/local/bin")
        shutil.copy(package, root / "tmp")
        inside(root, "image.sh", "install")
        assert not list((root / "tmp").iterdir()), "the package was not deleted"
        assert not (root / "usr/bin/systemctl").exists()
        return f"{int(run('du', '-sxm', root).split()[0])} MiB"
    report.check("image.sh install turns a clean Debian into the image, without systemd", installs)

    port = free_port()
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8",
                   "EPG_DATABASE": re.search(r"EPG_DATABASE=(\S+)", file)[1], "EPG_LISTEN": f"127.0.0.1:{port}"}
    # A PID namespace with its own /proc, from which Swift reads a program's arguments.
    command = ["unshare", "--pid", "--fork", "--kill-child", f"--mount-proc={root}/proc",
               "/usr/sbin/chroot", "--userspec=epg:epg", str(root)]

    def within(*arguments: str, **options) -> subprocess.CompletedProcess:
        return subprocess.run(command + list(arguments), env=environment, capture_output=True, text=True, timeout=60, **options)

    def start(output=os.devnull) -> subprocess.Popen:
        # container.sh is the first process, as in a container.
        with open(output, "wb") as log:
            return subprocess.Popen([*command, "container.sh", "serve"], env=environment, stdout=log, stderr=log)

    def stop(serving: subprocess.Popen) -> int:
        # unshare doesn't forward signals: the container's first process is its child.
        child = run("pgrep", "-P", serving.pid).split()[0]
        os.kill(int(child), signal.SIGTERM)
        return serving.wait(timeout=20)

    def sets_up() -> None:
        output = scratch / "container.log"
        serving = start(output)
        try:
            link = wait_until(
                lambda: re.search(r"http://\S+(/admin/start\?token=[0-9a-f]{64})", output.read_text()), "the container prints the link")[1]
            assert within("container.sh", "health").returncode == 0
            assert request(port, link).status == 200
            assert stop(serving) == 0
        finally:
            serving.kill()
    report.check("a new container creates the guide, prints the link to set it up, and exits on SIGTERM", sets_up)

    def serves() -> None:
        serving = start()
        try:
            shutil.copy(ROOT / "sample-data/evening.xml", root / "srv")
            imported = within("epg", "import", "/srv/evening.xml")
            assert imported.returncode == 0, imported.stderr
            wait_until(lambda: is_open(port) and request(port, "/healthz").status == 200, "the guide is served")
            health = within("container.sh", "health")
            assert health.returncode == 0, health.stderr
            assert stop(serving) == 0
            assert within("container.sh", "health").returncode != 0
        finally:
            serving.kill()
    report.check("the container serves a new guide at once and reports its health correctly", serves)


def check_build(report: Report, clean: Path, swift: Path, scratch: Path) -> None:
    """Runs the first stage: builds the project, at its own path with its build folder, in a clean Debian with Swift."""
    root = copy(clean, scratch / "build")

    def builds() -> str:
        # Packages of Swift's official image in addition to Debian's.
        inside(root, "apt-get", "-qq", "update")
        inside(root, "apt-get", "-y", "-qq", "install", "--no-install-recommends", "ca-certificates", "binutils", "git", "libc6-dev",
               "gcc", "g++", "libedit2", "libncurses6", "libpython3.11", "libsqlite3-0", "libxml2-dev", "libz3-4", "pkg-config",
               "tzdata", "libcurl4-openssl-dev", "zlib1g-dev")
        for folder in (swift, ROOT):
            (root / str(folder).lstrip("/")).mkdir(parents=True, exist_ok=True)
        mounts = ('mount --rbind "$1" "$0$1"; mount --rbind "$2" "$0$2"; mount -t proc proc "$0/proc"; mount --rbind /dev "$0/dev"; '
                  'cp /etc/resolv.conf "$0/etc/"; exec chroot "$0" "$2/packaging/image.sh" build')
        output = run("unshare", "--mount", "sh", "-c", mounts, root, swift, ROOT, timeout=5000, env={
            "PATH": f"{swift}/usr/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "HOME": "/root",
            **{k: v for k, v in os.environ.items() if k.lower().endswith("_proxy")}})
        return Path(output.strip().splitlines()[-1]).name
    report.check("image.sh build creates the package in a clean Debian with Swift", builds)
