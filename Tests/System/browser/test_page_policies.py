"""Pages log no errors, violate no policy, and send no requests to other hosts."""

from urllib.parse import quote, urlsplit

from guide_page import GuidePage
from world import EVENING


def pages(service, at=EVENING):
    """Returns the path of one page of each kind, by name."""
    station = service.json("/api/v1/stations", limit=1)["stations"][0]["id"]
    on_now = service.json("/api/v1/now", at=at, limit=20)["stations"]
    airing = next(each["now"][0]["id"] for each in on_now if each["now"])
    return {
        "guide": f"/?at={at}", "home": f"/home?at={at}", "stations": f"/stations?at={at}",
        "day": f"/stations/{quote(station, safe='')}?at={at}", "airing": f"/airings/{airing}?at={at}",
        "search": f"/search?q=the&at={at}", "search-nothing": f"/search?q=zzzzqqq&at={at}", "series": f"/series?title=Kerbside&at={at}", "none": "/airings/999999999",
    }


def pages_log_no_errors_and_violate_no_policy(world):
    service = world.service("sample")
    page = GuidePage.on(world, service)
    wrong = []
    for name, path in pages(service).items():
        page.open(path)
        page.settle()
        console_errors = [line for line in page.console_errors() if not (name == "none" and "404" in line)]
        wrong += [f"{name}: {line}" for line in console_errors]
    assert not wrong, wrong


def pages_request_nothing_from_other_hosts(world):
    service = world.service("sample")
    page = GuidePage.on(world, service)
    page.requests()
    for name, path in pages(service).items():
        page.open(path)
        page.settle()
        for url, kind in page.requests():
            assert urlsplit(url).netloc == f"127.0.0.1:{service.port}", f"{name} requests {url} ({kind})"


def every_page_has_cache_and_security_headers(world):
    service = world.service("sample")
    for name, path in pages(service).items():
        status, headers, _ = service.request(path, {"Accept": "text/html"})
        assert status == (404 if name == "none" else 200), f"{name} returned {status}"
        policy = headers.get("content-security-policy", "")
        wanted = ["default-src 'none'", "script-src 'self'", "style-src 'self'", "base-uri 'none'", "form-action 'self'",
                  "frame-ancestors 'none'"]
        missing = [part for part in wanted if part not in policy]
        assert not missing, f"{name}: {missing} missing in {policy!r}"
        assert "unsafe-inline" not in policy.replace("style-src-attr 'unsafe-inline'", ""), f"{name}: {policy}"
        assert headers.get("x-content-type-options") == "nosniff", f"{name}: no nosniff"
        assert headers.get("referrer-policy"), f"{name}: no Referrer-Policy"
        assert "cache-control" in headers, f"{name}: no Cache-Control"
