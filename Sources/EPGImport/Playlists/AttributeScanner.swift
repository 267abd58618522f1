import EPGModel

/// A lenient scanner for the attributes of an `#EXTINF` or `#EXTM3U` line and the name after them, as in players.
///
/// There is no standard. Values have quotes of either kind, or none and then end at a space or comma (words up to the
/// next attribute belong to them, too). A quote ends a value only before an attribute, a comma, or the end, so a value
/// may contain its own kind of quote. A value whose closing quote is missing ends where the next attribute starts. The
/// name is everything after the first comma outside values, including further commas. A comma before an attribute in
/// double quotes is skipped.
///
/// - Complexity: O(length of the line).
struct AttributeScanner {
    private(set) var attributes: [ContentAttribute] = []
    /// The text after the comma. If there is no comma, the words that belong to no attribute.
    private(set) var name = ""
    /// Whether the end of a value is a guess, because its quotes are unbalanced.
    private(set) var isBroken = false
    /// Whether attributes were dropped because of the limit.
    private(set) var isTruncated = false

    private let bytes: [UInt8]
    private var index: Int
    private let hasName: Bool
    private let limit: Int
    /// No attribute after the last comma can be followed by a name.
    private let lastComma: Int

    /// - Parameters:
    ///   - start: The start of the attributes, after the tag and the duration.
    ///   - hasName: Whether a comma ends the attributes rather than separating them.
    ///   - limit: The maximum number of attributes to keep.
    init(_ bytes: [UInt8], from start: Int, hasName: Bool, limit: Int) {
        self.bytes = bytes
        self.hasName = hasName
        self.limit = limit
        index = start
        lastComma = bytes.lastIndex(of: Self.comma) ?? -1
        scan()
    }

    private mutating func scan() {
        var unquotedWords: [Range<Int>] = []
        while true {
            index = afterWhiteSpace(index)
            guard index < bytes.count else { break }
            if bytes[index] == Self.comma {
                let next = afterWhiteSpace(index + 1)
                if hasName, !(next < lastComma && isQuotedAttribute(at: next)) {
                    name = PlaylistText.clean(bytes[(index + 1)...])
                    return
                }
                index = next
            } else if let key = key(at: index) {
                let value = value(from: key.valueStart)
                append(PlaylistText.clean(bytes[index..<key.end]), value.range)
                index = value.next
            } else {
                let end = afterWord(index)
                unquotedWords.append(index..<end)
                index = end
            }
        }
        if let first = unquotedWords.first, let last = unquotedWords.last, hasName {
            // Attributes between them are rare enough to ignore.
            let isOneRun = unquotedWords.indices.dropFirst().allSatisfy {
                unquotedWords[$0].lowerBound == afterWhiteSpace(unquotedWords[$0 - 1].upperBound)
            }
            name = PlaylistText.clean(bytes[isOneRun ? first.lowerBound..<last.upperBound : last])
        }
    }

    private mutating func append(_ name: String, _ value: Range<Int>) {
        guard attributes.count < limit else {
            isTruncated = true
            return
        }
        attributes.append(
            ContentAttribute(name: PlaylistAttribute.canonicalName(name), value: PlaylistText.clean(bytes[value])))
    }

    // MARK: - Values

    private mutating func value(from start: Int) -> (range: Range<Int>, next: Int) {
        guard start < bytes.count, Self.isQuote(bytes[start]) else { return unquotedValue(from: start) }
        return quotedValue(from: start)
    }

    private mutating func quotedValue(from open: Int) -> (range: Range<Int>, next: Int) {
        let quote = bytes[open]
        var firstQuote: Int?
        for place in (open + 1)..<max(open + 1, bytes.count) where bytes[place] == quote {
            if closes(place) { return (open + 1..<place, place + 1) }
            if let key = startOfKey(before: place, after: open) {
                isBroken = true
                return (open + 1..<key, key)
            }
            firstQuote = firstQuote ?? place
        }
        isBroken = true
        if let firstQuote { return (open + 1..<firstQuote, firstQuote + 1) }
        // An unterminated quote: the value ends at the comma, or else at the first space.
        let stop: UInt8 = hasName && open < lastComma ? Self.comma : Self.blank
        let end = bytes[(open + 1)...].firstIndex(of: stop) ?? bytes.count
        return (open + 1..<end, end)
    }

