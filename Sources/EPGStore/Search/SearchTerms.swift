import EPGModel

/// The words of a search: to find the texts that have them, and to tell whether and where a text does.
struct SearchTerms {
    private let tokenizer: WordTokenizer
    private let terms: [SearchExpression.Term]

    init(_ expression: SearchExpression, _ tokenizer: WordTokenizer) {
        self.tokenizer = tokenizer
        terms = expression.terms
    }

    /// Whether there is nothing to look for.
    var isEmpty: Bool { terms.isEmpty }

    /// The words in the query language of FTS5 (sqlite.org/fts5.html#full_text_query_syntax), to find the programmes of a rank:
    /// only words in quotation marks, AND, stars and names of columns, which are always valid.
    func matchExpression(rank: Int) -> String {
        let text = terms.map { term in
            let words = term.words.map { word in
                // No word holds a quotation mark, which ends a string of FTS5, or U+0000, which ends all; this makes it so.
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

    /// Where the words stand in the texts of an airing.
    func highlights(in airing: Airing) throws -> [Highlight] {
        let texts: [(Highlight.Field, String?)] = [
            (.title, airing.title), (.subtitle, airing.subtitle), (.description, airing.description),
        ]
        return try texts.map { Highlight(field: $0, ranges: try ranges(in: $1 ?? "")) }.filter { !$0.ranges.isEmpty }
    }

    /// Where the words stand in a text: UTF-8 bytes, ascending, not touching.
    private func ranges(in text: String) throws -> [Range<Int>] {
        let words = try tokenizer.words(of: text)
        let found = terms.flatMap { term in
            Self.places(of: term, in: words).map { start in
                words[start].range.lowerBound..<words[start + term.words.count - 1].range.upperBound
            }
        }
        return Array(RangeSet(found).ranges)
    }

    /// Whether each of the words stands in some of the texts.
    func stand(in texts: [String]) throws -> Bool {
        let texts = try texts.map { try tokenizer.words(of: $0) }
        return terms.allSatisfy { term in texts.contains { !Self.places(of: term, in: $0).isEmpty } }
    }

    /// The numbers of the words at which a term begins.
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
