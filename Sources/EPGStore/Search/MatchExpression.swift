import EPGModel

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
