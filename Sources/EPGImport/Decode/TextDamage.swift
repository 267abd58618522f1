import XMLTV

/// Traces of wrong conversions in the texts of a feed (Rules.md, rules 15 and 18).
enum TextDamage {
    /// Returns the number of characters, and of damaged places: U+FFFD, characters that were encoded twice (`â€™`), and
    /// entities that were escaped twice (`&amp;`).
    ///
    /// - Complexity: O(n), eight bytes at a time.
    static func count(_ bytes: Span<UInt8>) -> (characters: Int, damage: Int) {
        var (continuations, damage) = (0, 0)
        forEachWord(of: bytes) { word, offset in
            var suspects = matches(word, UInt8(ascii: "&"))
            if word & 0x8080_8080_8080_8080 != 0 {
                continuations &+= ((word >> 7) & ~(word >> 6) & 0x0101_0101_0101_0101).nonzeroBitCount
                suspects |= matches(word, 0xC3) | matches(word, 0xEF)
            }
            while suspects != 0 {
                if isDamage(bytes, at: offset &+ suspects.trailingZeroBitCount / 8) { damage &+= 1 }
                suspects &= suspects &- 1
            }
            return true
        }
        return (bytes.count &- continuations, damage)
    }

    /// Returns whether a damaged place begins at an index.
    private static func isDamage(_ bytes: Span<UInt8>, at index: Int) -> Bool {
        switch bytes[index] {
        case 0xEF: index + 2 < bytes.count && bytes[index + 1] == 0xBF && bytes[index + 2] == 0xBD
        case 0xC3: doubleEncoding(bytes, at: index) != nil
        case UInt8(ascii: "&"): isEntity(bytes, from: index + 1)
        default: false
        }
    }

    /// Calls a closure with eight bytes at a time, the last ones followed by zeros, until it returns `false`.
    @inline(__always)
    private static func forEachWord(of bytes: Span<UInt8>, _ body: (_ word: UInt64, _ offset: Int) -> Bool) {
        let raw = unsafe bytes.bytes
        var offset = 0
        while offset &+ 8 <= bytes.count {
            // The loop condition keeps the load within the span, and every bit pattern is a valid UInt64.
            let word = unsafe raw.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
            guard body(word, offset) else { return }
            offset &+= 8
        }
        var last: UInt64 = 0
        for index in offset..<bytes.count { last |= UInt64(bytes[index]) << (UInt64(index &- offset) &* 8) }
        _ = body(last, offset)
    }

    /// Returns a word with the high bit of each byte that has a value, and perhaps of bytes above such a one.
    @inline(__always)
    private static func matches(_ word: UInt64, _ byte: UInt8) -> UInt64 {
        let difference = word ^ (UInt64(byte) &* 0x0101_0101_0101_0101)
        return (difference &- 0x0101_0101_0101_0101) & ~difference & 0x8080_8080_8080_8080
    }

    /// Returns whether `amp;`, `quot;`, `apos;`, `lt;`, `gt;`, or a numeric reference follows an ampersand.
    private static func isEntity(_ bytes: Span<UInt8>, from start: Int) -> Bool {
        var end = start
        while end < bytes.count, end < start + 6, bytes[end] != UInt8(ascii: ";") { end += 1 }
        guard end < bytes.count, bytes[end] == UInt8(ascii: ";"), end > start + 1 else { return false }
        if bytes[start] == UInt8(ascii: "#") { return (start + 1..<end).allSatisfy { bytes[$0] &- 0x30 < 10 } }
        return entities.contains { name in
            name.count == end - start && name.indices.allSatisfy { name[$0] == bytes[start + $0] }
        }
    }

    private static let entities = ["amp", "quot", "apos", "lt", "gt"].map { Array($0.utf8) }

