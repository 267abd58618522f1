/// The season and episode that a text of a programme states, such as 3 and 5 in `Harbour Lights S03E05`.
///
/// `Documentation/Rules.md#rule-21` lists the recognized forms by language. Recognition is exact rather than complete: what could be
/// a date, a score, a round, an age, a sequel or a part of a film is no number of an episode.
package struct EpisodeText: Hashable, Sendable {
    /// The texts of a programme. Descriptions are prose, in which a number counts only in forms that nothing else has, or at the
    /// very start or end.
    package enum Field: String, Hashable, Sendable, CaseIterable {
        case title, subtitle, description
    }

    package var season: Int?
    package var episode: Int?
    /// The last episode of a range, such as 6 in `Episodes 5-6`.
    package var last: Int?
    /// The number of episodes, if the text states it together with ``episode``.
    package var total: Int?
    /// The UTF-8 offsets of the statement.
    package var range: Range<Int>

    /// Recognizes the number of an episode; `nil` if the text states none, or several.
    ///
    /// - Parameter language: The language code of the text in the feed, which only forms without a word depend on.
    /// - Complexity: O(bytes), with at most ``maximumLength`` bytes of a title or subtitle and twice ``margin`` bytes of a
    ///   description.
    package init?(_ text: String, in field: Field, language: String? = nil) {
        let code = language.map { Self.languages[$0.lowercased()] ?? String($0.prefix(2)).lowercased() }
        let found: EpisodeText? =
            if field == .description, text.utf8.count > Self.shortLength {
                Self.inDescription(text, code)
            } else {
                Self.statement(
                    in: text, 0..<min(text.utf8.count, Self.maximumLength), field == .title ? .title : .subtitle, code)
            }
        guard let found else { return nil }
        self = found
    }

    fileprivate init(season: Int?, episode: Int?, last: Int?, total: Int?, range: Range<Int>) {
        (self.season, self.episode, self.last, self.total, self.range) = (season, episode, last, total, range)
    }

    /// Bytes of a title or subtitle that are examined.
    package static let maximumLength = 512
    /// Bytes at the start and at the end of a description that are examined.
    package static let margin = 256
    /// Bytes of a description up to which it is no prose, but mostly a subtitle.
    private static let shortLength = 64

    /// The codes of ISO 639-2 whose first two letters are another language.
    private static let languages = ["ces": "cs", "cze": "cs", "slk": "sk", "slo": "sk", "ger": "de", "mon": "mn"]

    private static func inDescription(_ text: String, _ language: String?) -> EpisodeText? {
        let count = text.utf8.count
        guard count > 2 * margin else { return statement(in: text, 0..<count, .description, language) }
        let first = statement(in: text, 0..<margin, .description, language)
        guard first?.episode == nil else { return first }
        let last = statement(in: text, count - margin..<count, .description, language)
        return last?.episode != nil ? last : first ?? last
    }

    private static func statement(
        in text: String, _ range: Range<Int>, _ field: Field, _ language: String?
    ) -> EpisodeText? {
        mayMatch(text.utf8, range) ? Phrase(text, range, field: field, language: language).statement : nil
    }

    /// Returns whether a range of the text has a digit, or `第`, which numbers in characters follow.
    private static func mayMatch(_ text: String.UTF8View, _ range: Range<Int>) -> Bool {
        var before: UInt8 = 0
        for byte in text[text.index(text.startIndex, offsetBy: range.lowerBound)...].prefix(range.count) {
            if byte &- 0x30 < 10 { return true }
            // 第 is E7 AC AC; digits of other scripts are EF BC 9x, D9 Ax and DB Bx.
            if byte >= 0x90, before == 0xAC ? byte == 0xAC : before == 0xBC || before == 0xD9 || before == 0xDB {
                return true
            }
            before = byte
        }
        return false
    }
}

/// A word, a number or another character of a text.
private struct EpisodeToken {
    enum Kind {
        case word, mark
        /// A number of at most five digits.
        case number
        /// A longer number, which is no number of an episode.
        case digits
    }

    var kind: Kind
    /// The characters of a word or mark.
    var source: Substring = ""
    /// The first character of a word or mark.
    var scalar: Unicode.Scalar = "0"
    var value = 0
    /// Whether a number begins with a zero, or the letters of a word are uppercase.
    var isMarked = false
    var digitCount = 0
    /// Whether a word is one Chinese or Japanese character.
    var isIdeograph = false
    /// Whether white space precedes the token.
    let isSpaced: Bool
    var range: Range<Int>

    /// The lowercase letters of a word, or the character of a mark.
    var text: String { kind == .word && !isIdeograph ? source.lowercased() : String(source) }
}

