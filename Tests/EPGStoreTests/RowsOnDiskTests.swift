import EPGImport
import EPGModel
import EPGSQL
import EPGStore
import StoreConformance
import TestSupport
import Testing

/// Imports write no unnecessary rows and leave no unreferenced rows.
@Suite struct RowsOnDiskTests {
    /// A guide that needs every kind of repair.
    private static let untidy = [
        "one 20:00-21:00 News / Late: With weather.", "one 21:00-? Film", "one 22:00-22:00 Marker",
        "one 22:00-23:00 Talk", "one 22:00-23:00 Talk", "one 22:30-23:30 Music", "two 20:00-? Film",
        "two 20:30-21:30 Gold",
        "<programme start=\"20260328200000\" channel=\"three\" catchup-id=\"7\"><title>T</title></programme>",
        "<channel id=\"four\"><display-name>Four</display-name></channel>", "<programme channel=\"one\"/>",
    ]
    private static let sorted = (0..<12).flatMap { hour in
        ["one \(hour):00-\(hour):30 A\(hour)", "two \(hour):00-\(hour):45 B\(hour)", "one \(hour):30-? C\(hour)"]
    }

    // MARK: - Written rows

    @Test(arguments: [
        (untidy, untidy),
        (sorted, sorted.filter { $0.hasPrefix("one") } + sorted.filter { $0.hasPrefix("two") }),
        (sorted, Array(sorted[..<2]) + sorted[2...].reversed()),
        (
            ["<programme start=\"20260328200000\" channel=\"one\"><title lang=\"en\">A &amp; B</title></programme>"],
            [
                "<programme start='20260328200000' channel='one'>\n <title lang='en'><![CDATA[A & B]]></title></programme >"
            ]
        ),
    ]) func unchangedGuideWritesOnlyImportLog(first: [String], again: [String]) throws {
        let scratch = try ScratchGuide(first)
        let before = try GuideDump(path: scratch.path)
        for _ in 0..<3 { try expectEqual(scratch.importing(again).changedGuide, false) }
        let after = try GuideDump(path: scratch.path)
        for table in GuideDump.guideTables { expectEqual(after.tables[table], before.tables[table]) }
        expectEqual(after.tables["import"]?.count, 4)
        // The findings are the same and are not stored again.
        if again == first { expectEqual(after.tables["diagnostic"], before.tables["diagnostic"]) }
    }

    @Test func unchangedSharedStationWritesNoRows() throws {
        let (better, lesser) = (["one 20:00-21:00 B"], ["one 19:30-20:30 Cut", "one 20:30-21:00 Hidden"])
        let (best, other) = (Source(name: "best", priority: 1), Source(name: "other"))
        let scratch = try ScratchGuide()
        try scratch.importing(lesser, as: other)
        try scratch.importing(better, as: best)
        let before = try GuideDump(path: scratch.path, tables: GuideDump.guideTables)
        try scratch.importing(better, as: best)
        try scratch.importing(lesser, as: other)
        try expectEqual(GuideDump(path: scratch.path, tables: GuideDump.guideTables), before)
    }

    @Test func failedImportWritesNoRows() throws {
        let scratch = try ScratchGuide(Self.untidy)
        let before = try GuideDump(path: scratch.path)
        let next = Day.guide((0..<300).map { "s\($0 / 30) \($0):00-\($0):30 N\($0): New." })
        var strict = ImportOptions()
        strict.isStrict = true
        for text in [String(next.dropLast(4)), next.replacing(">N150<", with: ">N150 & more<")] {
            #expect(throws: (any Error).self) { try scratch.importing(text: text, options: strict) }
        }
        strict.minimumShare = 50
        #expect(throws: RefusedImport.self) { try scratch.importing([], options: strict) }
        let session = try scratch.store.beginImport(of: Source(name: "other"), now: Day.now)
        try session.setStations([(place: 0, id: StationID("two"), nodes: [])])
        session.cancel()
        try expectEqual(GuideDump(path: scratch.path), before)
    }

