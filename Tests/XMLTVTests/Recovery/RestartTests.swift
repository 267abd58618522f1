import TestSupport
import Testing
import XMLTV

/// Tests which records are lost if one is malformed. Every guide contains `A`, a fault, and `Z`.
@Suite struct RestartTests {
    struct Fault: CustomTestStringConvertible {
        let written: String
        /// The records between `A` and `Z`.
        var records = ""
        /// The repairs. The fault starts on line 3.
        let repairs: [String]
        /// The line on which `Z` starts, if it isn't the next one.
        var endLine = 4

        var testDescription: String { written }
    }

    private static let inRecords: [Fault] = [
        // Mismatched tags.
        Fault(written: "<programme><title>x</desc></programme>", repairs: ["3 record"]),
        Fault(written: "<programme><title>x</title></b></programme>", repairs: ["3 record"]),
        Fault(written: "<programme><title>x<desc>y</title></programme>", repairs: ["3 record"]),
        Fault(written: "<programme><b>x</programme>", repairs: ["3 record"]),
        // A leaf without its end tag.
        Fault(written: "<programme><title>x</programme>", records: "x", repairs: ["3 <title>"]),
        Fault(written: "<channel id='c'><display-name>x</channel>", records: "#c", repairs: ["3 <display-name>"]),
        Fault(written: "<channel id='c'></programme>", repairs: ["3 record"]),
        // Text that doesn't start a tag.
        Fault(written: "<programme><title>5 < 6</title></programme>", repairs: ["3 record"]),
        Fault(written: "<programme><title><3</title></programme>", repairs: ["3 record"]),
        Fault(written: "<programme><title>x</title</programme>", repairs: ["3 record"]),
        Fault(written: "<programme><title lang=de>x</title></programme>", repairs: ["3 record"]),
        Fault(written: "<programme><title lang>x</title></programme>", repairs: ["3 record"]),
        Fault(written: "<programme start='1 channel='c'><title>x</title></programme>", repairs: ["3 record"]),
        Fault(written: "<programme <title>x</title></programme>", repairs: ["3 record"]),
        Fault(written: "<programme><!bad><title>x</title></programme>", repairs: ["3 record"]),
        Fault(written: "<programme><title>x</title><\u{E9}\u{0}/></programme>", repairs: ["3 record"]),
        // Unterminated quotes, comments, and sections.
        Fault(written: "<programme><title lang=\"de>x</title></programme>", repairs: ["3 record"]),
        Fault(written: "<programme channel=\"c><title>x</title></programme>", repairs: ["3 record"]),
        Fault(
            written: "<programme><!-- x</programme>\n<programme><title>B</title><!-- y --></programme>",
            records: "B", repairs: ["3 record"], endLine: 5),
        Fault(written: "<programme><!-- x</programme>", repairs: ["3 record"]),
        Fault(written: "<programme><title><![CDATA[x</title></programme>", repairs: ["3 record"]),
        Fault(written: "<programme><?x <title>x</title></programme>", repairs: ["3 record"]),
        // Missing end tags.
        Fault(written: "<programme><title>x</title>", repairs: ["3 record"]),
        Fault(written: "<programme><title>x", repairs: ["3 record"]),
        Fault(written: "<channel id='c'><display-name>x", repairs: ["3 record"]),
        Fault(written: "<channel id='c'>", repairs: ["3 record"]),
        Fault(
            written: "<programme>\n<channel id='c'/><programme>\n<programme><title>B</title></programme>",
            records: "#c B", repairs: ["3 record", "4 record"], endLine: 6),
        Fault(written: "<other><x></other>", repairs: ["3 record"]),
        // Several records on one line, one of them invalid.
        Fault(
            written:
                "<programme><title>B</title></programme><programme><title>x</b></title></programme><channel id='c'/>",
            records: "B #c", repairs: ["3 record"]),
        // Lines within the record.
        Fault(written: "<programme>\n\n<title>x\n</desc>\n</programme>", repairs: ["3 record"], endLine: 8),
    ]

    private static let betweenRecords: [Fault] = [
        Fault(written: "</programme>", repairs: ["3 text"]),
        Fault(written: "</title>", repairs: ["3 text"]),
        Fault(written: "a < b", repairs: ["3 text"]),
        Fault(written: "<", repairs: ["3 text"]),
        Fault(written: "<!DOCTYPE tv SYSTEM \"xmltv.dtd\">", repairs: ["3 text"]),
        Fault(written: "<!-- <!-- x -->", repairs: ["3 text"]),
        Fault(written: "<!-- x", repairs: ["3 text"]),
        Fault(written: "<![CDATA[ x", repairs: ["3 text"]),
        Fault(written: "<?xml version='1.0'?>\n<tv>", repairs: ["3 document"], endLine: 5),
        Fault(written: "<tv a='b'>", repairs: ["3 document"]),
        Fault(
            written: "</tv><?xml version='1.0'?><!DOCTYPE tv SYSTEM 'x'><tv x='y'><channel id='c'/>", records: "#c",
            repairs: ["3 document"]),
        Fault(written: "<programme><title>x<?xml version='1.0'?><tv>", repairs: ["3 record", "3 document"]),
        Fault(written: "</tv> junk &\n <b>x</b><tv>", repairs: ["3 tail", "4 document"], endLine: 5),
        Fault(written: "a & b \u{1}", repairs: ["3 &", "3 character 1"]),
    ]

