import EPGJSON
import EPGImport
import EPGModel
import Foundation
import TestSupport
import Testing

/// Schedules Direct guides in one or several files, and their errors.
@Suite struct SchedulesDirectFileTests {
    static let samples = PackageFiles.root.appending(path: "sample-data/schedules-direct")

    private func sample(_ name: String) throws -> (name: String, text: String) {
        (name, try String(contentsOf: Self.samples.appending(path: name), encoding: .utf8))
    }

    private static let orders = [
        ["lineup.json", "programs.json", "schedules.json"], ["schedules.json", "lineup.json", "programs.json"],
        ["programs.json", "schedules.json", "lineup.json"],
    ]

    @Test(arguments: orders)
    func orderOfFilesDoesNotMatter(_ names: [String]) throws {
        let records = try JSONReading.records(try names.map(sample), chunk: 100)
        expectEqual(records.faults, [])
        expectEqual(records.stations.map(\.id), ["90001", "90007", "90009"].map { "I\($0).json.schedulesdirect.org" })
        expectEqual(records.airings.count, 14)
        let lowWater = try #require(
            records.airings.first { $0.start == .instant(Instant(secondsSince1970: 1_792_962_000)) })
        expectEqual(lowWater.stop, .instant(Instant(secondsSince1970: 1_792_965_600)))
        expectEqual(
            lowWater.nodes.xml,
            "<title>Low Water</title><sub-title>Slack</sub-title>"
                + "<desc lang='en'>Carrow is taken off the case. The harbour master is not.</desc>"
                + "<credits><director>Hanne Vik</director><actor role='DI Carrow'>Ruth Okonjo</actor>"
                + "<actor role='The harbour master'>Piers Tallow</actor><writer>S. J. Marl</writer></credits>"
                + "<category>Drama</category><category>Series</category><category>series</category>"
                + "<episode-num system='xmltv_ns'>0.3/6.</episode-num>"
                + "<episode-num system='dd_progid'>EP900000050004</episode-num>"
                + "<audio><stereo>stereo</stereo></audio><new/><subtitles type='teletext'/>"
                + "<rating system='British Board of Film Classification'><value>15</value></rating>")
    }

    /// A single object, with or without an array of lineups, and concatenated documents give the same guide.
    @Test func singleFileGivesTheSameGuide() throws {
        let parts = try ["lineup.json", "schedules.json", "programs.json"].map { try sample($0).text }
        let expected = Set(
            try JSONReading.records([("a", parts[0]), ("b", parts[2]), ("c", parts[1])]).map(\.comparable))
        for text in [
            "{\"lineup\": \(parts[0]), \"schedules\": \(parts[1]), \"programs\": \(parts[2])}",
            "{\"programs\": \(parts[2]), \"schedules\": \(parts[1]), \"code\": 0, \"lineups\": [\(parts[0])]}",
            "\(parts[0])\n\(parts[1])\(parts[2])",
        ] {
            // Ignore the line numbers, which differ.
            expectEqual(
                Set(try JSONReading.records(text, chunk: 1000).map(\.withoutLine)), Set(expected.map(\.withoutLine)))
        }
    }

    @Test func programsOnSeparateLinesAreRead() throws {
        let records = try JSONReading.records([
            (
                "p",
                "{\"programID\":\"EP1\",\"titles\":[{\"title120\":\"A\"}]}\n{\"programID\":\"EP2\",\"titles\":[{\"title120\":\"B\"}]}\n"
            ),
            (
                "s",
                "{\"stationID\":\"1\",\"programs\":[{\"programID\":\"EP2\",\"airDateTime\":\"2026-10-25T18:00:00Z\"}]}\n"
            ),
        ])
        expectEqual(records.airings.map { $0.nodes.xml("title") }, [["<title>B</title>"]])
    }

    @Test func missingProgramIsReportedOnceAndAiringIsKept() throws {
        let airing = #"{"programID": "EP9", "airDateTime": "2026-10-25T18:00:00Z", "duration": 60, "new": true}"#
        let records = try JSONReading.records("[{\"stationID\": \"1\", \"programs\": [\n\(airing),\n\(airing)]}]")
        expectEqual(records.faults, ["2 notvalid kept the program EP9 is in none of the files"])
        expectEqual(
            records.airings.map { $0.nodes.xml },
            Array(repeating: "<episode-num system='dd_progid'>EP9</episode-num><new/>", count: 2))
        expectEqual(records.airings.map(\.line), [2, 3])
    }

    @Test func invalidAiringAffectsOnlyItself() throws {
        let good = #"{"programID": "EP1", "airDateTime": "2026-10-25T18:00:00Z", "duration": 60}"#
        let records = try JSONReading.records(
            """
            [{"stationID": "1", "programs": [\(good), {"airDateTime": "soon"},
              {}, 7, \(good)]}, null,
             {"programs": [\(good)]}, {"stationID": "2", "programs": [\(good)]}]
            """)
        expectEqual(records.airings.map(\.station.rawValue), ["1", "1", "2"].map { "I\($0).json.schedulesdirect.org" })
        expectEqual(
            records.faults.filter { !$0.contains("EP1") },
            [
                "1 badstart skipped soon", "2 badstart skipped ", "2 notvalid skipped not an object",
                "2 notvalid skipped not an object", "3 unknownid kept stationID: missing",
            ])
    }

    /// Error bodies as sent by the service, and their messages.
    private static let errorBodies: [(body: String, message: String)] = [
        (
            #"{"response":"SERVICE_OFFLINE","code":3000,"serverID":"x","message":"Server offline for maintenance."}"#,
            "Server offline for maintenance. (code 3000)"
        ),
        (
            #"{"response":"INVALID_PROGRAMID","code":6000,"message":"Invalid programID:ZZ01234567891234"}"#,
            "Invalid programID:ZZ01234567891234 (code 6000)"
        ),
        (
            #"{"stationID":"92371","code":7020,"response":"SCHEDULE_RANGE_EXCEEDED","message":"Date not within."}"#,
            "Date not within. (code 7020)"
        ),
        (
            #"{"code":4102,"message":"No lineups.","lineups":[]}"#,
            "No lineups. (code 4102)"
        ),
        (
            #"{"name":"Not Found","message":"Page not found.","code":0,"status":404}"#,
            "Page not found. (code 404)"
        ),
    ]

    @Test func errorsAmongRecordsBecomeDiagnostics() throws {
        let records = try JSONReading.records([
            ("s", #"[{"stationID":"1","code":7100,"message":"Queued. Retry."},{"stationID":"2","programs":[]}]"#),
            ("p", #"[{"programID":"SH1","code":6001,"message":"Fetching. Retry."}]"#),
        ])
        expectEqual(
            records.faults,
            [
                "1 notvalid kept program SH1: Fetching. Retry.", "1 notvalid kept Queued. Retry. (code 7100)",
            ])
    }

    /// Other JSON, and what it is found to be.
    private static let otherJSON: [(text: String, found: String)] = [
        (#"{"code":0,"message":"OK","token":"f3fc"}"#, "its first object has \"code\", \"message\", \"token\""),
        (#"[{"type":"COUNTRIES","uri":"/x"}]"#, "its first object has \"type\", \"uri\""),
        (#"[{"programID":"SH1","data":[]}]"#, "its first object has \"programID\", \"data\""),
        ("{}", "its object is empty"), ("[1,2]", "an array without objects"), ("7", "it contains no object"),
        (#"{"schedules":[{"channel":{"id":1}}]}"#, "its first object has \"schedules\""),
        (
            #"[{"programID":"SH1","data":[]},{"programID":"SH2","code":5003,"message":"Limit."}]"#,
            "its first object has \"programID\", \"data\""
        ),
        (#"{"lineups":[{"lineup":"A","uri":"/x"}],"code":0}"#, "its first object has \"lineups\", \"code\""),
        (#"{"epg":{"11":[]}}"#, "its first object has \"epg\""),
    ]

    @Test(
        arguments: errorBodies.map {
            ($0.body, "this is an error response of a server, not a guide: \($0.message)")
        }
            + otherJSON.map {
                (
                    $0.text,
                    "this JSON is not a guide: \($0.found); supported are EPG JSON, Schedules Direct (lineup, schedules,"
                        + " programs), and TVmaze schedules"
                )
            })
    func unusableFileIsRejectedWithReason(_ text: String, message: String) {
        expectEqual(JSONReading.failure(text), message)
    }

    @Test func unrelatedFileIsSkippedNextToGuideFiles() throws {
        let records = try JSONReading.records([
            ("token.json", #"{"code":0,"token":"f3fc"}"#), ("s.json", #"[{"stationID":"1","programs":[]}]"#),
        ])
        expectEqual(
            records.faults, ["0 notvalid kept token.json: not a guide: its first object has \"code\", \"token\""])
        expectThrows(JSONError.self) { try JSONReading.records([("a", "{}"), ("b", "[]")]) }
    }

    @Test func errorNamesItsFile() {
        let error = expectThrows(JSONError.self) {
            try JSONReading.records([
                ("a.json", #"[{"stationID":"1","programs":[]}]"#),
                ("b.json", "[{\"programID\":\"EP1\",\"titles\":[]},\n}"),
            ])
        }
        expectEqual(error?.description, "b.json: line 2, column 1: expected a value")
        let empty = expectThrows(JSONError.self) { try JSONReading.records([("a.json", " \n")]) }
        expectEqual(empty?.description, "a.json: the file is empty")
    }

    /// RFC 8259, 7, forbids unescaped line breaks, but handwritten files and simple scripts produce them.
    @Test(arguments: [1, 7, .max]) func unescapedLineBreaksAreAcceptedAndReported(chunk: Int) throws {
        let text = """
            [{"stationID":"1","programs":[{"programID":"EP1","airDateTime":"2026-10-24T20:00:00Z","duration":60}]}]
            [{"programID":"EP1","titles":[{"title120":"Low\nWater\tTwo"}]},
             {"programID":"EP2",,"titles":[{"title120":"Two"}]}]
            """
        let corrected = text.replacing(",,", with: ",")
        let records = try JSONReading.records(corrected, chunk: chunk)
        expectEqual(
            records.faults, ["2 notwell kept a string contains a control character or line break; kept as written"])
        expectEqual(records.airings.first?.nodes.xml.hasPrefix("<title>Low\nWater\tTwo</title>"), true)
        // Line numbers are still correct after the line break.
        let error = expectThrows(JSONError.self) { try JSONReading.records(text, chunk: chunk) }
        expectEqual(error?.description.hasPrefix("line 4, column 21: "), true, "\(error as Any)")
        var strict = GuideJSONReader(JSONReading.source(Array(corrected.utf8), chunk: chunk))
        strict.isStrict = true
        expectThrows(JSONError.self) { while try strict.next() != nil {} }
    }

    @Test func emptyListsAreAnEmptyGuide() throws {
        try expectEqual(JSONReading.records("[]"), [])
        try expectEqual(JSONReading.records(#"{"map": [], "stations": []}"#), [])
    }
}

extension GuideRecord {
    fileprivate var withoutLine: GuideRecord { comparable }
}
