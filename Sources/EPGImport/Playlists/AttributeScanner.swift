import EPGModel

/// Reads the attributes of an `#EXTINF` or `#EXTM3U` line, and the name behind them, as leniently as players do.
///
/// No standard says what may stand there. Values are in quotes of either kind, or in none and then end at a blank or
/// comma (words up to the next attribute belong to them, too). A quote ends a value only where an attribute, a comma or
/// the end follows, so that a value may hold quotes of its kind; a value whose quote is missing ends where the next
/// attribute begins. The name is all that follows the first comma outside of values, further commas included; a comma
/// before an attribute in double quotes is passed over.
///
/// - Complexity: O(length of the line).
struct AttributeScanner {
    private(set) var attributes: [ContentAttribute] = []
    /// What stands behind the comma; where there is none, the words that belong to no attribute.
    private(set) var name = ""
    /// Whether a value had to be guessed, because its quotes don't tell where it ends.
    private(set) var isBroken = false
    /// Whether there were more attributes than are kept.
    private(set) var isCut = false

    private let bytes: [UInt8]
    private var index: Int
    private let hasName: Bool
    private let limit: Int
    /// Behind the last comma no attribute can have a name after it.
    private let lastComma: Int

    /// - Parameters:
    ///   - start: Where the attributes begin, behind the mark and the duration.
    ///   - hasName: Whether a comma ends the attributes; else it only parts them.
    ///   - limit: How many attributes are kept.
    init(_ bytes: [UInt8], from start: Int, hasName: Bool, limit: Int) {
        self.bytes = bytes
        self.hasName = hasName
        self.limit = limit
        index = start
        lastComma = bytes.lastIndex(of: Self.comma) ?? -1
        scan()
    }

    private mutating func scan() {
        var looseWords: [Range<Int>] = []
        while true {
            index = afterBlanks(index)
            guard index < bytes.count else { break }
            if bytes[index] == Self.comma {
                let next = afterBlanks(index + 1)
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
                looseWords.append(index..<end)
                index = end
            }
        }
        if let first = looseWords.first, let last = looseWords.last, hasName {
            // Attributes between them are rare enough to be ignored.
            let isOneRun = looseWords.indices.dropFirst().allSatisfy {
                looseWords[$0].lowerBound == afterBlanks(looseWords[$0 - 1].upperBound)
            }
            name = PlaylistText.clean(bytes[isOneRun ? first.lowerBound..<last.upperBound : last])
        }
    }

    private mutating func append(_ name: String, _ value: Range<Int>) {
        guard attributes.count < limit else {
            isCut = true
            return
        }
        attributes.append(
            ContentAttribute(name: PlaylistAttribute.spelled(name), value: PlaylistText.clean(bytes[value])))
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
        // A quote that never ends: the value goes to the comma, or else to the first blank.
        let stop: UInt8 = hasName && open < lastComma ? Self.comma : Self.blank
        let end = bytes[(open + 1)...].firstIndex(of: stop) ?? bytes.count
        return (open + 1..<end, end)
    }

    private func unquotedValue(from start: Int) -> (range: Range<Int>, next: Int) {
        var end = afterWord(start)
        while hasName, end < lastComma {
            let next = afterBlanks(end)
            guard next < bytes.count, bytes[next] != Self.comma, key(at: next) == nil else { break }
            end = afterWord(next)
        }
        return (start..<end, end)
    }

    /// Whether a quote ends a value: an attribute, a comma or the end follows.
    private func closes(_ place: Int) -> Bool {
        let next = afterBlanks(place + 1)
        return next == bytes.count || bytes[next] == Self.comma || key(at: next) != nil
    }

    /// Where an attribute begins whose value a quote opens, within the value that began at another quote.
    private func startOfKey(before quote: Int, after open: Int) -> Int? {
        var place = quote - 1
        while place > open, Self.isBlank(bytes[place]) { place -= 1 }
        guard place > open, bytes[place] == Self.equals else { return nil }
        place -= 1
        while place > open, Self.isBlank(bytes[place]) { place -= 1 }
        let end = place
        while place > open, end - place < Self.longestKey, Self.mayBeInKey(bytes[place]) { place -= 1 }
        guard place < end, Self.mayBeginKey(bytes[place + 1]) else { return nil }
        return place == open || Self.isBlank(bytes[place]) || bytes[place] == Self.comma ? place + 1 : nil
    }

    // MARK: - Keys

    /// A key that stands at a place with `=` behind it; blanks around that only where a quote follows.
    private func key(at start: Int) -> (end: Int, valueStart: Int)? {
        guard start < bytes.count, Self.mayBeginKey(bytes[start]) else { return nil }
        var end = start + 1
        while end < bytes.count, end - start < Self.longestKey, Self.mayBeInKey(bytes[end]) { end += 1 }
        let sign = afterBlanks(end)
        guard sign < bytes.count, bytes[sign] == Self.equals else { return nil }
        let value = afterBlanks(sign + 1)
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
    /// Bytes of the longest name of an attribute.
    static let longestKey = 64

    private func afterBlanks(_ start: Int) -> Int {
        var place = min(start, bytes.count)
        while place < bytes.count, Self.isBlank(bytes[place]) { place += 1 }
        return place
    }

    /// The end of a word: a blank, or a comma where that ends the attributes.
    private func afterWord(_ start: Int) -> Int {
        var place = min(start, bytes.count)
        while place < bytes.count, !Self.isBlank(bytes[place]), !(hasName && bytes[place] == Self.comma) { place += 1 }
        return place
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func isQuote(_ byte: UInt8) -> Bool { byte == doubleQuote || byte == UInt8(ascii: "'") }

    /// Whether a byte may begin the name of an attribute.
    static func mayBeginKey(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "$"),
            UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// Whether a byte may stand in the name of an attribute: letters, digits, `$`, `_`, `-`, `.` and `:`.
    static func mayBeInKey(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: ":"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: mayBeginKey(byte)
        }
    }
}
