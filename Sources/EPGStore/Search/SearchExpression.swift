/// The FTS5 expression of what a person wrote.
///
/// Words must all occur; `"in quotes"` is a phrase; `word*` is a beginning. Everything else of FTS5's syntax is quoted
/// away, so that no input is a syntax error.
struct SearchExpression {
    /// The expression, or `nil` where there is no word in the text.
    let text: String?

    init(_ words: String) {
        var terms: [String] = []
        // FTS5 reads an expression up to U+0000.
        let words = words.replacing("\0", with: " ")
        for (position, piece) in words.split(separator: "\"", omittingEmptySubsequences: false).enumerated() {
            // Every second piece stood between quotes.
            if position % 2 == 1 {
                terms.append(contentsOf: Self.term(piece, isPrefix: false))
            } else {
                for word in piece.split(whereSeparator: \.isWhitespace) {
                    terms.append(contentsOf: Self.term(word, isPrefix: word.hasSuffix("*")))
                }
            }
        }
        text = terms.isEmpty ? nil : terms.joined(separator: " AND ")
    }

    private static func term(_ word: Substring, isPrefix: Bool) -> [String] {
        let content = isPrefix ? word.dropLast() : word
        guard content.contains(where: { $0.isLetter || $0.isNumber }) else { return [] }
        let spaced = SearchText.spaced(content).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return ["\"\(spaced)\"" + (isPrefix ? " *" : "")]
    }
}