/// A part of a text as tokens, and the search in them.
private struct Phrase {
    /// A number with its meaning.
    struct Mark {
        enum Strength: Int, Comparable {
            /// A letter (`S`, `E`), or a word with other meanings (`Series`): counts beside another mark, or in brackets.
            case letter
            /// A form without words, such as `(3/8)`.
            case bare
            /// A word that means just this.
            case word

            static func < (left: Strength, right: Strength) -> Bool { left.rawValue < right.rawValue }
        }

        let isSeason: Bool
        let value: Int
        var last: Int?
        var total: Int?
        let strength: Strength
        /// The tokens, without brackets around them.
        var tokens: Range<Int>
    }

    private var tokens: [EpisodeToken] = []
    private let field: EpisodeText.Field
    private let language: String?
    /// Whether the phrase begins and ends with the text.
    private let isStart: Bool
    private let isEnd: Bool

    init(_ text: String, _ range: Range<Int>, field: EpisodeText.Field, language: String?) {
        self.field = field
        self.language = language
        isStart = range.lowerBound == 0
        isEnd = range.upperBound == text.utf8.count
        tokenize(text, range)
    }

    // MARK: - Tokens

    private mutating func tokenize(_ text: String, _ range: Range<Int>) {
        let scalars = text.unicodeScalars
        // The bounds may be inside a character.
        func start(_ place: Int) -> (offset: Int, index: String.Index) {
            var (offset, index) = (place, text.utf8.index(text.startIndex, offsetBy: place))
            while index < text.endIndex, text.utf8[index] & 0xC0 == 0x80 {
                (offset, index) = (offset + 1, text.utf8.index(after: index))
            }
            return (offset, index)
        }
        var (offset, index) = start(range.lowerBound)
        let end = start(range.upperBound).index
        var isSpaced = true
        var last: Unicode.Scalar = " "
        while index < end {
            let scalar = scalars[index]
            let kind = ScalarKind(scalar)
            let (next, nextIndex) = (offset + UTF8.width(scalar), scalars.index(after: index))
            defer { (last, offset, index) = (scalar, next, nextIndex) }
            let top = tokens.count - 1
            switch kind {
            case .ignored: continue
            case .space:
                isSpaced = true
                continue
            case .digit(let digit):
                if top >= 0, tokens[top].kind == .number || tokens[top].kind == .digits, !isSpaced {
                    tokens[top].digitCount += 1
                    tokens[top].range = tokens[top].range.lowerBound..<next
                    if tokens[top].digitCount > 5 {
                        (tokens[top].kind, tokens[top].value) = (.digits, 0)
                    } else {
                        tokens[top].value = tokens[top].value * 10 + digit
                    }
                } else {
                    var token = EpisodeToken(kind: .number, isSpaced: isSpaced, range: offset..<next)
                    (token.value, token.digitCount, token.isMarked) = (digit, 1, digit == 0)
                    tokens.append(token)
                }
            case .letter:
                let isUpper = scalar.isASCII ? scalar.value < 0x61 : scalar.properties.isUppercase
                // Descriptions of some feeds glue a heading to the text: `1. részA kikötő`.
                let isGlued = field == .description && isUpper && last.properties.isLowercase
                if top >= 0, tokens[top].kind == .word, !tokens[top].isIdeograph, !isSpaced, !isGlued {
                    tokens[top].source = text[tokens[top].source.startIndex..<nextIndex]
                    tokens[top].range = tokens[top].range.lowerBound..<next
                    tokens[top].isMarked = tokens[top].isMarked && isUpper
                } else {
                    var token = EpisodeToken(kind: .word, isSpaced: isSpaced, range: offset..<next)
                    (token.source, token.scalar, token.isMarked) = (text[index..<nextIndex], scalar, isUpper)
                    tokens.append(token)
                }
            case .ideograph, .mark:
                var token = EpisodeToken(kind: kind == .mark ? .mark : .word, isSpaced: isSpaced, range: offset..<next)
                (token.source, token.scalar) = (text[index..<nextIndex], scalar)
                token.isIdeograph = kind == .ideograph
                tokens.append(token)
            }
            isSpaced = false
        }
    }

    private func token(_ index: Int) -> EpisodeToken? { tokens.indices.contains(index) ? tokens[index] : nil }

    private func isMark(_ index: Int, _ characters: String) -> Bool {
        guard let token = token(index), token.kind == .mark else { return false }
        return characters.unicodeScalars.contains(token.scalar)
    }

    private func isGlued(_ index: Int) -> Bool { token(index).map { !$0.isSpaced } ?? false }

    private func roles(_ index: Int) -> EpisodeWord {
        guard let token = token(index), token.kind == .word else { return [] }
        return EpisodeWord(token.text)
    }

    // MARK: - Statement

