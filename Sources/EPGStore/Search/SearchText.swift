/// Makes words of texts whose scripts put no blanks between them.
///
/// SQLite's tokenizer splits at what is neither letter nor digit, so 晚间新闻联播 would be one word, and 新闻 would not be
/// found in it. Each character of such a script is set apart as a word of its own, in the index and in the search; what
/// was together is then a phrase: 新 闻.
enum SearchText {
    /// Whether some UTF-8 may hold characters of such a script: quick, and now and then wrong for others.
    static func mayNeedSpacing(_ bytes: UnsafeRawBufferPointer) -> Bool {
        // Leading bytes of U+0E00…U+1FFF and of U+3000…U+FFFF and beyond; E2 begins the usual dashes and quotes.
        bytes.contains { $0 >= 0xE0 && $0 != 0xE2 }
    }

    /// The text with blanks around each character of a script without them.
    static func spaced(_ text: some StringProtocol) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count * 2)
        for scalar in text.unicodeScalars {
            if isUnspaced(scalar) {
                result.append(" ")
                result.unicodeScalars.append(scalar)
                result.append(" ")
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// The text as ``spaced(_:)`` gives it, with the place in the text that each byte of it comes from.
    static func spacedWithOrigins(_ text: String) -> (spaced: String, origins: [Int]) {
        var spaced = ""
        var origins: [Int] = []
        var place = 0
        for scalar in text.unicodeScalars {
            let count = UTF8.width(scalar)
            let isUnspaced = isUnspaced(scalar)
            if isUnspaced {
                spaced.append(" ")
                origins.append(place)
            }
            spaced.unicodeScalars.append(scalar)
            origins.append(contentsOf: place..<place + count)
            place += count
            if isUnspaced {
                spaced.append(" ")
                origins.append(place - 1)
            }
        }
        return (spaced, origins)
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
