import EPGModel

/// Parses the input as a search, split into words of letters and digits.
///
/// An accepted search is within the limits, and its canonical text parses as the same search: each character of the
/// input is a quotation mark, an asterisk, white space or a part of a word.
func fuzzSearch(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let expression = parsed(text) else { return }
    precondition(expression.terms.count <= SearchExpression.maximumTermCount, "\(expression.terms.count) terms")
    let words = expression.terms.flatMap(\.words)
    precondition(words.count <= SearchExpression.maximumWordCount, "\(words.count) words")
    precondition(words.allSatisfy { !$0.folded.isEmpty } && expression.terms.allSatisfy { !$0.words.isEmpty })
    precondition(Set(expression.terms).count == expression.terms.count, "a term occurs twice")
    let written = expression.terms.map { term in
        let text = term.words.map(\.text).joined(separator: " ")
        return term.isPrefix && term.words.count == 1 ? text + "*" : "\"\(text)\""
    }
    // A prefix of several words has no canonical form.
    guard expression.terms.allSatisfy({ !$0.isPrefix || $0.words.count == 1 }) else { return }
    let again = parsed(written.joined(separator: " "))
    precondition(again == nil || again == expression, "“\(text)” is parsed again as \(written)")
}

/// Returns `nil` for a rejected search, which has a reason.
private func parsed(_ text: String) -> SearchExpression? {
    do {
        return try SearchExpression(text, words: words)
    } catch let error as SearchExpressionError {
        precondition(!error.description.isEmpty)
        return nil
    } catch {
        preconditionFailure("\(error)")
    }
}

/// Returns runs of letters and digits in lowercase; each Chinese character is a separate word, as in the index.
private func words(of text: String) -> [SearchExpression.Word] {
    var words: [SearchExpression.Word] = []
    var word = String.UnicodeScalarView()
    func end(isComplete: Bool = false) {
        guard !word.isEmpty else { return }
        let text = String(word)
        words.append(SearchExpression.Word(text: text, folded: Array(text.lowercased().utf8), isComplete: isComplete))
        word = String.UnicodeScalarView()
    }
    for scalar in text.unicodeScalars {
        if (0x4E00...0x9FFF).contains(scalar.value) {
            end()
            word.append(scalar)
            end(isComplete: true)
        } else if scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
            word.append(scalar)
        } else {
            end()
        }
    }
    end()
    return words
}

#if FUZZING
    @_cdecl("LLVMFuzzerTestOneInput")
    public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
        fuzzSearch(Array(UnsafeBufferPointer(start: start, count: count)))
        return 0
    }
#endif
