import TestSupport
import Testing
import XMLTV

@Suite struct DocumentRepairTests {
    private static let records = "<channel id='c'/>\n<programme start='1'><title>A</title></programme>"

    /// The text before the records, whether there is a root, the repairs, and the line of the last record.
    private static let prologs: [(String, Bool, [String], Int)] = [
        ("\n<?xml version='1.0'?><tv>", true, ["2 prolog"], 3),
        ("junk\n<?xml version='1.0'?><tv>", true, ["1 prolog"], 3),
        ("\u{FEFF}\u{FEFF}<?xml version='1.0'?><tv>", true, ["1 prolog"], 2),
        ("Warning: <b>x</b> & y <br />\n<tv>", true, ["1 prolog"], 3),
        ("<?xml version='1.1'?><tv>", true, ["1 prolog"], 2),
        ("<?xml version=1.0?><!DOCTYPE tv SYSTEM 'xmltv.dtd'>\n<tv>", true, ["1 prolog"], 3),
        ("<?xml version='1.0'>\n<tv>", true, ["1 prolog"], 3),
        ("<?xml version='1.0'?><!DOCTYPE tv SYSTEM xmltv.dtd>\n<tv>", true, ["1 prolog"], 3),
        ("<!DOCTYPE tv SYSTEM 'x'><!DOCTYPE tv SYSTEM 'x'>\n<tv>", true, ["1 prolog"], 3),
        ("<!DOCTYPE tv [\n<tv>", true, ["1 prolog"], 3),
        ("<!-- x\n<tv>", true, ["1 prolog"], 3),
        ("<?xml ver<z=<z'1.0'?>\n<!DOCTYPzE tv x\n", false, ["1 prolog", "2 prolog", "3 root"], 4),
        ("\u{0}\u{0}<tv>", true, ["1 prolog"], 2),
        ("", false, ["1 root"], 2),
        ("<?xml version='1.0'?><!-- x -->\n", false, ["2 root"], 3),
    ]

    @Test(arguments: prologs)
    func recordsAfterBrokenStartAreRead(_ row: (String, Bool, [String], Int)) {
        let (prolog, hasRoot, repairs, line) = row
        for end in hasRoot ? ["</tv>"] : ["</tv>", "", "\n"] {
            let document = prolog + Self.records + end
            let whole = RepairReading(document)
            expectEqual(whole.summary, hasRoot ? "tv #c A" : "#c A")
            expectEqual(whole.fault, nil)
            expectEqual(whole.repairs.map(\.brief), repairs)
            expectEqual(whole.lines.last, line)
            for chunk in 1...17 { expectEqual(RepairReading(Array(document.utf8), chunk: chunk), whole) }
        }
    }

    /// The text after `</tv>`, the records that follow `#c A`, and the repairs.
    private static let endings: [(String, String, [String])] = [
        ("\u{0}\u{0}\u{0}", "", ["2 tail"]),
        ("</tv>", "", ["2 tail"]),
        ("\n</html>\nbye", "", ["3 tail"]),
        ("<!-- x", "", ["2 tail"]),
        ("&", "", ["2 tail"]),
        ("<?xml version='1.0'?>", "", ["2 document"]),
        ("<tv/>", "", ["2 document"]),
        ("\n<?xml version='1.0'?>\n<!DOCTYPE tv>\n<tv>\(records)</tv>", "#c A", ["3 document"]),
        ("<!DOCTYPE tv SYSTEM 'x'><tv a='b'>\(records)</tv>\n", "#c A", ["2 document"]),
        ("<tv>\(records)</tv><tv>\(records)</tv>", "#c A #c A", ["2 document", "3 document"]),
        ("x<tv>\(records)</tv>", "#c A", ["2 tail", "2 document"]),
        // The rest of an older, longer file, also where it ends with its end tag.
        (records, "", ["2 tail"]),
        ("\(records)</tv>", "", ["2 tail"]),
        ("le>B</title></programme>\n\(records)\n</tv>\n", "", ["2 tail"]),
        ("\n\(records)<programme><title>B</ti", "", ["3 tail"]),
    ]