    /// The only number that the phrase states.
    var statement: EpisodeText? {
        guard tokens.count < 400 else { return nil }
        var marks: [Mark] = []
        for index in tokens.indices {
            if let last = marks.last, last.tokens.upperBound > index { continue }
            if let pair = cross(at: index) ?? roman(at: index) ?? yearly(at: index) {
                marks += [pair.season, pair.episode]
            } else if let mark = mark(at: index) {
                marks.append(mark)
            }
        }
        if let number = trailingNumber(after: marks) { marks.append(number) }
        if let mark = marks.last, let season = titleSeason(before: mark, among: marks) { marks.append(season) }
        let seasons = marks.filter(\.isSeason)
        let episodes = marks.filter { !$0.isSeason }
        for episode in episodes {
            guard let season = seasons.first(where: { isBeside($0, episode) }) else { continue }
            return statement(season, episode, others: marks)
        }
        let best = episodes.map(\.strength).max()
        if let episode = episodes.first(where: { $0.strength == best }), isAlone(episode) {
            let season = seasons.first { $0.strength == .word && field != .description && isClosed($0) }
            return statement(season, episode, others: marks)
        }
        if episodes.isEmpty, let season = seasons.first, isAlone(season) {
            return statement(season, nil, others: marks)
        }
        return nil
    }

    private func statement(_ season: Mark?, _ episode: Mark?, others: [Mark]) -> EpisodeText? {
        let isUnique = others.allSatisfy { other in
            // Prose may mention other seasons.
            if field == .description, other.isSeason, episode != nil { return true }
            let chosen = other.isSeason ? season : episode
            return chosen.map { $0.value == other.value || other.strength < $0.strength } ?? true
        }
        guard isUnique, let first = [season, episode].compactMap({ $0?.tokens.lowerBound }).min(),
            let last = [season, episode].compactMap({ $0?.tokens.upperBound }).max()
        else { return nil }
        let range = tokens[first].range.lowerBound..<tokens[last - 1].range.upperBound
        return EpisodeText(
            season: season?.value, episode: episode?.value, last: episode?.last, total: episode?.total, range: range)
    }

    /// Returns whether only punctuation and words such as `of` are between two marks.
    private func isBeside(_ one: Mark, _ other: Mark) -> Bool {
        let (first, second) = one.tokens.lowerBound < other.tokens.lowerBound ? (one, other) : (other, one)
        if one.tokens == other.tokens { return true }
        guard first.tokens.upperBound <= second.tokens.lowerBound,
            second.tokens.lowerBound - first.tokens.upperBound <= 4
        else { return false }
        let between = first.tokens.upperBound..<second.tokens.lowerBound
        return between.allSatisfy { tokens[$0].kind == .mark || roles($0).contains(.of) }
            // `S 3 ... E 5` in prose are not a pair.
            && (field != .description || between.count <= 3)
    }

    /// Returns whether a mark that has no partner is the number of an episode or a season.
    private func isAlone(_ mark: Mark) -> Bool {
        let opens = isOpening(before: mark.tokens.lowerBound)
        let closes = isClosed(mark)
        switch (field, mark.strength) {
        case (.description, .word):
            if mark.isSeason { return isThisSeason(mark) }
            if mark.tokens.lowerBound == 0 || opens && mark.tokens.lowerBound == 1, isStart { return true }
            return isBracketed(mark) || isEnd && opens && isAtEnd(mark)
        case (.description, .bare): return mark.total != nil && (isFirst(mark) || isEnd && isLast(mark))
        case (.description, .letter):
            return isStart && mark.tokens.lowerBound <= 1 && opens && (closes || mark.total != nil)
                && mark.tokens.count > 1
        case (_, .word):
            if !mark.isSeason { return !isPartOfFilm(mark) }
            return (closes || mark.tokens.lowerBound == 0 && tokens[0].text == "시즌") && mark.value < 1900
        case (_, .bare): return true
        case (_, .letter): return isAloneLetter(mark)
        }
    }

    /// Returns whether a letter with a number, or a weak word with one, stands for itself in a title or subtitle.
    private func isAloneLetter(_ mark: Mark) -> Bool {
        let (first, roles) = (tokens[mark.tokens.lowerBound], roles(mark.tokens.lowerBound))
        if roles.contains(.pairs) { return false }
        let brackets = isBracketed(mark)
        guard mark.value < 1900 else { return false }
        if first.text == "t" {
            // Cricket is played as T20 and T10.
            return brackets && mark.value != 20 && mark.value != 10
        }
        if brackets { return true }
        if roles.isSuperset(of: EpisodeWord.series) {
            return isOpening(before: mark.tokens.lowerBound) && isClosed(mark)
        }
        let isLong = first.text == "ε" || tokens[mark.tokens.upperBound - 1].digitCount > 1
        guard mark.tokens.lowerBound > 0 else { return field == .subtitle && !mark.isSeason && isLong && isAtEnd(mark) }
        let before = tokens[mark.tokens.lowerBound - 1]
        guard first.isSpaced || before.isIdeograph, !EpisodeWord.models.contains(before.text) else { return false }
        if isAtEnd(mark) { return mark.isSeason || isLong }
        // `Harbour Lights S2 - The Map Room`
        let end = mark.tokens.upperBound
        return mark.isSeason && (isMark(end, ":") || isMark(end, "-–—|") && !isGlued(end))
    }

