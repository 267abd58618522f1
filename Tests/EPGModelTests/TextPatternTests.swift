import EPGModel
import TestSupport
import Testing

/// Tests of the regular expressions of watch rules. Swift's `Regex`, which backtracks, is the oracle.
@Suite struct TextPatternTests {
    @Test(
        arguments: [
            ("news", "Evening NEWS at ten", true), ("^news", "Evening news", false), ("ten$", "at ten", true),
            ("ÉTÉ", "un été", true), ("σ", "ΟΔΟΣ οδος", true), ("ſ", "S", true), ("[А-Я]+ы", "дождЫ", true),
            ("^.$", "👍", true), ("a.c", "a\nc", true), ("晚.新", "晚间新闻", true),
            (#"\bort\b"#, "Der Ort.", true), (#"\bort\b"#, "Torte", false), (#"\Bor"#, "Torte", true),
            (#"^\w+$"#, "é_٣ん", true), (#"^\d+$"#, "٣4", true), (#"\D"#, "12", false), (#"^\S\s\S$"#, "a\u{A0}b", true),
            (#"[\d\s-]+x"#, "1- x", true), (#"[^\W\d]"#, "12 _", true), (#"[^\w]"#, "abc", false),
            ("[A-C]", "b", true), ("[^a-c]", "ABC", false), ("[Z-a]x", "zx", true), (#"[\]\[\-]"#, "[", true),
            ("a{2}b", "ab", false), ("a{2}b", "aaab", true), ("^a{2,3}$", "aaaa", false), ("^a{2,}?$", "aaaa", true),
            ("^(?:ab|a|)c", "abc", true), ("^(?:ab|a|)c", "c", true), ("x*", "", true), ("^$", "", true),
            ("()", "", true),
            (#"1\.5\+"#, "1.5+", true), ("a}]", "a}]", true),
        ] as [(String, String, Bool)])
    func patternIsFound(pattern: String, text: String, isFound: Bool) throws {
        expectEqual(try TextPattern(pattern).isFound(in: text), isFound)
    }

    @Test(
        arguments: [
            ("", .invalidText, nil), ("a\nb", .invalidText, nil),
            (String(repeating: "é", count: 101), .invalidText, nil),
            ("a{501}b{501}", .tooComplex, nil), ("((((a{9}){9}){9}){9}){9}", .tooComplex, nil),
            ("*a", .nothingToRepeat, 1), ("a|+", .nothingToRepeat, 3), ("a**", .nothingToRepeat, 3),
            ("a{", .invalidCounts, 2), ("a{x}", .invalidCounts, 2), ("a{3,2}", .invalidCounts, 2),
            ("a{1000}", .invalidCounts, 2), ("{2}", .invalidCounts, 1),
            ("a(b", .unbalancedParenthesis, 2), ("a)b", .unbalancedParenthesis, 2), ("a[b", .invalidClass, 2),
            ("[]", .invalidClass, 1), ("[z-a]", .invalidClass, 1), ("[[a]]", .invalidClass, 1),
            (#"[a-\d]"#, .invalidClass, 1),
            (#"(a)\1"#, .unsupported(#"\1"#), 4), (#"\p{L}"#, .unsupported(#"\p"#), 1), ("a\\", .unsupported("\\"), 2),
            ("(?=a)", .unsupported("(?="), 1), ("(?<n>a)", .unsupported("(?<"), 1), ("a*+", .unsupported("*+"), 2),
        ] as [(String, TextPatternError.Reason, Int?)])
    func invalidPatternIsRejectedWithItsPlace(pattern: String, reason: TextPatternError.Reason, position: Int?) {
        let error = expectThrows(TextPatternError.self) { try TextPattern(pattern) }
        expectEqual(error?.reason, reason)
        expectEqual(error?.position, position)
        expectText(
            "\(error.map(String.init(describing:)) ?? "")", contains: position.map { ["at character \($0)"] } ?? [])
    }

    @Test func patternsFindWhatRegexFinds() throws {
        for seed in 1...UInt64(TestScope.cases(1500)) {
            var generator = PatternGenerator(seed: seed)
            let pattern = generator.pattern(depth: 3)
            guard !pattern.isEmpty, pattern.utf8.count <= TextPattern.maximumLength else { continue }
            let ours: TextPattern
            do throws(TextPatternError) {
                ours = try TextPattern(pattern)
            } catch {
                expectEqual(error.reason, .tooComplex, pattern)
                continue
            }
            let regex = try Regex(pattern).ignoresCase().matchingSemantics(.unicodeScalar).wordBoundaryKind(.simple)
            for _ in 0..<4 {
                let text = generator.text()
                // For `Regex`, digits belong to words, but not at simple boundaries.
                if text.contains("1"), pattern.lowercased().contains(#"\b"#) { continue }
                expectEqual(
                    ours.isFound(in: text), text.firstMatch(of: regex) != nil, "\(seed): \(pattern) in “\(text)”")
            }
        }
    }

    /// A backtracking search of these takes exponential time.
    @Test(arguments: ["(a+)+$", "(a|a)*b", "(a*)*b", "(a?){30}a{30}b", ".*.*.*=", "(.|a){1,40}!"])
    func searchTakesLinearTime(pattern: String) throws {
        func steps(_ count: Int) throws -> Int {
            var search = TextPatternSearch(try TextPattern(pattern))
            expectEqual(search.finds(in: FoldedText(String(repeating: "a", count: count) + "c")), false)
            return search.stepCount
        }
        let (short, long) = (try steps(5000), try steps(10_000))
        // The first characters reach fewer states than the others.
        #expect(10 * long <= 21 * short)
    }

    @Test func scanGivesUpAPatternWithTooManySteps() throws {
        let conditions: [ProgrammeCondition] = [
            .pattern(try TextPattern("(.|a){1,40}!")), .title("news"), .pattern(try TextPattern("^x")),
        ]
        var scan = ProgrammeScan(conditions, maximumStepCount: 10_000)
        for number in 1...100 {
            scan.visit(Int64(number), title: "News", category: nil, isNew: false) {
                [nil, "x" + String(repeating: "a", count: 50)]
            }
        }
        let results = try scan.results(upTo: 100) { _ in throw SearchIndexMissing() }
        expectEqual(results.map { try? $0.get().numbers.count }, [nil, 100, 100])
        #expect(throws: TextPatternError(.tooExpensive)) { try results[0].get() }
    }

    @Test func textsThatBeginNoMatchTakeNoSteps() throws {
        var search = TextPatternSearch(try TextPattern("(news|weather)$"))
        expectEqual(search.finds(in: FoldedText(String(repeating: "blah ", count: 1000))), false)
        expectEqual(search.stepCount, 0)
    }
}

/// Generates patterns that `Regex` and ``TextPattern`` both support, and texts for them.
private struct PatternGenerator {
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    private mutating func choose(_ values: [String]) -> String { values.randomElement(using: &random) ?? "" }

    mutating func pattern(depth: Int) -> String {
        (0...Int.random(in: 0...2, using: &random)).map { _ in
            (0...Int.random(in: 0...2, using: &random)).map { _ in element(depth: depth) }.joined()
        }.joined(separator: "|")
    }

    private mutating func element(depth: Int) -> String {
        let kind = Int.random(in: 0..<10, using: &random)
        if kind == 0 { return choose(["^", "$", #"\b"#, #"\B"#]) }
        guard kind < 4, depth > 0 else { return atom() + repetition() }
        // `Regex` takes forever for repetitions of nothing.
        return Bool.random(using: &random)
            ? "(\(pattern(depth: depth - 1)))" + choose(["", "?", "{2}"])
            : "(\(atom())(?:\(pattern(depth: depth - 1))))" + repetition()
    }

    private mutating func atom() -> String {
        choose([
            "a", "b", "B", "é", "1", "_", ".", #"\."#, #"\d"#, #"\w"#, #"\s"#, #"\W"#, "[ab]", "[^a]", "[A-c1]",
            #"[^\w.]"#, " ",
        ])
    }

    private mutating func repetition() -> String {
        choose(["", "", "", "*", "+", "?", "{2}", "{0,2}", "{1,}", "*?", "+?"])
    }

    mutating func text() -> String {
        (0..<Int.random(in: 0...8, using: &random)).map { _ in
            choose(["a", "b", "A", "é", "É", "1", "_", ".", " ", "c"])
        }.joined()
    }
}
