"""A name server that never answers: previews of other servers go on, and the service ends at once."""

import contextlib
import os
import signal
import socket
import subprocess
import time
from urllib.parse import urlencode

from guide_server import GuideServer
from guides import Guide
from harness import Harness
from support.processes import wait_until
from support.report import Skipped, expect
from workspace import Workspace

#: A loopback address that nothing else uses.
ADDRESS = "127.77.0.53"
#: One more than the previews that are read at the same time.
COUNT = 5


def run(harness: Harness) -> None:
    with harness.fault("a name server that never answers") as fault, silent_name_server(harness):
        workspace = Workspace(harness, harness.subfolder("names"))
        file = workspace.folder / "guide.xml"
        file.write_bytes(Guide(2, 1, harness.now).xml(1))
        workspace.succeed("import", file)
        token = workspace.succeed("admin", "token", "add", "names", "--scope", "admin").strip()
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/x-www-form-urlencoded"}

        def post(path: str, **fields: str):
            return service.request(path, headers, "POST", urlencode(fields).encode())

        with contextlib.closing(GuideServer(file.read_bytes())) as guides, workspace.serve("--private-hosts", "127.0.0.1") as service:
            with fault.case("discarded previews leave room for others"):
                for number in range(COUNT):
                    location = post("/admin/add/url", url=f"http://slow-{number}.example/guide.xml").headers["location"]
                    time.sleep(0.2)
                    expect(post("/admin/preview/discard", id=location.split("=")[1]).status == 303, "the preview stays")
                location = post("/admin/add/url", url=guides.url).headers["location"]
                wait_until(lambda: b'name="name"' in service.request(location, headers).body, "another guide is previewed", seconds=3)
            with fault.case("SIGTERM"):
                post("/admin/add/url", url="http://slow.example/guide.xml")
                time.sleep(0.2)
                began = time.monotonic()
                service.process.send_signal(signal.SIGTERM)
                expect(service.process.wait(30) == 0, "the service fails")
                seconds = time.monotonic() - began
                expect(seconds < 3, f"the service ends after {seconds:.1f} s")


@contextlib.contextmanager
def silent_name_server(harness: Harness):
    """Makes a socket that answers nothing the name server of this process and its children."""
    if os.environ.get("FAULTS_NAMESPACE") != "own":
        raise Skipped("another resolv.conf needs root, or a user who may create namespaces")
    file = harness.subfolder("resolver") / "resolv.conf"
    file.write_text(f"nameserver {ADDRESS}\noptions timeout:30 attempts:3\n")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as listener:
        try:
            listener.bind((ADDRESS, 53))
        except OSError as error:
            raise Skipped(f"port 53 of {ADDRESS}: {error}") from error
        subprocess.run(["mount", "--bind", file, "/etc/resolv.conf"], check=True)
        try:
            yield
        finally:
            subprocess.run(["umount", "/etc/resolv.conf"], check=True)
