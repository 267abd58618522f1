/// The relation of the titles of two listings.
package enum TitleRelation {
    /// The same words.
    case equal
    /// One title is the other listing's title with its subtitle, or its subtitle.
    case joined
    case similar, different
    /// Both have numbers, which differ.
    case contradicting
}

/// The relation of two descriptions.
enum DescriptionRelation {
    /// Nearly all words of the shorter one are in the other one, in a text of some length.
    case same
    /// The same, in a short text.
    case equal
    case different
    /// One of them has too few words.
    case unknown
}

/// A title in the form in which titles of different feeds are compared: its words, without what feeds add to titles.
struct ComparedTitle {
    /// The words without marks and the designation of an episode.
    private(set) var words: [String]
    /// The numbers in that designation.
    private var numbers: [String] = []

    /// Compares the titles of two listings.
    static func relation(of left: ListedBroadcast, to right: ListedBroadcast) -> TitleRelation {
        if left.title == right.title { return left.title.isEmpty ? .different : .equal }
        let (one, two) = (ComparedTitle(left.title), ComparedTitle(right.title))
        guard !one.words.isEmpty, !two.words.isEmpty else { return .different }
        if !one.numbers.isEmpty, !two.numbers.isEmpty, one.numbers != two.numbers { return .contradicting }
        if one.words.joined() == two.words.joined() { return .equal }
        if one.isJoined(from: two, right.subtitle) || two.isJoined(from: one, left.subtitle) { return .joined }
        if one.hasOtherSubtitle(than: two, right.subtitle) || two.hasOtherSubtitle(than: one, left.subtitle) {
            return .contradicting
        }
        let (first, second) = (ComparedText.numbers(one.words), ComparedText.numbers(two.words))
        if first != second {
            if !first.isEmpty, !second.isEmpty { return .contradicting }
            // Only one has the year of a season.
            if (first + second).contains(where: { !Self.isYear($0) }) { return .different }
        }
        return ComparedText.isSimilar(one.words, two.words) ? .similar : .different
    }

    /// Returns whether the title consists of another listing's title and subtitle, or of its subtitle.
    private func isJoined(from other: ComparedTitle, _ subtitle: String?) -> Bool {
        guard let subtitle = subtitle.map(ComparedText.words), !subtitle.isEmpty else { return false }
        return words == subtitle || words == other.words + subtitle
    }

    /// Returns whether the title consists of another listing's title and of something other than that listing's subtitle.
    private func hasOtherSubtitle(than other: ComparedTitle, _ subtitle: String?) -> Bool {
        guard let subtitle, words.count > other.words.count, words.starts(with: other.words) else { return false }
        let rest = words.dropFirst(other.words.count).joined(separator: " ")
        return ComparedText.relation(of: rest, to: subtitle, titles: [other.words.joined(separator: " ")]) == .different
    }

    private static func isYear(_ number: String) -> Bool {
        number.utf8.count == 4 && (number.hasPrefix("19") || number.hasPrefix("20"))
    }

    /// Words before a colon, and in parentheses, that feeds add to a title.
    private static let marks: Set = [
        "new", "neu", "live", "premiere", "nuevo", "estreno", "nouveau", "novo", "nytt", "all new", "new episode",
        "new series",
        "hd", "uhd", "4k", "s", "r", "rpt", "repeat", "wh", "wdh", "ad", "cc", "st", "sub", "subtitled", "dubbed", "ov",
        "ᴺᴱᵂ", "ⁿᵉʷ",
        "ᴸᶦᵛᵉ",
    ]

    /// Words before the number of an episode.
    private static let designations: Set = [
        "folge", "episode", "ep", "episodio", "odc", "afl", "s", "e", "t",
    ]

    init(_ title: String) {
        if title.utf8.allSatisfy({ !Self.needsCleaning($0) }) {
            words = ComparedText.words(title)
        } else {
            words = []
            words = ComparedText.words(cleaned(title))
        }
        if words.count > 1, words.last == "hd" { words.removeLast() }
        removeDesignation()
    }

