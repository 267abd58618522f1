/// A regular expression that texts are searched for; the empty one is found in every text.
struct GrepPattern {
    private enum Form {
        case everything
        /// Bytes that stand for themselves.
        case literal([UInt8])
        case expression(Regex<AnyRegexOutput>)
    }

    private let form: Form

    /// Reads a pattern in the syntax of Swift's `Regex`, which is close to Perl's.
    ///
    /// Characters are Unicode scalars.
    /// - Throws: What is wrong with the pattern.
    init(_ text: String, ignoresCase: Bool) throws {
        let isPlain = text.unicodeScalars.allSatisfy { !"\\^$.|?*+()[]{}".unicodeScalars.contains($0) }
        if text.isEmpty {
            form = .everything
        } else if isPlain, !ignoresCase {
            form = .literal(Array(text.utf8))
        } else {
            form = .expression(
                try Regex(text).ignoresCase(ignoresCase).matchingSemantics(.unicodeScalar))
        }
    }

    /// Whether the pattern is found in a text.
    ///
    /// - Complexity: O(bytes of the text) for plain patterns; others are the user's own and may take longer.
    func isFound(in text: String) -> Bool {
        switch form {
        case .everything: true
        case .literal(let bytes): GrepPattern.find(bytes, in: text.utf8.span)
        case .expression(let expression): text.firstMatch(of: expression) != nil
        }
    }

    private static func find(_ bytes: [UInt8], in text: Span<UInt8>) -> Bool {
        guard text.count >= bytes.count else { return false }
        for start in 0...text.count - bytes.count {
            var index = 0
            while index < bytes.count, text[start + index] == bytes[index] { index += 1 }
            if index == bytes.count { return true }
        }
        return false
    }
}
