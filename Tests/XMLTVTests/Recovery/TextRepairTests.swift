import TestSupport
import Testing
import XMLTV

@Suite struct TextRepairTests {
    /// A faulty text, its meaning, and the repairs.
    private static let texts: [(String, String, [String])] = [
        ("Tom & Jerry", "Tom & Jerry", ["1 &"]),
        ("a&b;c&", "a&b;c&", ["1 unknown b", "1 &"]),
        ("&&amp;&", "&&&", ["1 &", "1 &"]),
        ("AT&T &amp Co", "AT&T &amp Co", ["1 &", "1 &"]),
        (
            "caf&eacute; &mdash; &Eacute;&euro;", "caf\u{E9} \u{2014} \u{C9}\u{20AC}",
            [
                "1 html eacute", "1 html mdash", "1 html Eacute", "1 html euro",
            ]
        ),
        ("&nbsp;x&thetasym;", "\u{A0}x\u{3D1}", ["1 html nbsp", "1 html thetasym"]),
        // Names are case-sensitive, and the predefined entities of XML need no repair.
        ("&EACUTE;&lt;&gt;&quot;&apos;", "&EACUTE;<>\"'", ["1 unknown EACUTE"]),
        // Doubly escaped text is decoded once, as XML requires.
        ("&amp;eacute;", "&eacute;", []),
        ("&amp;eacute; & &amp;amp;", "&eacute; & &amp;", ["1 &"]),
        ("a&#0;b&#x1F;c&#xFFFE;d", "abcd", ["1 reference", "1 reference", "1 reference"]),
        (
            "a&#xD800;b&#x110000;c&#99999999999999999999;", "a\u{FFFD}b\u{FFFD}c\u{FFFD}",
            [
                "1 reference", "1 reference", "1 reference",
            ]
        ),
        ("&#55357;&#56832;", "\u{1F600}", ["1 reference", "1 reference"]),
        ("&#xD83D;&#x20;", "\u{FFFD} ", ["1 reference"]),
        ("&#;&#x;&#xG;&#12", "&#;&#x;&#xG;&#12", ["1 &", "1 &", "1 &", "1 &"]),
        ("a\u{0}b\u{1}c\u{B}\u{1F}", "abc", ["1 character 0", "1 character 1", "1 character 11", "1 character 31"]),
        ("a\u{FFFE}b\u{FFFF}c", "abc", ["1 character 65534", "1 character 65535"]),
        ("a]]>b", "a]]>b", ["1 ]]>"]),
        // Line ends are also normalized in repaired text.
        ("a\r\n&\rb", "a\n&\nb", ["2 &"]),
        ("<![CDATA[a\u{1}&b;\r\n&]]>", "a&b;\n&", ["1 character 1"]),
    ]

    @Test(arguments: texts)
    func faultyTextIsReadAsIntended(_ written: String, meant: String, repairs: [String]) {
        for chunk in [1, 3, 1 << 20] {
            let document = "<tv><programme><title>t</title><desc>\(written)</desc></programme></tv>"
            let reading = RepairReading(Array(document.utf8), chunk: chunk)
            expectEqual(reading.fault, nil)
            expectEqual(Self.description(in: reading), meant)
            expectEqual(reading.repairs.map(\.brief), repairs)
        }
    }

    /// A faulty attribute value, its meaning, and the repairs.
    private static let values: [(String, String, [String])] = [
        ("a & b", "a & b", ["1 &"]),
        ("?a=1&b=2&copy=3", "?a=1&b=2&copy=3", ["1 &", "1 &"]),
        ("caf&eacute;\tx", "caf\u{E9} x", ["1 html eacute"]),
        ("&#0;&#10;&none;", "\n&none;", ["1 reference", "1 unknown none"]),
        ("a\u{0}\u{8}\r\nb", "a b", ["1 character 0", "1 character 8"]),
        ("x]]>y", "x]]>y", []),
    ]