    private static func needsCleaning(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ":") || byte == UInt8(ascii: "(") || byte == UInt8(ascii: "[")
    }

    /// Returns the title without marks, and moves numbers in parentheses, except a year, to the numbers.
    private mutating func cleaned(_ title: String) -> String {
        var rest = title[...]
        if let colon = rest.firstIndex(of: ":"), Self.isMark(rest[..<colon]) {
            rest = rest[rest.index(after: colon)...]
        }
        var text = ""
        while let open = rest.firstIndex(where: { $0 == "(" || $0 == "[" }),
            let close = rest[open...].firstIndex(where: { $0 == ")" || $0 == "]" })
        {
            text += rest[..<open]
            let content = rest[rest.index(after: open)..<close]
            rest = rest[rest.index(after: close)...]
            if Self.isMark(content) { continue }
            let digits = content.split { !("0"..."9").contains($0) }.map { String($0) }
            if !digits.isEmpty, content.allSatisfy({ ("0"..."9").contains($0) || $0 == "/" || $0 == " " }) {
                if !(digits.count == 1 && digits[0].utf8.count == 4) { numbers += digits }
            } else {
                text += " " + content + " "
            }
        }
        return text + rest
    }

    private static func isMark(_ text: Substring) -> Bool {
        text.utf8.count < 20 && marks.contains(ComparedText.words(String(text)).joined(separator: " "))
    }

    /// Moves the designation of an episode at the end, such as `S03E05` or `Folge 12`, to the numbers.
    private mutating func removeDesignation() {
        while words.count > 1, let last = words.last {
            let digits = last.split { !("0"..."9").contains($0) }.map { String($0) }
            guard !digits.isEmpty else { return }
            let letters = last.filter { !("0"..."9").contains($0) }
            if digits.count == 2, letters == "se" {
                numbers += digits
                words.removeLast()
            } else if digits.count == 1, Self.designations.contains(letters) {
                numbers.insert(digits[0], at: 0)
                words.removeLast()
            } else if digits.count == 1, letters.isEmpty, words.count > 2, words[words.count - 2].count > 1,
                Self.designations.contains(words[words.count - 2])
            {
                numbers.insert(digits[0], at: 0)
                words.removeLast(2)
            } else {
                return
            }
        }
    }
}

/// Comparisons of texts of different feeds.
enum ComparedText {
    // MARK: - Words

