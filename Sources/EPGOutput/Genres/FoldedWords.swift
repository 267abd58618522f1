/// The words of a text in a form for comparison: in lowercase, without diacritics and punctuation.
///
/// Words are separated by anything but letters and digits. Full-width forms become ASCII, and the Arabic article at the start
/// of a word is removed.
package struct FoldedWords: Hashable, Sendable {
    /// The words; none for a text without letters and digits.
    package private(set) var words: [String] = []

    /// Folds a text.
    ///
    /// - Complexity: O(n).
    package init(_ text: some StringProtocol) {
        var word = String.UnicodeScalarView()
        for scalar in text.lowercased().unicodeScalars {
            switch scalar.value {
            // Combining marks, Hebrew points, Arabic vowels and the Arabic elongation.
            case 0x300...0x36F, 0x591...0x5C7, 0x640, 0x64B...0x65F, 0x670: continue
            case 0xFF01...0xFF5E:
                if let narrow = Unicode.Scalar(scalar.value - 0xFEE0) { append(narrow, to: &word) }
            default: append(scalar, to: &word)
            }
        }
        finish(&word)
    }

    /// All words, separated by spaces.
    package var joined: String { words.joined(separator: " ") }

    private mutating func append(_ scalar: Unicode.Scalar, to word: inout String.UnicodeScalarView) {
        switch scalar.value {
        case 0x30...0x39, 0x61...0x7A: word.append(scalar)
        case 0x41...0x5A: word.append(Unicode.Scalar(UInt8(scalar.value | 0x20)))
        case ..<0x80: finish(&word)
        default:
            if let plain = FoldedWords.plain[scalar] {
                word.append(contentsOf: plain.unicodeScalars)
                return
            }
            let properties = scalar.properties
            let isMark = properties.generalCategory == .nonspacingMark || properties.generalCategory == .spacingMark
            if properties.isAlphabetic || properties.numericType != nil || isMark {
                word.append(scalar)
            } else {
                finish(&word)
            }
        }
    }

    private mutating func finish(_ word: inout String.UnicodeScalarView) {
        guard !word.isEmpty else { return }
        let article = "ال".unicodeScalars
        let bare = word.count > 4 && word.starts(with: article) ? word.dropFirst(article.count) : word[...]
        words.append(String(String.UnicodeScalarView(bare)))
        word.removeAll()
    }

    /// The letters without diacritics, by letter.
    private static let plain: [Unicode.Scalar: String] = {
        var plain: [Unicode.Scalar: String] = [:]
        for line in letters {
            let parts = line.split(separator: " ")
            for scalar in parts[1].unicodeScalars { plain[scalar] = String(parts[0]) }
        }
        return plain
    }()

    /// A replacement and the lowercase letters that it replaces.
    private static let letters = [
        "a àáâãäåāăąǎǻạảấầẩẫậắằẳẵặª", "ae æǽ", "c çćĉċč", "d ďđð", "e èéêëēĕėęěẹẻẽếềểễệ", "g ĝğġģǧ", "h ĥħ",
        "i ìíîïĩīĭįıǐỉị", "j ĵ", "k ķǩ", "l ĺļľŀł", "n ñńņňŉ", "o òóôõöøōŏőơǒǿọỏốồổỗộớờởỡợº", "oe œ", "r ŕŗř",
        "s śŝşšșſ", "ss ß", "t ţťŧț", "th þ", "u ùúûüũūŭůűųưǔụủứừửữự", "w ŵẁẃẅ", "y ýÿŷỳỵỷỹ", "z źżž",
        "α άἀἁ", "ε έ", "η ή", "ι ίϊΐ", "ο ό", "υ ύϋΰ", "ω ώ", "σ ς",
        "и й", "е ё", "і ї", "у ў", "г ґ",
        "ا أإآٱ", "ه ة", "ي ىئ", "و ؤ",
    ]
}
