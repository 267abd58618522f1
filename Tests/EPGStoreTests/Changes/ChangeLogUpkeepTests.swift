import EPGImport
import EPGModel
import EPGStore
import Testing

/// Whatever raises the generation stands in the log; what is older than a week doesn't, and what was undone never did.
@Suite struct ChangeLogUpkeepTests {
    private let evening = ["one 20:00-21:00 News", "one 21:00-22:00 Film", "one 22:00-23:00 Talk"]
    private let other = Source(name: "other")
    private let matcher = TableMatcher()

    private func importing(_ title: String, days: Int64, seconds: Int64 = 0, into scratch: ScratchGuide) throws {
        try scratch.importing(
            text: Day.guide(["one 20:00-21:00 \(title)"]),
            now: ScratchGuide.now.advanced(by: days * 86_400 + seconds))
    }

    // MARK: - A week

    @Test func whatIsOlderThanAWeekIsDropped() throws {
        let scratch = try ScratchGuide()
        try importing("A", days: 0, into: scratch)
        try importing("B", days: 1, into: scratch)
        #expect(try scratch.changes(since: 0) == ["stations", "one *"])
        try importing("C", days: 8, into: scratch)
        #expect(try scratch.changes(since: 0) == ["unknown"])
        #expect(try scratch.changes(since: 1) == ["one ~ 1 20:00-21:00 20:00-21:00"])
        try importing("D", days: 8, seconds: 1, into: scratch)
        #expect(try scratch.changes(since: 1) == ["unknown"])
        #expect(try scratch.changes(since: 2) == ["one ~ 1 20:00-21:00 20:00-21:00"])
        #expect(try RawDatabase.number(scratch.path, "SELECT count(*) FROM change") == 2)
        #expect(try scratch.store.check().problems == [])
    }

    @Test func theLastGenerationStandsHoweverOldItIs() throws {
        let scratch = try ScratchGuide()
        try importing("A", days: 0, into: scratch)
        // It says nothing new, so it writes nothing.
        try importing("A", days: 100, into: scratch)
        #expect(try scratch.changes(since: 0) == ["stations", "one *"])
        try importing("B", days: 200, into: scratch)
        #expect(try scratch.changes(since: 0) == ["unknown"])
        #expect(try scratch.changes(since: 1) == ["one ~ 1 20:00-21:00 20:00-21:00"])
    }

    @Test func aClockThatWasWrongLeavesNoHole() throws {
        let scratch = try ScratchGuide()
        for (number, days) in ([0, 30_000, 1, -5000, 2, 3] as [Int64]).enumerated() {
            try importing("T\(number)", days: days, into: scratch)
            #expect(try scratch.store.check().problems == [])
            #expect(try scratch.changes(since: Int64(number)).first != "unknown")
        }
        #expect(try scratch.changes(since: 4) == ["one ~ 1 20:00-21:00 20:00-21:00"])
        #expect(try scratch.changes(since: 3) == ["unknown"])
    }

    // MARK: - Other changes

    @Test func whatWasPrunedIsNotTold() throws {
        let scratch = try ScratchGuide(evening)
        #expect(try scratch.store.prune(before: Day.instant("21:00")) == 1)
        #expect(try scratch.store.generation() == Generation(2))
        #expect(try scratch.changes(since: 1) == [])
        #expect(try scratch.changes(since: 0) == ["stations", "one *"])
        #expect(try scratch.store.check().problems == [])
    }

    @Test func whatPruningShowsOfAnotherSourceIsTold() throws {
        // The best source's airing hid half an hour of the other's.
        let scratch = try ScratchGuide()
        try scratch.importing(["one 19:00-20:00 News", "two 19:00-20:00 X"], as: Source(name: "best", priority: 1))
        try scratch.importing(["one 19:30-21:00 Film"], as: other)
        #expect(try scratch.lines() == ["19:00-20:00 News", "20:00-21:00 Film"])
        #expect(try scratch.store.prune(before: Day.instant("20:00")) == 2)
        #expect(try scratch.lines() == ["19:30-21:00 Film"])
        #expect(try scratch.changes(since: 2) == ["one *"])
    }

    @Test func lineupsChangeStations() throws {
        let scratch = try ScratchGuide(evening + ["two 20:00-21:00 Gold"])
        _ = try scratch.store.saveLineup(Lineup("cable", ["two 1", "x 2"]), matcher: matcher)
        #expect(try scratch.changes(since: 1) == ["stations"])
        try scratch.store.setMapping("x", to: StationID("one"), matcher: matcher)
        #expect(try scratch.changes(since: 2) == ["stations"])
        #expect(try scratch.store.removeLineup(named: "cable"))
        #expect(try scratch.changes(since: 3) == ["stations"])
        // What is as it was writes nothing.
        try scratch.store.rematch(matcher)
        #expect(try scratch.store.generation() == Generation(4))
        #expect(try scratch.store.check().problems == [])
    }

