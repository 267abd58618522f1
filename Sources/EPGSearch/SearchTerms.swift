package import EPGModel
package import GRDB
import GRDBSQLite

/// The terms of a search, for queries of the index and for matching and highlighting texts.
package struct SearchTerms {
    private let tokenizer: WordTokenizer
    private let terms: [SearchExpression.Term]

    /// - Throws: ``SearchExpressionError``.
    package init(_ query: SearchQuery, _ tokenizer: WordTokenizer) throws {
        try self.init(query.words, lastWord: query.lastWord, tokenizer)
    }

    /// - Throws: ``SearchExpressionError``.
    package init(_ words: String, lastWord: SearchQuery.LastWord = .whole, _ tokenizer: WordTokenizer) throws {
        self.tokenizer = tokenizer
        terms = try SearchExpression(words, lastWord: lastWord, words: tokenizer.searchWords).terms
    }

    package var isEmpty: Bool { terms.isEmpty }

    /// Returns an FTS5 query for the programmes of a rank (sqlite.org/fts5.html#full_text_query_syntax).
    ///
    /// It consists of quoted words, AND, stars and column names only, so it is always valid.
    func matchExpression(rank: Int) -> String {
        let text = terms.map { term -> String in
            let words = term.words.map { word in
                // Words contain neither quotation marks nor U+0000; the filter guarantees it.
                String(decoding: word.folded.filter { $0 != UInt8(ascii: "\"") && $0 != 0 }, as: UTF8.self)
            }
            return "\"\(words.joined(separator: " "))\"" + (term.isPrefix ? " *" : "")
        }.joined(separator: " AND ")
        return switch rank {
        case 1: "title : (\(text))"
        case 2: "{title subtitle} : (\(text))"
        default: text
        }
    }

    /// Returns the programmes of a guide above a number that match, as far as an index has them.
    ///
    /// - Parameter index: The index; `nil` if there is none.
    /// - Throws: ``SearchIndexMissing`` without an index of the guide.
    package func programmes(above number: Int64, of state: GuideState, in index: Database?) throws -> ProgrammeMatches {
        var last = state.nextProgramme - 1
        var matches = ProgrammeMatches(numbers: [], examined: last, isComplete: true)
        guard !isEmpty, last > 0 else { return matches }
        guard let index else { throw SearchIndexMissing() }
        let mark = try SearchIndex.mark(index)
        guard mark.isFilled(for: state) else { throw SearchIndexMissing() }
        last = min(mark.programme, last)
        if number < last {
            let statement = try index.cachedStatement(
                sql: "SELECT rowid FROM text WHERE text MATCH ? AND rowid > ? AND rowid <= ? ORDER BY rowid")
            let programmes = try Int64.fetchCursor(statement, arguments: [matchExpression(rank: 3), number, last])
            while let programme = try programmes.next() { matches.numbers.append(programme) }
        }
        (matches.examined, matches.isComplete) = (last, mark.covers(state))
        return matches
    }

    /// Returns the corrections of a search; see ``GuideReading/corrections(of:)``.
    ///
    /// The first letter of a word must be right. Words that occur more often come first.
    package static func corrections(
        of query: SearchQuery, _ tokenizer: WordTokenizer, in index: Database
    ) throws -> [String] {
        let text = query.words
        let words = try tokenizer.words(of: text)
        var corrections: [(text: String, mistakes: Int)] = [("", 0)]
        var end = 0
        for (place, word) in words.enumerated() {
            let between = text.utf8.dropFirst(end).prefix(word.range.lowerBound - end)
            let rest = text.utf8.dropFirst(word.range.lowerBound)
            let written = String(Substring(rest.prefix(word.range.count)))
            end = word.range.upperBound
            let isLast = place == words.count - 1 && query.lastWord == .prefix
            let isPrefix = isLast || rest.dropFirst(word.range.count).first == UInt8(ascii: "*")
            let folded = String(decoding: word.folded, as: UTF8.self)
            var choices = [(word: written, mistakes: 0)]
            if try !isKnown(folded, isPrefix: isPrefix, in: index) {
                choices = try nearest(to: folded, in: index)
                // Without a similar word, nothing is found. With many unknown words, the text is in another language.
                if choices.isEmpty || corrections.count > 16 { return [] }
            }
            corrections = corrections.flatMap { correction in
                choices.map { choice in
                    (
                        correction.text + String(Substring(between)) + choice.word,
                        correction.mistakes + choice.mistakes
                    )
                }
            }
        }
        // Words with more mistakes than necessary are not what somebody meant.
        guard let least = corrections.map(\.mistakes).min(), least > 0 else { return [] }
        let tail = String(Substring(text.utf8.dropFirst(end)))
        return corrections.filter { $0.mistakes == least }.map { $0.text + tail }
    }

    /// Returns whether any text has a word, or a word that begins with it. A single character counts as known: nothing is similar to it.
    private static func isKnown(_ word: String, isPrefix: Bool, in index: Database) throws -> Bool {
        // Words of the tokenizer contain no quotation marks.
        try word.unicodeScalars.count < 2
            || Row.fetchOne(
                index, sql: "SELECT 1 FROM text WHERE text MATCH ? LIMIT 1",
                arguments: ["\"\(word)\"" + (isPrefix ? " *" : "")])
                != nil
    }

    /// Returns at most four words of titles that are similar to a word, with the number of differences.
    private static func nearest(to word: String, in index: Database) throws -> [(word: String, mistakes: Int)] {
        let names = NearestNames(toWord: word)
        // Most mistakes are not in the first two letters, and few words begin with the same two.
        for length in [2, 1] {
            var found: [(word: String, mistakes: Int, count: Int)] = []
            try SearchIndex.visitWords(
                beginningWith: String(String.UnicodeScalarView(word.unicodeScalars.prefix(length))), in: index
            ) { other, count in
                if let mistakes = names.mistakes(in: other) { found.append((other, mistakes, count)) }
            }
            let best = found.sorted { ($0.mistakes, $1.count, $0.word) < ($1.mistakes, $0.count, $1.word) }.prefix(4)
            if !best.isEmpty { return best.map { ($0.word, $0.mistakes) } }
        }
        return []
    }

    package func highlights(in airing: Airing) throws -> [SearchMatch.Field: [Range<Int>]] {
        let texts: [SearchMatch.Field: String?] = [
            .title: airing.title, .subtitle: airing.subtitle, .description: airing.description,
        ]
        return try texts.mapValues { try ranges(in: $0 ?? "") }.filter { !$0.value.isEmpty }
    }

    /// Returns the ranges of the terms in a text in UTF-8 bytes, ascending and not touching.
    private func ranges(in text: String) throws -> [Range<Int>] {
        let words = try tokenizer.words(of: text)
        let found = terms.flatMap { term in
            Self.places(of: term, in: words).map { start in
                words[start].range.lowerBound..<words[start + term.words.count - 1].range.upperBound
            }
        }
        return Array(RangeSet(found).ranges)
    }

    /// Returns whether each term occurs in at least one of the texts.
    func match(_ texts: [String]) throws -> Bool {
        let texts = try texts.map { try tokenizer.words(of: $0) }
        return terms.allSatisfy { term in texts.contains { !Self.places(of: term, in: $0).isEmpty } }
    }

    /// Returns the indexes of the words at which a term begins.
    private static func places(of term: SearchExpression.Term, in words: [WordTokenizer.Word]) -> [Int] {
        guard words.count >= term.words.count else { return [] }
        let last = term.words.count - 1
        return (0...words.count - term.words.count).filter { start in
            term.words.indices.allSatisfy { index in
                let (word, wanted) = (words[start + index].folded, term.words[index].folded)
                return index == last && term.isPrefix ? word.starts(with: wanted) : word == wanted
            }
        }
    }
}

