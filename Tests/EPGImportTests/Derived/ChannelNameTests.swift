import EPGCalendar
import EPGModel
import TestSupport
import Testing

@testable import EPGImport

/// Programmes in names of channels (Rules.md, rule 19). The names were first seen on Thursday, 10 December 2026, at 09:00 UTC, except
/// where a test says otherwise.
@Suite struct ChannelNameTests {
    private func event(
        _ name: String, _ expressions: String..., zone: String? = nil, days: String = "Europe/London",
        seen: String = "2026-12-10T09:00:00Z"
    ) throws -> ChannelEvent? {
        let patterns = try expressions.map { text in
            var pattern = ChannelNamePattern(try NameExpression(text))
            pattern.zone = zone
            return pattern
        }
        let reader = try ChannelNameReader(patterns, zone: try Zone(named: days))
        return reader.event(
            of: Channel(name: name, url: "x"), firstSeen: try #require(Instant(iso8601: seen)))
    }

    private static let dated =
        #"^(?<channel>PPV \d+): (?<title>.+) @ (?<time>[\d:.]+) (?<zone>[A-Z]+) (?<date>.+)$"#
    private static let timed = #"^(?<channel>BALL): (?<title>.+ at .+?) (?<time>\d+(?::\d\d)? ?[AP]M)$"#

    @Test func nameWithDateTimeAndZoneIsRead() throws {
        let event = try #require(try event("PPV 3: Rook vs Harrow @ 21:00 ET 12 Dec", Self.dated))
        expectEqual(event.channel, "PPV 3")
        expectEqual(event.title, "Rook vs Harrow")
        // Eastern Standard Time is five hours behind UTC.
        expectEqual(event.window.start.iso8601, "2026-12-13T02:00:00Z")
        expectEqual(event.window.seconds, 7200)
    }

    /// The time, zone, and date of a name, and the start.
    private static let moments: [(moment: String, start: String?)] = [
        ("12:00 UTC 12 Dec", "2026-12-12T12:00:00Z"), ("12:00 UTC Dec 12", "2026-12-12T12:00:00Z"),
        ("12:00 UTC Sat 12 December", "2026-12-12T12:00:00Z"),
        ("12:00 UTC Saturday, December 12th, 2026", "2026-12-12T12:00:00Z"),
        ("12:00 UTC 2026-12-12", "2026-12-12T12:00:00Z"), ("12:00 UTC 12.12.", "2026-12-12T12:00:00Z"),
        ("12:00 UTC 12/13", "2026-12-13T12:00:00Z"), ("12:00 UTC 13/12", "2026-12-13T12:00:00Z"),
        ("12:00 UTC 13.12.26", "2026-12-13T12:00:00Z"), ("12:00 UTC today", "2026-12-10T12:00:00Z"),
        ("12:00 UTC Tomorrow", "2026-12-11T12:00:00Z"), ("12:00 UTC 3 Jan", "2027-01-03T12:00:00Z"),
        ("12:00 UTC 20 Jun", "2026-06-20T12:00:00Z"), ("12:00 UTC 1 Jun", "2027-06-01T12:00:00Z"),
        ("12:00 UTC 29 Feb 2028", "2028-02-29T12:00:00Z"),
        // Invalid dates.
        ("12:00 UTC 32 Dec", nil), ("12:00 UTC 30 Feb 2026", nil), ("12:00 UTC soon", nil), ("12:00 UTC 5", nil),
        ("12:00 UTC 1 2 3 4 5", nil),
        // The month comes first in names of American zones.
        ("12:00 ET 11/12", "2026-11-12T17:00:00Z"), ("12:00 UK 11/12", "2026-12-11T12:00:00Z"),
        ("12:00 ET 12 Dec", "2026-12-12T17:00:00Z"), ("12:00 EDT 12 Dec", "2026-12-12T17:00:00Z"),
        ("12:00 PT 12 Dec", "2026-12-12T20:00:00Z"), ("12:00 CET 12 Dec", "2026-12-12T11:00:00Z"),
        ("12:00 UK 12 Dec", "2026-12-12T12:00:00Z"), ("12:00 GMT 12 Dec", "2026-12-12T12:00:00Z"),
        // A time in an unknown zone keeps the zone of days.
        ("12:00 XXX 12 Dec", "2026-12-12T12:00:00Z"),
        // In London, 01:30 does not exist on 29 March 2026, and occurs twice on 25 October 2026 (EPGCalendar's rules).
        ("1:30 UK 29 Mar 2026", "2026-03-29T01:30:00Z"), ("1:30 UK 25 Oct 2026", "2026-10-25T00:30:00Z"),
    ]

    @Test(arguments: moments)
    func dateAndZoneAreRead(moment: String, start: String?) throws {
        try expectEqual(event("PPV 1: A @ \(moment)", Self.dated)?.window.start.iso8601, start)
    }

    @Test(arguments: [
        ("21:00", "21:00"), ("9.30", "09:30"), ("0:05", "00:05"), ("7pm", "19:00"), ("7 PM", "19:00"),
        ("12:15am", "00:15"), ("12 pm", "12:00"), ("2130", "21:30"), ("7:30 p.m.", "19:30"), ("21h30", "21:30"),
        ("24:00", nil), ("13pm", nil), ("0am", nil), ("21:60", nil), ("99999", nil), ("x", nil),
    ])
    func timeIsRead(text: String, time: String?) throws {
        let event = try event("\(text)|A|2026-12-12", #"^(?<time>[^|]*)\|(?<title>\w)\|(?<date>.*)$"#, zone: "UTC")
        expectEqual(event?.window.start.iso8601, time.map { "2026-12-12T\($0):00Z" })
    }

    @Test(arguments: [
        ("2h", 7200), ("1h45", 6300), ("1:30", 5400), ("90 min", 5400), ("45", 2700), ("0", 7200), ("25h", 7200),
    ])
    func durationIsRead(text: String, seconds: Int64) throws {
        let event = try event("A|12:00|\(text)", #"^(?<title>.)\|(?<time>[\d:]+)\|(?<duration>.+)$"#)
        expectEqual(event?.window.seconds, seconds)
    }

    /// 19:30 in New York is 00:30 UTC on the next day. The pattern's programmes take two hours.
    @Test(arguments: [
        // The programme of the evening before has ended.
        ("2026-12-10T09:00:00Z", "2026-12-11T00:30:00Z"),
        // It is still on.
        ("2026-12-10T02:00:00Z", "2026-12-10T00:30:00Z"), ("2026-12-10T02:29:59Z", "2026-12-10T00:30:00Z"),
        ("2026-12-10T02:30:00Z", "2026-12-11T00:30:00Z"),
    ])
    func timeWithoutDateIsTheFirstThatHadNotEnded(seen: String, start: String) throws {
        let event = try event("BALL: Otters at Herons 7:30 PM", Self.timed, zone: "America/New_York", seen: seen)
        expectEqual(event?.window.start.iso8601, start)
        expectEqual(event?.title, "Otters at Herons")
    }

    @Test func firstMatchingPatternApplies() throws {
        let event = try event(
            "A 12:00", #"^(?<title>B) (?<time>[\d:]+)$"#, #"(?<title>A) (?<time>[\d:]+)"#, #"(?<title>.+ 1)(?<time>2)"#)
        expectEqual(event?.title, "A")
    }

    @Test(arguments: ["PPV 3: Rook vs Harrow", "PPV 3: @ 21:00 ET 12 Dec", "Harbour One", "", ":::"])
    func ordinaryNameIsNoEvent(name: String) throws {
        try expectEqual(event(name, Self.dated, Self.timed), nil)
    }
}