    @Test(arguments: values, ["\"", "'"])
    func faultyAttributeIsReadAsIntended(_ row: (String, String, [String]), quote: String) {
        for chunk in [1, 3, 1 << 20] {
            let reading = RepairReading(
                Array("<tv><channel id=\(quote)\(row.0)\(quote)/></tv>".utf8), chunk: chunk)
            expectEqual(reading.fault, nil)
            expectEqual(reading.records.last?.element[attribute: "id"], row.1)
            expectEqual(reading.repairs.map(\.brief), row.2)
        }
    }

    /// Invalid bytes in a UTF-8 document: windows-1252 by CP1252.TXT of the Unicode Consortium.
    @Test(
        arguments: [
            ([0xE9], "\u{E9}"), ([0x80], "\u{20AC}"), ([0x92], "\u{2019}"), ([0x9F], "\u{178}"), ([0xFF], "\u{FF}"),
            ([0x81], "\u{FFFD}"), ([0x8D], "\u{FFFD}"), ([0x8F], "\u{FFFD}"), ([0x90], "\u{FFFD}"),
            ([0x9D], "\u{FFFD}"),
            // A truncated character, an overlong form, a surrogate: byte by byte.
            ([0xC3], "\u{C3}"), ([0xE4, 0xB8], "\u{E4}\u{B8}"), ([0xC0, 0xAF], "\u{C0}\u{AF}"),
            ([0xED, 0xA0, 0x80], "\u{ED}\u{A0}\u{20AC}"), ([0xF5, 0x80], "\u{F5}\u{20AC}"),
        ] as [([UInt8], String)])
    func invalidUTF8BytesAreReadAsWindows1252(_ bytes: [UInt8], meant: String) {
        let before = Array("<tv><programme><title>\u{E9}t</title><desc>\u{4E2D}".utf8)
        let after = Array("t\u{F6}</desc></programme></tv>".utf8)
        for chunk in [1, 2, 1 << 20] {
            let reading = RepairReading(before + bytes + after, chunk: chunk)
            expectEqual(Self.description(in: reading), "\u{4E2D}\(meant)t\u{F6}")
            expectEqual(reading.repairs.map(\.kind), bytes.map { _ in .invalidUTF8 })
        }
    }

    @Test func firstOfDuplicateAttributesWins() {
        let reading = RepairReading(
            "<tv>\n<channel id='a' id='b&' x='1'\nid=\"&eacute;\"><display-name/></channel></tv>")
        let channel = reading.records.last?.element
        expectEqual(channel?.attributes.map(\.name), ["id", "x"])
        expectEqual(channel?[attribute: "id"], "a")
        expectEqual(reading.repairs.map(\.brief), ["2 twice id", "2 &", "3 twice id", "3 html eacute"])
    }

    /// `--`, `-- >`, `--!>`, and invalid characters in comments don't lose any other text.
    @Test(arguments: ["<!-- a -- b -->", "<!-- a -- >", "<!--a--!>", "<!-- a --->", "<!------>", "<!-- \u{1} & -->"])
    func brokenCommentEndsAsIntended(_ comment: String) {
        let reading = RepairReading(
            "<tv>\(comment)<programme><title>A</title>\(comment)</programme><programme><title>B</title></programme></tv>"
        )
        expectEqual(reading.summary, "tv A B")
        expectEqual(reading.fault, nil)
        expectEqual(reading.repairs.count, 2)
    }

    /// Void elements of HTML are empty, so that the text after them belongs to their parent.
    @Test(arguments: [
        ("a<br>b", "a<br/>b", 1), ("<img src='x' alt='y'>b & c", "<img src='x' alt='y'/>b &amp; c", 2),
        ("<BR>a<i>b<hr></i>c<br>d<br>", "<BR/>a<i>b<hr/></i>c<br/>d<br/>", 4), ("<br><br>", "<br/><br/>", 2),
        ("a<br></br>b", "a<br></br>b", 0),
    ])
    func voidElementsOfHTMLAreEmpty(_ written: String, meant: String, repairs: Int) {
        func document(_ text: String) -> String {
            "<tv><programme><title>\(text)</title><desc>\(text)</desc></programme></tv>"
        }
        let whole = RepairReading(document(written))
        expectEqual(whole.records.map(\.element), RepairReading(document(meant)).records.map(\.element))
        expectEqual(whole.repairs.count, repairs * 2)
        expectEqual(whole.fault, nil)
        for chunk in 1...17 { expectEqual(RepairReading(Array(document(written).utf8), chunk: chunk), whole) }
    }

