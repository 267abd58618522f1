import EPGModel
import EPGStore
import Foundation
import StoreConformance
import TestSupport
import Testing

/// A search for any text finds the same airings as a scan of all texts.
@Suite struct SearchSyntaxTests {
    /// The number of search texts.
    private static let cases =
        switch TestScope.current {
        case .contribution: 1000
        case .integration: 3000
        case .release: 100_000
        }

    private static let letters = [
        "a", "B", "ab", "Abc", "b", "é", "e\u{301}", "e", "É", "ß", "я", "Я", "Σ", "ا", "ل", "א", "5", "٣", "新", "闻",
        "ข",
        "ニ", "뉴", "के", "का", "क", "ष", "مُ", "שָׁ",
    ]
    private static let signs = [
        "\"", "\"", "\"", "*", "*", "^", "(", ")", ":", "-", "+", "{", "}", "'", ",", ";", "\\", "%", "_", "\"\"",
        "\u{301}",
        "\u{308}", "\u{200D}", "\u{FE0F}", "\u{93F}", "\u{94D}", "\u{64E}", "\u{5B8}", "\u{20E3}", "\u{200B}",
        "\u{FEFF}", "\u{202E}", "\u{E0001}", "🎬", "👨‍👩‍👧",
        "\u{0}",
        "\n", " ", " ", " ", " ", "\u{3000}",
    ]
    private static let words = [
        "AND", "OR", "NOT", "NEAR", " AND ", " OR ", " NOT ", "NEAR(", "title:", "{title} : ", "text", "rank", "news",
        "new",
        "News*", "\"news", "news\"\u{301}", "新闻", "ab*", "a* ",
    ]

    private static func text(_ alphabets: [[String]], _ count: Int, _ generator: inout SeededGenerator) -> String {
        (0..<count).map { _ in
            alphabets.randomElement(using: &generator)?.randomElement(using: &generator) ?? ""
        }.joined()
    }

    @Test func searchEqualsScanOfGuide() throws {
        var generator = SeededGenerator(seed: 16)
        // Texts that XML can contain.
        let spaces = Array(repeating: " ", count: 12)
        let marks = ["\u{301}", "\u{200D}", "\u{FE0F}", "\"", "*", "-", "🎬"]
        func line() -> String { Self.text([Self.letters, spaces, marks, ["news ", "AND ", "new "]], 12, &generator) }
        let records = (0..<60).map { number in
            """
            <programme start="\(Day.stamp("\(number):00"))" stop="\(Day.stamp("\(number + 1):00"))" channel="one">\
            <title>T\(number) \(line())</title><sub-title>S \(line())</sub-title><desc>D \(line())</desc></programme>
            """
        }
        let scratch = try ScratchGuide(records)
        try scratch.store.refreshSearchIndex()
        try scratch.close()
        let pool = GuideDatabase(path: scratch.path, connections: 1)
        try pool.read(within: nil) { (guide: any GuideReading) throws in
            let airings = try guide.schedule(of: StationID("one"), during: Day.allTime).airings
            let matcher = BruteForceMatcher(
                airings.map { ($0.id, [$0.title, $0.subtitle ?? "", $0.description ?? ""]) })
            try #require(airings.count == 60)
            var (found, rejected) = (0, 0)
            for _ in 0..<Self.cases {
                let count = Int.random(in: 1...12, using: &generator)
                let words = Self.text([Self.letters, Self.signs, Self.words], count, &generator)
                let name = words.unicodeScalars.map { String($0.value, radix: 16) }.joined(separator: " ")
                let expected = matcher.search(words)
                do {
                    let ranked = try guide.search(
                        SearchQuery(words: words, now: Day.instant("20:00"), limit: 1000))
                    let plain = try guide.search(
                        SearchQuery(words: words, now: Day.instant("20:00"), order: .start, limit: 1000)
                    ).matches
                    let ids = Set(ranked.matches.map(\.airing.id))
                    expectEqual(expected, .found(ids), "\(words) (\(name))")
                    expectEqual(Set(plain.map(\.airing.id)), ids, "\(words) (\(name))")
                    expectEqual(
                        (ranked.isTotalExact, ranked.total, ranked.matches.count), (true, ids.count, ids.count))
                    found += ids.isEmpty ? 0 : 1
                } catch let error as SearchExpressionError {
                    expectEqual(expected, .rejected(isPrefix: error.isPrefix), "\(error): \(words) (\(name))")
                    rejected += 1
                }
            }
            // Both outcomes must occur.
            #expect(found > Self.cases / 20 && rejected > 0)
        }
        try pool.close()
    }
}