    /// Returns whether prose mentions a season as its own, such as `In the season 3 premiere, …`, but not `the winner of season 2`.
    private func isThisSeason(_ mark: Mark) -> Bool {
        let (first, end) = (mark.tokens.lowerBound, mark.tokens.upperBound)
        guard mark.value < 1900, token(end).map({ !EpisodeWord.people.contains($0.text) }) ?? true else { return false }
        let text = tokens[first].text
        if text == "第" || text == "staffel" || tokens[end - 1].text.hasPrefix("évad") && tokens[first].kind == .number {
            return true
        }
        if isStart, tokens[..<first].allSatisfy({ $0.kind == .mark || EpisodeWord.openings.contains($0.text) }) {
            return first == 0 || tokens[first].kind == .word
        }
        return tokens[first].kind == .word && token(first - 1).map { EpisodeWord.returns.contains($0.text) } ?? false
    }

    /// Returns whether a Chinese title has the number of a part in English, as films have: `…第三集 / … Part 3`.
    private func isPartOfFilm(_ mark: Mark) -> Bool {
        tokens[mark.tokens.lowerBound].scalar == "第"
            && tokens.indices.dropLast().contains { tokens[$0].text == "part" && tokens[$0 + 1].value == mark.value }
    }

    /// Returns whether nothing or punctuation precedes a token.
    private func isOpening(before index: Int) -> Bool {
        guard index > 0 else { return isStart }
        return tokens[index - 1].kind == .mark
    }

    /// Returns whether nothing or punctuation follows a mark.
    private func isClosed(_ mark: Mark) -> Bool {
        guard let next = token(mark.tokens.upperBound) else { return isEnd }
        return next.kind == .mark
    }

    private func isBracketed(_ mark: Mark) -> Bool {
        isMark(mark.tokens.lowerBound - 1, "([（【") && isMark(mark.tokens.upperBound, ")]）】")
    }

    /// Returns whether only punctuation follows.
    private func isAtEnd(_ mark: Mark) -> Bool {
        isEnd && tokens[mark.tokens.upperBound...].allSatisfy { $0.kind == .mark }
    }

    private func isFirst(_ mark: Mark) -> Bool { isStart && mark.tokens.lowerBound <= 1 }

    private func isLast(_ mark: Mark) -> Bool {
        isAtEnd(mark) && isMark(mark.tokens.lowerBound - 2, ".!?…。")
    }

    // MARK: - Marks

    private func mark(at index: Int) -> Mark? {
        guard tokens[index].kind == .number || tokens[index].kind == .word else { return nil }
        if let mark = ordinal(at: index) { return mark }
        if tokens[index].kind == .word { return afterWord(index) }
        return beforeWord(index) ?? fraction(at: index) ?? numberBeforeSeries(index) ?? bracketed(at: index)
            ?? dotted(at: index) ?? afterSign(index) ?? afterDash(index)
    }

    /// Returns whether a number is not part of a range, a date, a time or a decimal number.
    private func isSingle(_ index: Int, allowsSlash: Bool = false) -> Bool {
        if isMark(index - 1, "-–—/.,:+~&'’$€£%"), isGlued(index - 1) || isMark(index - 1, "-–~+&"), isGlued(index),
            let before = token(index - 2), before.kind == .number || before.kind == .digits
        {
            return false
        }
        guard let next = token(index + 1) else { return true }
        let second = token(index + 2)
        let isNumber = second?.kind == .number || second?.kind == .digits
        if next.kind == .mark, isNumber {
            if "-–—.,:~'’".unicodeScalars.contains(next.scalar), isGlued(index + 1), isGlued(index + 2) { return false }
            if "/".unicodeScalars.contains(next.scalar), !allowsSlash { return false }
            if "+&".unicodeScalars.contains(next.scalar) { return false }
        }
        if next.kind == .mark, "%$€£".unicodeScalars.contains(next.scalar) { return false }
        return !(roles(index + 1).contains(.and) && isNumber && tokens[index + 2].isSpaced)
    }

