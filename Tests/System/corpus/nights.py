"""Ages a guide: imports a real guide night after night, as its source would publish it, and checks the search index.

Each night imports the next seven days and prunes the past. After the guide's last day its days repeat: half of the programmes
unchanged, half with new text. Each night changes 5% of the texts. At the end, the index is at most 1.5 times as large as a
fresh one, `epg check` finds no fault, searches find as much as a linear scan, and the last nights take at most 1.25 times the
CPU seconds of the first ones.
"""

import gzip
import html
import json
import os
import re
import resource
import statistics
import tempfile
import zlib
from datetime import datetime, timedelta, timezone
from pathlib import Path

from support.processes import run as output_of
from support.report import Skipped

#: The default: a guide of several days with series.
GUIDE = "matthuisman_i.mjh.nz/au/all/epg.xml.gz"
AHEAD = 7
WORDS = ["football", "news", "the", "love", "night1", "night399", "cycle3"]
RECORD = re.compile(r"<programme\b([^>]*)>(.*?)</programme>", re.S)
ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')
WORD = re.compile(r"[^\W_]+")
TEXT = re.compile(r"<(title|sub-title|desc)\b[^>]*>(.*?)</\1>", re.S)


def moment(text: str) -> datetime:
    digits, _, zone = text.partition(" ")
    time = datetime.strptime(digits[:12], "%Y%m%d%H%M").replace(tzinfo=timezone.utc)
    offset = int(zone) if zone else 0
    return time - timedelta(hours=int(offset / 100), minutes=abs(offset) % 100 * (1 if offset >= 0 else -1))


def days(guide: Path) -> list[list[tuple]]:
    """Returns the programmes of each complete day: minute of the day, length in minutes, station, content."""
    data = guide.read_bytes()
    text = (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode("utf-8", "replace")
    found: dict[datetime, list[tuple]] = {}
    for record in RECORD.finditer(text):
        attributes = dict(ATTRIBUTE.findall(record[1]))
        if "stop" not in attributes:
            continue
        start, stop = moment(attributes["start"]), moment(attributes["stop"])
        day = start.replace(hour=0, minute=0)
        found.setdefault(day, []).append(((start - day).seconds // 60, (stop - start).seconds // 60, attributes["channel"], record[2]))
    largest = max(len(programmes) for programmes in found.values())
    return [found[day] for day in sorted(found) if len(found[day]) > largest // 2]


def published(night: int, week: list[list[tuple]], begin: datetime) -> str:
    """Returns the guide published in a night."""
    records = ["<tv>\n"]
    for day in range(night, night + AHEAD):
        cycle, midnight = day // len(week), begin + timedelta(days=day)
        for minutes, length, station, content in week[day % len(week)]:
            number = zlib.crc32(f"{station} {minutes} {content}".encode())
            if cycle and number % 2:
                content += f"<desc>Episode {number % 997} of cycle{cycle}</desc>"
            if zlib.crc32(f"{night} {number}".encode()) % 20 == 0:
                content += f"<sub-title>Changed in night{night}</sub-title>"
            start = midnight + timedelta(minutes=minutes)
            stop = start + timedelta(minutes=length)
            records.append(f'<programme start="{start:%Y%m%d%H%M%S} +0000" stop="{stop:%Y%m%d%H%M%S} +0000" channel="{station}">{content}</programme>\n')
    return "".join(records) + "</tv>\n"


def text(content: str) -> str:
    """Returns the searchable text: the first title, sub-title and description."""
    first: dict[str, str] = {}
    for found in TEXT.finditer(content):
        first.setdefault(found[1], found[2])
    return html.unescape(" ".join(first.values())).lower()


def run(options, report) -> None:
    guide = options.guides if options.guides.is_file() else options.guides / GUIDE
    if not guide.exists():
        raise Skipped(f"the real guide {guide} is missing (--guides FILE)")
    epg, nights = options.programs.epg, options.count(400)
    week, begin = days(guide), datetime(2026, 1, 1, tzinfo=timezone.utc)
    print(f"{guide.name}: {len(week)} days, {sum(map(len, week)):,} programmes; {nights} nights")
    with tempfile.TemporaryDirectory() as working:
        database, feed = f"{working}/guide.sqlite", f"{working}/guide.xml"
        seconds, sizes = [], []
        for night in range(nights):
            Path(feed).write_text(published(night, week, begin))
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            output_of(epg, "import", feed, "--source", "nightly", "--database", database)
            output_of(epg, "prune", "--before", f"{begin + timedelta(days=night):%Y-%m-%dT00:00Z}", "--force", "--database", database)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            seconds.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
            sizes.append(os.path.getsize(database + "-search"))
            if night % 50 == 49:
                print(f"  night {night + 1}: index {sizes[-1] >> 10:,} KiB, {statistics.mean(seconds[-50:]):.2f} CPU s per night", flush=True)
        report.check("epg check finds no fault", output_of, epg, "check", "--quiet", "--database", database)
        now = f"{begin + timedelta(days=nights - 1):%Y-%m-%dT00:00Z}"
        exported = output_of(epg, "export", "--database", database)
        texts = [text(record[2]) for record in RECORD.finditer(exported)]
        for word in WORDS:
            found = len(json.loads(output_of(epg, "search", word, "--json", "--limit", "100000", "--at", now, "--database", database)))
            counted = sum(word in WORD.findall(text) for text in texts)
            report.add("ok" if found == counted else "FAILED", f"a search for {word}", f"{found} found, {counted} expected")
        for suffix in ("", "-wal", "-shm"):
            Path(f"{database}-search{suffix}").unlink(missing_ok=True)
        output_of(epg, "import", feed, "--source", "nightly", "--database", database)
        fresh = os.path.getsize(database + "-search")
    quarter = max(len(seconds) // 4, 1)
    early, late = statistics.mean(seconds[:quarter]), statistics.mean(seconds[-quarter:])
    largest = max(sizes) / fresh
    report.add("ok" if largest <= 1.5 else "FAILED", "the index doesn't grow", f"{largest:.2f} × a fresh one ({fresh >> 10:,} KiB)")
    report.add("ok" if late <= 1.25 * early else "FAILED", "the nights don't become slower",
               f"{early:.2f} CPU s per night at the start, {late:.2f} at the end")
