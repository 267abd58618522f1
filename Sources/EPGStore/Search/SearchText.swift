/// Prepares texts for SQLite's tokenizer, which splits at what is neither letter, digit nor mark, in the index and in the search.
///
/// * 晚间新闻联播 would be one word, and 新闻 would not be found in it. Each character of a script that puts no blanks between words
///   is set apart as a word of its own; what was together is then a phrase: 新 闻.
/// * Vowel points of Arabic and Hebrew are seldom written: مُسَلْسَل and مسلسل are one word. They are left out, and so are
///   diacritics, as those of precomposed letters, and variation selectors, which only choose a glyph.
/// * In Indic scripts vowel signs are marks: के is a letter and a mark, and another word than का.
enum SearchText {
    /// The general categories of the characters of words: letters, numbers, marks, and characters for private use, which
    /// are among SQLite's defaults.
    static let categories = "L* N* Co Mn Mc"

    private enum Kind { case usual, unspaced, leftOut }

    /// Whether some UTF-8 may hold characters that need preparation: quick, and now and then wrong for others.
    static func mayNeedPreparation(_ bytes: UnsafeRawBufferPointer) -> Bool {
        // Most texts are ASCII: eight bytes at a time.
        var offset = 0
        while offset + 8 <= bytes.count,
            bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
        {
            offset += 8
        }
        // Leading bytes of U+0300…U+037F, of U+0580…U+1FFF, and of U+3000 and beyond; E2 begins the usual dashes and quotes.
        return bytes[offset...].contains { $0 >= 0xD6 && $0 != 0xE2 || $0 & 0xFE == 0xCC }
    }

    /// The text with blanks around each character of a script without them, and without what is left out.
    ///
    /// - Parameter note: Gets the place in the text that each byte of the result comes from.
    static func prepared(_ text: some StringProtocol, noting note: (Range<Int>) -> Void = { _ in }) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count * 2)
        var place = 0
        for scalar in text.unicodeScalars {
            let end = place + UTF8.width(scalar)
            let kind = kind(of: scalar)
            if kind == .unspaced {
                result.append(" ")
                note(place..<place + 1)
            }
            if kind != .leftOut {
                result.unicodeScalars.append(scalar)
                note(place..<end)
            }
            if kind == .unspaced {
                result.append(" ")
                note(end - 1..<end)
            }
            place = end
        }
        return result
    }

    private static func kind(of scalar: Unicode.Scalar) -> Kind {
        if isUnspaced(scalar) { return .unspaced }
        return switch scalar.value {
        case 0x0300...0x036F,  // Diacritics
            0x0591...0x05BD, 0x05BF, 0x05C1...0x05C2, 0x05C4...0x05C5, 0x05C7,  // Hebrew points and accents
            0x0610...0x061A, 0x064B...0x065F, 0x0670, 0x06D6...0x06DC, 0x06DF...0x06E4, 0x06E7...0x06E8,  // Arabic
            0x06EA...0x06ED,
            0x0640,  // The Arabic tatweel, which only stretches a word.
            0xFE00...0xFE0F, 0xE0100...0xE01EF:  // Variation selectors
            .leftOut
        default: .usual
        }
    }

    /// A letter of a script that is written without blanks, or, as Korean is, with endings grown on to its words.
    static func isUnspaced(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0E00...0x0EFF,  // Thai, Lao
            0x1000...0x109F,  // Burmese
            0x1780...0x17FF,  // Khmer
            0x3041...0x30FF,  // Hiragana, Katakana
            0x3105...0x312F, 0x31A0...0x31BF,  // Bopomofo
            0x31F0...0x31FF,  // Katakana extensions
            0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF,  // Han
            0xAC00...0xD7A3,  // Hangul
            0xFF66...0xFF9F:  // half-width Katakana
            true
        default: false
        }
    }
}
