import EPGModel

/// The parts of a channel's name that tell stations apart, and those that don't.
///
/// `UK: Albion 1 HD`, `|UK| ALBION ONE FHD`, and `Albion I (1080p) [Geo-blocked]` all have the words `albion` and `1`. The country,
/// the quality and the time shift are kept apart from the words. Words are case-folded (NFKC) and have no diacritics.
struct ChannelName: Sendable {
    /// The picture quality that a name states. A name without one counts as standard.
    enum Quality: Int, Sendable {
        case standard, high, ultra
    }

    /// A word of a name.
    struct Word: Hashable, Sendable {
        /// The word with numerals as digits: `1` for `One`, `1` and `I`.
        var text: String
        /// The word as it is spelled.
        var spelling: String
        var isNumber: Bool { text.utf8.first.map { $0 >= 0x30 && $0 <= 0x39 } ?? false }
        /// Whether names often have or lack the word: `tv`, `channel`, `the`, `and`.
        var isFiller: Bool { NameVocabulary.fillers.contains(text) }
    }

    /// The maximum length in bytes. A longer name has no words.
    static let maximumLength = 512
    /// The maximum length in bytes of an identifier that has a name or a country.
    private static let longestID = 128

    /// The words in order, without words of country, quality and availability.
    private(set) var words: [Word] = []
    /// The countries in which the station may be; empty if the name doesn't state any.
    var countries: Set<String> = []
    /// The country that the last word of the name states: `Deutschland`, `UK`.
    private(set) var countryWord: String?
    private(set) var quality = Quality.standard
    /// The number of hours by which a "+1" station is delayed.
    var shift = 0

    /// The words without separators, with numerals as digits. Names are equal if their keys are.
    let key: String
    /// The words without separators, as they are spelled.
    let spelledKey: String

    /// Parses a name.
    ///
    /// - Complexity: O(length).
    init(_ name: String) {
        guard name.utf8.count <= Self.maximumLength else {
            key = ""
            spelledKey = ""
            return
        }
        var parser = NameParser(name)
        parser.parse()
        words = parser.words
        countries = parser.countries
        countryWord = parser.countryWord
        quality = parser.quality
        shift = parser.shift
        key = Self.joined(words.map(\.text))
        spelledKey = Self.joined(words.map(\.spelling))
    }

    /// Parses the identifier of a station or a `tvg-id` of the form `AlbionOne.uk` or `AlbionOne.uk@HD`; returns `nil` for any
    /// other form, such as a number or a host name.
    init?(id: String) {
        guard id.utf8.count <= Self.longestID else { return nil }
        let parts = id.prefix { $0 != "@" }.split(separator: ".", omittingEmptySubsequences: false)
        guard let word = parts.first, parts.count <= 2, parts.count == 1 || parts[1].utf8.count == 2,
            word.contains(where: \.isLetter)
        else { return nil }
        self.init(String(word))
        if let country = Self.country(ofID: id) { countries = [country] }
    }

    /// The countries that the words of language stand for, such as the Arab countries for `Arabic`.
    var countriesOfLanguage: Set<String> {
        words.reduce(into: []) { $0.formUnion(NameVocabulary.countriesOfLanguage[$1.text] ?? []) }
    }

    /// Whether the name is only a number, such as a channel number among the display names of a station.
    var isNumber: Bool { words.allSatisfy(\.isNumber) }

    var numbers: [String] { words.filter(\.isNumber).map(\.text) }

    /// Returns the country of an identifier such as `AlbionOne.uk@HD`; `nil` if it has no country or one that is often used for
    /// its letters, such as `.tv`.
    static func country(ofID id: String) -> String? {
        guard id.utf8.count <= longestID else { return nil }
        let host = id.prefix { $0 != "@" }
        guard let dot = host.lastIndex(of: ".") else { return nil }
        let code = host[host.index(after: dot)...].lowercased()
        guard code.utf8.count == 2, !NameVocabulary.genericDomains.contains(code) else { return nil }
        return NameVocabulary.countries[code]?.first
    }

    /// Returns the countries that a group such as `UK | Sport` or `France` states.
    static func countries(ofGroup group: String) -> Set<String> {
        guard group.utf8.count <= maximumLength else { return [] }
        let folded = NameParser.folded(group)
        if let countries = NameVocabulary.regions[folded] ?? NameVocabulary.countries[folded] { return Set(countries) }
        var parser = NameParser(group)
        parser.parsePrefix()
        if parser.countries.isEmpty, let first = group.split(separator: " ").first, first == first.uppercased() {
            // `UK KIDS`
            let code = NameParser.folded(String(first))
            if !NameVocabulary.ambiguousCodes.contains(code) { return Set(NameVocabulary.countries[code] ?? []) }
        }
        return parser.countries
    }

