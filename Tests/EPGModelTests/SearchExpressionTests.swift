import EPGModel
import TestSupport
import Testing

/// Tests of the parser of searches and its limits.
@Suite struct SearchExpressionTests {
    /// Splits text like the index, for ASCII and the scalars in these tests: letters and digits form words, a combining acute
    /// accent belongs to the preceding word and is ignored in comparisons, and 新 and 闻 are words.
    private static func words(_ text: String) -> [SearchExpression.Word] {
        var words: [SearchExpression.Word] = []
        var word = String.UnicodeScalarView()
        func end() {
            let folded = String(String.UnicodeScalarView(word.filter { $0 != "\u{301}" })).lowercased()
            if !folded.isEmpty {
                words.append(
                    SearchExpression.Word(
                        text: String(word), folded: Array(folded.utf8), isComplete: "新闻".contains(folded)))
            }
            word = String.UnicodeScalarView()
        }
        for scalar in text.unicodeScalars {
            if scalar == "新" || scalar == "闻" {
                end()
                word.append(scalar)
                end()
            } else if scalar.isASCII && scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                || scalar == "\u{301}" && !word.isEmpty
            {
                word.append(scalar)
            } else {
                end()
            }
        }
        end()
        return words
    }

    private static func terms(_ text: String, lastWord: SearchQuery.LastWord = .whole) throws -> [String] {
        try SearchExpression(text, lastWord: lastWord, words: words).terms.map { term in
            term.words.map(\.text).joined(separator: " ") + (term.isPrefix ? "*" : "")
        }
    }

    @Test(
        arguments: [
            ("", []), (" \n\t", []), ("\"", []), ("\"\"", []), ("*", []), ("** *", []), ("!?", []), ("\0", []),
            ("news", ["news"]), ("  evening\u{A0}news\u{3000}gold ", ["evening", "news", "gold"]),
            ("news\0gold", ["news", "gold"]), ("\"news\0gold\"", ["news gold"]),
            // Quotation marks.
            ("\"evening news\"", ["evening news"]), ("\"evening news", ["evening news"]),
            ("evening\"late news\"gold", ["evening", "late news", "gold"]), ("\"news\"*", ["news"]),
            ("\"news*\"", ["news"]),
            // A combining mark does not hide a quotation mark.
            ("news\"\u{301} gold", ["news", "gold"]),
            ("\"\u{301}evening news\"\u{FE0F} gold", ["evening news", "gold"]),
            ("a\"\u{200D}OR\"\u{200D}b", ["a", "OR", "b"]), ("news \u{301}gold", ["news", "gold"]),
            // There are no operators.
            ("news AND gold", ["news", "AND", "gold"]), ("NEAR(news gold, 2)", ["NEAR news", "gold", "2"]),
            ("{title} : -news ^gold", ["title", "news", "gold"]), ("l'ete", ["l ete"]), ("a+b", ["a b"]),
            // Prefixes.
            ("new*", ["new*"]), ("new**", ["new*"]), ("l'et*", ["l et*"]), ("ne*ws", ["ne ws"]), ("l'e*", ["l e*"]),
            ("*news", ["news"]),
            // In scripts without spaces, each character is a word.
            ("新闻*", ["新 闻"]), ("新*", ["新"]), ("新ab*", ["新 ab*"]),
            // Duplicate terms, and prefixes that others imply.
            ("news NEWS ne\u{301}ws", ["news"]), ("\"evening news\" evening-news", ["evening news"]),
            ("ne* new* ne*", ["new*"]), ("new* news", ["news"]), ("news new*", ["news"]),
            ("a* gold a*", ["a*", "gold"]), ("a* gold g*", ["a*", "gold"]),
            ("a* ab*", ["ab*"]), ("ev* \"late evening news\"", ["late evening news"]), ("et* l'ete", ["l ete"]),
            ("\"late eve\"* late-ev* late-evening", ["late eve", "late evening"]),
            // Complete words are kept, because they may also occur elsewhere.
            ("news \"evening news\"", ["news", "evening news"]), ("gold go* gol", ["gold", "gol"]),
        ] as [(String, [String])])
    func searchIsParsedIntoTerms(text: String, terms: [String]) throws {
        try expectEqual(Self.terms(text), terms)
    }

    /// The rule of the parameter `lastWord` in openapi.yaml.
    @Test(
        arguments: [
            ("eve", ["eve*"]), ("late eve", ["late", "eve*"]), ("late eve ", ["late", "eve*"]), ("eve*", ["eve*"]),
            ("eve!", ["eve*"]), ("eve new", ["eve", "new*"]), ("", []), ("!?", []),
            // The longer word implies the shorter one.
            ("news new", ["news"]), ("news news", ["news"]),
            // Words in quotation marks are complete, also without the closing one.
            ("\"late eve\"", ["late eve"]), ("\"late eve", ["late eve"]), ("\"late eve\" new", ["late eve", "new*"]),
            // A star that would make the search invalid is left out.
            ("e", ["e"]), ("late e", ["late", "e*"]), ("a* late e", ["a*", "late", "e"]), ("l'e", ["l e*"]),
            ("新", ["新"]), ("late 新", ["late", "新"]),
        ] as [(String, [String])])
    func lastWordMayBeAPrefix(text: String, terms: [String]) throws {
        try expectEqual(Self.terms(text, lastWord: .prefix), terms)
    }

    @Test func termCountIsLimited() throws {
        let twelve = (1...12).map { "word\($0)" }
        try expectEqual(Self.terms((twelve + twelve).joined(separator: " ")), twelve)
        #expect(throws: SearchExpressionError.tooManyTerms(limit: 12)) {
            try Self.terms((twelve + ["other"]).joined(separator: " "))
        }
        // The thirteenth term is implied.
        try expectEqual(Self.terms((twelve + ["wor*"]).joined(separator: " ")), twelve)
    }

    @Test func wordCountIsLimited() throws {
        let phrase = "\"" + (1...64).map { "w\($0)" }.joined(separator: " ")
        try expectEqual(Self.terms(phrase + "\"").count, 1)
        #expect(throws: SearchExpressionError.tooManyWords(limit: 64)) { try Self.terms(phrase + " more\"") }
    }

    @Test func searchLengthIsLimited() throws {
        try expectEqual(Self.terms(String(repeating: "news ", count: 409)), ["news"])
        #expect(throws: SearchExpressionError.tooLong(limit: 2048)) {
            try Self.terms(String(repeating: "news ", count: 410))
        }
    }

    @Test(arguments: ["a*", "a* b*", "a* A* a\u{301}*", "1*", "\"\" x* !", "gold a* b*", "the-a* the-b*", "a* the-b*"])
    func singleLetterPrefixRequiresAnotherWord(text: String) {
        #expect {
            try Self.terms(text)
        } throws: { error in
            if case .prefixTooShort = error as? SearchExpressionError { true } else { false }
        }
    }
}
