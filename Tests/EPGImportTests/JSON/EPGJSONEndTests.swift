import EPGJSON
import EPGImport
import EPGModel
import Testing

/// The last line of EPG JSON, which reveals that a file was truncated between two lines.
@Suite struct EPGJSONEndTests {
    private static let header = #"{"type":"guide","version":1,"end":true,"source-info-name":"H"}"#
    private static let station = #"{"type":"station","id":"s"}"#
    private static let airing =
        #"{"type":"airing","station":"s","start":"2026-10-25T18:00:00Z","stop":"2026-10-25T19:00:00Z"}"#
    private static let end = #"{"type":"end","stations":1,"airings":2}"#
    private static let whole = [header, station, airing, airing, end]

    private static func text(_ lines: [String]) -> String { lines.map { $0 + "\n" }.joined() }

    private func records(_ lines: [String], partial: Bool = false) throws -> [GuideRecord] {
        var reader = GuideJSONReader(JSONReading.source(Array(Self.text(lines).utf8), chunk: 11))
        reader.acceptsTruncation = partial
        var records: [GuideRecord] = []
        while let record = try reader.next() { records.append(record) }
        return records
    }

    @Test func guideWithAnnouncedEndIsComplete() throws {
        let records = try records(Self.whole)
        #expect(records.faults == [])
        #expect(records.airings.count == 2)
        #expect(records.first == .header([ContentAttribute(name: "source-info-name", value: "H")]))
        #expect(records.count == 4)
    }

    /// A guide truncated at any line break is rejected after its complete records.
    @Test(arguments: 1...4) func guideWithoutAnnouncedEndIsTruncated(lines: Int) throws {
        let cut = Array(Self.whole.prefix(lines))
        let error = #expect(throws: JSONError.self) { try records(cut) }
        #expect(error?.isTruncated == true)
        #expect(error?.line == lines + 1)
        let intact = try records(cut, partial: true)
        #expect(intact.airings.count == max(0, lines - 2))
        #expect(
            intact.faults == [
                "\(lines + 1) notwell kept line \(lines + 1), column 1: the document is truncated: it ends within a guide "
                    + "whose last line, of type end, is missing"
            ])
    }

    /// Handwritten guides may omit the last line.
    @Test(arguments: [
        [], [#"{"type":"guide","version":1}"#], [#"{"type":"guide","end":false}"#], [#"{"type":"guide","end":null}"#],
    ])
    func guideWithoutAnnouncementNeedsNoEnd(header: [String]) throws {
        #expect(try records(header + [Self.station, Self.airing]).faults == [])
        // Such a guide may still have one.
        #expect(try records(header + [Self.station, Self.airing, Self.airing, Self.end]).faults == [])
    }

    @Test func stringNamedEndIsAnAttribute() throws {
        let records = try records([#"{"type":"guide","end":"x"}"#, Self.airing])
        #expect(records.first == .header([ContentAttribute(name: "end", value: "x")]))
        #expect(records.faults == [])
    }

    @Test(arguments: [
        (#"{"type":"end","stations":1,"airings":3}"#, "end: 3 airings are announced, but 2 were read"),
        (
            #"{"type":"end","stations":7,"airings":0}"#,
            "end: 7 stations and 0 airings are announced, but 1 and 2 were read"
        ),
        (
            #"{"type":"end","airings":-9223372036854775808}"#,
            "end: -9223372036854775808 airings are announced, but 2 were read"
        ),
        (#"{"type":"end","stations":1.5}"#, "end: stations is not an integer"),
        (#"{"type":"end","stations":[]}"#, "end: stations is not an integer"),
        (#"{"type":"end","stations":99999999999999999999}"#, "end: stations is not an integer"),
    ])
    func countsThatDisagreeAreReported(end: String, message: String) throws {
        let records = try records(Self.whole.dropLast() + [end])
        #expect(records.faults == ["5 notvalid kept \(message)"])
        #expect(records.airings.count == 2)
    }

    @Test(arguments: [#"{"type":"end"}"#, #"{"type":"end","airings":2}"#, #"{"airings":null,"x":1,"type":"end"}"#])
    func countsMissingFromEndAreNotCompared(end: String) throws {
        #expect(try records(Self.whole.dropLast() + [end]).faults == [])
    }

    /// A line counts whether or not its record is valid. A malformed one is missing.
    @Test func brokenLinesAreDetectedByCounts() throws {
        let faults = try records([Self.header, Self.station, #"{"type":"airing"}"#, #"{"type":"airing" 7}"#, Self.end])
            .faults
        #expect(faults.count == 3)
        #expect(faults.last == "5 notvalid kept end: 2 airings are announced, but 1 were read")
    }

    @Test func concatenatedGuidesAreCheckedSeparately() throws {
        let records = try records(Self.whole + Self.whole + [Self.station] + [])
        #expect(records.airings.count == 4)
        #expect(records.faults == ["11 notvalid kept lines follow the end of the guide; they are read, too"])
        #expect(try self.records(Self.whole + [#"{"type":"guide"}"#, Self.airing]).faults == [])
    }

    @Test func linesAfterEndAreReadAndReportedOnce() throws {
        let records = try records(Self.whole + [Self.airing, Self.airing, Self.station, Self.end])
        #expect(records.airings.count == 4)
        #expect(records.faults == ["6 notvalid kept lines follow the end of the guide; they are read, too"])
    }

    @Test func guideTruncatedBeforeAnotherIsDetected() throws {
        let lines = [Self.header, Self.airing] + Self.whole
        let error = #expect(throws: JSONError.self) { try records(lines) }
        #expect(error?.isTruncated == true)
        #expect(error?.line == 3)
        let intact = try records(lines, partial: true)
        #expect(intact.airings.count == 3)
        #expect(intact.faults.count == 1)
        #expect(intact.faults.first?.hasPrefix("3 notwell kept line 3, column 1: ") == true)
    }

    @Test func endRecordInArrayIsAccepted() throws {
        let array = "[\(Self.whole.joined(separator: ",\n"))]"
        #expect(try JSONReading.records(array).faults == [])
        let error = #expect(throws: JSONError.self) {
            try JSONReading.records("[\(Self.whole.dropLast().joined(separator: ",\n"))]")
        }
        #expect(error?.isTruncated == true)
    }

    @Test func eachFileHasItsOwnEnd() throws {
        let whole = Self.text(Self.whole)
        #expect(try JSONReading.records([("a", whole), ("b", whole)]).faults == [])
        let cut = Self.text(Self.whole.dropLast())
        let error = #expect(throws: JSONError.self) { try JSONReading.records([("a", cut), ("b", whole)]) }
        #expect(error?.file == "a")
    }

    @Test func endIsWrittenAsDocumented() {
        var bytes: [UInt8] = []
        GuideJSONWriter.append(
            header: [ContentAttribute(name: "end", value: "x")], announcesEnd: true, to: &bytes)
        GuideJSONWriter.append(endAfterStations: 12, airings: 345, to: &bytes)
        #expect(
            String(decoding: bytes, as: UTF8.self) == """
                {"type":"guide","version":1,"end":true,"<end":"x"}
                {"type":"end","stations":12,"airings":345}

                """)
    }
}
