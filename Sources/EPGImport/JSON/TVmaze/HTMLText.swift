import XMLTV

/// Plain text from a piece of HTML, such as `<p>On <b>Morning Joe</b> …</p>`.
enum HTMLText {
    /// Elements that begin and end a line.
    private static let lineElements: Set<String> = ["p", "br", "div", "li", "ul", "ol", "tr", "h1", "h2", "h3"]

    /// The text without tags: paragraphs and line breaks become line breaks, entities their characters.
    ///
    /// What is no tag and no entity stays as it is. White space at the ends is taken away.
    /// - Complexity: O(*n*) in the length of the text.
    static func plain(_ html: String) -> String {
        let bytes = Array(html.utf8)
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        // From here on there is no '>', so that a text full of '<' isn't searched again and again.
        var noTagFrom = bytes.count
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "<"), index < noTagFrom, isTag(bytes, at: index) {
                guard let close = bytes[index...].firstIndex(of: UInt8(ascii: ">")) else {
                    noTagFrom = index
                    continue
                }
                if lineElements.contains(name(bytes[index + 1..<close])), text.last != 0x0A, !text.isEmpty {
                    text.append(0x0A)
                }
                index = close + 1
            } else if byte == UInt8(ascii: "&"), let (scalar, next) = entity(bytes, at: index) {
                text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
                index = next
            } else {
                text.append(byte)
                index += 1
            }
        }
        while let last = text.last, last <= 0x20 { text.removeLast() }
        return String(decoding: text.drop { $0 <= 0x20 }, as: UTF8.self)
    }

    /// Whether a tag or comment begins: `a < b` is text.
    private static func isTag(_ bytes: [UInt8], at index: Int) -> Bool {
        guard index + 1 < bytes.count else { return false }
        let next = bytes[index + 1]
        return next == UInt8(ascii: "/") || next == UInt8(ascii: "!") || (next | 0x20) &- UInt8(ascii: "a") < 26
    }

    /// The name of an element by what stands between `<` and `>`.
    private static func name(_ tag: ArraySlice<UInt8>) -> String {
        let letters = tag.drop { $0 == UInt8(ascii: "/") }.prefix { $0 > 0x2F && $0 < 0x7B }
        return String(decoding: letters.prefix(8), as: UTF8.self).lowercased()
    }

    /// The character of `&name;`, `&#8217;` or `&#x2019;`, and the place behind it; `nil` where it is none.
    private static func entity(_ bytes: [UInt8], at index: Int) -> (Unicode.Scalar, next: Int)? {
        guard let end = bytes[(index + 1)...].prefix(10).firstIndex(of: UInt8(ascii: ";")) else { return nil }
        let name = String(decoding: bytes[index + 1..<end], as: UTF8.self)
        let own: [String: Unicode.Scalar] = ["apos": "'", "nbsp": " "]
        if let scalar = own[name] ?? HTMLEntities.character(bytes.span, index + 1..<end) { return (scalar, end + 1) }
        guard name.first == "#" else { return nil }
        let digits = name.dropFirst()
        let isHex = digits.first == "x" || digits.first == "X"
        guard let value = isHex ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits),
            let scalar = Unicode.Scalar(value)
        else { return nil }
        return (scalar, end + 1)
    }
}
