import Testing
import XMLTV

/// What is written is read again as it was.
@Suite struct WriterRoundTripTests {
    @Test(arguments: UInt64(0)..<200)
    func aRandomTreeIsReadAsItWasWritten(seed: UInt64) throws {
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
                    #expect(reader.element.attributes == header)
                } else {
                    read.append(reader.element)
                }
            }
            if indent == nil {
                #expect(read == trees.map(\.joined))
            } else {
                #expect(read.map(\.withoutLayout) == trees.map(\.joined.withoutLayout))
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
    /// The element with neighboring texts as one and without those that the reader doesn't report: XML can't tell an empty
    /// one, and white space between tags is layout, but for that in and behind a child element of a text.
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

    /// The element without the white space between elements that stand among no text.
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

    /// Whether the element is a text or in one: a child of a record decides, its descendants follow.
    private func belongsToText(at level: Int, _ isInText: Bool) -> Bool {
        isInText || level == 2 && ["title", "desc"].contains(name)
    }
}