    @Test(arguments: endings)
    func recordsAfterTheEndAreRead(_ ending: String, records: String, repairs: [String]) {
        let document = "<tv>\(Self.records)</tv>\(ending)"
        let whole = RepairReading(document)
        expectEqual(whole.summary, records.isEmpty ? "tv #c A" : "tv #c A \(records)")
        expectEqual(whole.fault, nil)
        expectEqual(whole.repairs.map(\.brief), repairs)
        for chunk in 1...17 { expectEqual(RepairReading(Array(document.utf8), chunk: chunk), whole) }
    }

    /// A document that is not a guide is still rejected, with the reason of the strict reader.
    @Test(arguments: [
        "<html><body/></html>", "<rss version='2.0'><channel><title>x</title></channel></rss>",
        "<?xml version='1.0'?><feed/>", "\n<?xml version='1.0'?><rss><channel><title>x</title></channel></rss>",
        "<!doctype html>\n<html><head></head></html>",
    ])
    func otherDocumentsAreRejected(_ document: String) {
        let reading = RepairReading(document)
        guard case .notXMLTV = reading.fault?.reason else {
            Issue.record("\(String(describing: reading.fault))")
            return
        }
        expectEmpty(reading.records)
    }

    @Test(arguments: ["", "{\"error\": 404}", "#EXTM3U\n", "   ", "<!-- tv", "not < a & guide"])
    func textWithoutMarkupIsRejectedAsInStrictMode(_ text: String) {
        let strict = RepairReading(ChunkSource(Array(text.utf8)), recovery: .refuse)
        let reading = RepairReading(text)
        #expect(reading.fault != nil)
        expectEqual(reading.fault, strict.fault)
    }

    @Test func entityDeclarationsAreStillRejected() {
        let reading = RepairReading("junk <!DOCTYPE tv [<!ENTITY a 'b'>]><tv><programme/></tv>")
        expectEqual(reading.fault?.reason, .entityDeclaration)
    }

    /// Wherever the document is truncated, the reader delivers all complete records and then throws.
    @Test func truncatedGuideDeliversCompleteRecords() {
        let head = "<tv>\n<programme><title>A</title></programme>\n"
        let tail =
            "<programme start='1'><title lang='de'>B &amp; C</title><!-- x --><desc><![CDATA[d]]></desc></programme>\n</tv"
        let bytes = Array((head + tail).utf8)
        let end = bytes.count - "\n</tv".utf8.count
        for cut in head.utf8.count..<bytes.count {
            let reading = RepairReading(Array(bytes[..<cut]), chunk: 7)
            guard case .unexpectedEnd = reading.fault?.reason else {
                Issue.record("truncated at \(cut): \(String(describing: reading.fault))")
                continue
            }
            expectEqual(reading.summary, cut < end ? "tv A" : "tv A B & C")
            expectEmpty(reading.repairs)
            let strict = RepairReading(ChunkSource(Array(bytes[..<cut])), recovery: .refuse)
            expectEqual(strict.fault, reading.fault)
        }
    }

    /// An unterminated comment that contains records is not a truncation.
    @Test func unterminatedCommentIsNotATruncation() {
        let reading = RepairReading(
            "<tv>\n<programme><title>A</title><!-- </programme>\n<programme><title>B</title></programme>\n</tv>\n")
        expectEqual(reading.summary, "tv B")
        expectEqual(reading.fault, nil)
        expectEqual(reading.repairs.map(\.brief), ["2 record"])
        let cut = RepairReading("<tv>\n<!-- <programme><title>B</title></programme>\n")
        expectEqual(cut.summary, "tv B")
        expectEqual(cut.fault?.reason, .unexpectedEnd(inside: "before </tv>"))
    }

    @Test func strictReadingIsTheDefault() {
        var scanner = XMLScanner(ChunkSource(Array("<tv>a & b</tv>".utf8)))
        #expect(throws: XMLError(reason: .badReference, line: 1, offset: 7)) {
            while try scanner.next() != nil {}
        }
        let hasRepairs = scanner.hasRepairs
        expectEqual(hasRepairs, false)
    }
}