    /// `Season 2`, `Folge 12`, `odc. 5`, `Ep.4`, `S03`, `T2`, `ตอนที่ 3`, `시즌2`.
    private func afterWord(_ index: Int) -> Mark? {
        let word = tokens[index]
        guard !word.isIdeograph else { return nil }
        var place = index + 1
        var (hasDot, hasColon, hasSign) = (false, false, false)
        if isMark(place, ".:#№º°"), place + 1 < tokens.count {
            (hasDot, hasColon) = (isMark(place, ".") && isGlued(place), isMark(place, ":"))
            hasSign = isMark(place, "#№")
            place += 1
            if isMark(place, "#№") { (hasSign, place) = (true, place + 1) }
        } else if token(place)?.text == "n", isMark(place + 1, "°º") {
            (hasSign, place) = (true, place + 2)
        }
        guard let number = token(place), number.kind == .number else { return nil }
        let range = range(from: place)
        guard range != nil || isSingle(place, allowsSlash: true) else { return nil }
        var roles = EpisodeWord(word.text)
        if roles.isEmpty { roles = EpisodeWord(endOf: word.text) }
        let isDirect = place == index + 1 && !number.isSpaced
        let isLetter = roles.contains(.letter)
        if isLetter, !isDirect, !hasDot || roles.contains(.glued) { return nil }
        if isLetter, let before = token(index - 1), !word.isSpaced, before.kind == .word, !before.isIdeograph {
            return nil
        }
        if roles.contains(.dotted), !hasDot, !isDirect || roles.contains(.letter) { return nil }
        // `Episode: 2025 in Review`
        if hasColon, (1900...2100).contains(number.value) { return nil }
        // `S4C` and `E4U` are names; `S03E05` is not.
        if let next = token(place + 1), !next.isSpaced, next.kind == .word, isLetter || isDirect,
            EpisodeWord(next.text).isDisjoint(with: [.seasonBefore, .episodeBefore]), !next.isIdeograph
        {
            return nil
        }
        let isSequel = field == .title && roles.contains(.chapter) && number.value <= 5
        let isWeak = isLetter || isSequel || !roles.isDisjoint(with: [.weak, .pairs])
        let strength: Mark.Strength = isWeak ? .letter : .word
        if roles.contains(.seasonBefore), range == nil, isSingle(place), isSeason(number), !hasSign {
            if roles.contains(.years), number.value > 40 { return nil }
            return Mark(isSeason: true, value: number.value, strength: strength, tokens: index..<place + 1)
        }
        guard roles.contains(.episodeBefore), number.value > 0 else { return nil }
        if let range {
            return Mark(
                isSeason: false, value: number.value, last: range.last, strength: strength, tokens: index..<range.end)
        }
        guard isSingle(place) || isMark(place + 1, "/") else { return nil }
        return withTotal(
            Mark(isSeason: false, value: number.value, strength: strength, tokens: index..<place + 1))
    }

    /// Returns the last number of `5-6`, `5 & 6`, `5 et 6`, `E05-E06` from a place on, and the place after it.
    private func range(from place: Int) -> (last: Int, end: Int)? {
        guard let first = token(place), first.kind == .number, !isMark(place - 1, "-–~,") || tokens[place].isSpaced
        else {
            return nil
        }
        var next = place + 1
        if isMark(next, "-–~") {
            guard isGlued(next), isGlued(next + 1) else { return nil }
        } else if !isMark(next, "+&"), !roles(next).contains(.and) || roles(next).contains(.letter) {
            return nil
        }
        next += 1
        if roles(next).isSuperset(of: [.episodeBefore, .letter]), isGlued(next + 1) { next += 1 }
        guard let last = token(next), last.kind == .number, last.value > first.value, last.value < first.value + 30,
            !isMark(next + 1, "-–~,/&+") || !isGlued(next + 1) || token(next + 2)?.kind != .number
        else { return nil }
        return (last.value, next + 1)
    }

    /// Seasons are numbers up to 999, or years.
    private func isSeason(_ number: EpisodeToken) -> Bool {
        number.value < 1000 || (1900...2100).contains(number.value)
    }

    /// Adds the total in `5/8`, `5 of 8`, `5 z 8`.
    private func withTotal(_ mark: Mark) -> Mark? {
        var mark = mark
        let place = mark.tokens.upperBound
        let isSlash = isMark(place, "/")
        guard isSlash || roles(place).contains(.of), let total = token(place + 1), total.kind == .number else {
            return mark
        }
        if isSlash, total.value < mark.value { return nil }
        guard total.value >= mark.value, total.value > 1, isSingle(place + 1) || isSlash else { return mark }
        mark.total = total.value
        mark.tokens = mark.tokens.lowerBound..<place + 2
        return mark
    }

