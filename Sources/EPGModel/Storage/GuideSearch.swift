/// A full-text search with paged results. Airings that stop after ``now`` precede past ones.
public struct SearchQuery: Hashable, Sendable {
    /// The order of the matches.
    public enum Order: Hashable, Sendable {
        /// By start; past airings in descending order.
        case start
        /// Matches of all terms in the title, then in title and subtitle together, then others; each sorted by ``start``.
        case relevance
        /// Only some matches, in no particular order: those in titles if there are any. The search does not look at the others.
        case any
    }

    /// How the last word of a search matches.
    public enum LastWord: String, Hashable, Sendable, CaseIterable {
        /// Only as a whole, like the other words.
        case whole
        /// Also as the beginning of a longer word, because the user may still be typing it; see ``SearchExpression``.
        case prefix
    }

    /// The terms, which must all occur in title, subtitle or description, ignoring case and accents of Latin letters; see
    /// ``SearchExpression``.
    public var words: String
    public var lastWord: LastWord
    /// The current time, which separates current and upcoming airings from past ones.
    public var now: Instant
    public var order: Order
    /// The number of matches to skip; negative values count as 0.
    public var offset: Int
    /// The maximum number of matches, at least 1.
    public var limit: Int

    /// Creates a query. Its terms are parsed when the search runs.
    ///
    /// - Parameters:
    ///   - words: The terms. Without any word, nothing matches.
    ///   - lastWord: How the last word matches; as a whole by default.
    ///   - now: The current time.
    ///   - order: The order of the matches; by relevance by default.
    ///   - offset: The number of matches to skip; 0 by default. A negative number counts as 0.
    ///   - limit: The maximum number of matches; 50 by default. A number below 1 counts as 1.
    public init(
        words: String, lastWord: LastWord = .whole, now: Instant, order: Order = .relevance, offset: Int = 0,
        limit: Int = 50
    ) {
        self.words = words
        self.lastWord = lastWord
        self.now = now
        self.order = order
        self.offset = offset
        self.limit = limit
    }
}

/// A page of the matches of a search.
public struct SearchResults: Hashable, Sendable {
    /// The number of matches on all pages, or a lower bound.
    public var total: Int
    /// Whether ``total`` is exact.
    ///
    /// It is a lower bound while the search index is outdated, and for 10,000 or more matches by relevance. In the latter case
    /// the pages contain the next airings in order, but not all past and distant ones.
    public var isTotalExact: Bool
    public var matches: [SearchMatch]

    /// Creates a page of results; by default, one without matches.
    ///
    /// - Parameters:
    ///   - total: The number of matches on all pages; 0 by default.
    ///   - isTotalExact: Whether `total` is exact (the default) rather than a lower bound.
    ///   - matches: The matches on this page; none by default.
    public init(total: Int = 0, isTotalExact: Bool = true, matches: [SearchMatch] = []) {
        self.total = total
        self.isTotalExact = isTotalExact
        self.matches = matches
    }
}

extension GuideReading {
    /// Returns at most three searches that find something, nearest first, for a search that finds nothing: a title, or words of titles
    /// that several titles have.
    ///
    /// - Throws: ``SearchExpressionError``, ``SearchIndexMissing``.
    public func suggestions(for query: SearchQuery) throws -> [String] {
        var suggestions: [String] = []
        for words in try corrections(of: query) where suggestions.count < 3 {
            let corrected = SearchQuery(words: words, lastWord: query.lastWord, now: query.now, order: .any, limit: 20)
            let suggestion = try search(corrected).suggestion(for: words)
            if let suggestion, !suggestions.contains(suggestion) { suggestions.append(suggestion) }
        }
        return suggestions
    }
}

extension SearchResults {
    /// Returns the title if all matches have the same one, else the words of the search as the first title has them; `nil` without
    /// matches.
    fileprivate func suggestion(for words: String) -> String? {
        guard let first = matches.first else { return nil }
        let title = first.airing.title
        let ranges = first.highlights?[.title] ?? []
        let marked = ranges.map { String(Substring(title.utf8.dropFirst($0.lowerBound).prefix($0.count))) }
            .joined(separator: " ")
        // Otherwise, some of the words are in other texts.
        guard marked.split(separator: " ").count == words.split(separator: " ").count else { return words }
        // A long title is no search.
        let isSearch = title.utf8.count <= 200 && title.split(separator: " ").count <= SearchExpression.maximumTermCount
        let isOneTitle = isTotalExact && matches.allSatisfy { $0.airing.title == title }
        return isOneTitle && isSearch ? title : marked
    }
}

