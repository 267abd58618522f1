"""The service keeps the pictures of the guide: pages ask no other server, and hostile servers harm nobody."""

import gzip
import os
import random
import signal
import struct
import threading
import time
import zlib
from hashlib import sha1
from urllib.parse import urlsplit

from guide_page import GuidePage
from local_servers import png
from support.processes import Service, wait_until
from support.report import long
from support.servers import WebServer, send
from support.times import xmltv_time


class _Pictures(WebServer):
    """A server of pictures. Its replies are (status, headers, body, seconds before the response), by path.

    A response waits for `gate` first, which is open by default.
    """

    def __init__(self):
        self.replies, self.requests, self.gate = {}, [], threading.Event()
        self.gate.set()
        super().__init__(self._respond)

    def _respond(self, handler):
        self.requests.append(handler.path)
        status, headers, body, delay = self.replies.get(handler.path, (200, {}, png(300, 200), 0))
        self.gate.wait(20)
        time.sleep(delay)
        send(handler, status, headers, body)


def _guide(origin, start, count=3):
    stations = "".join(
        f'<channel id="s{n}"><display-name>Harbour {n}</display-name><icon src="{origin}/logo-{n}.png"/></channel>' for n in range(count))
    airings = "".join(
        f'<programme start="{xmltv_time(start + hour * 3600)}" stop="{xmltv_time(start + (hour + 1) * 3600)}" channel="s{n}">'
        f'<title>Quay {n}</title><category>Film</category><image type="poster">{origin}/poster-{n}.jpg</image></programme>'
        for n in range(count) for hour in range(72))
    return f"<tv>{stations}{airings}</tv>".encode()


def _service(world, name, pictures, *arguments, count=3):
    guide = _guide(pictures.origin, world.start, count)
    return world.own_service(guide, name, "--private-hosts", "127.0.0.1", *arguments)


def _path(url, owner):
    return f"/art/{owner}/{sha1(url.encode()).hexdigest()[:32]}"


def _settled(service, path):
    """Requests a picture until the service has fetched it or gives up."""
    return wait_until(lambda: (r := service.request(path)).status != 503 and r, path, 60)


def pages_show_pictures_without_requests_to_other_hosts(world):
    pictures = _Pictures()
    service = _service(world, "artwork", pictures)
    airing = service.json("/api/v1/now", limit=1)["stations"][0]["now"][0]["id"]
    page = GuidePage.on(world, service)
    for path in ["/", "/home", "/stations", "/stations/s0", f"/airings/{airing}"]:
        page.requests()
        page.open(path)
        # Every picture but the icon of the service, which is no bitmap.
        page.wait("""(() => {
            const images = [...document.querySelectorAll('main img, .logo img')].filter(image => image.getClientRects().length);
            return images.length > 0 && images.every(image => image.naturalWidth > 0 && new URL(image.src).pathname.startsWith('/art/'));
        })()""", timeout=20)
        page.settle()
        for url, kind in page.requests():
            assert urlsplit(url).netloc == f"127.0.0.1:{service.port}", f"{path} requests {url} ({kind})"
        assert not page.console_errors()
        world.screenshot(page, "artwork-" + (path.strip("/").replace("/", "-") or "guide"))
    page.show("/")
    page.open_details()
    page.wait("document.querySelector('#panel img.poster')?.naturalWidth > 0", timeout=20)
    pictures.close()


