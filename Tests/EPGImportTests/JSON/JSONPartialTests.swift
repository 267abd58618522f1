import EPGJSON
import EPGImport
import EPGModel
import TestSupport
import Testing

/// Tests of truncated JSON guides, strict mode, error responses, and oversized programs.
@Suite struct JSONPartialTests {
    private static let airing = #"{"programID": "EP1", "airDateTime": "2026-10-25T18:00:00Z", "duration": 60}"#
    private static let schedule = "[{\"stationID\": \"1\", \"programs\": [\(airing)]}]"
    private static let program = #"{"programID": "EP1", "titles": [{"title120": "A"}]}"#
    private static let line =
        #"{"type":"airing","station":"s","start":"2026-10-25T18:00:00Z","stop":"2026-10-25T19:00:00Z","title":"T"}"#

    private func records(
        _ files: [(name: String, text: String)], partial: Bool = false, strict: Bool = false
    ) throws -> [GuideRecord] {
        var reader = GuideJSONReader(sources: files.map { ($0.name, JSONReading.source(Array($0.text.utf8))) })
        reader.acceptsTruncation = partial
        reader.isStrict = strict
        var records: [GuideRecord] = []
        while let record = try reader.next() { records.append(record) }
        return records
    }

    /// Truncated files, the titles of each airing, the stations, and the start of the fault; `nil` for any.
    private struct Row: CustomTestStringConvertible {
        let testDescription: String
        let files: [(name: String, text: String)]
        var titles: [[String]] = []
        var stations: [String]?
        var fault: String?
    }

    private static let lineup =
        #"{"map": [{"stationID": "1", "channel": "7"}], "stations": [{"stationID": "1", "name": "One"},"#
    private static let rows: [Row] = [
        Row(
            testDescription: "truncated file delivers its intact part and later files are read",
            files: [("p.json", "[\(program),\n{\"programID\": \"EP2\", \"ti"), ("s.json", schedule)],
            titles: [["<title>A</title>"]], fault: "2 notwell kept p.json: line 2, "),
        Row(
            testDescription: "waiting airings are delivered after a truncation",
            files: [("s.json", schedule.dropLast() + ",\n{\"stationID\": \"2\", \"pro")], titles: [[]]),
        Row(
            testDescription: "stations before a truncation are delivered",
            files: [("l.json", lineup + #"{"stationID": "2", "na"#)], stations: ["I1.json.schedulesdirect.org"]),
        Row(
            testDescription: "file truncated before its form is known affects only itself",
            files: [("a.json", "[{\"pro"), ("s.json", schedule)], titles: [[]], fault: "1 notwell kept a.json: "),
    ]

    @Test(arguments: rows)
    private func truncatedFileDeliversItsIntactPart(_ row: Row) throws {
        let records = try records(row.files, partial: true)
        expectEqual(records.airings.map { $0.nodes.xml("title") }, row.titles)
        expectEqual(
            records.airings.map(\.station.rawValue), row.titles.map { _ in "I1.json.schedulesdirect.org" })
        if let stations = row.stations { expectEqual(records.stations.map(\.id), stations) }
        if let fault = row.fault {
            expectEqual(records.faults.count { $0.hasPrefix(fault) }, 1, "\(records.faults)")
        }
    }

    @Test func truncationIsTheOnlyFault() throws {
        let files = Self.rows[0].files
        expectEqual(try records(files, partial: true).faults.count, 1)
        expectThrows(JSONError.self) { try records(files) }
    }

    @Test func titleOfOversizedProgramAndLastProgramAreKept() throws {
        let long = String(repeating: "x", count: 256 << 10)
        let program =
            "[{\"programID\": \"EP1\", \"titles\": [{\"title120\": \"A\"}], \"episodeTitle150\": \"\(long)\"}]"
        let oversized = try records([("p", program), ("s", Self.schedule)])
        expectEqual(oversized.faults, ["1 notvalid kept program EP1: too long; only its title is kept"])
        expectEqual(
            oversized.airings.map(\.nodes.xml), ["<title>A</title><episode-num system='dd_progid'>EP1</episode-num>"])
        let later = Self.program.replacing("\"A\"", with: "\"B\"")
        let text =
            "{\"programs\": [\(Self.program)]}{\"schedules\": \(Self.schedule)}"
            + "{\"programs\": [\(later)]}{\"schedules\": \(Self.schedule)}"
        expectEqual(
            try records([("a", text)]).airings.map { $0.nodes.xml("title") },
            [["<title>A</title>"], ["<title>B</title>"]])
    }

    /// Wherever a file of lines is truncated, the reader delivers all preceding lines and throws no error.
    @Test func everyTruncationDeliversPrecedingLines() throws {
        let text = "\(Self.line)\n\(Self.line)\n"
        for count in 1..<text.utf8.count {
            let records = try records([("a", String(text.prefix(count)))], partial: true)
            expectEqual(records.airings.count, (count + 1) / (Self.line.utf8.count + 1), "\(count)")
        }
    }

    @Test func otherFaultsAreErrorsInPartialMode() {
        expectThrows(JSONError.self) { try self.records([("p", "[\(Self.program) x]")], partial: true) }
    }

    @Test func strictReaderRejectsMalformedLine() throws {
        let files = [("a.jsonl", "\(Self.line)\n{\"type\" 7}\n\(Self.line)\n")]
        try expectEqual(records(files).airings.count, 2)
        let error = expectThrows(JSONError.self) { try self.records(files, strict: true) }
        expectEqual(error?.line, 2)
    }

    /// The body comes from a real response of the service.
    @Test func fileWithOnlyAStationErrorIsAServerError() throws {
        let body = #"{"stationID": "10489", "code": 2201, "response": "STATIONID_DELETED", "programs": []}"#
        let error = expectThrows(JSONError.self) { try JSONReading.records(body) }
        expectEqual(error?.reason, .server(code: 2201, message: "STATIONID_DELETED"))
        let records = try JSONReading.records(body + "\n" + Self.schedule)
        expectEqual(records.airings.count, 1)
        expectContains(records.faults, "1 notvalid kept STATIONID_DELETED (code 2201)")
    }

}