    @Test(arguments: inRecords + betweenRecords)
    func onlyTheInvalidRecordIsLost(_ fault: Fault) {
        let document = """
            <tv>
            <programme><title>A</title></programme>
            \(fault.written)
            <programme><title>Z</title></programme>
            </tv>
            """
        let wanted = fault.records.isEmpty ? "tv A Z" : "tv A \(fault.records) Z"
        let whole = RepairReading(document)
        expectEqual(whole.summary, wanted)
        expectEqual(whole.fault, nil)
        expectEqual(whole.repairs.map(\.brief), fault.repairs)
        expectEqual(whole.lines.prefix(2), [1, 2])
        expectEqual(whole.lines.last, fault.endLine)
        for chunk in 1...17 { expectEqual(RepairReading(Array(document.utf8), chunk: chunk), whole) }
    }

    /// The report of a skipped record has its start, the fault with its position, and its bytes.
    @Test func skippedRecordIsQuoted() throws {
        let record =
            "<programme start=\"20231127200000\" channel=\"one.example\">\n<title>Gr\u{FC}n</titel>\n</programme>"
        let reading = RepairReading("<tv>\n\(record)\n</tv>")
        let repair = try #require(reading.repairs.first)
        expectEqual(repair.kind, .skippedRecord(.mismatchedEnd(expected: "title", found: "titel")))
        expectEqual(repair.line, 2)
        expectEqual(repair.faultLine, 3)
        expectEqual(repair.offset, 5)
        expectEqual(repair.skippedBytes, record.utf8.count)
        expectEqual(repair.quote, "<programme start=\"20231127200000\" channel=\"one.example\"> <ti")
        expectEqual(reading.repairs.count, 1)
    }

    /// Repairs within a skipped record are not reported.
    @Test func repairsInASkippedRecordAreNotReported() {
        let reading = RepairReading(
            "<tv><programme><title>a & b</title></programme><programme><title>c & d</b></programme><!-- -- --></tv>")
        expectEqual(
            reading.repairs.map(\.kind),
            [
                .bareAmpersand, .skippedRecord(.mismatchedEnd(expected: "title", found: "b")), .doubleHyphen,
            ])
    }

    /// A record above the limit is skipped, whether it is valid or not.
    @Test(arguments: [1, 100, 1000, 1 << 20])
    func recordAboveLimitIsSkipped(_ chunk: Int) {
        var limits = XMLLimits()
        limits.recordBytes = 1000
        let large = "<desc>\(String(repeating: "x", count: 2000))</desc>"
        let document = """
            <tv><programme><title>A</title></programme>
            <programme><title>x</title>\(large)</programme><channel id="c"/>
            <programme><title>x\(large)</b></programme>
            <programme><title>Z</title></programme></tv>
            """
        let reading = RepairReading(ChunkSource(Array(document.utf8)) { chunk }, limits: limits)
        expectEqual(reading.summary, "tv A #c Z")
        expectEqual(reading.fault, nil)
        expectEqual(reading.repairs.map(\.brief), ["2 record", "3 record"])
        expectEqual(
            reading.repairs.map(\.kind),
            [
                .skippedRecord(.limit(.recordBytes, 1000)), .skippedRecord(.limit(.recordBytes, 1000)),
            ])
    }

    /// A start tag and an end tag count as one token each.
    @Test(arguments: [1, 1000, 1 << 20])
    func recordWithTooManyElementsIsSkipped(_ chunk: Int) {
        var limits = XMLLimits()
        limits.recordTokens = 2048
        let document = [1023, 1024, 2000].map { count in
            "<programme><title>\(count)</title>\(String(repeating: "<a/>", count: count - 2))</programme>"
        }
        let text = "<tv>\(document.joined())<programme><title>Z</title></programme></tv>"
        let reading = RepairReading(ChunkSource(Array(text.utf8)) { chunk }, limits: limits)
        #expect(reading.summary == "tv 1023 Z" || reading.summary == "tv 1023 1024 Z")
        #expect(reading.repairs.allSatisfy { $0.kind == .skippedRecord(.limit(.recordTokens, 2048)) })
    }

    @Test func recordAboveDepthOrAttributeLimitIsSkipped() {
        let deep = String(repeating: "<a>", count: 40) + String(repeating: "</a>", count: 40)
        let wide = (0..<70).map { " a\($0)='1'" }.joined()
        let name = String(repeating: "n", count: 2000)
        for content in [deep, "<x\(wide)/>", "<\(name)/>", "<x a='\(String(repeating: "v", count: 70_000))'/>"] {
            let reading = RepairReading(
                "<tv><programme><title>x</title>\(content)</programme><programme><title>Z</title></programme></tv>")
            expectEqual(reading.summary, "tv Z")
            expectEqual(reading.repairs.map(\.brief), ["1 record"])
            expectEqual(reading.fault, nil)
        }
    }
}