extension SearchExpressionError {
    fileprivate var isPrefix: Bool { if case .prefixTooShort = self { true } else { false } }
}

/// A matcher that scans all texts and shares no code with the store.
///
/// It follows the documentation of the search and of SQLite's tokenizer unicode61 (sqlite.org/fts5.html#unicode61_tokenizer).
/// Letters (L), numbers (N), marks (Mn, Mc) and private-use characters (Co) form words. All other characters separate words.
/// Case, diacritics, vowel points and variation selectors are ignored. Each character of a script without spaces is a word.
private struct BruteForceMatcher {
    enum Outcome: Equatable {
        case found(Set<AiringID>)
        case rejected(isPrefix: Bool)
    }

    /// The bytes of a word, which compare faster than characters.
    private typealias Word = [UInt8]

    private struct Term: Hashable {
        let words: [Word]
        let isPrefix: Bool
    }

    private let airings: [(id: AiringID, texts: [[Word]])]

    init(_ airings: [(AiringID, [String])]) {
        self.airings = airings.map { (id: $0.0, texts: $0.1.map(Self.words)) }
    }

    func search(_ text: String) -> Outcome {
        var terms: Set<Term> = []
        var quoted = false
        for piece in text.unicodeScalars.split(separator: "\"", omittingEmptySubsequences: false) {
            defer { quoted.toggle() }
            for part in quoted ? [piece] : piece.split(whereSeparator: { $0.properties.isWhitespace || $0.value == 0 })
            {
                let isStarred = !quoted && part.last == "*"
                let words = Self.words(String(String.UnicodeScalarView(part)))
                guard let last = words.last.flatMap({ String(decoding: $0, as: UTF8.self).unicodeScalars.first }) else {
                    continue
                }
                terms.insert(Term(words: words, isPrefix: isStarred && !Self.isWord(last)))
            }
        }
        guard !terms.isEmpty else { return .found([]) }
        // A one-letter prefix is allowed only once and with another word. A prefix that another term implies does not count.
        let short = terms.filter { term in
            guard term.isPrefix, let letter = term.words.last,
                String(decoding: letter, as: UTF8.self).unicodeScalars.count == 1
            else { return false }
            return !terms.contains { other in
                guard other != term, other.words.count >= term.words.count else { return false }
                return (0...other.words.count - term.words.count).contains { start in
                    let part = other.words[start..<start + term.words.count]
                    return part.dropLast() == term.words.dropLast() && part.last?.starts(with: letter) == true
                }
            }
        }
        if short.count > 1 || (short.count == 1 && terms.count == 1 && short.first?.words.count == 1) {
            return .rejected(isPrefix: true)
        }
        return .found(
            Set(
                airings.filter { airing in
                    terms.allSatisfy { term in airing.texts.contains { Self.has(term, $0) } }
                }.map(\.id)))
    }

    private static func has(_ term: Term, _ words: [Word]) -> Bool {
        words.indices.contains { start in
            guard start + term.words.count <= words.count else { return false }
            return term.words.indices.allSatisfy { index in
                let (word, wanted) = (words[start + index], term.words[index])
                return index == term.words.count - 1 && term.isPrefix ? word.starts(with: wanted) : word == wanted
            }
        }
    }

    /// Returns whether a character is a word by itself: Han, Thai, Katakana and Hangul in this test.
    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        [0x0E00...0x0EFF, 0x3041...0x30FF, 0x4E00...0x9FFF, 0xAC00...0xD7A3].contains { $0.contains(scalar.value) }
    }

    private static func words(_ text: String) -> [Word] {
        var words: [Word] = []
        var word = String.UnicodeScalarView()
        func end() {
            if !word.isEmpty { words.append(Array(String(word).utf8)) }
            word = String.UnicodeScalarView()
        }
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case _ where isWord(scalar):
                end()
                word.append(scalar)
                end()
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
                .letterNumber, .otherNumber, .privateUse:
                // The test uses no other precomposed letters.
                let base: Unicode.Scalar = scalar == "é" || scalar == "É" ? "e" : scalar
                word.append(contentsOf: base.properties.lowercaseMapping.unicodeScalars)
            // The marks in this test are diacritics, points, a variation selector, and vowel signs of Devanagari.
            case .nonspacingMark, .spacingMark:
                if (0x900...0x97F).contains(scalar.value) { word.append(scalar) }
            default: end()
            }
        }
        end()
        return words
    }
}
