import EPGModel
import EPGStore
import Foundation
import Testing

/// The project's own guides, whose README says what is in them; what comes of it was worked out by hand.
@Suite struct SampleGuideTests {
    private func guide(_ name: String) throws -> ImportedGuide {
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try ImportedGuide(bytes: Array(try Data(contentsOf: package.appending(path: "sample-data/\(name)"))))
    }

    @Test(arguments: ["evening.xml", "evening-next.xml", "oddities.xml"])
    func aSampleGuideIsImportedWhole(name: String) throws {
        let guide = try guide(name)
        let report = guide.outcome.report
        #expect(report.addsUp)
        #expect(report.airingsStored > 0)
        let check = try guide.store.check()
        #expect(check.problems == [])
        #expect(check.airings == report.airingsStored)
    }

    @Test func everyWayToWriteATimeIsTheSameSchedule() throws {
        let airings = try guide("oddities.xml").airings(of: "cellar.test")
        let quarters = ["18:00", "18:15", "18:30", "18:45", "19:00", "19:15", "19:30", "20:00"]
        #expect(airings.map(\.window.start.iso8601) == quarters.dropLast().map { "2026-10-25T\($0):00Z" })
        #expect(airings.map(\.window.end.iso8601) == quarters.dropFirst().map { "2026-10-25T\($0):00Z" })
        #expect(airings.allSatisfy { !$0.isStopInferred && $0.published == nil })
    }

    @Test func everyMistakeIsMendedOrLeftOutAndReported() throws {
        let guide = try guide("oddities.xml")
        let day = "2026-10-25T"
        #expect(
            try guide.lines(of: "loft.test") == [
                "\(day)18:00:00Z \(day)19:00:00Z Stops Before It Starts", "\(day)19:00:00Z \(day)19:30:00Z ",
                "\(day)19:30:00Z \(day)20:00:00Z Twelve and a Half",
                "\(day)21:00:00Z \(day)22:00:00Z The Two-Year Programme",
                "\(day)22:00:00Z \(day)23:00:00Z Stops at Null", "\(day)23:00:00Z 2026-10-26T00:00:00Z Outer",
            ])
        let keywords = Set(try guide.diagnostics().filter { $0.station == StationID("loft.test") }.map(\.keyword))
        #expect(
            keywords == [
                .duplicateid, .badstop, .emptytitle, .badepisode, .badstart, .invalidtimezone, .toolong, .missingstop,
                .overlap,
            ])
        #expect(guide.outcome.report.skipped == [.badstart: 1, .invalidtimezone: 1])
        #expect(guide.outcome.report.dropped == [.overlap: 1])
    }

    @Test func stationsStandByTheirNumbersThenByTheFile() throws {
        let guide = try guide("oddities.xml")
        let rows = try guide.store.stations(inRows: 0..<10)
        #expect(
            rows.map(\.station.id.rawValue) == ["attic.test", "loft.test", "cellar.test", "silent.test", "shed.test"])
        #expect(
            rows.dropFirst().first?.station.displayNames.map(\.text) == ["Loft TV", "Loft TV, declared again"])
    }
}