    /// Returns the words of a text in lowercase, without punctuation, apostrophes, and the diacritics of Latin letters. In scripts
    /// without spaces, each character is a word.
    static func words(_ text: String) -> [String] {
        var words = WordList()
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            for byte in text.utf8 { words.add(ascii: byte) }
        } else {
            for scalar in text.lowercased().unicodeScalars {
                scalar.isASCII ? words.add(ascii: UInt8(truncatingIfNeeded: scalar.value)) : words.add(scalar)
            }
        }
        words.end()
        return words.words
    }

    /// The words of a text that is read character by character.
    private struct WordList {
        private(set) var words: [String] = []
        private var word: [UInt8] = []

        mutating func end() {
            if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
            word.removeAll(keepingCapacity: true)
        }

        mutating func add(ascii byte: UInt8) {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): word.append(byte | 0x20)
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): word.append(byte)
            case UInt8(ascii: "'"), UInt8(ascii: "`"): break
            case UInt8(ascii: "&"):
                end()
                words.append("and")
            default: end()
            }
        }

        mutating func add(_ scalar: Unicode.Scalar) {
            switch scalar.value {
            // Combining marks, apostrophes, and characters without a width.
            case 0x300...0x36F, 0x2018, 0x2019, 0xB4, 0xAD, 0x200B...0x200F: break
            case 0xDF...0x17F:
                let base = latin[Int(scalar.value) - 0xDF]
                if base == UInt8(ascii: " ") { end() } else { word.append(base) }
            case _ where isIdeograph(scalar):
                end()
                words.append(String(Character(scalar)))
            default:
                switch scalar.properties.generalCategory {
                case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
                    .nonspacingMark,
                    .spacingMark, .decimalNumber, .letterNumber, .otherNumber:
                    word.append(contentsOf: UTF8.encode(scalar).map { Array($0) } ?? [])
                default: end()
                }
            }
        }
    }

    /// The letters without diacritics from U+00DF to U+017F.
    private static let latin = Array(
        ("saaaaaaaceeeeiiiidnooooo ouuuuyty" + "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkkllllllllll"
            + "nnnnnnnnnoooooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs").utf8)

    /// Whether a character is of a script without spaces between words.
    private static func isIdeograph(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0E00...0x0E7F, 0x3040...0x9FFF, 0xAC00...0xD7A3, 0x20000...0x3FFFF: true
        default: false
        }
    }

    /// Returns the numbers among words, and Roman numerals.
    static func numbers(_ words: [String]) -> [String] {
        words.compactMap { word in
            if let numeral = romanNumerals[word] { return numeral }
            guard word.utf8.contains(where: { 0x30...0x39 ~= $0 }) else { return nil }
            return word.filter { ("0"..."9").contains($0) }
        }
    }

    private static let romanNumerals = [
        "ii": "2", "iii": "3", "iv": "4", "v": "5", "vi": "6", "vii": "7", "viii": "8", "ix": "9", "x": "10",
    ]

    // MARK: - Comparison

    /// Returns whether two titles are similar: one has all words of the other, they share half of their words, or they differ in
    /// few letters.
    static func isSimilar(_ left: [String], _ right: [String]) -> Bool {
        let (one, two) = (Set(left), Set(right))
        let shared = one.intersection(two)
        let letters = shared.reduce(0) { $0 + $1.count }
        if shared.count == min(one.count, two.count), letters >= 3 { return true }
        if shared.count * 2 >= one.union(two).count, letters >= 4 { return true }
        let (first, second) = (left.joined(), right.joined())
        if min(first.count, second.count) >= 4, first.hasPrefix(second) || second.hasPrefix(first) { return true }
        return differsLittle(first, second)
    }

    /// Compares two subtitles.
    ///
    /// - Parameter titles: The titles of both listings, which some feeds repeat as a subtitle.
    static func relation(of left: String, to right: String, titles: [String]) -> DetailRelation {
        if left == right { return titles.contains(left) ? .unknown : .equal }
        let (one, two) = (words(left), words(right))
        if one.isEmpty || two.isEmpty { return .unknown }
        let (first, second) = (one.joined(), two.joined())
        let titles = titles.map { words($0).joined() }
        if titles.contains(first) || titles.contains(second) { return .unknown }
        if first == second { return .equal }
        guard numbers(one) == numbers(two) else { return .different }
        let (set, other) = (Set(one), Set(two))
        let shared = set.intersection(other).count
        if shared == min(set.count, other.count) || shared * 2 > set.union(other).count || differsLittle(first, second)
        {
            return .equal
        }
        return titles.contains { $0.contains(first) || $0.contains(second) } ? .unknown : .different
    }

    /// Compares two descriptions by the beginnings of their longer words, which sources that shorten or translate into another form of
    /// the language share.
    static func relation(of left: String, to right: String) -> DescriptionRelation {
        // One text is the beginning of the other one, and has at least a dozen words.
        if min(left.utf8.count, right.utf8.count) >= 80,
            left.utf8.starts(with: right.utf8) || right.utf8.starts(with: left.utf8)
        {
            return .same
        }
        let one = stems(left)
        let two = left == right ? one : stems(right)
        let least = min(one.count, two.count)
        guard least >= 4 else { return .unknown }
        let shared = left == right ? least : one.intersection(two).count
        guard shared >= 4, Double(shared) >= 0.9 * Double(least) else { return .different }
        return least >= 6 ? .same : .equal
    }

    /// Returns the first five letters of words with at least four, and pairs of ideographs.
    private static func stems(_ text: String) -> Set<String> {
        var stems: Set<String> = []
        var last: String?
        for word in words(text) {
            if let scalar = word.unicodeScalars.first, isIdeograph(scalar) {
                if let last { stems.insert(last + word) }
                last = word
            } else {
                last = nil
                if word.unicodeScalars.count >= 4 { stems.insert(String(word.unicodeScalars.prefix(5))) }
            }
        }
        return stems
    }

    /// Returns whether two names may be of the same person: the last names are equal, or one has all words of the other.
    static func isSamePerson(_ left: String, _ right: String) -> Bool {
        let (one, two) = (words(left), words(right))
        guard let last = one.last, let other = two.last else { return true }
        if last == other { return true }
        let (set, others) = (Set(one), Set(two))
        if set.intersection(others).count == min(set.count, others.count) { return true }
        return differsLittle(one.joined(), two.joined())
    }

    /// Returns whether at most one letter in five differs (Levenshtein distance).
    static func differsLittle(_ left: String, _ right: String) -> Bool {
        let (one, two) = (Array(left.unicodeScalars.prefix(100)), Array(right.unicodeScalars.prefix(100)))
        let limit = max(one.count, two.count) / 5
        guard limit > 0, abs(one.count - two.count) <= limit else { return false }
        var row = Array(0...two.count)
        for (index, scalar) in one.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for place in two.indices {
                let substituted = diagonal + (scalar == two[place] ? 0 : 1)
                diagonal = row[place + 1]
                row[place + 1] = min(substituted, diagonal + 1, row[place] + 1)
            }
        }
        return row[two.count] <= limit
    }
}
