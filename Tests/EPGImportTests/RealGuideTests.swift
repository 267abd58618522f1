import EPGImport
import EPGModel
import EPGStore
import Testing

/// Guides as they are published: none is lost, and what isn't in the schedule is in the log.
@Suite(.enabled(if: RealGuide.isThere, Comment(rawValue: RealGuide.absence)))
struct RealGuideTests {
    private static let surveys = RealGuide.surveys.filter { $0.bytes <= RealGuide.limit }

    @Test func theSurveyIsRead() {
        #expect(RealGuide.surveys.count > 100)
        #expect(!Self.surveys.isEmpty)
    }

    @Test(arguments: surveys.filter(\.isGuide)) func aWellFormedGuideIsImportedWhole(_ survey: Survey) throws {
        let guide = try ImportedGuide(bytes: try RealGuide(survey).bytes())
        let report = guide.outcome.report
        // As another program counts them.
        #expect(report.programmesRead == survey.programmes)
        if !survey.hasRepeatedChannels { #expect(report.stationsRead == survey.channels) }
        #expect(report.addsUp)

        let check = try guide.store.check()
        #expect(check.problems == [])
        #expect(check.airings == report.airingsStored)

        // Every programme that isn't in the schedule is in the log with its line.
        let diagnostics = try guide.diagnostics()
        let gone = diagnostics.filter { $0.action == .merged && $0.listing != nil || $0.action == .dropped }
        #expect(gone.count == report.merged + report.dropped.values.reduce(0, +))
        let skipped = diagnostics.filter { $0.action == .skipped && $0.severity == .error && $0.keyword != .invalidid }
        #expect(skipped.count == report.skipped.values.reduce(0, +))
        #expect((gone + skipped).allSatisfy { $0.line > 0 })
        #expect(Set(gone.map(\.line)).count == gone.count)
        for diagnostic in gone where diagnostic.listing?.programme ?? 0 <= 0 {
            Issue.record("line \(diagnostic.line) names no programme")
        }
        #expect(report.diagnostics.values.reduce(0, +) == diagnostics.count)
    }

    @Test(arguments: surveys.filter { !$0.isGuide })
    func whatIsBrokenOrNoGuideIsRefusedByTheStrict(_ survey: Survey) throws {
        let bytes = try RealGuide(survey).bytes()
        var strict = ImportOptions()
        strict.isStrict = true
        #expect(throws: (any Error).self) { try ImportedGuide(bytes: bytes, options: strict) }
    }

    /// Programmes as `grep -c "<programme"` counts them, and how many of them can't be read: four end with `</programDisney>`.
    @Test(
        arguments: [
            ("AftermathXML_Aftermath-EPG/Snick.XML", 336, 4), ("dshumko_PhpEPG/xmltv.xml.gz", 1782, 0),
            ("iptv-org_epg/history/tvguide.co.uk.xml.gz", 9482, 0), ("ektotv_xmltv/tests/fixtures/broken.xml", 1, 1),
        ])
    func aBrokenGuideLosesNoMoreThanItsBrokenRecords(file: String, programmes: Int, unreadable: Int) throws {
        let survey = try #require(RealGuide.surveys.first { $0.file == file })
        let report = try ImportedGuide(bytes: try RealGuide(survey).bytes()).outcome.report
        #expect(report.programmesRead == programmes)
        #expect(report.skipped[.notwell] ?? 0 == unreadable)
        #expect(report.addsUp)
    }

    @Test(arguments: surveys.filter { $0.isGuide && $0.programmes > 1 })
    func aGuideThatIsImportedAgainChangesNothing(_ survey: Survey) throws {
        let bytes = try RealGuide(survey).bytes()
        let guide = try ImportedGuide(bytes: bytes)
        let again = try guide.importing(bytes)
        #expect(!again.changedGuide)
        #expect(again.generation == guide.outcome.generation)
        #expect(again.airingsUnchanged == guide.outcome.report.airingsStored)
    }
}
