/// What a search looks for: terms that must all occur in the texts of a programme.
///
/// White space separates terms. `"in quotes"` is a phrase, `word*` matches words that start with `word`. Every other character
/// is either part of a word or separates words, as the index decides; there are no operators. A term without any word is
/// ignored. A missing closing quotation mark is assumed at the end.
///
/// Equal terms count once, and a prefix that another term implies is left out: `new* news` is `news`. At most one term may
/// end in a single-letter prefix, and only with another word in it or beside it.
package struct SearchExpression: Hashable, Sendable {
    /// A word of a term.
    package struct Word: Hashable, Sendable {
        /// The word as it was written. It holds no character that separates words.
        package let text: String
        /// The form in which words are compared, in UTF-8. Not empty.
        package let folded: [UInt8]
        /// Whether no longer word starts with it: a character of a script that is written without spaces is a whole word.
        package let isComplete: Bool

        package init(text: String, folded: [UInt8], isComplete: Bool) {
            self.text = text
            self.folded = folded
            self.isComplete = isComplete
        }

        package static func == (left: Word, right: Word) -> Bool { left.folded == right.folded }

        package func hash(into hasher: inout Hasher) { hasher.combine(folded) }

        fileprivate var isOneLetter: Bool { folded.count { $0 & 0xC0 != 0x80 } == 1 }
    }

    /// A word, or several words in this order without another one between them.
    package struct Term: Hashable, Sendable {
        /// At least one.
        package let words: [Word]
        package let isPrefix: Bool

        /// Whether every text with this term also has `other`, which is a prefix and not equal to this term.
        fileprivate func implies(_ other: Term) -> Bool {
            guard words.count >= other.words.count else { return false }
            return (0...words.count - other.words.count).contains { start in
                other.words.indices.allSatisfy { index in
                    let (word, wanted) = (words[start + index], other.words[index])
                    return index == other.words.count - 1 ? word.folded.starts(with: wanted.folded) : word == wanted
                }
            }
        }

        fileprivate var endsInOneLetterPrefix: Bool { isPrefix && words.last?.isOneLetter ?? false }
    }

    /// Maximum number of terms that differ.
    package static let maximumTermCount = 12
    /// Maximum number of words in all terms.
    package static let maximumWordCount = 64
    /// Maximum length of the text, in bytes of UTF-8.
    package static let maximumByteCount = 2048

    /// The terms in the order in which they were written; none where the text has no word.
    package let terms: [Term]

    /// Parses a text.
    ///
    /// - Parameter words: Splits a part of the text into words, as the index splits texts.
    /// - Throws: ``SearchExpressionError``, and what `words` throws.
    /// - Complexity: O(t²) for t terms.
    package init(_ text: String, words: (String) throws -> [Word]) throws {
        guard text.utf8.count <= Self.maximumByteCount else {
            throw SearchExpressionError.tooLong(limit: Self.maximumByteCount)
        }
        var distinct: [Term] = []
        for part in Self.parts(of: text) {
            let words = try words(part.text)
            guard let last = words.last else { continue }
            let term = Term(words: words, isPrefix: part.isPrefix && !last.isComplete)
            if !distinct.contains(term) { distinct.append(term) }
        }
        terms = distinct.filter { term in
            !term.isPrefix || !distinct.contains { $0 != term && $0.implies(term) }
        }
        guard terms.count <= Self.maximumTermCount else {
            throw SearchExpressionError.tooManyTerms(limit: Self.maximumTermCount)
        }
        guard terms.reduce(0, { $0 + $1.words.count }) <= Self.maximumWordCount else {
            throw SearchExpressionError.tooManyWords(limit: Self.maximumWordCount)
        }
        // FTS5 reads every word that begins with the letter, whatever the other words are.
        let short = terms.filter(\.endsInOneLetterPrefix)
        if let letter = short.last?.words.last, short.count > 1 || terms.count == 1 && terms[0].words.count == 1 {
            throw SearchExpressionError.prefixTooShort(letter.text)
        }
    }

    /// Splits a text into its terms: at quotation marks, and outside of them at white space; a star at the end is taken off.
    ///
    /// The text is read by Unicode scalars: a quotation mark with a combining mark after it is a single `Character`.
    private static func parts(of text: String) -> [(text: String, isPrefix: Bool)] {
        var parts: [(text: String, isPrefix: Bool)] = []
        var part = String.UnicodeScalarView()
        var isQuoted = false
        func end() {
            let isPrefix = !isQuoted && part.last == "*"
            if isPrefix { part.removeLast() }
            if !part.isEmpty { parts.append((String(part), isPrefix)) }
            part = String.UnicodeScalarView()
        }
        for scalar in text.unicodeScalars {
            if scalar == "\"" {
                end()
                isQuoted.toggle()
            } else if !isQuoted, scalar.properties.isWhitespace || scalar == "\0" {
                end()
            } else {
                part.append(scalar)
            }
        }
        end()
        return parts
    }
}

/// Why a text can't be searched for.
public enum SearchExpressionError: Error, Hashable, Sendable {
    case tooManyTerms(limit: Int)
    case tooManyWords(limit: Int)
    case tooLong(limit: Int)
    /// It has several single-letter prefixes, or one and no other word.
    case prefixTooShort(String)
}

extension SearchExpressionError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .tooManyTerms(let limit): "A search has at most \(limit) different words or phrases. Leave some out."
        case .tooManyWords(let limit): "The phrases of a search have at most \(limit) words. Shorten them."
        case .tooLong(let limit): "A search has at most \(limit) bytes. Shorten it."
        case .prefixTooShort(let letter):
            "“\(letter)*” matches too many words. Give at least two letters before the star. A search can have one "
                + "single-letter prefix, together with another word."
        }
    }
}

/// The guide has no search index, or an index that belongs to another guide. The next import or refresh builds it.
public struct SearchIndexMissing: Error, Hashable, Sendable, CustomStringConvertible {
    package init() {}

    public var description: String { "The search index is missing." }
}