/// A condition of watch rules that depends on the programme only.
public enum ProgrammeCondition: Hashable, Sendable {
    /// The first title of the feed, ignoring case and blanks around it.
    case title(String)
    /// Words that must all occur in title, subtitle or description, as in ``SearchQuery/words``.
    case words(String)
    /// A regular expression that is found in title, subtitle or description.
    case pattern(TextPattern)
    /// The first category of the feed, ignoring case and blanks around it.
    case category(String)
    /// The feed marks the episode as new or as a premiere.
    case new
}

/// The conditions of a watch rule that depend on the programme only.
struct ProgrammeConditions {
    /// Must all be met.
    let required: [ProgrammeCondition]
    /// At least one must be met unless there are none.
    let alternatives: [ProgrammeCondition]
    /// None may be met.
    let excluded: [ProgrammeCondition]

    var all: [ProgrammeCondition] { required + alternatives + excluded }
}

/// The programmes above a number that meet a condition.
public struct ProgrammeMatches: Hashable, Sendable {
    /// The numbers of the programmes in ascending order. The guide may have no airings of some of them.
    public var numbers: [Int64]
    /// The number up to which all programmes were examined.
    public var examined: Int64
    /// Whether these are all programmes of the guide, rather than only those that an outdated search index has.
    public var isComplete: Bool

    /// Creates a result.
    public init(numbers: [Int64], examined: Int64, isComplete: Bool) {
        self.numbers = numbers
        self.examined = examined
        self.isComplete = isComplete
    }
}

/// A scan of programmes for conditions that need no search index.
package struct ProgrammeScan {
    private let conditions: [ProgrammeCondition]
    private var byTitle: [String: [Int]] = [:]
    private var byCategory: [String: [Int]] = [:]
    private var indexesOfNew: [Int] = []
    private var patterns: [(index: Int, search: TextPatternSearch)] = []
    private let maximumStepCount: Int
    // Titles and categories repeat.
    private var byFeedTitle: [String: [Int]] = [:]
    private var byFeedCategory: [String: [Int]] = [:]
    private var numbers: [[Int64]]

    /// Creates a scan for all conditions except ``ProgrammeCondition/words(_:)``.
    ///
    /// - Parameter maximumStepCount: The number of steps after which the scan gives up a pattern. The default takes two seconds.
    ///   In 15 million characters, which 50,000 programmes have, `(news|sport)$` takes 60 million.
    package init(_ conditions: [ProgrammeCondition], maximumStepCount: Int = 250_000_000) {
        self.conditions = conditions
        self.maximumStepCount = maximumStepCount
        numbers = Array(repeating: [], count: conditions.count)
        for (index, condition) in conditions.enumerated() {
            switch condition {
            case .title(let title): byTitle[title.foldedForComparison, default: []].append(index)
            case .category(let category): byCategory[category.foldedForComparison, default: []].append(index)
            case .new: indexesOfNew.append(index)
            case .pattern(let pattern): patterns.append((index, TextPatternSearch(pattern)))
            case .words: break
            }
        }
    }

    /// Whether there is any condition to scan for.
    package var isNecessary: Bool {
        !byTitle.isEmpty || !byCategory.isEmpty || !indexesOfNew.isEmpty || needsTexts
    }

    /// Whether the scan needs subtitles and descriptions.
    package var needsTexts: Bool { !patterns.isEmpty }

    /// Whether there is any condition with words.
    package var hasWords: Bool {
        conditions.contains { if case .words = $0 { true } else { false } }
    }

    /// Examines a programme. Their numbers ascend.
    ///
    /// - Parameter texts: Returns subtitle and description; called only if ``needsTexts``.
    package mutating func visit(
        _ number: Int64, title: String, category: String?, isNew: Bool, texts: () -> [String?]
    ) {
        func add(_ indexes: [Int]) { for index in indexes { numbers[index].append(number) } }
        if !byTitle.isEmpty {
            let known = byFeedTitle[title]
            let indexes = known ?? byTitle[title.foldedForComparison] ?? []
            if known == nil { byFeedTitle[title] = indexes }
            add(indexes)
        }
        if !byCategory.isEmpty, let category {
            let known = byFeedCategory[category]
            let indexes = known ?? byCategory[category.foldedForComparison] ?? []
            if known == nil { byFeedCategory[category] = indexes }
            add(indexes)
        }
        if isNew { add(indexesOfNew) }
        guard needsTexts else { return }
        let folded = ([title] + texts()).compactMap { $0.map { FoldedText($0) } }
        for place in patterns.indices where patterns[place].search.stepCount <= maximumStepCount {
            if folded.contains(where: { patterns[place].search.finds(in: $0) }) { add([patterns[place].index]) }
        }
    }

    /// Returns the result of each condition after all programmes of the guide were examined.
    ///
    /// - Parameters:
    ///   - last: The number of the last programme of the guide.
    ///   - words: Returns the result of a search for words.
    package func results(
        upTo last: Int64, words: (String) throws -> ProgrammeMatches
    ) throws -> [Result<ProgrammeMatches, any Error>] {
        let expensive = Set(patterns.lazy.filter { $0.search.stepCount > maximumStepCount }.map(\.index))
        return try zip(conditions, numbers).enumerated().map { index, pair in
            let (condition, numbers) = pair
            guard !expensive.contains(index) else { return .failure(TextPatternError(.tooExpensive)) }
            guard case .words(let text) = condition else {
                return .success(ProgrammeMatches(numbers: numbers, examined: last, isComplete: true))
            }
            do {
                return .success(try words(text))
            } catch let error as SearchExpressionError {
                return .failure(error)
            } catch let error as SearchIndexMissing {
                return .failure(error)
            }
        }
    }
}