    /// Returns a text that was encoded as UTF-8 twice, decoded once more; `nil` if it was not.
    ///
    /// Such a text is `Outchefâ€™d` for `Outchef’d`: its UTF-8 was read as windows-1252 or ISO-8859-1. All characters must be
    /// in that encoding, so that the conversion is exact, and the result must be valid UTF-8 without control characters.
    ///
    /// - Complexity: O(n): a search for one byte in most texts.
    static func decodedOnceMore(_ text: Span<UInt8>) -> [UInt8]? {
        var hasSuspects = false
        forEachWord(of: text) { word, _ in
            hasSuspects = matches(word, 0xC3) != 0
            return !hasSuspects
        }
        guard hasSuspects else { return nil }
        var index = 0
        while index < text.count, text[index] != 0xC3 { index += 1 }
        guard doubleEncoding(text, at: index) != nil else { return nil }
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        index = 0
        var encodings: Set<Encoding> = []
        while index < text.count {
            if text[index] < 0x80 {
                result.append(text[index])
                index += 1
                continue
            }
            guard let character = doubleEncoding(text, at: index) else { return nil }
            result += character.bytes
            encodings.formUnion(character.encodings)
            index = character.end
        }
        guard encodings.count < 2, let decoded = String(validating: result, as: UTF8.self),
            !decoded.unicodeScalars.contains(where: { (0x7F...0x9F).contains($0.value) })
        else { return nil }
        return result
    }

    /// An encoding in which bytes 0x80 to 0x9F were read.
    private enum Encoding { case windows, latin }

    /// A character whose UTF-8 was read as characters.
    private struct DoubleEncoding {
        var bytes: [UInt8]
        var encodings: Set<Encoding> = []
        /// The index after its bytes.
        var end: Int
    }

    /// Returns the character whose UTF-8, read as single characters, begins at an index; `nil` if there is none.
    ///
    /// A capital letter before closing punctuation is no such character, although `CAFÉ…` could be one.
    private static func doubleEncoding(_ text: Span<UInt8>, at index: Int) -> DoubleEncoding? {
        guard index + 3 < text.count, text[index] == 0xC3, (0x82...0xB4).contains(text[index + 1]) else { return nil }
        // The characters that windows-1252 and ISO-8859-1 have for the following byte begin with one of these in UTF-8.
        switch text[index + 2] {
        case 0xC2, 0xC5, 0xC6, 0xCB, 0xE2: break
        default: return nil
        }
        let lead = text[index + 1] &+ 0x40
        var character = DoubleEncoding(bytes: [lead], end: index + 2)
        var isPunctuation = true
        for _ in 0..<(lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3) {
            guard let scalar = scalar(text, at: character.end) else { return nil }
            switch scalar.value {
            case 0xA0...0xBF: character.bytes.append(UInt8(scalar.value))
            case 0x81, 0x8D, 0x8F, 0x90, 0x9D:
                // windows-1252 has no characters for these bytes, and decoders keep them.
                character.bytes.append(UInt8(scalar.value))
            case 0x80...0x9F:
                character.bytes.append(UInt8(scalar.value))
                character.encodings.insert(.latin)
            default:
                guard let byte = windowsBytes[scalar.value] else { return nil }
                character.bytes.append(byte)
                character.encodings.insert(.windows)
            }
            isPunctuation = isPunctuation && closingPunctuation.contains(scalar.value)
            character.end += scalar.value < 0x800 ? 2 : 3
        }
        return isPunctuation ? nil : character
    }

    /// Returns the character of two or three bytes at an index.
    private static func scalar(_ text: Span<UInt8>, at index: Int) -> Unicode.Scalar? {
        guard index + 1 < text.count else { return nil }
        let lead = UInt32(text[index])
        switch lead {
        case 0xC2...0xDF: return Unicode.Scalar((lead & 0x1F) << 6 | UInt32(text[index + 1] & 0x3F))
        case 0xE1...0xEF where index + 2 < text.count:
            return Unicode.Scalar(
                (lead & 0x0F) << 12 | UInt32(text[index + 1] & 0x3F) << 6 | UInt32(text[index + 2] & 0x3F))
        default: return nil
        }
    }

    /// `…`, `–`, `—`, `’`, `”` and `»`.
    private static let closingPunctuation: [UInt32] = [0x2026, 0x2013, 0x2014, 0x2019, 0x201D, 0xBB]

    /// The bytes 0x80 to 0x9F by their characters in windows-1252.
    private static let windowsBytes = Dictionary(
        uniqueKeysWithValues: (UInt8(0x80)...0x9F).map { (Windows1252.character($0).value, $0) }.filter {
            $0.0 != 0xFFFD
        })
}
