/// What the beginning and the end of a body tell of it, without reading it.
struct BodyShape {
    private let beginning: [UInt8]
    private let end: [UInt8]

    /// - Parameters:
    ///   - beginning: The first bytes.
    ///   - end: The last bytes; for a short body, all of them.
    init(beginning: [UInt8], end: [UInt8]) {
        self.beginning = beginning
        self.end = end
    }

    /// Whether it begins as pages of the web do.
    var isWebPage: Bool {
        guard let root = rootName else { return false }
        return ["html", "head", "body", "title", "script", "meta"].contains(root.lowercased())
    }

    /// The title of a page, for people: one line without control characters, at most 80 characters; `nil` for none.
    var pageTitle: String? {
        let text = String(decoding: beginning, as: UTF8.self)
        let lowered = text.lowercased()
        // Where lower case changes the length, places in the one are none in the other.
        guard lowered.utf8.count == text.utf8.count, let tag = lowered.firstRange(of: "<title"),
            let open = lowered[tag.upperBound...].firstIndex(of: ">"),
            let close = lowered[open...].firstRange(of: "</title")
        else { return nil }
        let from = lowered.utf8.distance(from: lowered.startIndex, to: open) + 1
        let to = lowered.utf8.distance(from: lowered.startIndex, to: close.lowerBound)
        let title = String(decoding: Array(text.utf8)[from..<to], as: UTF8.self)
        let words = title.unicodeScalars.split {
            $0.properties.isWhitespace || $0.properties.generalCategory == .control
        }
        let line = String(words.map(String.init).joined(separator: " ").prefix(80))
        return line.isEmpty ? nil : line
    }

    /// Whether it may be whole: XML has the end of its root, JSON its last bracket.
    ///
    /// This is for bodies that end where the connection does (RFC 9112, 6.3), which can't be told from ones that were
    /// cut off. What is packed or in a wide encoding always may be whole; the import reads to its end.
    var mayBeWhole: Bool {
        let lastByte = end.last { !BodyShape.isSpace($0) }
        switch text.first {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            return lastByte == UInt8(ascii: "}") || lastByte == UInt8(ascii: "]")
        case UInt8(ascii: "<"):
            guard !beginning.prefix(4).contains(0) else { return true }
            // Where the root isn't in the beginning of a long text, its name isn't known.
            guard let root = rootName else { return beginning != end }
            return hasEnd(ofRoot: root)
        default: return true
        }
    }

    /// Whether the end tag of the root is in the end, whatever follows it, or an empty root is the last tag.
    private func hasEnd(ofRoot root: String) -> Bool {
        let name = Array(root.utf8)
        let tags = end.indices.filter { end[$0] == UInt8(ascii: "<") }
        let hasEndTag = tags.contains { place in
            let tag = end[(place + 1)...]
            return tag.first == UInt8(ascii: "/") && tag.dropFirst().starts(with: name)
                && tag.dropFirst(1 + name.count).drop(while: BodyShape.isSpace).first == UInt8(ascii: ">")
        }
        guard !hasEndTag, let last = tags.last else { return hasEndTag }
        let tag = Array(end[(last + 1)...].reversed().drop(while: BodyShape.isSpace).reversed())
        return tag.starts(with: name) && tag.suffix(2).elementsEqual("/>".utf8)
    }

    /// The beginning without a byte order mark and white space.
    private var text: ArraySlice<UInt8> {
        let rest = beginning.starts(with: [0xEF, 0xBB, 0xBF]) ? beginning.dropFirst(3) : beginning[...]
        return rest.drop(while: BodyShape.isSpace)
    }

    /// The name in the DOCTYPE or in the first tag; `nil` where neither is in the beginning.
    private var rootName: String? {
        var rest = text
        while let skipped = BodyShape.skippingMarkup(rest) { rest = skipped.drop(while: BodyShape.isSpace) }
        guard rest.first == UInt8(ascii: "<") else { return nil }
        rest = rest.dropFirst()
        if rest.first == UInt8(ascii: "!") {
            let keyword = rest.prefix(8).map { $0 | 0x20 }
            guard keyword.elementsEqual("!doctype".utf8) else { return nil }
            rest = rest.dropFirst(8).drop(while: BodyShape.isSpace)
        }
        let name = rest.prefix { !BodyShape.isSpace($0) && !"/><[!?".utf8.contains($0) }
        // A name at the very end may go on.
        guard !name.isEmpty, name.endIndex < rest.endIndex else { return nil }
        return String(decoding: name, as: UTF8.self)
    }

    /// What follows a processing instruction or a comment; `nil` where none is next or it doesn't end here.
    private static func skippingMarkup(_ rest: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let end: [UInt8]
        if rest.starts(with: "<?".utf8) {
            end = Array("?>".utf8)
        } else if rest.starts(with: "<!--".utf8) {
            end = Array("-->".utf8)
        } else {
            return nil
        }
        guard let place = rest.indices.first(where: { rest[$0...].starts(with: end) }) else { return nil }
        return rest[(place + end.count)...]
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