    /// `2. évad`, `5. rész`, `12. Folge`, `1-я серия`, `3회`, `2nd season`, `4ª temporada`.
    private func beforeWord(_ index: Int) -> Mark? {
        let number = tokens[index]
        guard number.kind == .number else { return nil }
        let range = range(from: index)
        guard range != nil || isSingle(index) else { return nil }
        var place = range?.end ?? index + 1
        var isOrdinal = false
        if isMark(place, ".-ªº°"), isGlued(place) {
            isOrdinal = true
            place += 1
        }
        var isEnglish = false
        if isGlued(place), roles(place).contains(.ordinal) {
            isOrdinal = true
            // The 500th episode is an anniversary.
            isEnglish = ["th", "nd", "rd", "st"].contains(tokens[place].text)
            place += 1
        }
        guard let word = token(place), word.kind == .word, isOrdinal || !word.isIdeograph else { return nil }
        let roles = EpisodeWord(word.text)
        let isAllowed = isOrdinal || roles.contains(.cardinal)
        guard isAllowed, !isMark(index - 1, "-–~") || tokens[index].isSpaced,
            !isMark(index - 1, ",") || token(index - 2)?.kind != .number,
            token(index - 1)?.text != "제" && token(index - 1)?.text != "总"
        else { return nil }
        if roles.contains(.seasonAfter), range == nil, number.value > 0, number.value < 200 {
            return Mark(isSeason: true, value: number.value, strength: .word, tokens: index..<place + 1)
        }
        guard roles.contains(.episodeAfter), number.value > 0, !isEnglish else { return nil }
        return Mark(
            isSeason: false, value: number.value, last: range?.last, strength: .word, tokens: index..<place + 1)
    }

    /// `第12集`, `第三季`, `第5話`.
    private func ordinal(at index: Int) -> Mark? {
        guard tokens[index].scalar == "第" else { return nil }
        var place = index + 1
        var value = 0
        if let number = token(place), number.kind == .number {
            value = number.value
            place += 1
        } else {
            let start = place
            while let character = token(place), EpisodeWord.isChineseDigit(character.text), place < start + 6 {
                place += 1
            }
            guard let number = EpisodeWord.chineseNumber(tokens[start..<place].map(\.text)) else { return nil }
            value = number
        }
        guard value > 0, let counter = token(place), counter.kind == .word else { return nil }
        switch counter.text {
        case "季":
            guard value < 100 else { return nil }
            return Mark(isSeason: true, value: value, strength: .word, tokens: index..<place + 1)
        case "集", "話", "话", "期":
            return Mark(isSeason: false, value: value, strength: .word, tokens: index..<place + 1)
        case "回":
            // The 19th tournament is 第19回…大会.
            if let next = token(place + 1), next.kind == .word, !next.isSpaced { return nil }
            return Mark(isSeason: false, value: value, strength: .word, tokens: index..<place + 1)
        default: return nil
        }
    }

    /// `(3/8)`, and after Chinese characters also `3/8` at the end.
    private func fraction(at index: Int) -> Mark? {
        var number = tokens[index]
        guard number.kind == .number, isMark(index + 1, "/"), var total = token(index + 2), total.kind == .number else {
            return nil
        }
        // Hungarian descriptions begin with the total: `16/10.: `.
        let isReversed = field == .description && index == 0 && isStart && isMark(3, ".") && isMark(4, ":")
        if isReversed { (number, total) = (total, number) }
        guard isFraction(number, total) else { return nil }
        let mark = Mark(
            isSeason: false, value: number.value, total: total.value, strength: .bare, tokens: index..<index + 3)
        if isBracketed(mark) || isReversed { return mark }
        // `3/4, series 2 - …`
        if index == 0, isStart, isMark(3, ",;"), roles(4).isSuperset(of: EpisodeWord.series), token(5)?.kind == .number
        {
            return mark
        }
        guard field != .description, index + 3 == tokens.count, isEnd, let before = token(index - 1) else { return nil }
        if before.isIdeograph { return mark }
        return isMark(index - 1, "-）)") && tokens[..<index].contains(where: \.isIdeograph) ? mark : nil
    }

    /// Returns whether a fraction is no date, no pair of years and no famous date.
    private func isFraction(_ number: EpisodeToken, _ total: EpisodeToken) -> Bool {
        guard number.value > 0, number.value <= total.value, (2..<1000).contains(total.value), !total.isMarked else {
            return false
        }
        return (number.value, total.value) != (9, 11) && !(number.value >= 15 && total.value == number.value + 1)
    }

    /// `3, series 2 - …`: the number of the episode at the start of a subtitle.
    private func numberBeforeSeries(_ index: Int) -> Mark? {
        guard index == 0, isStart, tokens[0].kind == .number, tokens[0].value > 0, isMark(1, ",;"),
            roles(2).isSuperset(of: EpisodeWord.series), token(3)?.kind == .number
        else { return nil }
        return Mark(isSeason: false, value: tokens[0].value, strength: .letter, tokens: 0..<1)
    }

    /// `甄嬛传(16)` and, in Czech, Slovak and German, `Koroner (10)`: at the end of a title.
    private func bracketed(at index: Int) -> Mark? {
        let number = tokens[index]
        guard field == .title, number.kind == .number, (1..<1000).contains(number.value), !number.isMarked,
            isMark(index - 1, "(（"), isMark(index + 1, ")）"), index + 2 == tokens.count, isEnd,
            let before = token(index - 2)
        else { return nil }
        guard before.isIdeograph || ["cs", "sk", "de"].contains(language) else { return nil }
        return Mark(isSeason: false, value: number.value, strength: .bare, tokens: index..<index + 1)
    }

