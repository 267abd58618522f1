"""Tests epgd and the sample guide with the client generated from openapi.yaml.

Harbour One on 2026-10-24, in UTC: The Ferry Choir 18:15 to 19:15, Kerbside 19:15 to 20:00 (BBFC PG), Low Water 20:00 to 21:00
(BBFC 15); evening.m3u has seven days of catch-up at https://streams.example.com/harbour-one/{utc}/{lutc}.m3u8.
"""

import datetime

from guide_client import Client
from guide_client.api.airings import airing, search
from guide_client.api.guide import grid, now
from guide_client.api.stations import groups, lineups, schedule, station_day, stations, versions
from guide_client.models import GridColumns, GridForm, Problem
from guide_client.types import UNSET
from support.report import expect

STATION = "harbour-one.example"
#: The Ferry Choir is on at 18:30 that evening.
EVENING = "2026-10-24T18:30:00Z"


def utc(hour: int, minute: int = 0) -> datetime.datetime:
    return datetime.datetime(2026, 10, 24, hour, minute, tzinfo=datetime.timezone.utc)


def expect_equal(actual, expected, what: str) -> None:
    expect(actual == expected, f"{what}: {actual!r} instead of {expected!r}")


def check_stations(client: Client) -> None:
    page = stations.sync(client=client, lineup="evening", limit=2, lang="en")
    expect_equal((page.total, page.offset), (12, 0), "the stations of the lineup")
    expect_equal([station.id for station in page.stations], [STATION, "harbour-two.example"], "their identifiers")
    first = page.stations[0]
    expect_equal((first.name, first.row, first.channel_number, first.images), ("Harbour One", 0, "1", UNSET), "the first station")
    page = stations.sync(client=client, group="International", lang="en", fields="name,images")
    expect_equal([station.name for station in page.stations], ["Midriver TV", "Tsukimi TV", "Al-Nakhla"], "names in English")
    expect_equal((page.stations[0].id, page.stations[0].images[0].width), (UNSET, 128), "selected members of a station")
    expect_equal([lineup.matched for lineup in lineups.sync(client=client).lineups], [12], "the channels that show a station")
    runs = groups.sync(client=client, lineup="evening").runs
    expect_equal([(run.row, run.name) for run in runs[:3]], [(0, "General"), (2, "Films"), (3, "News")], "the groups of the rows")


def check_schedule(client: Client) -> None:
    found = schedule.sync(
        STATION, client=client, from_="2026-10-24T18:15:00Z", to="2026-10-24T21:00:00Z", at=EVENING,
        fields="title,start,stop,series,minimumAge,catchup")
    expect_equal((found.station_name, found.from_), ("Harbour One", utc(18, 15)), "the schedule")
    expect_equal([a.title for a in found.airings], ["The Ferry Choir", "Kerbside", "Low Water"], "titles")
    expect_equal([a.start for a in found.airings], [utc(18, 15), utc(19, 15), utc(20)], "starts")
    expect_equal([a.minimum_age for a in found.airings], [UNSET, 8, 15], "ages")
    expect_equal(found.airings[1].series, "title:kerbside", "the series")
    expect_equal((found.airings[0].id, found.airings[0].links), (UNSET, UNSET), "members that were not selected")
    # {utc} is 18:15 and {lutc} 18:30. The others have not begun.
    expect_equal(
        [a.catchup and [link.url for link in a.catchup] for a in found.airings],
        [["https://streams.example.com/harbour-one/1792865700/1792866600.m3u8"], UNSET, UNSET], "catch-up")
    day = station_day.sync(STATION, "2026-10-24", client=client, zone="Europe/London")
    same = station_day.sync(STATION, "2026-10-24", client=client, zone="Europe/London", version=day.version)
    expect_equal(same, day, "the day with its version")
    known = versions.sync(client=client, date="2026-10-24", days=1, zone="Europe/London", lineup="evening")
    expect_equal(known.stations[0].versions, [day.version], "the version of the day")
    expect_equal((len(known.stations), known.total), (12, 12), "the versions of the lineup")
    other = station_day.sync(STATION, "2026-10-24", client=client, zone="Europe/London", version="0")
    expect_equal(isinstance(other, Problem) and other.status, 409, "another version")


def check_now(client: Client) -> None:
    found = now.sync(client=client, at="2026-10-24T20:30:00Z", rows="0,12", lineup="evening", max_age=12)
    expect_equal(found.at, utc(20, 30), "the time")
    expect_equal([entry.row for entry in found.stations], [0], "rows of the lineup")
    # Low Water is rated 15.
    expect_equal((found.stations[0].now, found.stations[0].next_.title), ([], "Harbour News at Ten"), "airings up to 12")
    found = now.sync(client=client, at=EVENING, rows="0", fields="title,poster").stations[0].now[0]
    expect_equal((found.title, bool(found.poster)), ("The Ferry Choir", True), "the picture of what is on")
    missing = now.sync(client=client, lineup="none")
    expect_equal(isinstance(missing, Problem) and missing.status, 404, "a missing lineup")
    wrong = now.sync(client=client, fields="bogus")
    expect_equal((wrong.status, wrong.parameter), (400, "fields"), "an unknown member")
    columns = grid.sync(client=client, form=GridForm.COLUMNS, from_=EVENING, group="Radio")
    expect_equal((isinstance(columns, GridColumns), columns.rows), (True, [11]), "the grid of a group")


def check_airings(client: Client) -> None:
    found = search.sync(client=client, q="carrow", at=EVENING)
    expect_equal(sorted({match.title for match in found.matches}), ["Low Water"], "matches")
    expect_equal(all(match.highlights for match in found.matches), True, "highlights")
    rated = search.sync(client=client, q="carrow", at=EVENING, max_age=12)
    expect_equal((rated.matches, rated.total), ([], found.total), "matches up to 12")
    match = search.sync(client=client, q="ferry choir", at=EVENING, limit=1).matches[0]
    expect_equal((match.title, match.start), ("The Ferry Choir", utc(18, 15)), "the first match")
    detail = airing.sync(match.id, client=client, at="2026-10-24T20:00:00Z").airing
    expect_equal([(link.lineup, link.channel) for link in detail.catchup], [("evening", "Harbour One")], "channels with catch-up")
    # 18:15 is 1792865700, 20:00 is 1792872000.
    expect_equal(detail.catchup[0].url, "https://streams.example.com/harbour-one/1792865700/1792872000.m3u8", "the catch-up URL")
    expect_equal([(link.type_.value, link.url) for link in detail.links], [("guide", f"/airings/{match.id}")], "links")
    expect_equal([image.url for image in detail.images], ["https://images.example.com/choir.jpg"], "images")
    expect_equal((detail.series, detail.minimum_age), ("title:the ferry choir", UNSET), "the series")
    expect_equal(detail.programme.titles[0].text, "The Ferry Choir", "the programme")
    live = airing.sync(match.id, client=client, at=EVENING).airing.links
    expect_equal(
        [(link.type_.value, link.url) for link in live],
        [("guide", f"/airings/{match.id}"), ("live", "https://streams.example.com/harbour-one.m3u8")], "live links")


CHECKS = {"stations": check_stations, "a schedule": check_schedule, "what is on now": check_now, "airings": check_airings}
