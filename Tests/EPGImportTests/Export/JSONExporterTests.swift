import EPGJSON
import EPGImport
import EPGModel
import TestSupport
import Testing
import XMLTV

/// Tests that EPG JSON has the same content as XMLTV.
@Suite struct JSONExporterTests {
    private func records(_ guide: WrittenGuide, _ options: ExportOptions = ExportOptions()) throws -> [GuideRecord] {
        let output = OutputBuffer()
        var exporter = JSONExporter(options, to: output.append)
        try guide.export(to: &exporter)
        var reader = GuideJSONReader(ChunkSource(output.bytes))
        var records: [GuideRecord] = []
        while let record = try reader.next() { records.append(record) }
        return records
    }

    private func airing(_ airing: ExportedAiring, _ options: ExportOptions = ExportOptions()) throws -> AiringRecord {
        guard case .airing(let record) = try #require(records(WrittenGuide(airings: [airing]), options).last) else {
            throw ExportTestError(message: "no airing")
        }
        return record
    }

    @Test func timesFollowOptions() throws {
        let published = PublishedTimes(start: .six.advanced(by: -60), stop: nil)
        var repaired = ExportedAiring.evening(published: published, isStopInferred: true, .text("title", "News"))
        // The stop is an hour after the published start, as an import infers it.
        repaired.window = TimeWindow(start: .six, end: .seven.advanced(by: -60))
        let record = try airing(repaired)
        expectEqual(record.start, .text("2026-10-25T17:59:00Z"))
        expectEqual(record.stop, nil)
        let shown = try airing(repaired, ExportOptions(times: .shown))
        expectEqual(shown.start, .text("2026-10-25T18:00:00Z"))
        expectEqual(shown.stop, .text("2026-10-25T18:59:00Z"))
    }

    @Test func airingIsExportedCompletely() throws {
        let transmission = [ContentAttribute(name: "showview", value: "7")]
        let nodes: [ContentNode] = [
            .text("title", "T", ["lang": "en"]), .element("new"), .element("x-mood", ["level": "3"]),
        ]
        var complete = ExportedAiring.evening(clump: Clump(index: 1, count: 2), transmission: transmission)
        complete.nodes = nodes
        let record = try airing(complete)
        expectEqual(record.station, StationID("one.test"))
        expectEqual(record.clump, Clump(index: 1, count: 2))
        expectEqual(record.transmission, transmission)
        expectEqual(record.nodes, nodes.canonical)
    }

    @Test func headerAndStationsComeFirst() throws {
        let header = [ContentAttribute(name: "source-info-name", value: "S")]
        let nodes: [ContentNode] = [.text("display-name", "One"), .text("@x-group", "odd")]
        let read = try records(WrittenGuide(header: header, stations: [("one.test", nodes)]))
        expectEqual(read.count, 2)
        expectEqual(read.first, .header(header))
        guard case .station(let id, let found, _) = try #require(read.last) else {
            throw ExportTestError(message: "no station")
        }
        expectEqual(id, StationID("one.test"))
        expectEqual(found.canonical, nodes.canonical)
    }

    @Test func endLineCountsRecords() throws {
        var late = ExportedAiring.evening()
        late.window = TimeWindow(
            start: Instant(secondsSince1970: 253_402_300_800), end: Instant(secondsSince1970: 253_402_300_801))
        let output = OutputBuffer()
        var exporter = JSONExporter(to: output.append)
        let guide = WrittenGuide(
            stations: [("one.test", []), ("two.test", [])], airings: [.evening(), late, .evening(), .evening()])
        try guide.export(to: &exporter)
        expectPrefix(output.text, "{\"type\":\"guide\",\"version\":1,\"end\":true}\n")
        expectSuffix(output.text, "\n{\"type\":\"end\",\"stations\":2,\"airings\":3}\n")
    }

    @Test func startOutsideFourDigitYearsIsSkippedAndCounted() throws {
        var late = ExportedAiring.evening()
        late.window = TimeWindow(
            start: Instant(secondsSince1970: 253_402_300_800), end: Instant(secondsSince1970: 253_402_300_801))
        var exporter = JSONExporter(to: { _ in })
        try WrittenGuide(airings: [late]).export(to: &exporter)
        expectEqual(exporter.omittedCount, 1)
    }
}

struct ExportTestError: Error {
    let message: String
}