    /// Separates only numbers that follow each other.
    private static func joined(_ words: [String]) -> String {
        var text = ""
        for word in words {
            if let last = text.utf8.last, last >= 0x30, last <= 0x39, let first = word.utf8.first, first >= 0x30,
                first <= 0x39
            {
                text += " "
            }
            text += word
        }
        return text
    }
}

/// A parser of one name.
private struct NameParser {
    private enum Token {
        case word(String, isBracketed: Bool)
        /// A separator between parts, such as `:`, `|`, `•` or `-` with spaces.
        case separator
        case bracket
        /// A period before white space.
        case period
        case plus(isAfterWord: Bool, isBeforeWord: Bool)
        case and
        case flag(String)

        var word: String? { if case .word(let text, _) = self { text } else { nil } }
        var isPeriod: Bool { if case .period = self { true } else { false } }
        var endsPrefix: Bool {
            switch self {
            case .separator, .bracket: true
            default: false
            }
        }
    }

    private var tokens: [Token] = []
    private(set) var words: [ChannelName.Word] = []
    private(set) var countries: Set<String> = []
    private(set) var countryWord: String?
    private(set) var quality = ChannelName.Quality.standard
    private(set) var shift = 0

    init(_ name: String) {
        tokenize(Array(name.unicodeScalars))
    }

    mutating func parse() {
        parsePrefix()
        removeNotes()
        parseSuffix()
        parseWords()
    }

    // MARK: - Tokens

    private mutating func tokenize(_ scalars: [Unicode.Scalar]) {
        var word = String.UnicodeScalarView()
        var depth = 0
        func isWord(_ index: Int) -> Bool { scalars.indices.contains(index) && Self.isWord(scalars[index]) }
        func isSpace(_ index: Int) -> Bool {
            !scalars.indices.contains(index) || scalars[index].properties.isWhitespace
        }
        func endWord() {
            for part in Self.separatingQuality(of: String(word)) {
                tokens.append(.word(part, isBracketed: depth > 0))
            }
            word.removeAll()
        }
        var index = 0
        while index < scalars.count {
            let scalar = scalars[index]
            switch scalar {
            case _ where Self.isWord(scalar): word.append(scalar)
            case "'", "’", "`", "´", "ʼ":
                // `L'Équipage` is two words, `Children's` is one; both have the same key.
                if word.count == 1 { endWord() }
            case "+":
                let isAfterWord = !word.isEmpty
                endWord()
                tokens.append(.plus(isAfterWord: isAfterWord, isBeforeWord: isWord(index + 1)))
            case "&":
                endWord()
                tokens.append(.and)
            case "(", "[", "{":
                endWord()
                depth += 1
                tokens.append(.bracket)
            case ")", "]", "}":
                endWord()
                depth = max(0, depth - 1)
                tokens.append(.bracket)
            case "-", "–", "—":
                endWord()
                if isSpace(index - 1) || isSpace(index + 1) { tokens.append(.separator) }
            case "\u{1F1E6}"..."\u{1F1FF}":
                endWord()
                if index + 1 < scalars.count, ("\u{1F1E6}"..."\u{1F1FF}").contains(scalars[index + 1]) {
                    let letters = scalars[index...index + 1].compactMap { Unicode.Scalar($0.value - 0x1F1E6 + 0x61) }
                    tokens.append(.flag(String(String.UnicodeScalarView(letters))))
                    index += 1
                }
            case "." where !word.isEmpty && isSpace(index + 1):
                endWord()
                tokens.append(.period)
            case ".", "_", "/", ",", "!", "?", "\"", "#", "*": endWord()
            case _ where scalar.properties.isWhitespace: endWord()
            case _ where scalar.properties.isDefaultIgnorableCodePoint: break
            default:
                endWord()
                tokens.append(.separator)
            }
            index += 1
        }
        endWord()
    }

