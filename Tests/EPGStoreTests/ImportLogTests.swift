import EPGModel
import EPGStore
import Testing

/// What an import found stands in the log, with what was dropped.
@Suite struct ImportLogTests {
    private func log(_ outcome: ImportOutcome, _ scratch: ScratchGuide) throws -> [LoggedDiagnostic] {
        var found: [LoggedDiagnostic] = []
        try scratch.store.diagnostics(ofImport: outcome.importID) { logged in
            found.append(logged)
            return true
        }
        return found
    }

    @Test func aDroppedListingStandsInTheLogWithItsProgramme() throws {
        let scratch = try ScratchGuide()
        let outcome = try scratch.importing([
            "one 20:00-21:00 Short", "one 20:00-21:00 Rich / Better: With a long description that tells it all.",
        ])
        #expect(outcome.report.dropped == [.overlap: 1])
        let dropped = try #require(try log(outcome, scratch).first { $0.diagnostic.action == .dropped })
        #expect((dropped.title, dropped.otherTitle) == ("Short", "Rich"))
        let diagnostic = dropped.diagnostic
        #expect((diagnostic.keyword, diagnostic.severity, diagnostic.line) == (.overlap, .error, 3))
        #expect(diagnostic.station == StationID("one"))
        #expect(diagnostic.listing?.start == Day.instant("20:00"))
        #expect(diagnostic.listing?.stop == Day.instant("21:00"))
        #expect(diagnostic.other?.start == Day.instant("20:00"))
        let programme = try #require(diagnostic.listing?.programme)
        #expect(
            try RawDatabase.number(scratch.path, "SELECT count(*) FROM programme WHERE id = \(programme)") == 1)
    }

    @Test func aTrimmedListingTellsItsNewWindow() throws {
        let scratch = try ScratchGuide()
        let outcome = try scratch.importing(["one 20:00-21:05 A", "one 21:00-22:00 B"])
        let trimmed = try #require(try log(outcome, scratch).first { $0.diagnostic.action == .trimmedStop })
        #expect(trimmed.diagnostic.window == Day.window("20:00-21:00"))
        #expect((trimmed.title, trimmed.otherTitle) == ("A", "B"))
        #expect(trimmed.diagnostic.severity == .warning)
        let airing = try #require(try scratch.airings().first)
        #expect(airing.published == PublishedTimes(start: Day.instant("20:00"), stop: Day.instant("21:05")))
    }

    @Test func theLastFindingsStandOnceHoweverOftenTheyAreMade() throws {
        let scratch = try ScratchGuide()
        let guide = ["one 20:00-21:05 A", "one 21:00-22:00 B", "one 22:00-? C"]
        let first = try scratch.importing(guide)
        let found = try log(first, scratch)
        let again = try scratch.importing(guide)
        #expect(try log(again, scratch) == found)
        // Another guide with the same findings, at the same lines.
        let other = try scratch.importing(guide + ["two 20:00-21:00 X"])
        #expect(other.changedGuide)
        #expect(
            try log(other, scratch).filter { $0.diagnostic.station == StationID("one") }
                == found.filter { $0.diagnostic.station == StationID("one") })
        #expect(
            try RawDatabase.number(scratch.path, "SELECT count(DISTINCT import_id) FROM diagnostic") == 1)
    }

    @Test func theNumbersOfEveryImportAddUp() throws {
        let scratch = try ScratchGuide()
        for count in 1...3 {
            try scratch.importing((0..<count).map { "one 2\($0):00-2\($0):59 A\($0)" } + ["<programme/>"])
        }
        let sums = try RawDatabase.number(
            scratch.path, "SELECT count(*) FROM import WHERE read = stored + merged + dropped + skipped + filtered")
        #expect(sums == 3)
        #expect(try RawDatabase.number(scratch.path, "SELECT sum(skipped) FROM import") == 3)
        #expect(try RawDatabase.number(scratch.path, "SELECT max(generation) FROM import") == 3)
    }

    @Test func theLogKeepsTheLastHundredImports() throws {
        let scratch = try ScratchGuide()
        for _ in 0..<120 { try scratch.importing(["one 20:00-? A"]) }
        #expect((100...101).contains(try RawDatabase.number(scratch.path, "SELECT count(*) FROM import")))
        #expect(try scratch.store.check().problems == [])
        let last = try scratch.importing(["one 20:00-? A"])
        #expect(try log(last, scratch).contains { $0.diagnostic.keyword == .missingstop })
    }
}