    /// `Bluey 49.` in Hungarian: at the end of a title. Below 10, it may be the number of a sequel.
    private func dotted(at index: Int) -> Mark? {
        let number = tokens[index]
        guard field == .title, language == "hu", number.kind == .number, (10...9999).contains(number.value),
            !number.isMarked, number.isSpaced, !(1900...2100).contains(number.value), isSingle(index),
            isMark(index + 1, "."), isGlued(index + 1), index + 2 == tokens.count, isEnd,
            token(index - 1)?.kind == .word
        else { return nil }
        return Mark(isSeason: false, value: number.value, strength: .bare, tokens: index..<index + 1)
    }

    /// `Direct Talk #256`: at the end of a title. Below 10, it may be the number of a sequel.
    private func afterSign(_ index: Int) -> Mark? {
        let number = tokens[index]
        guard field == .title, number.kind == .number, (10...9999).contains(number.value), isSingle(index),
            isMark(index - 1, "#"), isGlued(index), !isGlued(index - 1), token(index - 2)?.kind == .word,
            index + 1 == tokens.count, isEnd
        else { return nil }
        return Mark(isSeason: false, value: number.value, strength: .bare, tokens: index - 1..<index + 1)
    }

    /// `国家记忆-32`, `我的继父是偶像39-40`: after Chinese characters at the end of a title.
    private func afterDash(_ index: Int) -> Mark? {
        let number = tokens[index]
        guard field == .title, number.kind == .number, (1..<1900).contains(number.value), isEnd else { return nil }
        if let range = range(from: index) {
            guard range.end == tokens.count, let before = token(index - 1),
                before.isIdeograph || isMark(index - 1, "）)-") && token(index - 2)?.isIdeograph == true
            else { return nil }
            return Mark(
                isSeason: false, value: number.value, last: range.last, strength: .bare, tokens: index..<range.end)
        }
        guard index + 1 == tokens.count, isSingle(index), isMark(index - 1, "-"), isGlued(index), isGlued(index - 1),
            let before = token(index - 2), before.isIdeograph || "”》）".unicodeScalars.contains(before.scalar)
        else { return nil }
        return Mark(isSeason: false, value: number.value, strength: .bare, tokens: index..<index + 1)
    }

    /// `国家记忆-2026-90` in Chinese, `Regatta 2020./1.` and `Regatta 2020.-1.` in Hungarian: year and number at the end of a title.
    private func yearly(at index: Int) -> (season: Mark, episode: Mark)? {
        guard field != .description, tokens[index].kind == .number, (1990...2100).contains(tokens[index].value) else {
            return nil
        }
        var place = index + 1
        if isMark(place, "-"), isGlued(place), let before = token(isMark(index - 1, "-") ? index - 2 : index - 1),
            before.isIdeograph || before.kind == .mark
        {
            place += 1
        } else if isMark(place, "."), isMark(place + 1, "/-"), isGlued(place), isGlued(place + 1), language == "hu" {
            place += 2
        } else {
            return nil
        }
        guard let number = token(place), number.kind == .number, !number.isSpaced, (1..<1900).contains(number.value),
            !number.isMarked
        else { return nil }
        let isLast = place + 1 == tokens.count || isMark(place + 1, ".") && place + 2 == tokens.count
        guard isLast && isEnd || (token(place + 1)?.kind == .word && isMark(place - 1, "-")) else { return nil }
        if let next = token(place + 1), next.isIdeograph, "年月日赛轮场".unicodeScalars.contains(next.scalar) { return nil }
        return (
            Mark(isSeason: true, value: tokens[index].value, strength: .word, tokens: index..<place + 1),
            Mark(isSeason: false, value: number.value, strength: .word, tokens: index..<place + 1)
        )
    }

    /// `3x05`: two digits after the sign, in brackets or at the start or the end of a title or subtitle.
    private func cross(at index: Int) -> (season: Mark, episode: Mark)? {
        guard field != .description, tokens[index].kind == .number, tokens[index].digitCount <= 2,
            tokens[index].value > 0, let sign = token(index + 1), "xX×".unicodeScalars.contains(sign.scalar),
            sign.source.utf8.count <= 2, !sign.isSpaced,
            let number = token(index + 2), number.kind == .number, number.digitCount == 2, !number.isSpaced,
            number.value > 0
        else { return nil }
        let tokens = index..<index + 3
        let season = Mark(isSeason: true, value: self.tokens[index].value, strength: .word, tokens: tokens)
        let episode = Mark(isSeason: false, value: number.value, strength: .word, tokens: tokens)
        // Without a leading zero, it may be a size: `12x15`.
        guard number.isMarked ? isOpening(before: index) || isClosed(season) : isBracketed(season) else { return nil }
        return (season, episode)
    }