def viewed_pictures_are_shown_offline(world):
    pictures = _Pictures()
    service = _service(world, "artwork-offline", pictures)
    page = GuidePage.on(world, service)
    shown = "[...document.querySelectorAll('.head .logo img.there')].filter(image => image.naturalWidth > 0).length === 3"
    page.open("/", wait=shown)
    page.wait("navigator.serviceWorker.controller?.state === 'activated'", timeout=20)
    page.open("/", wait=shown)
    page.settle(400)
    service.close()
    pictures.close()
    page.developer("Network.enable")
    page.developer("Network.clearBrowserCache")
    page.developer("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=-1, uploadThroughput=-1)
    page.open("/", wait=shown)
    assert page.text("#state").startswith("You are offline."), page.text("#state")


def slow_logo_replaces_the_initials_after_one_more_request(world):
    pictures = _Pictures()
    pictures.replies["/logo-0.png"] = (200, {}, png(64, 64), 1)
    pictures.gate.clear()
    service = _service(world, "artwork-slow", pictures, count=1)
    page = GuidePage.on(world, service)
    page.requests()
    page.open("/", wait="document.querySelector('.head .logo i')?.textContent === 'H0'")
    pictures.gate.set()
    page.wait("document.querySelector('.head .logo img.there')?.naturalWidth > 0", timeout=20)
    logos = [url for url, _ in page.requests() if "/art/" in url]
    assert len(logos) == 2 and pictures.requests.count("/logo-0.png") == 1, (logos, pictures.requests)
    pictures.close()


@long
def missing_picture_is_requested_once_more_and_then_left(world):
    pictures = _Pictures()
    for path in ("/logo-0.png", "/poster-0.jpg"):
        pictures.replies[path] = (404, {}, b"", 0)
    service = _service(world, "artwork-missing", pictures, count=1)
    page = GuidePage.on(world, service)
    # The script of the guide replaces the images of the markup.
    for path, limit in [("/", 3), ("/home", 2)]:
        page.requests()
        page.open(path)
        time.sleep(8)
        requests = [urlsplit(url).path for url, _ in page.requests() if "/art/" in url]
        assert requests and all(requests.count(each) <= limit for each in requests), requests
    assert pictures.requests.count("/logo-0.png") == 1, pictures.requests
    pictures.close()


def direct_pictures_come_from_their_own_servers(world):
    pictures = _Pictures()
    service = _service(world, "artwork-direct", pictures, "--artwork", "direct", count=1)
    page = GuidePage.on(world, service)
    page.open("/", wait="document.querySelector('.head .logo img.there')?.naturalWidth > 0")
    assert f"{pictures.origin}/logo-0.png" in [url for url, _ in page.requests()]
    assert "img-src http: https: data:" in service.request("/").headers["content-security-policy"]
    pictures.close()


def hostile_pictures_are_never_served(world):
    pictures, inside = _Pictures(), []
    private = WebServer(lambda handler: (inside.append(handler.path), send(handler, 200, {}, png(9, 9))))
    picture = png(300, 200)
    replies = [
        (200, {"Content-Type": "image/svg+xml"}, b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>", 0),
        (200, {"Content-Type": "image/png"}, b"<!DOCTYPE html><html><script>alert(1)</script></html>", 0),
        (200, {"Content-Type": "image/png"}, picture[:len(picture) // 2], 0),
        (200, {"Content-Type": "image/png"}, _picture_bomb(), 0),
        (200, {"Content-Type": "image/png"}, bytes(9 << 20), 0),
        (200, {"Content-Type": "image/png", "Content-Encoding": "gzip"}, _gzip_bomb(), 0),
        (200, {"Content-Type": "image/gif"}, b"GIF89a\1\0\1\0\0\0\0,\0\0\0\0\1\0\1\0\0\2\1L\0;", 0),
        (302, {"Location": f"http://localhost:{private.port}/admin"}, b"", 0),
        (302, {"Location": "file:///etc/passwd"}, b"", 0),
        (200, {}, picture, 60),
        (500, {}, b"", 0),
        (200, {}, b"", 0),
    ]
    for number, reply in enumerate(replies):
        pictures.replies[f"/logo-{number}.png"] = reply
    good = len(replies)
    service = _service(world, "artwork-hostile", pictures, count=good + 1)
    started = time.monotonic()
    for number in range(good):
        response = _settled(service, _path(f"{pictures.origin}/logo-{number}.png", f"stations/s{number}"))
        assert response.status == 404, f"{number}: {response.status} {response.body[:80]}"
        assert response.headers["content-type"] == "application/problem+json", response.headers
    world.note(f"{good} hostile servers in {time.monotonic() - started:.1f} s")
    response = _settled(service, _path(f"{pictures.origin}/logo-{good}.png", f"stations/s{good}"))
    assert response.status == 200 and response.body[:4] == b"RIFF" and response.headers["content-type"] == "image/webp"
    assert not inside, f"the service requested {inside} of its own machine"
    private.close()
    pictures.close()


def guide_cannot_name_addresses_of_this_machine(world):
    pictures = _Pictures()
    service = world.own_service(_guide(pictures.origin, world.start), "artwork-private")
    for number in range(3):
        assert _settled(service, _path(f"{pictures.origin}/logo-{number}.png", f"stations/s{number}")).status == 404
    assert not pictures.requests, pictures.requests
    pictures.close()


@long
def kills_leave_no_broken_picture(world):
    pictures, count = _Pictures(), 150
    for number in range(count):
        pictures.replies[f"/logo-{number}.png"] = (200, {}, png(200 + number % 7, 160), 0)
    guide = _guide(pictures.origin, world.start, count)
    paths = [_path(f"{pictures.origin}/logo-{number}.png", f"stations/s{number}") for number in range(count)]
    chance, kept = random.Random(23), 0
    for turn in range(8 if world.short else 25):
        service = world.own_service(guide, "artwork-kill", "--private-hosts", "127.0.0.1")
        end = time.monotonic() + chance.uniform(0, 0.4)
        threads = [threading.Thread(target=_request_until, args=(service, paths[first::4], end)) for first in range(4)]
        for thread in threads:
            thread.start()
        time.sleep(max(0, end - time.monotonic()))
        os.kill(service.process.pid, signal.SIGKILL)
        service.process.wait()
        for thread in threads:
            thread.join()
    # Without the server, there are only the pictures in the folder.
    pictures.close()
    service = world.own_service(guide, "artwork-kill", "--private-hosts", "127.0.0.1")
    for path in paths:
        response = _settled(service, path)
        assert response.status in (200, 404), response
        if response.status == 200:
            kept += 1
            size = int.from_bytes(response.body[4:8], "little") + 8
            assert response.body[:4] == b"RIFF" and size == len(response.body), f"{path} is broken"
    folder = service.database.with_name(service.database.name + "-art")
    files = [path.name for path in folder.rglob("*") if path.is_file() and not path.name.startswith(".epg-")]
    assert len(files) == kept, f"{len(files)} files, {kept} pictures"
    world.note(f"{kept} of {count} pictures were complete")
    assert kept > 0


@long
def services_keep_the_limit_of_a_shared_folder_together(world):
    pictures, count = _Pictures(), 400
    guide = _guide(pictures.origin, world.start, count)
    arguments = ["--private-hosts", "127.0.0.1", "--limits-artwork", "1 MiB"]
    first = world.own_service(guide, "artwork-shared", *arguments)
    second = Service(world.programs, first.database, *arguments, log=first.database.with_suffix(".second.log"))
    world.services["own artwork-shared second"] = second
    paths = [_path(f"{pictures.origin}/logo-{number}.png", f"stations/s{number}") for number in range(count)]
    wrong = []

    def view(service, order):
        wrong.extend(path for path in order if _settled(service, path).body[:4] != b"RIFF")

    threads = [threading.Thread(target=view, args=(first, paths)), threading.Thread(target=view, args=(second, paths[::-1]))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong, wrong
    folder = first.database.with_name(first.database.name + "-art")
    size = sum(path.stat().st_blocks * 512 for path in folder.rglob("*") if path.is_file())
    world.note(f"{size} bytes on the disk after {len(pictures.requests)} downloads of {count} pictures")
    # Each service may miss a twentieth, and a file of the other one.
    assert (1 << 20) / 2 < size <= (1 << 20) * 1.1 + 2 * 4096, size
    pictures.close()


def _request_until(service, paths, end):
    for path in paths:
        if time.monotonic() > end:
            return
        try:
            service.request(path)
        except OSError:
            return
        except Exception:  # The service was killed during the response.
            return


def _gzip_bomb():
    return gzip.compress(bytes(64 << 20))


def _picture_bomb():
    """Returns a small file of 20,000 × 20,000 pixels."""
    header = struct.pack(">4sIIBBBBB", b"IHDR", 20_000, 20_000, 8, 2, 0, 0, 0)
    file = png(9, 9)
    return file[:12] + header + struct.pack(">I", zlib.crc32(header)) + file[33:]


def initials_with_and_without_scripts_are_equal(world):
    names = {"BBC One": "BO", "CCTV-1 综合": "C1", "CCTV-10 科教": "C10", "CCTV-5+ 体育": "C5+", "10": "10", "TF1": "T1", "3sat": "3S", "Sky Sport 2 HD": "SS2", "Alpha Beta 4K 7": "AB7", "Alpha Beta 1080p": "AB", "第一财经": "第"}
    channels = "".join(f'<channel id="c{at}"><display-name>{name}</display-name></channel>' for at, name in enumerate(names))
    programmes = "".join(
        f'<programme start="20261025{hour}0000 +0000" stop="20261025{hour + 1}0000 +0000" channel="c{at}"><title>T</title></programme>'
        for at in range(len(names)) for hour in (17, 18, 19))
    service = world.own_service(f"<tv>{channels}{programmes}</tv>".encode(), "initials")
    page = GuidePage.on(world, service)
    shown = "return [...document.querySelectorAll('#guide .head')].map((head) => [head.querySelector('.name b').textContent, head.querySelector('.logo i')?.textContent])"
    for scripts in (False, True):
        page.scripts(scripts)
        if scripts:
            page.show("/?at=1792953600")
        else:
            page.open("/?at=1792953600")
        found = dict(page.run(shown))
        wrong = {name: (found.get(name), initials) for name, initials in names.items() if found.get(name) != initials}
        assert not wrong, f"scripts {scripts}: {wrong}"