    @Test func aSourceThatIsRemovedChangesItsStationsWholly() throws {
        let scratch = try ScratchGuide(evening + ["two 20:00-21:00 Gold"])
        try scratch.importing(["one 23:00-24:00 Night", "three 20:00-21:00 X"], as: other)
        try scratch.importing(["three 20:00-21:00 Y"], as: other)
        #expect(try scratch.changes(since: 2) == ["three ~ 6 20:00-21:00 20:00-21:00"])
        #expect(try scratch.store.removeSource(named: "other"))
        #expect(try scratch.changes(since: 3) == ["stations", "one *"])
        #expect(try scratch.changes(since: 2) == ["stations", "one *"])
        #expect(try scratch.store.check().problems == [])
        // The number of the station that is gone is given again.
        try scratch.importing(evening + ["two 20:00-21:00 Gold", "four 20:00-21:00 Z"])
        #expect(try scratch.changes(since: 2) == ["stations", "one *", "four *"])
    }

    @Test func aSourceThatGoesWithoutAStationLeavesTheStations() throws {
        let scratch = try ScratchGuide(evening + ["two 20:00-21:00 Gold"])
        try scratch.importing(["one 23:00-24:00 Night"], as: other)
        #expect(try scratch.store.removeSource(named: "other"))
        #expect(try scratch.changes(since: 2) == ["one *"])
    }

    @Test func anotherPriorityChangesTheStationsWhoseSourcesChangeTheirRank() throws {
        let scratch = try ScratchGuide(evening + ["two 20:00-21:00 Gold"])
        try scratch.importing(["one 20:00-24:00 Night", "three 20:00-21:00 X"], as: other)
        try scratch.store.save(Source(name: "feed", priority: 1))
        #expect(try scratch.changes(since: 2) == ["one *"])
        try scratch.store.save(Source(name: "feed", shift: 60, priority: 2))
        #expect(try scratch.store.generation() == Generation(3))
    }

    // MARK: - What was taken back

    private var nothing: ImportReport { ImportReport() }

    /// Listings without contents, as an import session takes them.
    private func listings(_ windows: [String]) -> NormalisedListings {
        let airings = windows.map { ScheduledListing(window: Day.window($0), programme: 1) }
        guard let first = airings.first, let last = airings.last else { return NormalisedListings() }
        return NormalisedListings(
            airings: airings, coverage: TimeWindow(start: first.window.start, end: last.window.end))
    }

    @Test func anOfferThatIsTakenBackIsNotTold() throws {
        let scratch = try ScratchGuide(["two 20:00-21:00 Gold"])
        let one = StationID("one")
        let session = try scratch.store.beginImport(of: Source(name: "feed"), now: ScratchGuide.now)
        try session.setStations([StationRow(row: 1, station: Station(id: one, nodes: []))])
        try session.offerSchedule(of: one, listings(["20:00-21:00"]))
        try session.replaceSchedule(of: one, with: listings([]))
        _ = try session.commit(nothing, state: nil)
        #expect(try scratch.changes(since: 1) == ["stations"])
    }

    @Test func whatIsSaidInTheEndIsToldOfAStationThatComesTwice() throws {
        let scratch = try ScratchGuide(evening + ["two 20:00-21:00 Gold", "three 20:00-21:00 A"])
        // Each was complete, as it seemed, when the next one came: one says nothing new then, three something else.
        try scratch.importing([
            "one 20:00-21:00 News", "one 21:00-22:00 Film", "one 22:00-23:00 Talk", "three 20:00-21:00 B",
            "two 20:00-21:00 Gold", "one 23:00-24:00 Night", "three 21:00-22:00 C",
        ])
        #expect(
            try Set(scratch.changes(since: 1).filter { $0 != "stations" }) == [
                "one + 6 23:00-24:00", "three ~ 5 20:00-21:00 20:00-21:00", "three + 7 21:00-22:00",
            ])
    }

    @Test func anImportThatFailsLeavesNothingInTheLog() throws {
        let scratch = try ScratchGuide(evening)
        let tables = ["generation", "change"]
        let before = try GuideDump(path: scratch.path, tables: tables)
        #expect(before.tables["generation"]?.count == 1 && before.tables["change"]?.count == 1)
        var strict = ImportOptions()
        strict.isStrict = true
        #expect(throws: (any Error).self) {
            try scratch.importing(text: Day.guide(["one 23:00-24:00 Night"]) + "<tv/>", options: strict)
        }
        let session = try scratch.store.beginImport(of: Source(name: "feed"), now: ScratchGuide.now)
        try session.replaceSchedule(of: StationID("one"), with: listings(["23:00-24:00"]))
        session.cancel()
        try scratch.importing(evening)
        #expect(try GuideDump(path: scratch.path, tables: tables) == before)
        #expect(try scratch.changes(since: 1) == [])
    }
}
