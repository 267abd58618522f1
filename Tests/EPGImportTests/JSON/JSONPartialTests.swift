import EPGJSON
import EPGImport
import EPGModel
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

    @Test func truncatedFileDeliversIntactPartAndLaterFilesAreRead() throws {
        let files = [
            ("p.json", "[\(Self.program),\n{\"programID\": \"EP2\", \"ti"), ("s.json", Self.schedule),
        ]
        let records = try records(files, partial: true)
        #expect(records.airings.map { $0.nodes.xml("title") } == [["<title>A</title>"]])
        #expect(records.faults.count == 1)
        #expect(records.faults.first?.hasPrefix("2 notwell kept p.json: line 2, ") == true)
        #expect(throws: JSONError.self) { try self.records(files) }
    }

    @Test func waitingAiringsAreDeliveredAfterTruncation() throws {
        let cut = Self.schedule.dropLast() + ",\n{\"stationID\": \"2\", \"pro"
        let records = try records([("s.json", String(cut))], partial: true)
        #expect(records.airings.map(\.station.rawValue) == ["I1.json.schedulesdirect.org"])
    }

    @Test func stationsBeforeTruncationAreDelivered() throws {
        let lineup = #"{"map": [{"stationID": "1", "channel": "7"}], "stations": [{"stationID": "1", "name": "One"},"#
        let records = try records([("l.json", lineup + #"{"stationID": "2", "na"#)], partial: true)
        #expect(records.stations.map(\.id) == ["I1.json.schedulesdirect.org"])
    }

    @Test func fileTruncatedBeforeItsFormIsKnownAffectsOnlyItself() throws {
        let records = try records([("a.json", "[{\"pro"), ("s.json", Self.schedule)], partial: true)
        #expect(records.airings.count == 1)
        #expect(records.faults.contains { $0.hasPrefix("1 notwell kept a.json: ") })
    }

    /// Wherever a file of lines is truncated, the reader delivers all preceding lines and throws no error.
    @Test func everyTruncationDeliversPrecedingLines() throws {
        let text = "\(Self.line)\n\(Self.line)\n"
        for count in 1..<text.utf8.count {
            let records = try records([("a", String(text.prefix(count)))], partial: true)
            #expect(records.airings.count == (count + 1) / (Self.line.utf8.count + 1), "\(count)")
        }
    }

    @Test func otherFaultsAreErrorsInPartialMode() {
        #expect(throws: JSONError.self) { try self.records([("p", "[\(Self.program) x]")], partial: true) }
    }

    @Test func strictReaderRejectsMalformedLine() throws {
        let files = [("a.jsonl", "\(Self.line)\n{\"type\" 7}\n\(Self.line)\n")]
        #expect(try records(files).airings.count == 2)
        let error = #expect(throws: JSONError.self) { try self.records(files, strict: true) }
        #expect(error?.line == 2)
    }

    /// The body is that of a real response of the service.
    @Test func fileWithOnlyAStationErrorIsAServerError() throws {
        let body = #"{"stationID": "10489", "code": 2201, "response": "STATIONID_DELETED", "programs": []}"#
        let error = #expect(throws: JSONError.self) { try JSONReading.records(body) }
        #expect(error?.reason == .server(code: 2201, message: "STATIONID_DELETED"))
        let records = try JSONReading.records(body + "\n" + Self.schedule)
        #expect(records.airings.count == 1)
        #expect(records.faults.contains("1 notvalid kept STATIONID_DELETED (code 2201)"))
    }

    @Test func oversizedProgramKeepsItsTitle() throws {
        let long = String(repeating: "x", count: 256 << 10)
        let program =
            "[{\"programID\": \"EP1\", \"titles\": [{\"title120\": \"A\"}], \"episodeTitle150\": \"\(long)\"}]"
        let records = try records([("p", program), ("s", Self.schedule)])
        #expect(records.faults == ["1 notvalid kept program EP1: too long; only its title is kept"])
        #expect(
            records.airings.map(\.nodes.xml)
                == ["<title>A</title><episode-num system='dd_progid'>EP1</episode-num>"])
    }

    @Test func lastProgramWithAnIdentifierWins() throws {
        let later = Self.program.replacing("\"A\"", with: "\"B\"")
        let text =
            "{\"programs\": [\(Self.program)]}{\"schedules\": \(Self.schedule)}"
            + "{\"programs\": [\(later)]}{\"schedules\": \(Self.schedule)}"
        let records = try records([("a", text)])
        #expect(records.airings.map { $0.nodes.xml("title") } == [["<title>A</title>"], ["<title>B</title>"]])
    }
}
