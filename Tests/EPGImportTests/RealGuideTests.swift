import EPGImport
import EPGModel
import EPGSQL
import EPGStore
import Foundation
import TestSupport
import Testing

/// Tests that published guides lose no programme: programmes that aren't in the schedule are in the log.
@Suite(.needs(.sharedData()))
struct RealGuideTests {
    private static let surveys = RealGuide.surveys.filter { $0.bytes <= RealGuide.limit }

    @Test func surveyedGuidesAreRead() {
        #expect(RealGuide.surveys.count > 100)
        #expect(!Self.surveys.isEmpty)
    }

    @Test(arguments: surveys.filter(\.isGuide)) func wellFormedGuideIsImportedCompletely(_ survey: Survey) throws {
        let guide = try ImportedGuide(bytes: try RealGuide(survey).bytes())
        let report = guide.outcome.report
        // The survey counted them with another program.
        expectEqual(report.programmesRead, survey.programmes)
        if !survey.hasRepeatedChannels { expectEqual(report.stationsRead, survey.channels) }
        expectAddsUp(report)

        let check = try guide.store.check()
        expectEqual(check.problems, [])
        expectEqual(check.airings, report.airingsStored + (try guide.continuations()))

        // Every programme that isn't in the schedule is in the log with its line.
        let diagnostics = try guide.diagnostics()
        let removed = diagnostics.filter { $0.action == .merged && $0.listing != nil || $0.action == .dropped }
        expectEqual(removed.count, report.merged + report.dropped.values.reduce(0, +))
        let skipped = diagnostics.filter { $0.action == .skipped && $0.severity == .error && $0.keyword != .invalidid }
        expectEqual(skipped.count, report.skipped.values.reduce(0, +))
        #expect((removed + skipped).allSatisfy { $0.line > 0 })
        expectEqual(Set(removed.map(\.line)).count, removed.count)
        for diagnostic in removed where diagnostic.listing?.programme ?? 0 <= 0 {
            Issue.record("the diagnostic of line \(diagnostic.line) has no programme")
        }
        expectEqual(report.diagnostics.values.reduce(0, +), diagnostics.count)
    }

    @Test(arguments: surveys.filter { !$0.isGuide })
    func strictImportRejectsBrokenGuidesAndOtherFiles(_ survey: Survey) throws {
        let bytes = try RealGuide(survey).bytes()
        var strict = ImportOptions()
        strict.isStrict = true
        expectThrows((any Error).self) { try ImportedGuide(bytes: bytes, options: strict) }
    }

    /// The number of programmes by `grep -c "<programme"`, and of unreadable ones: four end with `</programDisney>`.
    @Test(
        arguments: [
            ("AftermathXML_Aftermath-EPG/Snick.XML", 336, 4), ("dshumko_PhpEPG/xmltv.xml.gz", 1782, 0),
            ("iptv-org_epg/history/tvguide.co.uk.xml.gz", 9482, 0), ("ektotv_xmltv/tests/fixtures/broken.xml", 1, 0),
        ])
    func brokenGuideLosesOnlyItsBrokenRecords(file: String, programmes: Int, unreadable: Int) throws {
        let survey = try #require(RealGuide.surveys.first { $0.file == file })
        let report = try ImportedGuide(bytes: try RealGuide(survey).bytes()).outcome.report
        expectEqual(report.programmesRead, programmes)
        expectEqual(report.skipped[.notwell] ?? 0, unreadable)
        expectAddsUp(report)
    }

    @Test(arguments: surveys.filter { $0.isGuide && $0.programmes > 1 })
    func reimportChangesNothing(_ survey: Survey) throws {
        let bytes = try RealGuide(survey).bytes()
        let guide = try ImportedGuide(bytes: bytes)
        let again = try guide.importing(bytes)
        expectEqual(again.changedGuide, false)
        expectEqual(again.generation, guide.outcome.generation)
        expectEqual(again.airingsUnchanged, guide.outcome.report.airingsStored + (try guide.continuations()))
    }
}

/// The project's sample guides, whose README describes their content. The expected results were derived by hand.
@Suite struct SampleGuideTests {
    private func guide(_ name: String) throws -> ImportedGuide {
        try ImportedGuide(bytes: Array(try Data(contentsOf: URL(filePath: PackageFiles.sample(name)))))
    }

    @Test(arguments: ["evening.xml", "evening-next.xml", "oddities.xml"])
    func sampleGuideIsImportedCompletely(name: String) throws {
        let guide = try guide(name)
        let report = guide.outcome.report
        expectAddsUp(report)
        #expect(report.airingsStored > 0)
        let check = try guide.store.check()
        expectEqual(check.problems, [])
        expectEqual(check.airings, report.airingsStored)
    }

    @Test func everyTimeFormatGivesTheSameSchedule() throws {
        let airings = try guide("oddities.xml").airings(of: "cellar.test")
        let quarters = ["18:00", "18:15", "18:30", "18:45", "19:00", "19:15", "19:30", "20:00"]
        expectEqual(airings.map(\.window.start.iso8601), quarters.dropLast().map { "2026-10-25T\($0):00Z" })
        expectEqual(airings.map(\.window.end.iso8601), quarters.dropFirst().map { "2026-10-25T\($0):00Z" })
        #expect(airings.allSatisfy { !$0.isStopInferred && $0.published == nil })
    }

    @Test func everyMistakeIsRepairedOrSkippedAndReported() throws {
        let guide = try guide("oddities.xml")
        let day = "2026-10-25T"
        try expectEqual(
            guide.lines(of: "loft.test"),
            [
                "\(day)18:00:00Z \(day)19:00:00Z Stops Before It Starts", "\(day)19:00:00Z \(day)19:30:00Z ",
                "\(day)19:30:00Z \(day)20:00:00Z Twelve and a Half",
                "\(day)21:00:00Z \(day)22:00:00Z The Two-Year Programme",
                "\(day)22:00:00Z \(day)23:00:00Z Stops at Null", "\(day)23:00:00Z 2026-10-26T00:00:00Z Outer",
            ])
        let keywords = Set(try guide.diagnostics().filter { $0.station == StationID("loft.test") }.map(\.keyword))
        expectEqual(
            keywords,
            [
                .duplicateid, .badstop, .emptytitle, .badepisode, .badstart, .invalidtimezone, .toolong, .missingstop,
                .overlap,
            ])
        expectEqual(guide.outcome.report.skipped, [.badstart: 1, .invalidtimezone: 1])
        expectEqual(guide.outcome.report.dropped, [.overlap: 1])
    }

    @Test func stationsAreSortedByNumberThenFileOrder() throws {
        let guide = try guide("oddities.xml")
        let rows = try guide.store.stations(inRows: 0..<10)
        expectEqual(
            rows.map(\.station.id.rawValue), ["attic.test", "loft.test", "cellar.test", "silent.test", "shed.test"])
        expectEqual(rows.dropFirst().first?.station.displayNames.map(\.text), ["Loft TV", "Loft TV, declared again"])
    }
}