    /// Returns a word without the qualities at its end, and these: `CCTV1HD`, `卫视高清`. Letters end only a word with a number or
    /// one in Chinese.
    private static func separatingQuality(of word: String) -> [String] {
        guard !word.isEmpty else { return [] }
        let folded = folded(word)
        for quality in NameVocabulary.joinedQualities where folded.hasSuffix(quality) {
            let rest = String(word.dropLast(quality.count))
            guard let last = rest.unicodeScalars.last, folded.count == word.count,
                !last.isASCII || ("0"..."9").contains(last) || quality.unicodeScalars.allSatisfy({ !$0.isASCII })
            else { continue }
            return separatingQuality(of: rest) + [String(word.suffix(quality.count))]
        }
        return [word]
    }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark,
            .decimalNumber, .letterNumber, .otherNumber:
            return true
        default: return false
        }
    }

    /// Returns the case-folded text without diacritics.
    static func folded(_ text: String) -> String { NameFolding.withoutDiacritics(text) }

    // MARK: - Country

    /// Removes prefixes such as `UK:`, `|FR|`, `PT - `, `[US]` and `CA (FR):`.
    mutating func parsePrefix() {
        while true {
            while let first = tokens.first, first.endsPrefix { tokens.removeFirst() }
            // `001.` or `101 |`: the number of the entry in the list.
            if tokens.count > 2, let number = tokens[0].word, number.allSatisfy(\.isWholeNumber), tokens[2].word != nil,
                tokens[1].isPeriod || tokens[1].endsPrefix && number.count >= 3
            {
                tokens.removeFirst(2)
                continue
            }
            if case .flag(let code)? = tokens.first {
                countries.formUnion(NameVocabulary.countries[code] ?? [])
                tokens.removeFirst()
                continue
            }
            // All words up to a separator must be codes.
            var found: Set<String> = []
            var isCountry = false
            var end = 0
            scan: while end < tokens.count, end < 6 {
                switch tokens[end] {
                case .word(let text, _):
                    guard let countries = Self.countries(ofPrefix: text) else { return }
                    found.formUnion(countries)
                    isCountry = isCountry || !countries.isEmpty
                case .separator, .bracket:
                    if end > 0 { break scan }
                default: return
                }
                end += 1
            }
            guard isCountry, end < tokens.count, tokens[end].endsPrefix,
                tokens[end...].contains(where: { $0.word != nil })
            else { return }
            countries.formUnion(found)
            tokens.removeFirst(end)
        }
    }

    /// Returns the countries of a code before a separator, none for a quality, and `nil` for an ordinary word.
    private static func countries(ofPrefix text: String) -> [String]? {
        let folded = folded(text)
        if NameVocabulary.qualities[folded] != nil { return [] }
        return NameVocabulary.regions[folded] ?? NameVocabulary.countries[folded]
    }

    /// Removes notes such as `[Geo-blocked]` and `[Not 24/7]`, and flags.
    private mutating func removeNotes() {
        let texts = tokens.map { token -> String in
            if case .word(let text, true) = token { return Self.folded(text) }
            return ""
        }
        var removed: Set<Int> = []
        for note in NameVocabulary.notes where texts.count >= note.count {
            for start in 0...texts.count - note.count where texts[start..<start + note.count].elementsEqual(note) {
                removed.formUnion(start..<start + note.count)
            }
        }
        var kept: [Token] = []
        for (index, token) in tokens.enumerated() where !removed.contains(index) {
            if case .flag(let code) = token {
                countries.formUnion(NameVocabulary.countries[code] ?? [])
            } else {
                kept.append(token)
            }
        }
        tokens = kept
    }

    /// Removes qualities, and the country at the end: `UK`, `(UK)`, `Deutschland`.
    private mutating func parseSuffix() {
        var kept: [Token] = []
        var index = 0
        while index < tokens.count {
            defer { index += 1 }
            guard case .word(let text, let isBracketed) = tokens[index] else {
                kept.append(tokens[index])
                continue
            }
            let folded = Self.folded(text)
            if let quality = NameVocabulary.qualities[folded] {
                self.quality = max(self.quality, quality ?? .standard, by: { $0.rawValue < $1.rawValue })
                // `BACKUP 2`
                if folded.hasPrefix("backup"), index + 1 < tokens.count, let next = tokens[index + 1].word,
                    Int(next) != nil
                {
                    index += 1
                }
            } else if folded == "full" || folded == "ultra", index + 1 < tokens.count,
                tokens[index + 1].word?.lowercased() == "hd"
            {
                continue
            } else if isBracketed, let countries = NameVocabulary.regions[folded] ?? NameVocabulary.countries[folded],
                folded.utf8.count <= 3 || kept.contains(where: { $0.word != nil })
            {
                self.countries.formUnion(countries)
            } else {
                kept.append(tokens[index])
            }
        }
        // A name of nothing but qualities, such as `4K`, keeps its words.
        if kept.contains(where: { $0.word != nil }) { tokens = kept }
        while case .separator? = tokens.last { tokens.removeLast() }
        while case .bracket? = tokens.last { tokens.removeLast() }
        guard case .word(let last, _)? = tokens.last else { return }
        let folded = Self.folded(last)
        let isCode = folded.utf8.count <= 3
        guard let found = NameVocabulary.countries[folded], !isCode || last == last.uppercased(),
            tokens.dropLast().contains(where: {
                $0.word.map { !NameVocabulary.fillers.contains(Self.folded($0)) } ?? false
            })
        else { return }
        // `IT` and others are also words.
        if isCode, NameVocabulary.ambiguousCodes.contains(folded) { return }
        countries.formUnion(found)
        countryWord = found.first
        tokens.removeLast()
    }

    // MARK: - Words

    private mutating func parseWords() {
        var index = 0
        while index < tokens.count {
            defer { index += 1 }
            switch tokens[index] {
            case .word(let text, _): append(text)
            case .and: words.append(ChannelName.Word(text: "and", spelling: "and"))
            case .plus(let isAfterWord, let isBeforeWord):
                // `+1`, `4+1` and `4 + 1` are shifts; `Lumière+ 1` is not.
                if isBeforeWord || !isAfterWord, index + 1 < tokens.count,
                    let hours = Self.hours(tokens[index + 1].word)
                {
                    shift = hours
                    index += 1
                } else {
                    words.append(ChannelName.Word(text: "plus", spelling: "plus"))
                }
            default: break
            }
        }
        if words.count > 2, ["1", "one"].contains(words[words.count - 1].spelling),
            words[words.count - 2].text == "plus"
        {
            words.removeLast(2)
            shift = 1
        }
        removeTopic()
        readNumerals()
    }

    /// Removes a topic in Chinese after the number of a station: `CCTV-1 综合`.
    private mutating func removeTopic() {
        guard let number = words.lastIndex(where: { $0.isNumber || $0.text == "plus" }), number > 0,
            words[..<number].contains(where: { $0.text.utf8.first.map { $0 < 0x80 } ?? false && !$0.isNumber }),
            words[(number + 1)...].allSatisfy({ NameVocabulary.topics.contains($0.text) })
        else { return }
        words.removeSubrange((number + 1)...)
    }

    /// Returns the hours of `1`, `1h` or `24`.
    private static func hours(_ text: String?) -> Int? {
        guard let text, text.utf8.count <= 3 else { return nil }
        let digits = text.last == "h" || text.last == "H" ? text.dropLast() : Substring(text)
        guard let hours = Int(digits), (1...24).contains(hours) else { return nil }
        return hours
    }

    /// Appends a word, split where letters and digits meet, and at `aB` and `ABc`.
    private mutating func append(_ text: String) {
        let scalars = Array(text.unicodeScalars)
        var start = 0
        for index in scalars.indices.dropFirst() {
            let (last, scalar) = (scalars[index - 1], scalars[index])
            let isDigit = ("0"..."9").contains(scalar)
            let startsWord =
                ("0"..."9").contains(last) != isDigit || last.properties.isLowercase && scalar.properties.isUppercase
                || index - start > 1 && last.properties.isUppercase && scalar.properties.isUppercase
                    && index + 1 < scalars.count && scalars[index + 1].properties.isLowercase
            guard startsWord else { continue }
            appendPart(scalars[start..<index])
            start = index
        }
        appendPart(scalars[start...])
    }

    private mutating func appendPart(_ scalars: ArraySlice<Unicode.Scalar>) {
        var text = Self.folded(String(String.UnicodeScalarView(scalars)))
        if text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), text.utf8.count > 1 {
            text = String(text.drop { $0 == "0" })
            if text.isEmpty { text = "0" }
        }
        guard !text.isEmpty else { return }
        words.append(ChannelName.Word(text: text, spelling: text))
    }

    private mutating func readNumerals() {
        for index in words.indices.dropFirst() {
            let spelling = words[index].spelling
            if let number = NameVocabulary.numerals[spelling] {
                words[index].text = number
            } else if index == words.count - 1, let number = NameVocabulary.finalNumerals[spelling] {
                words[index].text = number
            }
        }
    }
}

private func max<Value>(_ one: Value, _ other: Value, by areInIncreasingOrder: (Value, Value) -> Bool) -> Value {
    areInIncreasingOrder(one, other) ? other : one
}
