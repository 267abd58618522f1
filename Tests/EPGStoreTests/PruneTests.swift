import EPGImport
import EPGModel
import EPGStore
import Testing

@Suite struct PruneTests {
    private let evening = ["one 20:00-21:00 A", "one 21:00-22:00 B", "one 22:00-23:00 C", "two 20:00-20:30 A"]

    @Test func whatStoppedAtOrBeforeTheInstantGoes() throws {
        let scratch = try ScratchGuide(evening)
        #expect(try scratch.store.prune(before: Day.instant("22:00")) == 3)
        #expect(try scratch.lines() == ["22:00-23:00 C"])
        #expect(try scratch.lines(of: "two") == [])
        #expect(try scratch.store.generation() == Generation(2))
        // The stations stay.
        #expect(try scratch.store.stationCount() == 2)
        #expect(try scratch.store.check().problems == [])
    }

    @Test func aStationWhoseCoverageWasPrunedStaysWithItsAirings() throws {
        // The last airing of the second source has no stop, so what it covers ends a second after 21:00.
        let scratch = try ScratchGuide(evening)
        try scratch.importing(["one 20:00-21:00 X", "one 21:00-? Y"], as: Source(name: "other"))
        _ = try scratch.store.prune(before: Day.instant("21:30"))
        #expect(try scratch.store.removeSource(named: "feed"))
        #expect(try scratch.lines() == ["21:00-22:00? Y"])
        #expect(try scratch.store.check().problems == [])
    }

    @Test func whatIsStillOnStays() throws {
        let scratch = try ScratchGuide(evening)
        #expect(try scratch.store.prune(before: Day.instant("21:30")) == 2)
        #expect(try scratch.lines() == ["21:00-22:00 B", "22:00-23:00 C"])
    }

    @Test func wherePruningFindsNothingTheGenerationStays() throws {
        let scratch = try ScratchGuide(evening)
        let before = try GuideDump(path: scratch.path)
        #expect(try scratch.store.prune(before: Day.instant("20:30").advanced(by: -1)) == 0)
        #expect(try GuideDump(path: scratch.path) == before)
    }

    @Test func programmesGoWithTheirLastAiring() throws {
        let scratch = try ScratchGuide(["one 20:00-21:00 A", "one 21:00-22:00 B", "one 22:00-23:00 A"])
        _ = try scratch.store.prune(before: Day.instant("22:00"))
        #expect(try RawDatabase.number(scratch.path, "SELECT count(*) FROM programme") == 1)
        _ = try scratch.store.prune(before: Day.instant("23:00"))
        #expect(try RawDatabase.number(scratch.path, "SELECT count(*) FROM programme") == 0)
        #expect(try scratch.store.check().problems == [])
    }

    @Test func halfOfAllMayGoAtOnceAndMoreOnlyByForce() throws {
        let scratch = try ScratchGuide(evening)
        let before = try GuideDump(path: scratch.path)
        let instant = Day.instant("22:00")
        #expect(throws: RefusedPruning(aged: AgedAirings(count: 3, total: 4), before: instant)) {
            try scratch.store.prune(before: instant, now: ScratchGuide.now, limit: .half)
        }
        #expect(try GuideDump(path: scratch.path) == before)
        #expect(try scratch.store.prune(before: Day.instant("21:00"), now: ScratchGuide.now, limit: .half) == 2)
        #expect(try scratch.store.prune(before: Day.instant("24:00"), now: ScratchGuide.now, limit: .none) == 2)
    }

    @Test(arguments: [(0, 0, true), (1, 1, false), (1, 2, true), (2, 3, false), (50, 100, true), (51, 100, false)])
    func whatIsMoreThanHalf(count: Int, total: Int, mayGo: Bool) {
        let aged = AgedAirings(count: count, total: total)
        #expect((PruningLimit.half.refusal(of: aged, before: ScratchGuide.now) == nil) == mayGo)
        #expect(PruningLimit.none.refusal(of: aged, before: ScratchGuide.now) == nil)
    }

    @Test func whetherAnythingIsOldIsTold() throws {
        let scratch = try ScratchGuide(evening)
        #expect(try !scratch.store.hasAirings(stoppedBy: Day.instant("20:30").advanced(by: -1)))
        #expect(try scratch.store.hasAirings(stoppedBy: Day.instant("20:30")))
        #expect(try !ScratchGuide().store.hasAirings(stoppedBy: Day.instant("20:30")))
    }

    @Test func noRowIsLeftThatNothingPointsTo() throws {
        // Whatever comes and goes: programmes have an airing or a finding, transmissions an airing.
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
            #expect(orphans == 0, "programmes after round \(round)")
            let unused = try RawDatabase.number(
                scratch.path,
                """
                SELECT count(*) FROM transmission t
                WHERE NOT EXISTS (SELECT 1 FROM airing WHERE transmission_id = t.id)
                """)
            #expect(unused == 0, "transmissions after round \(round)")
            #expect(try scratch.store.check().problems == [])
            if orphans + unused > 0 { return }
        }
    }
}
