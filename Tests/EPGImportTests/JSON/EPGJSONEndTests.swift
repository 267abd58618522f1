import EPGJSON
import EPGImport
import EPGModel
import TestSupport
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

    /// Lines, the number of airings that are read, and the faults.
    private struct Row: CustomTestStringConvertible {
        let testDescription: String
        let lines: [String]
        let airings: Int
        let faults: [String]

        init(_ rule: String, _ lines: [String], airings: Int = 2, _ faults: String...) {
            (testDescription, self.lines, self.airings, self.faults) = (rule, lines, airings, faults)
        }
    }

    private static let after = "lines follow the end of the guide; they are read, too"

    private static let guideRows: [Row] = [
        Row("a guide with an announced end is complete", whole),
        Row("concatenated guides are complete", whole + [#"{"type":"guide"}"#, airing], airings: 3),
        Row(
            "concatenated guides are checked separately", whole + whole + [station], airings: 4,
            "11 notvalid kept \(after)"),
        Row(
            "lines after the end are read and reported once", whole + [airing, airing, station, end], airings: 4,
            "6 notvalid kept \(after)"),
    ]

    /// Handwritten guides may omit the last line, and may have one nevertheless.
    private static let handwrittenRows: [Row] = [
        "", #"{"type":"guide","version":1}"#, #"{"type":"guide","end":false}"#, #"{"type":"guide","end":null}"#,
    ].flatMap { (header: String) -> [Row] in
        let lines = (header.isEmpty ? [] : [header]) + [station, airing]
        return [
            Row("a guide without announcement needs no end: \(header)", lines, airings: 1),
            Row("a guide without announcement may have an end: \(header)", lines + [airing, end]),
        ]
    }

    /// The last line, and the fault.
    private static let countRows: [Row] = [
        (#"{"type":"end"}"#, ""), (#"{"type":"end","airings":2}"#, ""),
        (#"{"airings":null,"x":1,"type":"end"}"#, ""),
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
    ].map { (end: String, message: String) -> Row in
        let lines: [String] = Array(whole.dropLast()) + [end]
        return message.isEmpty
            ? Row("missing counts are not compared: \(end)", lines)
            : Row("counts that disagree are reported: \(end)", lines, "5 notvalid kept \(message)")
    }

    @Test(arguments: guideRows + handwrittenRows + countRows)
    private func endIsChecked(_ row: Row) throws {
        let records = try records(row.lines)
        expectEqual(records.faults, row.faults)
        expectEqual(records.airings.count, row.airings)
    }

    @Test func headerHasNoAnnouncement() throws {
        let records = try records(Self.whole)
        expectEqual(records.first, .header([ContentAttribute(name: "source-info-name", value: "H")]))
        expectEqual(records.count, 4)
        // A string is an attribute.
        let other = try self.records([#"{"type":"guide","end":"x"}"#, Self.airing])
        expectEqual(other.first, .header([ContentAttribute(name: "end", value: "x")]))
        expectEqual(other.faults, [])
    }

    /// A guide truncated at any line break is rejected after its complete records.
    @Test(arguments: 1...4) func guideWithoutAnnouncedEndIsTruncated(lines: Int) throws {
        let cut = Array(Self.whole.prefix(lines))
        let error = expectThrows(JSONError.self) { try records(cut) }
        expectEqual(error?.isTruncated, true)
        expectEqual(error?.line, lines + 1)
        let intact = try records(cut, partial: true)
        expectEqual(intact.airings.count, max(0, lines - 2))
        expectEqual(
            intact.faults,
            [
                "\(lines + 1) notwell kept line \(lines + 1), column 1: the document is truncated: it ends within a guide "
                    + "whose last line, of type end, is missing"
            ])
    }

    /// A line counts whether or not its record is valid. A malformed one is missing.
    @Test func brokenLinesAreDetectedByCounts() throws {
        let faults = try records([Self.header, Self.station, #"{"type":"airing"}"#, #"{"type":"airing" 7}"#, Self.end])
            .faults
        expectEqual(faults.count, 3)
        expectEqual(faults.last, "5 notvalid kept end: 2 airings are announced, but 1 were read")
    }

    @Test func guideTruncatedBeforeAnotherIsDetected() throws {
        let lines = [Self.header, Self.airing] + Self.whole
        let error = expectThrows(JSONError.self) { try records(lines) }
        expectEqual(error?.isTruncated, true)
        expectEqual(error?.line, 3)
        let intact = try records(lines, partial: true)
        expectEqual(intact.airings.count, 3)
        expectEqual(intact.faults.count, 1)
        expectEqual(intact.faults.first?.hasPrefix("3 notwell kept line 3, column 1: "), true)
    }

    @Test func endRecordInArrayIsAccepted() throws {
        let array = "[\(Self.whole.joined(separator: ",\n"))]"
        try expectEqual(JSONReading.records(array).faults, [])
        let error = expectThrows(JSONError.self) {
            try JSONReading.records("[\(Self.whole.dropLast().joined(separator: ",\n"))]")
        }
        expectEqual(error?.isTruncated, true)
    }

    @Test func eachFileHasItsOwnEnd() throws {
        let whole = Self.text(Self.whole)
        try expectEqual(JSONReading.records([("a", whole), ("b", whole)]).faults, [])
        let cut = Self.text(Self.whole.dropLast())
        let error = expectThrows(JSONError.self) { try JSONReading.records([("a", cut), ("b", whole)]) }
        expectEqual(error?.file, "a")
    }

    @Test func endIsWrittenAsDocumented() {
        var bytes: [UInt8] = []
        GuideJSONWriter.append(
            header: [ContentAttribute(name: "end", value: "x")], announcesEnd: true, to: &bytes)
        GuideJSONWriter.append(endAfterStations: 12, airings: 345, to: &bytes)
        expectEqual(
            String(decoding: bytes, as: UTF8.self),
            """
            {"type":"guide","version":1,"end":true,"<end":"x"}
            {"type":"end","stations":12,"airings":345}

            """)
    }
}