    private func unquotedValue(from start: Int) -> (range: Range<Int>, next: Int) {
        var end = afterWord(start)
        while hasName, end < lastComma {
            let next = afterWhiteSpace(end)
            guard next < bytes.count, bytes[next] != Self.comma, key(at: next) == nil else { break }
            end = afterWord(next)
        }
        return (start..<end, end)
    }

    /// Returns whether a quote ends a value: an attribute, a comma, or the end follows.
    private func closes(_ place: Int) -> Bool {
        let next = afterWhiteSpace(place + 1)
        return next == bytes.count || bytes[next] == Self.comma || key(at: next) != nil
    }

    /// Returns the start of an attribute whose value starts at a quote within another quoted value.
    private func startOfKey(before quote: Int, after open: Int) -> Int? {
        var place = quote - 1
        while place > open, Self.isWhiteSpace(bytes[place]) { place -= 1 }
        guard place > open, bytes[place] == Self.equals else { return nil }
        place -= 1
        while place > open, Self.isWhiteSpace(bytes[place]) { place -= 1 }
        let end = place
        while place > open, end - place < Self.maximumKeyLength, Self.mayBeInKey(bytes[place]) { place -= 1 }
        guard place < end, Self.mayBeginKey(bytes[place + 1]) else { return nil }
        return place == open || Self.isWhiteSpace(bytes[place]) || bytes[place] == Self.comma ? place + 1 : nil
    }

    // MARK: - Keys

    /// Returns the key at an index if `=` follows it. White space around the `=` is allowed only before a quote.
    private func key(at start: Int) -> (end: Int, valueStart: Int)? {
        guard start < bytes.count, Self.mayBeginKey(bytes[start]) else { return nil }
        var end = start + 1
        while end < bytes.count, end - start < Self.maximumKeyLength, Self.mayBeInKey(bytes[end]) { end += 1 }
        let sign = afterWhiteSpace(end)
        guard sign < bytes.count, bytes[sign] == Self.equals else { return nil }
        let value = afterWhiteSpace(sign + 1)
        let isQuoted = value < bytes.count && Self.isQuote(bytes[value])
        if isQuoted { return (end, value) }
        return sign == end ? (end, sign + 1) : nil
    }

    private func isQuotedAttribute(at place: Int) -> Bool {
        guard let key = key(at: place), key.valueStart < bytes.count else { return false }
        return bytes[key.valueStart] == Self.doubleQuote
    }

    // MARK: - Bytes

    private static let blank = UInt8(ascii: " ")
    private static let comma = UInt8(ascii: ",")
    private static let equals = UInt8(ascii: "=")
    private static let doubleQuote = UInt8(ascii: "\"")
    /// The maximum length of an attribute name in bytes.
    static let maximumKeyLength = 64

    private func afterWhiteSpace(_ start: Int) -> Int {
        var place = min(start, bytes.count)
        while place < bytes.count, Self.isWhiteSpace(bytes[place]) { place += 1 }
        return place
    }

    /// Returns the end of a word: white space, or a comma that ends the attributes.
    private func afterWord(_ start: Int) -> Int {
        var place = min(start, bytes.count)
        while place < bytes.count, !Self.isWhiteSpace(bytes[place]), !(hasName && bytes[place] == Self.comma) {
            place += 1
        }
        return place
    }

    private static func isWhiteSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func isQuote(_ byte: UInt8) -> Bool { byte == doubleQuote || byte == UInt8(ascii: "'") }

    /// Returns whether a byte may start an attribute name.
    static func mayBeginKey(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "$"),
            UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// Returns whether a byte may occur in an attribute name: letters, digits, `$`, `_`, `-`, `.`, and `:`.
    static func mayBeInKey(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: ":"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: mayBeginKey(byte)
        }
    }
}