    @Test func noOpWritesNoRows() throws {
        let scratch = try ScratchGuide(["one 20:00-21:00 A", "one 21:00-22:00 B"])
        let lineup = Lineup("cable", ["one 1", "nobody 2"])
        _ = try scratch.store.saveLineup(lineup, matcher: TableMatcher())
        try scratch.store.setMapping("nobody", to: StationID("later"), matcher: TableMatcher())
        let before = try GuideDump(path: scratch.path)
        _ = try scratch.store.saveLineup(lineup, matcher: TableMatcher())
        try scratch.store.setMapping("nobody", to: StationID("later"), matcher: TableMatcher())
        try scratch.store.setMapping("other", to: nil, matcher: TableMatcher())
        try scratch.store.setMapping("none", to: nil, matcher: TableMatcher())
        try expectEqual(scratch.store.prune(before: Day.instant("20:59")), 0)
        #expect(throws: RefusedPruning.self) {
            try scratch.store.prune(before: Day.instant("22:00"), now: Day.now, limit: .half)
        }
        try expectEqual(GuideDump(path: scratch.path), before)
    }

    @Test func sourceStateIsWrittenSeparately() throws {
        let scratch = try ScratchGuide(["one 20:00-21:00 A"])
        let before = try GuideDump(path: scratch.path, tables: GuideDump.guideTables)
        var state = SourceState()
        state.entityTag = "\"abc\""
        try scratch.store.saveState(state, ofSource: "feed")
        try expectEqual(GuideDump(path: scratch.path, tables: GuideDump.guideTables), before)
    }

    @Test func savingLineupWritesNoAirings() throws {
        let tables = ["airing", "programme", "coverage", "source"]
        let scratch = try ScratchGuide(["one 20:00-21:00 A", "<channel id=\"two\"/>"])
        let before = try GuideDump(path: scratch.path, tables: tables)
        _ = try scratch.store.saveLineup(Lineup("cable", ["two 1", "one 2"]), matcher: TableMatcher())
        try expectEqual(GuideDump(path: scratch.path, tables: tables), before)
    }

    @Test func repeatedDiagnosticsAreStoredOnce() throws {
        let guide = ["one 20:00-21:05 A", "one 21:00-22:00 B", "one 22:00-? C"]
        let scratch = try ScratchGuide(guide)
        try scratch.importing(guide)
        // A different guide with the same findings at the same lines.
        try scratch.importing(guide + ["two 20:00-21:00 X"])
        try expectEqual(RawDatabase.number(scratch.path, "SELECT count(DISTINCT import_id) FROM diagnostic"), 1)
    }

    @Test func countsOfEveryImportAddUp() throws {
        let scratch = try ScratchGuide()
        for count in 1...3 {
            try scratch.importing((0..<count).map { "one 2\($0):00-2\($0):59 A\($0)" } + ["<programme/>"])
        }
        let sums = try RawDatabase.number(
            scratch.path, "SELECT count(*) FROM import WHERE read = stored + merged + dropped + skipped + filtered")
        expectEqual(sums, 3)
        try expectEqual(RawDatabase.number(scratch.path, "SELECT sum(skipped) FROM import"), 3)
        try expectEqual(RawDatabase.number(scratch.path, "SELECT max(generation) FROM import"), 3)
    }

    // MARK: - Remaining rows

    @Test func importLogKeepsLast100Imports() throws {
        let scratch = try ScratchGuide()
        for _ in 0..<120 { try scratch.importing(["one 20:00-? A"]) }
        #expect((100...101).contains(try RawDatabase.number(scratch.path, "SELECT count(*) FROM import")))
        try expectEqual(scratch.store.check().problems, [])
    }

    @Test func changesOlderThanAWeekAreRemoved() throws {
        let scratch = try ScratchGuide()
        for (title, seconds) in [("A", 0), ("B", 86_400), ("C", 8 * 86_400), ("D", 8 * 86_400 + 1)] as [(String, Int64)]
        {
            try scratch.importing(
                text: Day.guide(["one 20:00-21:00 \(title)"]), now: Day.now.advanced(by: seconds))
        }
        try expectEqual(RawDatabase.number(scratch.path, "SELECT count(*) FROM change"), 2)
    }

    @Test func removedSourceLeavesNoRows() throws {
        let scratch = try ScratchGuide()
        try scratch.importing(["one 20:00-21:00 A", "two 20:00-21:00 A2"], as: Source(name: "first"))
        try scratch.importing(["one 20:00-22:00 B", "three 20:00-21:00 B3"], as: Source(name: "second"))
        try expectEqual(scratch.store.removeSource(named: "second"), true)
        try expectEqual(RawDatabase.number(scratch.path, "SELECT count(*) FROM programme"), 2)
        try expectEqual(scratch.store.removeSource(named: "first"), true)
        for table in ["station", "airing", "programme", "coverage", "source", "diagnostic", "import", "transmission"] {
            try expectEqual(RawDatabase.number(scratch.path, "SELECT count(*) FROM \(table)"), 0)
        }
    }

    @Test func programmeIsRemovedWithItsLastAiring() throws {
        let scratch = try ScratchGuide(["one 20:00-21:00 A", "one 21:00-22:00 B", "one 22:00-23:00 A"])
        _ = try scratch.store.prune(before: Day.instant("22:00"))
        try expectEqual(RawDatabase.number(scratch.path, "SELECT count(*) FROM programme"), 1)
        _ = try scratch.store.prune(before: Day.instant("23:00"))
        try expectEqual(RawDatabase.number(scratch.path, "SELECT count(*) FROM programme"), 0)
        try expectEqual(scratch.store.check().problems, [])
    }

    @Test func noUnreferencedRowsRemain() throws {
        // Every programme must have an airing or a finding, and every transmission an airing.
        var generator = SeededGenerator(seed: 7)
        let scratch = try ScratchGuide()
        for round in 0..<30 {
            let guide = (0..<12).map { hour in
                let title = "T\(Int.random(in: 0..<20, using: &generator))"
                let catchUp = Int.random(in: 0..<9, using: &generator)
                let shift = Int.random(in: 0..<50, using: &generator)
                return
                    "<programme start=\"202603\(10 + round / 3)\(10 + hour)\(10 + shift)00\" catchup-id=\"\(catchUp)\" "
                    + "channel=\"s\(hour % 3)\"><title>\(title)</title></programme>"
            }
            let options =
                round % 4 == 3
                ? ImportOptions(window: TimeWindow(start: Day.instant("-200:00"), end: Day.instant("-100:00")))
                : ImportOptions()
            try scratch.importing(guide, as: Source(name: "f\(round % 2)"), options: options)
            if round % 5 == 4 { _ = try scratch.store.prune(before: Day.instant("\(-400 + round * 8):00")) }
            let orphans = try RawDatabase.number(
                scratch.path,
                """
                SELECT count(*) FROM programme p WHERE NOT EXISTS (SELECT 1 FROM airing WHERE programme_id = p.id)
                    AND NOT EXISTS (SELECT 1 FROM diagnostic WHERE p.id IN (programme_id, other_programme_id))
                """)
            expectEqual(orphans, 0, "programmes after round \(round)")
            let unused = try RawDatabase.number(
                scratch.path,
                """
                SELECT count(*) FROM transmission t
                WHERE NOT EXISTS (SELECT 1 FROM airing WHERE transmission_id = t.id)
                """)
            expectEqual(unused, 0, "transmissions after round \(round)")
            try expectEqual(scratch.store.check().problems, [])
            if orphans + unused > 0 { return }
        }
    }
}