/// The words of a filter of stations, which must all occur in the texts of a station.
package struct StationText {
    private let words: [(written: [UInt8], folded: [UInt8])]
    private let tokenizer: WordTokenizer

    /// - Parameter text: Words separated by white space; `nil` for none.
    package init(_ text: String?, _ tokenizer: WordTokenizer) throws {
        self.tokenizer = tokenizer
        // Symbols such as `+` have no folded words, so compare them bytewise.
        words = try (text ?? "").split(whereSeparator: \.isWhitespace).map { word in
            (written: Array(word.utf8), folded: try tokenizer.folded(String(word)))
        }
    }

    /// Whether every station matches.
    package var isEmpty: Bool { words.isEmpty }

    package func matches(_ texts: [String]) throws -> Bool {
        let folded = try texts.map { try tokenizer.folded($0) }
        return words.allSatisfy { word in
            word.folded.isEmpty
                ? texts.contains { Array($0.utf8).contains(word.written) }
                : folded.contains { $0.contains(word.folded) }
        }
    }
}

/// A tokenizer that splits and folds texts like the search index. It is valid while its connection is open.
package struct WordTokenizer {
    struct Word: Hashable {
        /// The word in UTF-8 after folding case and removing accents of Latin letters.
        var folded: [UInt8]
        /// The range in the text in UTF-8 bytes.
        var range: Range<Int>
    }

    private let tokenizer: any FTS5Tokenizer

    package init(_ database: Database) throws {
        tokenizer = try database.makeTokenizer(.unicode61(diacritics: .remove, categories: SearchText.categories))
    }

    /// Returns the words of a text in order. In scripts without spaces, each character is a word (see ``SearchText``).
    func words(of text: String) throws -> [Word] {
        var text = text
        guard text.withUTF8({ SearchText.mayNeedPreparation(UnsafeRawBufferPointer($0)) }) else {
            return try parts(of: text)
        }
        var origins: [Int] = []
        return try parts(of: SearchText.prepared(text) { origins += $0 }).map { word in
            // Use the last byte for the end, because inserted blanks do not belong to words.
            Word(folded: word.folded, range: origins[word.range.lowerBound]..<origins[word.range.upperBound - 1] + 1)
        }
    }

    fileprivate func searchWords(of text: String) throws -> [SearchExpression.Word] {
        let bytes = text.utf8
        return try words(of: text).map { word in
            let start = bytes.index(bytes.startIndex, offsetBy: word.range.lowerBound)
            let written = text[start..<bytes.index(start, offsetBy: word.range.count)]
            return SearchExpression.Word(
                text: String(written), folded: word.folded,
                isComplete: written.unicodeScalars.first.map(SearchText.isUnspaced) ?? false)
        }
    }

    /// Returns the folded words of a text separated by blanks, without punctuation.
    func folded(_ text: String) throws -> [UInt8] {
        Array(try parts(of: text).map(\.folded).joined(separator: [UInt8(ascii: " ")]))
    }

    private func parts(of text: String) throws -> [Word] {
        var text = text
        var words: [Word] = []
        let code = withUnsafeMutablePointer(to: &words) { words in
            text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) { bytes in
                    guard let base = bytes.baseAddress else { return SQLITE_OK }
                    return tokenizer.tokenize(
                        context: UnsafeMutableRawPointer(words), tokenization: .document, pText: base,
                        nText: CInt(clamping: bytes.count)
                    ) { context, _, token, count, start, end in
                        guard let context, let token, start < end else { return SQLITE_OK }
                        let folded = UnsafeRawBufferPointer(start: token, count: Int(count))
                        context.assumingMemoryBound(to: [Word].self).pointee
                            .append(Word(folded: Array(folded), range: Int(start)..<Int(end)))
                        return SQLITE_OK
                    }
                }
            }
        }
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
        return words
    }
}

