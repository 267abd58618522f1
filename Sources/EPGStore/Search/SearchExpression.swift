/// The FTS5 expression of what a person wrote.
///
/// Words must all occur; `"in quotes"` is a phrase; `word*` is a beginning. Everything else of FTS5's syntax is quoted
/// away, so that no input is a syntax error.
struct SearchExpression {
    /// Words that follow on each other.
    struct Phrase: Hashable {
        /// As it was written, without quotes and star; characters of scripts without blanks stand apart.
        let text: String
        /// Whether the last word is only the beginning of one.
        let isPrefix: Bool
    }

    let phrases: [Phrase]

    init(_ words: String) {
        var phrases: [Phrase] = []
        // FTS5 reads an expression up to U+0000.
        let words = words.replacing("\0", with: " ")
        for (position, piece) in words.split(separator: "\"", omittingEmptySubsequences: false).enumerated() {
            // Every second piece stood between quotes.
            if position % 2 == 1 {
                phrases.append(contentsOf: Self.phrase(piece, isPrefix: false))
            } else {
                for word in piece.split(whereSeparator: \.isWhitespace) {
                    phrases.append(contentsOf: Self.phrase(word, isPrefix: word.hasSuffix("*")))
                }
            }
        }
        self.phrases = phrases
    }

    /// The expression, or `nil` where there is no word in the text.
    var text: String? {
        phrases.isEmpty
            ? nil : phrases.map { "\"\($0.text)\"" + ($0.isPrefix ? " *" : "") }.joined(separator: " AND ")
    }

    /// The expression of the same words in some columns only.
    func text(inColumns columns: String) -> String? {
        text.map { "{\(columns)} : (\($0))" }
    }

    private static func phrase(_ word: Substring, isPrefix: Bool) -> [Phrase] {
        let content = isPrefix ? word.dropLast() : word
        guard content.contains(where: { $0.isLetter || $0.isNumber }) else { return [] }
        let spaced = SearchText.spaced(content).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return [Phrase(text: spaced, isPrefix: isPrefix)]
    }
}