    /// `III./8.`, `II/4`, in Mongolian guides also `II.17`: season and episode at the end of a title.
    private func roman(at index: Int) -> (season: Mark, episode: Mark)? {
        guard tokens[index].kind == .word, tokens[index].isMarked,
            isMark(index + 1, "./"), isGlued(index + 1), let value = EpisodeWord.romanNumber(tokens[index].text)
        else { return nil }
        var place = index + 2
        var isClear = false
        if isMark(index + 1, "."), isMark(place, "/"), isGlued(place) {
            place += 1
            isClear = true
        } else if isMark(index + 1, "."), language != "mn" {
            return nil
        }
        guard let number = token(place), number.kind == .number, !number.isSpaced, number.value > 0 else { return nil }
        let range = range(from: place)
        guard range != nil || isSingle(place, allowsSlash: true) else { return nil }
        let end = range?.end ?? place + 1
        let hasDot = isMark(end, ".") && isGlued(end)
        let closes = (hasDot ? end + 1 : end) == tokens.count && isEnd || isMark(end, "/(")
        // `V./6.` is nothing else, even in prose.
        guard isClear && hasDot || closes && field == .title else { return nil }
        return (
            Mark(isSeason: true, value: value, strength: .word, tokens: index..<end),
            Mark(isSeason: false, value: number.value, last: range?.last, strength: .word, tokens: index..<end)
        )
    }

    /// Returns the season that ends the name of a series before the only mark, the number of an episode: `Признание-4 (3-я серия)`,
    /// `짱구8 8회`, in Czech and Slovak `Koroner IV (10)`.
    private func titleSeason(before episode: Mark, among marks: [Mark]) -> Mark? {
        guard field == .title, marks.count == 1, !episode.isSeason else { return nil }
        let first = episode.tokens.lowerBound
        let place = isMark(first - 1, "(（") ? first - 2 : first - 1
        guard let number = token(place), let before = token(place - 1) else { return nil }
        let value: Int?
        switch (number.kind, episode.strength) {
        case (.word, .bare):
            let isRoman = language == "cs" || language == "sk"
            value = isRoman && number.isMarked && number.isSpaced ? EpisodeWord.romanNumber(number.text) : nil
        case (.number, .word) where !number.isMarked && !number.isSpaced:
            let isHyphened = isMark(place - 1, "-") && isGlued(place - 1)
            let letter = (isHyphened ? token(place - 2) : before)?.scalar.value ?? 0
            value = (isHyphened ? 0x400...0x52F : 0xAC00...0xD7A3).contains(letter) ? number.value : nil
        default: value = nil
        }
        guard let value, (1...30).contains(value) else { return nil }
        return Mark(isSeason: true, value: value, strength: .bare, tokens: place..<place + 1)
    }

    /// `第三季-6`, `第三季 4`, `第二季(7)`: a number at the end of a title, after a season in characters.
    private func trailingNumber(after marks: [Mark]) -> Mark? {
        guard field == .title, let season = marks.last, season.isSeason, tokens[season.tokens.lowerBound].scalar == "第",
            isEnd
        else { return nil }
        let place = season.tokens.upperBound + (isMark(season.tokens.upperBound, "-") ? 1 : 0)
        guard place == tokens.count - 1, tokens[place].kind == .number, (1..<1000).contains(tokens[place].value) else {
            return nil
        }
        return Mark(isSeason: false, value: tokens[place].value, strength: .bare, tokens: place..<place + 1)
    }
}

/// The class of a character in titles.
private enum ScalarKind: Equatable {
    case space, ignored, letter, ideograph, mark
    case digit(Int)

    init(_ scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0x30...0x39: self = .digit(Int(scalar.value - 0x30))
        case 0x41...0x5A, 0x61...0x7A: self = .letter
        case 0x20, 0x09, 0x0A, 0x0D, 0xA0, 0x2000...0x200A, 0x202F, 0x3000: self = .space
        case 0..<0x80: self = .mark
        // Directional marks, joiners and soft hyphens.
        case 0xAD, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x2069, 0xFEFF: self = .ignored
        case 0x0660...0x0669: self = .digit(Int(scalar.value - 0x0660))
        case 0x06F0...0x06F9: self = .digit(Int(scalar.value - 0x06F0))
        case 0xFF10...0xFF19: self = .digit(Int(scalar.value - 0xFF10))
        case 0xAA, 0xBA, 0xB0: self = .mark
        case 0x3400...0x9FFF, 0x3040...0x30FF, 0x3005: self = .ideograph
        case 0x0E00...0x0E7F: self = .letter
        default:
            let properties = scalar.properties
            switch properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
                .spacingMark:
                self = .letter
            default: self = properties.isWhitespace ? .space : .mark
            }
        }
    }
}
