"""The same guides in SQLite and in PostgreSQL: the programs answer questions equally, byte for byte."""

import random
from pathlib import Path

from comparison import Comparison
from engines import NOW, Engines
from questions import HOUR, Facts
from support import SAMPLES
from support.report import Skipped, long


def answers_about_the_sample_guide_are_equal(engines: Engines) -> str:
    """The sample guides of three formats, changed by imports, mappings, favorites, priorities, pruning and a restore."""
    pair = engines.pair("sample")
    comparison = Comparison(pair, 0.1)
    pair.succeed("import", SAMPLES / "evening.xml", SAMPLES / "evening.m3u")
    pair.succeed("import", SAMPLES / "oddities.xml", "--source", "oddities", "--explain")
    pair.succeed("import", SAMPLES / "schedules-direct", "--source", "direct", "--json")
    exported = pair.members[0].succeed("export", "--format", "json", "--source", "default")
    # PostgreSQL rejects U+0000 in texts.
    pair.succeed("import", "-", "--source", "nul", input=exported.replace(b"Kerbside", b"Kerb\\u0000side"))
    comparison.stage()
    # Changes of the guide, and of all that users choose.
    pair.upload((SAMPLES / "evening-next.xml").read_bytes(), "default")
    pair.succeed("source", "set", "nul", "--priority", "5")
    pair.succeed("match", "Pier Camera", "harbour-one.example", "--shift", "+1h")
    for station in ("kestrel.example", "harbour-one.example", "lantern.example"):
        pair.succeed("favorite", "add", station)
    pair.succeed("favorite", "remove", "lantern.example")
    pair.run("match", "--accept-above", "0.3")
    pair.succeed("source", "add", "file", SAMPLES / "evening.xml", "--shift", "600", "--priority", "-1")
    pair.succeed("refresh", "--quiet")
    comparison.stage()
    backups = [member.folder / "backup.sqlite" for member in pair.members]
    for member, backup in zip(pair.members, backups):
        member.succeed("backup", backup, clock=pair.clock)
    pair.succeed("prune", "--before", f"@{NOW - 8 * HOUR}", "--json")
    pair.succeed("source", "remove", "oddities")
    pair.run("import", SAMPLES / "missing.xml")
    pair.run("import", "-", input=b"<tv><programme")
    comparison.stage()
    # Each guide from the backup of the other one.
    for member, backup in zip(pair.members, reversed(backups)):
        member.succeed("restore", backup, clock=pair.clock)
    comparison.stage()
    comparison.copies()
    pair.succeed("check")
    return comparison.text()


#: Real guides as (source, file), of the full form: snapshots of one feed follow each other in two stages.
REAL = [
    ("china", "BurningC4_Chinese-IPTV/guide.xml.gz"), ("thailand", "akkradet_epg/series/guide@3a30594.xml.gz"),
    ("israel", "erandrory_droryIptv/xmltv.xml"), ("korea", "agwal_epg2xml/xmltv.xml.gz"), ("spain", "Morpheuz2025_epgY/esp.xml.gz"),
    ("zealand", "matthuisman_i.mjh.nz/nz/epg@HEAD~2.xml.gz"), ("singapore", "matthuisman_i.mjh.nz/Singtel/epg.xml.gz"),
    ("arabic", "Saudi23723_Unified-MENA-EPG/alwan_sports_epg.xml.gz"), ("clump", "XMLTV_xmltv/t/data/clump_extract.xml"),
    ("hungary", "derived/hu_nostop.xml.gz"),
    ("britain", "jellyfin_Jellyfin.XmlTv/tests/Jellyfin.XmlTv.Tests/Test_Data/UK_Data.xml.gz"),
    ("broken", "iptv-org_epg/history/tvguide.co.uk.xml.gz"), ("maze", "derived/tvmaze_schedule_US_2023-11-27.json"),
    ("vietnam", "decovn_Viet-Simpletv/xmltv.xml"), ("france", "matthuisman_i.mjh.nz/Plex/fr.xml.gz")]
LATER = [
    ("thailand", "akkradet_epg/series/guide@de3f5e7.xml.gz"), ("thailand", "akkradet_epg/series/guide@e5ae143.xml.gz"),
    ("zealand", "matthuisman_i.mjh.nz/nz/epg.xml.gz"), ("zealand-2", "matthuisman_i.mjh.nz/nz/epg@HEAD~2.xml.gz")]
PLAYLISTS = [
    "BurningC4_Chinese-IPTV/TV-IPV4.m3u", "erandrory_droryIptv/keshet.m3u8", "decovn_Viet-Simpletv/playlist.m3u"]
#: The guides of the short form.
SMALL = {"china", "israel", "thailand", "clump"}


def answers_about_real_guides_are_equal(engines: Engines) -> str:
    """Real guides in many scripts, with overlaps, clumps, missing stops and errors, as sources of one guide."""
    pair = engines.pair("real")
    comparison = Comparison(pair, 0.1)

    def chosen(guides: list[tuple[str, str]]) -> list[tuple[str, Path]]:
        found = [(source, engines.options.guides / name) for source, name in guides if not engines.short or source in SMALL]
        return [(source, path) for source, path in found if path.exists()]

    if not chosen(REAL):
        raise Skipped(f"there are no guides in {engines.options.guides}")
    for source, path in chosen(REAL):
        pair.succeed("import", path, "--source", source)
    for name in PLAYLISTS:
        if (path := engines.options.guides / name).exists():
            pair.succeed("import", path)
    comparison.stage()
    for source, path in chosen(LATER):
        pair.succeed("import", path, "--source", source, "--json")
    pair.succeed("source", "set", "china", "--priority", "3")
    pair.succeed("match", "--accept-above", "0.8")
    for station in Facts(pair.members[0], random.Random(1)).stations[5:8]:
        pair.succeed("favorite", "add", station)
    comparison.stage()
    middle = sorted(start for _, start, _ in Facts(pair.members[0], random.Random(1)).airings)
    pair.succeed("prune", "--before", f"@{middle[len(middle) // 3]}", "--force")
    comparison.stage()
    comparison.copies()
    return comparison.text()


@long
def answers_about_the_large_guide_are_equal(engines: Engines) -> str:
    """The guide of 147 MB, and a part of it again, which changes it."""
    path = engines.options.guides / "derived/mega.xml.gz"
    if not path.exists():
        raise Skipped(f"{path} is missing")
    pair = engines.pair("large")
    comparison = Comparison(pair, 0.1)
    pair.succeed("import", path, "--json")
    comparison.stage()
    pair.succeed("import", path, "--shift", "300", "--stations", "*1*")
    comparison.stage()
    return comparison.text()
