import EPGModel

/// The words of a search as they stand in texts: to tell whether and where a text has them.
struct SearchTerms {
    private let tokenizer: WordTokenizer
    private let terms: [SearchExpression.Term]

    init(_ expression: SearchExpression, _ tokenizer: WordTokenizer) {
        self.tokenizer = tokenizer
        terms = expression.terms
    }

    /// Where the words stand in a text: UTF-8 bytes, ascending, not touching.
    func ranges(in text: String) throws -> [Range<Int>] {
        let words = try tokenizer.words(of: text)
        let found = terms.flatMap { term in
            Self.places(of: term, in: words).map { start in
                words[start].range.lowerBound..<words[start + term.words.count - 1].range.upperBound
            }
        }
        var ranges: [Range<Int>] = []
        for range in found.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = ranges.last, range.lowerBound <= last.upperBound {
                ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                ranges.append(range)
            }
        }
        return ranges
    }

    /// Whether each of the words stands in some of the texts.
    func stand(in texts: [String]) throws -> Bool {
        let texts = try texts.map { try tokenizer.words(of: $0) }
        return terms.allSatisfy { term in
            texts.contains { words in Self.places(of: term, in: words).first != nil }
        }
    }

    /// The numbers of the words at which a term begins.
    private static func places(of term: SearchExpression.Term, in words: [WordTokenizer.Word]) -> [Int] {
        guard words.count >= term.words.count else { return [] }
        return (0...words.count - term.words.count).filter { start in
            for (offset, wanted) in term.words.enumerated() {
                let word = words[start + offset].folded
                let isLast = offset == term.words.count - 1
                guard isLast && term.isPrefix ? word.starts(with: wanted.folded) : word == wanted.folded else {
                    return false
                }
            }
            return true
        }
    }
}

/// A search expression in the query language of FTS5 (sqlite.org/fts5.html#full_text_query_syntax).
///
/// It is made only of words in quotation marks, AND, stars and names of columns, so it is always valid.
struct MatchExpression {
    /// The expression for all columns.
    let text: String

    /// `nil` where there is nothing to look for.
    init?(_ expression: SearchExpression) {
        guard !expression.terms.isEmpty else { return nil }
        text = expression.terms.map(Self.text).joined(separator: " AND ")
    }

    /// The same in some columns only.
    func text(inColumns columns: String) -> String { "{\(columns)} : (\(text))" }

    private static func text(_ term: SearchExpression.Term) -> String {
        let words = term.words.map { word in
            // FTS5 ends a string at a quotation mark, and the whole expression at U+0000. No word holds them; this makes it so.
            String(decoding: word.folded.filter { $0 != UInt8(ascii: "\"") && $0 != 0 }, as: UTF8.self)
        }
        return "\"\(words.joined(separator: " "))\"" + (term.isPrefix ? " *" : "")
    }
}