/// An airing in the results of a search.
public struct SearchMatch: Hashable, Sendable {
    /// A searched text of an airing.
    public enum Field: String, Hashable, Sendable, CaseIterable {
        case title, subtitle, description
    }

    public var airing: Airing
    /// See ``Station/name``.
    public var stationName: String
    /// The 0-based row of the station.
    public var row: Int
    /// The ranges of the terms in each matching field; `nil` if the order is ``SearchQuery/Order/start``.
    ///
    /// Ranges are in UTF-8 bytes, ascending, do not overlap or touch, and have Unicode scalar boundaries.
    public var highlights: [Field: [Range<Int>]]?

    /// Creates a match.
    ///
    /// - Parameters:
    ///   - airing: The airing.
    ///   - stationName: The name of its station.
    ///   - row: The 0-based row of its station.
    ///   - highlights: The ranges of the terms in UTF-8 bytes; `nil` (the default) if they were not computed.
    public init(airing: Airing, stationName: String, row: Int, highlights: [Field: [Range<Int>]]? = nil) {
        self.airing = airing
        self.stationName = stationName
        self.row = row
        self.highlights = highlights
    }
}

/// A parsed search: terms that must all occur in the texts of a programme.
///
/// White space separates terms. `"in quotes"` is a phrase, and `word*` matches words that start with `word`. The index decides
/// whether any other character is part of a word or separates words; there are no operators. Terms without words are ignored,
/// and a missing closing quotation mark is implied.
///
/// Duplicate terms and prefixes that another term implies are removed: `new* news` is `news`. At most one term may end in a
/// single-letter prefix, and only together with another word.
///
/// With ``SearchQuery/LastWord/prefix``, the last term ends in a star, as if it were entered, unless it is in quotation marks or
/// the star would make the search invalid.
package struct SearchExpression: Hashable, Sendable {
    /// A word of a term.
    package struct Word: Hashable, Sendable {
        /// The word as entered, without separators.
        package let text: String
        /// The nonempty folded form for comparisons in UTF-8.
        package let folded: [UInt8]
        /// Whether no longer word can start with it: in scripts without spaces, each character is a word.
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

    /// A word, or several consecutive words.
    package struct Term: Hashable, Sendable {
        /// At least one word.
        package let words: [Word]
        package let isPrefix: Bool

        fileprivate init(words: [Word], endsInStar: Bool) {
            self.words = words
            isPrefix = endsInStar && words.last?.isComplete == false
        }

        /// Returns whether every text with this term also matches `other`, which is a different prefix term.
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

    /// Maximum number of different terms.
    package static let maximumTermCount = 12
    /// Maximum number of words in all terms.
    package static let maximumWordCount = 64
    /// Maximum length of the text in UTF-8 bytes.
    package static let maximumByteCount = 2048

    /// The terms in the order of the text; empty if the text has no words.
    package let terms: [Term]

    /// Parses a text.
    ///
    /// - Parameters:
    ///   - lastWord: How the last word matches; as a whole by default.
    ///   - words: Splits a part of the text into words as the index does.
    /// - Throws: ``SearchExpressionError``, and errors of `words`.
    /// - Complexity: O(t²) for t terms.
    package init(
        _ text: String, lastWord: SearchQuery.LastWord = .whole, words: (String) throws -> [Word]
    ) throws {
        guard text.utf8.count <= Self.maximumByteCount else {
            throw SearchExpressionError.tooLong(limit: Self.maximumByteCount)
        }
        let parts = try Self.parts(of: text).map { part in (words: try words(part.text), part: part) }
            .filter { !$0.words.isEmpty }
        let entered = parts.map { Term(words: $0.words, endsInStar: $0.part.isPrefix) }
        var terms = Self.distinct(entered)
        if lastWord == .prefix, let last = parts.last, !last.part.isQuoted {
            let completed = Self.distinct(entered.dropLast() + [Term(words: last.words, endsInStar: true)])
            if Self.excessPrefix(in: completed) == nil { terms = completed }
        }
        self.terms = terms
        guard terms.count <= Self.maximumTermCount else {
            throw SearchExpressionError.tooManyTerms(limit: Self.maximumTermCount)
        }
        guard terms.reduce(0, { $0 + $1.words.count }) <= Self.maximumWordCount else {
            throw SearchExpressionError.tooManyWords(limit: Self.maximumWordCount)
        }
        if let letter = Self.excessPrefix(in: terms) { throw SearchExpressionError.prefixTooShort(letter.text) }
    }

    /// Returns terms without duplicates and without prefixes that another term implies.
    private static func distinct(_ terms: [Term]) -> [Term] {
        var distinct: [Term] = []
        for term in terms where !distinct.contains(term) { distinct.append(term) }
        return distinct.filter { term in
            !term.isPrefix || !distinct.contains { $0 != term && $0.implies(term) }
        }
    }

    /// Returns the single-letter prefix that makes a search invalid: FTS5 reads all words that begin with the letter, regardless
    /// of the other words.
    private static func excessPrefix(in terms: [Term]) -> Word? {
        let short = terms.filter(\.endsInOneLetterPrefix)
        return short.count > 1 || terms.count == 1 && terms[0].words.count == 1 ? short.last?.words.last : nil
    }

    /// A part of a text between separators.
    private struct Part {
        let text: String
        let isPrefix: Bool
        let isQuoted: Bool
    }

    /// Splits a text into terms at quotation marks and at white space outside of them, and removes trailing stars.
    ///
    /// It iterates over Unicode scalars, because a quotation mark with a combining mark is a single `Character`.
    private static func parts(of text: String) -> [Part] {
        var parts: [Part] = []
        var part = String.UnicodeScalarView()
        var isQuoted = false
        func end() {
            let isPrefix = !isQuoted && part.last == "*"
            if isPrefix { part.removeLast() }
            if !part.isEmpty { parts.append(Part(text: String(part), isPrefix: isPrefix, isQuoted: isQuoted)) }
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

/// An invalid search.
public enum SearchExpressionError: Error, Hashable, Sendable {
    case tooManyTerms(limit: Int)
    case tooManyWords(limit: Int)
    case tooLong(limit: Int)
    /// The search has several single-letter prefixes, or one without another word.
    case prefixTooShort(String)
}

extension SearchExpressionError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .tooManyTerms(let limit): "A search may have at most \(limit) different words or phrases. Remove some."
        case .tooManyWords(let limit): "The phrases of a search may have at most \(limit) words. Shorten them."
        case .tooLong(let limit): "A search may have at most \(limit) bytes. Shorten it."
        case .prefixTooShort(let letter):
            "“\(letter)*” matches too many words. Enter at least two letters before the star. A search may have one "
                + "single-letter prefix together with another word."
        }
    }
}

/// The guide has no search index, or the index belongs to another guide. The next import or refresh builds the index.
public struct SearchIndexMissing: Error, Hashable, Sendable, CustomStringConvertible {
    package init() {}

    public var description: String { "The search index is missing." }
}
