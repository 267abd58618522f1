import EPGImport
import EPGModel
import EPGStore
import Testing

@Suite struct ImportOptionsTests {
    @Test(arguments: [
        ("*", "", true), ("*", "one", true), ("", "", true), ("", "one", false), ("one", "ONE", true),
        ("one*", "one.test", true), ("*.test", "one.test", true), ("*.test", "one.tests", false), ("o?e", "one", true),
        ("o?e", "oe", false), ("?", "新", true), ("*a*b*", "xaxbx", true), ("*a*b*", "xbxax", false),
        ("a*a", "a", false), ("**", "x", true), ("é*", "É1", true), ("o*e*t", "one.test", true),
    ])
    func patternsMatchWholeIdentifiers(pattern: String, identifier: String, matches: Bool) {
        #expect(StationPattern(pattern).matches(identifier) == matches)
    }

    @Test func aHostilePatternEndsSoon() {
        let pattern = StationPattern(String(repeating: "*a", count: 200) + "b")
        #expect(!pattern.matches(String(repeating: "a", count: 2000)))
    }

    private let records = (0..<6).map { hour in
        """
        <programme start="202603281\(hour)0000 +0000" stop="202603281\(hour)3000 +0000" channel="one.test"><title>A\(hour)</title></programme>
        <programme start="202603281\(hour)0000 +0000" channel="two.test"><title>B\(hour)</title></programme>
        """
    }.joined(separator: "\n")

    private func window(_ first: Int64, _ last: Int64) -> TimeWindow {
        // From 2026-03-28T10:00:00Z, in minutes.
        let ten = Instant(secondsSince1970: 1_774_692_000)
        return TimeWindow(start: ten.advanced(by: first * 60), end: ten.advanced(by: last * 60))
    }

    @Test func onlyTheStationsThatWereAskedForAreImported() throws {
        let guide = try ImportedGuide(records, options: ImportOptions(stations: [StationPattern("TWO*")]))
        #expect(try guide.store.stationCount() == 1)
        #expect((guide.outcome.report.airingsStored, guide.outcome.report.filtered) == (6, 6))
        #expect(guide.outcome.report.addsUp)
    }

    @Test func onlyWhatIsOnInTheWindowIsImported() throws {
        // 11:30 to 13:00: of station one those that end at 11:30 and start at 13:00 are out.
        let guide = try ImportedGuide(records, options: ImportOptions(window: window(90, 180)))
        #expect(try guide.airings(of: "one.test").map(\.title) == ["A2"])
        // Of station two, without stops, the one from 11:00 is on until 12:00.
        #expect(try guide.airings(of: "two.test").map(\.title) == ["B1", "B2"])
        #expect(guide.outcome.report.addsUp)
        #expect(try guide.store.check().problems == [])
    }

    @Test func aPartOfAFileThatIsSortedByTimeAddsUp() throws {
        // Twelve listings of each of two stations in turn, without stops.
        let records = (10..<22).map { hour in
            ["one", "two"].map {
                "<programme start=\"20260328\(hour)0000 +0000\" channel=\"\($0)\"><title>T\(hour)</title></programme>"
            }.joined(separator: "\n")
        }.joined(separator: "\n")
        let guide = try ImportedGuide(records, options: ImportOptions(window: window(11 * 60, 12 * 60)))
        #expect(try guide.airings(of: "one").map(\.title) == ["T21"])
        #expect((guide.outcome.report.airingsStored, guide.outcome.report.filtered) == (2, 22))
    }

    @Test func contentThatTurnsOutToLieOutsideTheWindowIsNotKept() throws {
        let guide = try ImportedGuide(records, options: ImportOptions(window: window(90, 180)))
        // A2, B1 and B2 are on; the log says that B2 ends where B3 begins, so it keeps B3.
        #expect(try guide.store.check().programmes == 4)
    }
}