    /// The content of a record in which leaves lack their end tags, the content meant, and the number of repairs.
    private static let leaves: [(String, String, Int)] = [
        ("<title>A</title><desc>b", "<title>A</title><desc>b</desc>", 1),
        ("<desc>b\n <title>A</title>", "<desc>b\n </desc><title>A</title>", 1),
        ("<title>A<desc>b<category>c", "<title>A</title><desc>b</desc><category>c</category>", 3),
        ("<title>A</title><icon src='x'><desc>b</desc>", "<title>A</title><icon src='x'/><desc>b</desc>", 1),
        ("<desc>b<i>c</i>d<br>e<title>A</title>", "<desc>b<i>c</i>d<br/>e</desc><title>A</title>", 2),
        ("<title>A<desc>b</desc><desc>c", "<title>A</title><desc>b</desc><desc>c</desc>", 2),
        (
            "<credits><actor role='x'>B<actor>C</credits><title>A</title>",
            "<credits><actor role='x'>B</actor><actor>C</actor></credits><title>A</title>", 2
        ),
    ]

    @Test(arguments: leaves)
    func leafWithoutEndTagEndsBeforeTheNextElement(_ written: String, meant: String, repairs: Int) {
        func document(_ content: String) -> String {
            "<tv><programme>\(content)</programme><programme><title>Z</title></programme></tv>"
        }
        let whole = RepairReading(document(written))
        expectEqual(whole.records.map(\.element), RepairReading(document(meant)).records.map(\.element))
        expectEqual(whole.repairs.count, repairs)
        for chunk in 1...17 { expectEqual(RepairReading(Array(document(written).utf8), chunk: chunk), whole) }
    }

    /// HTML entities are read even if an unread DTD may declare others, which are kept as written.
    @Test func htmlEntitiesAreReadDespiteADoctype() {
        let reading = RepairReading(
            "<!DOCTYPE tv SYSTEM 'xmltv.dtd'><tv><programme><title>t</title><desc>caf&eacute; &own;</desc></programme></tv>"
        )
        expectEqual(Self.description(in: reading), "caf\u{E9} &own;")
        expectEqual(reading.repairs.map(\.brief), ["1 html eacute"])
    }

    @Test func quoteOfRepairShowsTheFault() {
        let long = String(repeating: "x", count: 100)
        let reading = RepairReading(
            "<tv>\n<programme>\n<title>Tom & Jerry</title><desc>\(long)&\(long)</desc></programme></tv>")
        expectEqual(
            reading.repairs.map(\.quote), ["Tom & Jerry", String(long.prefix(20)) + "&" + String(long.prefix(39))])
        expectEqual(reading.repairs.map(\.line), [3, 3])
        expectEqual(reading.repairs.first?.offset, 28)
        expectEqual(reading.repairs.first?.description.hasPrefix("line 3: "), true)
    }

    /// Beyond 1,000 repairs, the reader only counts them. Taking the kept ones makes room for more.
    @Test func atMostAThousandRepairsAreKept() throws {
        let text = String(repeating: "&", count: 3000)
        let record = "<programme><title>\(text)</title></programme>"
        var reader = XMLTVReader(
            ChunkSource(Array("<tv>\(record)\(record)</tv>".utf8)), recovery: .repair)
        _ = try reader.next()
        _ = try reader.next()
        let before = reader.hasRepairs
        expectEqual(before, true)
        expectEqual(reader.takeRepairs().count, 1000)
        let after = reader.hasRepairs
        expectEqual(after, false)
        expectEqual(reader.repairCount, 3000)
        _ = try reader.next()
        expectEqual(reader.takeRepairs().count, 1000)
        expectEqual(reader.repairCount, 6000)
        expectEqual(reader.element.child("title")?.text, text)
    }

    private static func description(in reading: RepairReading) -> String? {
        guard let element = reading.records.last?.element.child("desc"), element.children.count == 1,
            case .text(let text) = element.children[0]
        else { return nil }
        return text
    }
}