/// Preparation of texts for SQLite's tokenizer, which splits at everything except letters, digits and marks.
///
/// * Without preparation, 晚间新闻联播 would be one word that does not match 新闻. In scripts without spaces, each character
///   becomes a word, and adjacent characters become a phrase: 新 闻.
/// * Vowel points of Arabic and Hebrew are rarely written: مُسَلْسَل and مسلسل are the same word. They are removed, and so are
///   diacritics (as on precomposed letters) and variation selectors, which only choose a glyph.
/// * In Indic scripts, vowel signs are marks and stay: के and का are different words.
enum SearchText {
    /// The general categories of the characters of words: letters, numbers, marks, and characters for private use, which
    /// are among SQLite's defaults.
    static let categories = "L* N* Co Mn Mc"

    private enum Kind { case spaced, unspaced, ignored }

    /// Returns whether UTF-8 may contain characters that need preparation: a fast check with false positives.
    static func mayNeedPreparation(_ bytes: UnsafeRawBufferPointer) -> Bool {
        // Most texts are ASCII; check eight bytes at a time.
        var offset = 0
        while offset + 8 <= bytes.count,
            bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
        {
            offset += 8
        }
        // Leading bytes of U+0300–U+037F, U+0580–U+1FFF, and U+3000 and above; E2 begins common dashes and quotes.
        return bytes[offset...].contains { $0 >= 0xD6 && $0 != 0xE2 || $0 & 0xFE == 0xCC }
    }

    /// Returns the text with blanks around each character of a script without spaces, and without ignored characters.
    ///
    /// - Parameter note: Receives, for consecutive bytes of the result, the range of the text that they come from.
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
            if kind != .ignored {
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
            0x0640,  // The Arabic tatweel, which only stretches a word
            0xFE00...0xFE0F, 0xE0100...0xE01EF:  // Variation selectors
            .ignored
        default: .spaced
        }
    }

    /// Returns whether a letter belongs to a script without spaces or, like Korean, with endings attached to words.
    fileprivate static func isUnspaced(_ scalar: Unicode.Scalar) -> Bool {
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
