import EPGImport
import EPGModel
import EPGSQL
import EPGStore
import TestSupport
import Testing

@Suite struct ImportOptionsTests {
    @Test(arguments: [
        ("*", "", true), ("*", "one", true), ("", "", true), ("", "one", false), ("one", "ONE", true),
        ("one*", "one.test", true), ("*.test", "one.test", true), ("*.test", "one.tests", false), ("o?e", "one", true),
        ("o?e", "oe", false), ("?", "新", true), ("*a*b*", "xaxbx", true), ("*a*b*", "xbxax", false),
        ("a*a", "a", false), ("**", "x", true), ("é*", "É1", true), ("o*e*t", "one.test", true),
    ])
    func patternsMatchCompleteIdentifiers(pattern: String, identifier: String, matches: Bool) {
        expectEqual(WildcardPattern(pattern).matches(identifier), matches)
    }

    @Test func hostilePatternMatchesInBoundedTime() {
        let pattern = WildcardPattern(String(repeating: "*a", count: 200) + "b")
        expectEqual(pattern.matches(String(repeating: "a", count: 2000)), false)
    }

    private let records = (0..<6).map { hour in
        """
        <programme start="202603281\(hour)0000 +0000" stop="202603281\(hour)3000 +0000" channel="one.test"><title>A\(hour)</title></programme>
        <programme start="202603281\(hour)0000 +0000" channel="two.test"><title>B\(hour)</title></programme>
        """
    }.joined(separator: "\n")

    private func window(_ first: Int64, _ last: Int64) -> TimeWindow {
        // Minutes from 2026-03-28T10:00:00Z.
        let ten = Instant(secondsSince1970: 1_774_692_000)
        return TimeWindow(start: ten.advanced(by: first * 60), end: ten.advanced(by: last * 60))
    }

    @Test func onlyRequestedStationsAreImported() throws {
        let guide = try ImportedGuide(records, options: ImportOptions(stations: [WildcardPattern("TWO*")]))
        try expectEqual(guide.store.stationCount(), 1)
        expectEqual(guide.outcome.report.airingsStored, 6)
        expectEqual(guide.outcome.report.filtered, 6)
        expectAddsUp(guide.outcome.report)
    }

    @Test func onlyAiringsInWindowAreImported() throws {
        // 11:30 to 13:00: of station one, those that end at 11:30 or start at 13:00 are outside.
        let guide = try ImportedGuide(records, options: ImportOptions(window: window(90, 180)))
        try expectEqual(guide.airings(of: "one.test").map(\.title), ["A2"])
        // Of station two, without stops, the one from 11:00 is on until 12:00.
        try expectEqual(guide.airings(of: "two.test").map(\.title), ["B1", "B2"])
        expectAddsUp(guide.outcome.report)
        try expectEqual(guide.store.check().problems, [])
    }

    @Test func windowsOfTimeSortedFileAddUp() throws {
        // Twelve listings each of two alternating stations, without stops.
        let records = (10..<22).map { hour in
            ["one", "two"].map {
                "<programme start=\"20260328\(hour)0000 +0000\" channel=\"\($0)\"><title>T\(hour)</title></programme>"
            }.joined(separator: "\n")
        }.joined(separator: "\n")
        let guide = try ImportedGuide(records, options: ImportOptions(window: window(11 * 60, 12 * 60)))
        try expectEqual(guide.airings(of: "one").map(\.title), ["T21"])
        expectEqual(guide.outcome.report.airingsStored, 2)
        expectEqual(guide.outcome.report.filtered, 22)
    }

    @Test func contentOutsideWindowIsReleased() throws {
        let guide = try ImportedGuide(records, options: ImportOptions(window: window(90, 180)))
        // A2, B1, and B2 are on. The log says that B2 ends where B3 starts, so it keeps B3.
        try expectEqual(guide.store.check().programmes, 4)
    }
}

/// Tests that the same records give the same guide in any order: by station, by time, or mixed.
@Suite struct ImportOrderTests {
    private static func record(_ station: Int, _ half: Int) -> String {
        // One in seven overlaps the next one, one in five has no stop, and one in eleven is duplicated.
        let start = 1_000 + half * 30
        let stop = start + (half % 7 == 0 ? 40 : 30)
        func time(_ minutes: Int) -> String {
            let (hour, minute) = (minutes / 60 % 24, minutes % 60)
            return
                "202603\(10 + minutes / 1440)\(hour < 10 ? "0" : "")\(hour)\(minute < 10 ? "0" : "")\(minute)00 +0000"
        }
        let stopAttribute = half % 5 == 0 ? "" : "stop=\"\(time(stop))\" "
        let text =
            "<programme start=\"\(time(start))\" \(stopAttribute)channel=\"s\(station)\"><title>T\(half / 2)</title></programme>"
        return half % 11 == 0 ? text + "\n" + text : text
    }

    private static func contents(_ records: [String]) throws -> [[String]] {
        let guide = try ImportedGuide(records.joined(separator: "\n"))
        expectAddsUp(guide.outcome.report)
        try expectEqual(guide.store.check().problems, [])
        return try (0..<4).map { station in
            try guide.airings(of: "s\(station)").map { airing in
                "\(airing.window) \(airing.title) \(airing.isStopInferred) \(String(describing: airing.published))"
            }
        }
    }

    private static let grouped = (0..<4).flatMap { station in (0..<60).map { record(station, $0) } }

    @Test func inputOrderDoesNotChangeSchedules() throws {
        let expected = try Self.contents(Self.grouped)
        expectEqual(expected.map(\.count), [60, 60, 60, 60])
        // By time: consecutive records belong to different stations.
        try expectEqual(Self.contents((0..<60).flatMap { half in (0..<4).map { Self.record($0, half) } }), expected)
        // By station, twice: each station recurs after its listings seemed complete.
        let halves = [0..<30, 30..<60].flatMap { part in
            (0..<4).flatMap { station in part.map { Self.record(station, $0) } }
        }
        try expectEqual(Self.contents(halves), expected)
        // With the first record last, reversed, and shuffled.
        try expectEqual(Self.contents(Array(Self.grouped[1...]) + [Self.grouped[0]]), expected)
        try expectEqual(Self.contents(Self.grouped.reversed()), expected)
        var generator = SeededGenerator(seed: 11)
        try expectEqual(Self.contents(Self.grouped.shuffled(using: &generator)), expected)
    }
}
