import EPGImport
import EPGModel
import EPGStore
import TestSupport
import Testing

/// Tests of the times of a feed, with the zone and the shift of its source.
@Suite struct TimeImportTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var start: String
        var stop: String
        var zone: String?
        var shift: Int64
        var window: String

        init(_ start: String, _ stop: String, zone: String? = nil, shift: Int64 = 0, is window: String) {
            (self.start, self.stop, self.zone, self.shift, self.window) = (start, stop, zone, shift, window)
        }

        var testDescription: String { "\(start) – \(stop) \(zone ?? "") \(shift)" }
    }

    /// The first rows are from the table in Rules.md, XMLTV 2. Python's `zoneinfo` calculated the local times.
    static let rows = [
        Row("20260329003000", "20260329013000", is: "2026-03-29T00:30:00Z 2026-03-29T01:30:00Z"),
        Row("202603290030", "2026032901", is: "2026-03-29T00:30:00Z 2026-03-29T01:00:00Z"),
        Row("20260329003000 +0100", "20260329010000 BST", is: "2026-03-28T23:30:00Z 2026-03-29T00:00:00Z"),
        Row("20260329003000 +01:00", "2026-03-29T01:00:00+01:00", is: "2026-03-28T23:30:00Z 2026-03-29T00:00:00Z"),
        Row("20260329003000Z", "20260330", is: "2026-03-29T00:30:00Z 2026-03-30T00:00:00Z"),
        // The zone of a source applies only to times without a zone.
        Row("20260328180000", "20260328190000", zone: "Europe/Berlin", is: "2026-03-28T17:00:00Z 2026-03-28T18:00:00Z"),
        Row("20260629180000", "20260629190000", zone: "Europe/Berlin", is: "2026-06-29T16:00:00Z 2026-06-29T17:00:00Z"),
        Row(
            "20260328180000 +0000", "20260328190000 +0000", zone: "Europe/Berlin",
            is: "2026-03-28T18:00:00Z 2026-03-28T19:00:00Z"),
        // Clocks go forward from 02:00 to 03:00: 02:30 doesn't exist and becomes 03:30.
        Row("20260329013000", "20260329030000", zone: "Europe/Berlin", is: "2026-03-29T00:30:00Z 2026-03-29T01:00:00Z"),
        Row("20260329023000", "20260329040000", zone: "Europe/Berlin", is: "2026-03-29T01:30:00Z 2026-03-29T02:00:00Z"),
        // They go back from 03:00 to 02:00: 02:30 occurs twice, and a stop is the first one after its start.
        Row("20261025013000", "20261025023000", zone: "Europe/Berlin", is: "2026-10-24T23:30:00Z 2026-10-25T00:30:00Z"),
        Row("20261025023000", "20261025023000", zone: "Europe/Berlin", is: "2026-10-25T00:30:00Z 2026-10-25T01:30:00Z"),
        Row("20261025024500", "20261025021500", zone: "Europe/Berlin", is: "2026-10-25T00:45:00Z 2026-10-25T01:15:00Z"),
        Row("20261025013000", "20261025033000", zone: "Europe/Berlin", is: "2026-10-24T23:30:00Z 2026-10-25T02:30:00Z"),
        // A shift applies to every time.
        Row("20260328180000", "20260328190000", shift: 3600, is: "2026-03-28T19:00:00Z 2026-03-28T20:00:00Z"),
        Row(
            "20260328180000 +0100", "20260328190000 +0100", shift: -60, is: "2026-03-28T16:59:00Z 2026-03-28T17:59:00Z"),
        Row(
            "20261025024500", "20261025021500", zone: "Europe/Berlin", shift: 60,
            is: "2026-10-25T00:46:00Z 2026-10-25T01:16:00Z"),
        // Ambiguous names have one documented meaning.
        Row("20260328180000 IST", "20260328190000 IST", is: "2026-03-28T12:30:00Z 2026-03-28T13:30:00Z"),
        Row("20260328180000 CST", "20260328190000 MST", is: "2026-03-29T00:00:00Z 2026-03-29T02:00:00Z"),
    ]

    /// The years of starts, and the finding, which occurs once for the guide.
    @Test(arguments: [
        ([1926, 1926], "2 programmes start in 1926"), ([2026, 2126], "a programme starts in 2126"),
        ([2100, 1989, 2026], "2 programmes start from 1989 to 2100"), ([1990, 2099], nil),
    ])
    func implausibleYearsAreReported(_ years: [Int], finding: String?) throws {
        let guide = try ImportedGuide(
            years.map { "<programme start=\"\($0)0101000000 +0000\" channel=\"a\"><title>T\($0)</title></programme>" }
                .joined(separator: "\n"))
        try expectEqual(guide.diagnostics().filter { $0.keyword == .badyear }.map(\.quote), finding.map { [$0] } ?? [])
    }

    @Test(arguments: rows) func timesAreImportedAsInstants(_ row: Row) throws {
        let source = Source(name: "feed", timeZone: row.zone, shift: row.shift)
        let guide = try ImportedGuide(
            "<programme start=\"\(row.start)\" stop=\"\(row.stop)\" channel=\"a\"><title>T</title></programme>",
            as: source)
        try expectEqual(guide.lines(of: "a"), [row.window + " T"])
    }

    @Test(arguments: [false, true]) func shiftAppliesToSignaledStarts(isJSON: Bool) throws {
        let source = Source(name: "feed", timeZone: "Europe/Berlin", shift: 3600)
        let attributes = [
            ("pdc-start", "20260328175900 +0000"), ("showview", "12"), ("vps-start", "20260328190000"),
            ("x-start", "20260328175900"),
        ]
        let text =
            isJSON
            ? """
            {"type": "guide", "version": 1}
            {"type": "airing", "station": "a", "start": "2026-03-28T18:00:00Z", "transmission": \
            {\(attributes.map { "\"\($0)\": \"\($1)\"" }.joined(separator: ", "))}, "programme": {"title": ["T"]}}
            """
            : """
            <programme start="20260328180000 +0000" \(attributes.map { "\($0)=\"\($1)\"" }.joined(separator: " ")) \
            channel="a"><title>T</title></programme>
            """
        let guide = try isJSON ? ImportedGuide(bytes: Array(text.utf8), as: source) : ImportedGuide(text, as: source)
        // `RecordedGuide` escapes the attributes like Swift strings.
        let log = try RecordedGuide(guide.store).airings.joined().replacing("\\\"", with: "\"")
        // 19:00 in Berlin is 18:00 in UTC on that day.
        for shifted in [
            "pdc-start=\"20260328185900 +0000\"", "showview=\"12\"", "vps-start=\"20260328190000 +0000\"",
            "x-start=\"20260328175900\"",
        ] { expectText(log, contains: [shifted]) }
    }

    @Test func timesWithoutAZoneAreReportedOnce() throws {
        let guide = try ImportedGuide(
            (10...14).map {
                "<programme start=\"20260328\($0)0000\" stop=\"20260328\($0)3000\" channel=\"a\"><title>T</title></programme>"
            }.joined(separator: "\n"))
        expectEqual(guide.outcome.report.diagnostics[.missingtimezone], 1)
        try expectContains(guide.findings(), "3 missingtimezone kept")
    }

    @Test func eachAmbiguousZoneIsReportedOnce() throws {
        let zones = ["IST", "CST", "IST", "+0100", "MST", "CST"]
        let guide = try ImportedGuide(
            zones.enumerated().map { index, zone in
                "<programme start=\"20260328\(10 + index)0000 \(zone)\" channel=\"s\(index)\"><title>T</title></programme>"
            }.joined(separator: "\n"))
        let ambiguous = try guide.diagnostics().filter { $0.keyword == .invalidtimezone }
        expectEqual(ambiguous.map(\.line), [3, 4, 7])
        #expect(ambiguous.allSatisfy { $0.action == .kept && $0.severity == .warning })
    }

    @Test func ambiguousZoneOfStopIsReported() throws {
        let guide = try ImportedGuide(
            "<programme start=\"20260328120000 +0000\" stop=\"20260328183000 IST\" channel=\"a\"><title>T</title></programme>"
        )
        try expectEqual(guide.lines(of: "a"), ["2026-03-28T12:00:00Z 2026-03-28T13:00:00Z T"])
        try expectContains(guide.findings(), "3 invalidtimezone kept")
    }

    @Test func unknownZoneOfSourceIsAnError() {
        expectThrows((any Error).self) {
            try ImportedGuide("", as: Source(name: "feed", timeZone: "Europe/Berlim"))
        }
    }

    @Test(arguments: [Int64.min, Int64.min + 1, Int64.max]) func extremeShiftDoesNotTrap(shift: Int64) throws {
        let guide = try ImportedGuide(
            "<programme start=\"20260328180000\" stop=\"20260328190000\" channel=\"a\"><title>T</title></programme>",
            as: Source(name: "feed", shift: shift))
        expectAddsUp(guide.outcome.report)
        try guide.store.refreshSearchIndex()
        _ = try guide.store.search(SearchQuery(words: "T", now: ImportedGuide.now, order: .start)).matches
    }
}
