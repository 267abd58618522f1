import TestSupport
import Testing
import XMLTV

@Suite struct XMLTVWriterTests {
    private func written(
        _ elements: [XMLTVElement], indent: Int? = 2, attributes: [XMLTVElement.Attribute] = []
    ) -> String {
        var writer = XMLTVWriter(indent: indent)
        writer.begin(attributes: attributes)
        for element in elements { writer.write(element) }
        writer.end()
        return String(decoding: writer.takeBytes(), as: UTF8.self)
    }

    private static let head = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE tv SYSTEM "xmltv.dtd">


        """

    @Test func eachElementIsOnItsOwnLine() {
        let programme = XMLTVElement(
            "programme", attributes: [.init("start", "2026"), .init("channel", "one")],
            children: [
                .element(.init("title", attributes: [.init("lang", "en")], text: "News")),
                .text("  \n"),
                .element(.init("credits", children: [.element(.init("actor", text: "A"))])),
                .element(.init("new")),
            ])
        let expected = """
            <tv date="2026">
              <programme start="2026" channel="one">
                <title lang="en">News</title>
                <credits>
                  <actor>A</actor>
                </credits>
                <new />
              </programme>
            </tv>

            """
        expectEqual(written([programme], attributes: [.init("date", "2026")]), Self.head + expected)
    }

    /// An element, the indentation, and the text of the guide.
    private struct Row: CustomTestStringConvertible {
        let testDescription: String
        let elements: [XMLTVElement]
        var indent: Int? = 2
        let content: String
    }

    private static let layoutRows: [Row] = [
        Row(
            testDescription: "element with text is on one line",
            elements: [
                XMLTVElement(
                    "credits",
                    children: [
                        .element(
                            .init("actor", children: [.text("A "), .element(.init("url", text: "u")), .text("\n")]))
                    ])
            ], content: "  <credits>\n    <actor>A <url>u</url>\n</actor>\n  </credits>\n"),
        Row(
            testDescription: "without indentation no white space is added",
            elements: [
                XMLTVElement("channel", children: [.element(.init("url")), .text(" "), .element(.init("url"))])
            ], indent: nil, content: "<channel><url /> <url /></channel>\n"),
        Row(
            testDescription: "first attribute of a name is written",
            elements: [XMLTVElement("a", attributes: [.init("b", "1"), .init("c", "2"), .init("b", "3")])],
            content: "  <a b=\"1\" c=\"2\" />\n"),
    ]

    private static let nameRows: [Row] =
        ["a", "_a", ":a", "a:b", "a1.-", "é", "\u{10000}b", "a\u{B7}"].map { (name: String) -> Row in
            Row(testDescription: "XML name is written: \(name)", elements: [.init(name)], content: "  <\(name) />\n")
        }
        + ["", "1a", "a b", "a>", "-a", "a\u{0}", "\u{B7}a", "a=\"", "a/"].map { (name: String) -> Row in
            let element = XMLTVElement(
                "a", attributes: [.init(name, "1"), .init("x", "2")], children: [.element(.init(name, text: "lost"))])
            return Row(
                testDescription: "invalid name is omitted: \(name)", elements: [element, .init(name)],
                content: "  <a x=\"2\" />\n")
        }

    @Test(arguments: layoutRows + nameRows)
    private func elementsAreWritten(_ row: Row) {
        expectEqual(written(row.elements, indent: row.indent), Self.head + "<tv>\n\(row.content)</tv>\n")
    }

    // Expected by XML 1.0, fifth edition: 2.2, 2.4, 2.11, and 3.3.3.
    @Test(arguments: [
        ("a & b", "a &amp; b", "a &amp; b"),
        ("<a>", "&lt;a&gt;", "&lt;a&gt;"),
        ("]]>", "]]&gt;", "]]&gt;"),
        ("\"it's\"", "\"it's\"", "&quot;it's&quot;"),
        ("a\r\nb\rc", "a&#13;\nb&#13;c", "a&#13;&#10;b&#13;c"),
        ("a\tb", "a\tb", "a&#9;b"),
        ("a\u{0}\u{1}\u{8}\u{B}\u{1F}b", "ab", "ab"),
        ("a\u{FFFE}\u{FFFF}b\u{FFFD}", "ab\u{FFFD}", "ab\u{FFFD}"),
        (
            "\u{7F}\u{A0}©\u{2028}\u{1F4FA}\u{FEFF}", "\u{7F}\u{A0}©\u{2028}\u{1F4FA}\u{FEFF}",
            "\u{7F}\u{A0}©\u{2028}\u{1F4FA}\u{FEFF}"
        ),
        // C1 controls, by the Unicode Consortium's table CP1252.TXT.
        ("\u{80}Bondi\u{92}s\u{9F}", "€Bondi’sŸ", "€Bondi’sŸ"),
        ("a\u{81}\u{8D}\u{8F}\u{90}\u{9D}b", "ab", "ab"),
    ])
    func charactersAreEscapedByPosition(value: String, text: String, attribute: String) {
        let element = XMLTVElement("a", attributes: [.init("b", value)], text: value)
        let expected = "<a b=\"\(attribute)\">\(text)</a>"
        // Compared by bytes, because equal strings may have different bytes.
        expectEqual(Array(written([element], indent: nil).utf8), Array((Self.head + "<tv>\n\(expected)\n</tv>\n").utf8))
    }

    @Test func bytesAreReturnedOnce() {
        var writer = XMLTVWriter()
        writer.begin(doctype: false)
        #expect(String(decoding: writer.takeBytes(), as: UTF8.self).hasSuffix("?>\n<tv>\n"))
        expectEqual(writer.count, 0)
        writer.end()
        expectEqual(String(decoding: writer.takeBytes(), as: UTF8.self), "</tv>\n")
    }
}

/// The reader returns the elements that the writer wrote.
@Suite struct WriterRoundTripTests {
    @Test(arguments: UInt64(0)..<200)
    func randomTreeRoundTrips(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let trees = (0..<4).map { _ in Tree.element(depth: 4, using: &random) }
        let header = Tree.attributes(using: &random)

        for indent in [nil, 0, 2] {
            var writer = XMLTVWriter(indent: indent)
            writer.begin(attributes: header)
            for tree in trees { writer.write(tree) }
            writer.end()

            var reader = XMLTVReader(ChunkSource(writer.takeBytes()))
            var read: [XMLTVElement] = []
            while let record = try reader.next() {
                if record == .guide {
                    expectEqual(reader.element.attributes, header)
                } else {
                    read.append(reader.element)
                }
            }
            if indent == nil {
                expectEqual(read, trees.map(\.joined))
            } else {
                expectEqual(read.map(\.withoutLayout), trees.map(\.joined.withoutLayout))
            }
        }
    }
}

private enum Tree {
    private static let names = ["title", "desc", "programme", "x-a", "é", "a:b", "credits"]
    private static let pieces = [
        "a", "é", "\u{1F4FA}", " ", "\n", "\t", "\r", "&", "<", ">", "\"", "'", "]]>", "&amp;", "\u{FEFF}", "\u{7F}",
    ]

    static func element(depth: Int, using random: inout SplitMix) -> XMLTVElement {
        var children: [XMLTVElement.Child] = []
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            if Bool.random(using: &random), depth > 0 {
                children.append(.element(element(depth: depth - 1, using: &random)))
            } else {
                children.append(.text(text(using: &random)))
            }
        }
        let name = names.randomElement(using: &random) ?? "a"
        return XMLTVElement(name, attributes: attributes(using: &random), children: children)
    }

    static func attributes(using random: inout SplitMix) -> [XMLTVElement.Attribute] {
        names.prefix(Int.random(in: 0...4, using: &random)).map { .init($0, text(using: &random)) }
    }

    private static func text(using random: inout SplitMix) -> String {
        (0..<Int.random(in: 0...5, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
    }
}

extension XMLTVElement {
    /// The element with adjacent texts joined, and without those that the reader doesn't report: XML can't represent an
    /// empty text, and white space between tags is layout, except in and after a child element of a text.
    fileprivate var joined: XMLTVElement { joined(level: 1, isInText: false) }

    private func joined(level: Int, isInText: Bool) -> XMLTVElement {
        let isInText = belongsToText(at: level, isInText)
        var copy = self
        copy.children = []
        var text = ""
        func flush(_ children: inout [Child]) {
            let isBlank = text.utf8.allSatisfy { [9, 10, 32].contains($0) }
            let isBehindElement = if case .element? = children.last { true } else { false }
            if !isBlank || isInText && (level > 2 || isBehindElement) && !text.isEmpty { children.append(.text(text)) }
            text = ""
        }
        for child in children {
            switch child {
            case .text(let more): text += more
            case .element(let element):
                flush(&copy.children)
                copy.children.append(.element(element.joined(level: level + 1, isInText: isInText)))
            }
        }
        flush(&copy.children)
        return copy
    }

    /// The element without white space between elements outside text.
    fileprivate var withoutLayout: XMLTVElement { withoutLayout(level: 1, isInText: false) }

    private func withoutLayout(level: Int, isInText: Bool) -> XMLTVElement {
        let isInText = belongsToText(at: level, isInText)
        var copy = self
        let hasElements = children.contains { if case .element = $0 { true } else { false } }
        let hasText = children.contains { child in
            if case .text(let text) = child { !text.utf8.allSatisfy { [9, 10, 13, 32].contains($0) } } else { false }
        }
        if hasElements, !hasText, !isInText {
            copy.children = children.compactMap { child in
                if case .element(let element) = child {
                    .element(element.withoutLayout(level: level + 1, isInText: isInText))
                } else {
                    nil
                }
            }
            return copy
        }
        return copy.joined(level: level, isInText: isInText)
    }

    /// Returns whether the element is a text element or within one. A child of a record decides for its descendants.
    private func belongsToText(at level: Int, _ isInText: Bool) -> Bool {
        isInText || level == 2 && ["title", "desc"].contains(name)
    }
}
