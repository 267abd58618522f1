import EPGModel
import Testing

/// The expected values of ``captures(_:)`` are those of Python's `re` (`re.search(…, re.IGNORECASE).groupdict()`).
@Suite struct NameExpressionTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let expression: String
        let name: String
        /// `nil` without a match.
        let groups: [String: String]?

        init(_ expression: String, _ name: String, _ groups: [String: String]?) {
            (self.expression, self.name, self.groups) = (expression, name, groups)
        }

        var testDescription: String { "\(expression) in \(name)" }
    }

    static let cases = [
        Case("abc", "xxABCxx", [:]),
        Case("^abc$", "xabc", nil),
        Case("(?<a>a+)(?<b>a*)", "aaa", ["a": "aaa", "b": ""]),
        Case("(?<a>a+?)(?<b>a*)", "aaa", ["a": "a", "b": "aa"]),
        Case("(?<a>a{2})(?<b>a{0,1})", "aaaa", ["a": "aa", "b": "a"]),
        Case("(?<a>a{2,})$", "baaa", ["a": "aaa"]),
        Case("(?<a>x|xy)(?<b>z|yz)?", "xyz", ["a": "x", "b": "yz"]),
        Case(#"(?<day>\d+)(?:st|nd|rd|th)? (?<month>\w+)"#, "on 12th Dec!", ["day": "12", "month": "Dec"]),
        Case("(?<a>a)|(?<b>b)", "b", ["b": "b"]),
        Case(#"(?<w>\bon\b)"#, "one on", ["w": "on"]),
        Case("(?<a>[^a-c.]+)", "abXY.c", ["a": "XY"]),
        Case(#"(?<a>[\d\-]+)\."#, "x1-2.", ["a": "1-2"]),
        Case("(?<a>[]x]+)", "a]x]", ["a": "]x]"]),
        Case("(?<a>(?:ab)*)c", "ababc", ["a": "abab"]),
        Case("(?<a>.*)b", "abab", ["a": "aba"]),
        Case("(?<a>.*?)b", "abab", ["a": "a"]),
        Case("(?:a*)*b", "aaab", [:]),
        Case("(?<a>)b", "ab", ["a": ""]),
        Case("(?P<a>é+)", "ÉÉ", ["a": "ÉÉ"]),
        Case("", "x", [:]),
    ]

    @Test(arguments: cases) func captures(_ sample: Case) throws {
        #expect(try NameExpression(sample.expression).firstMatch(in: sample.name) == sample.groups)
    }

    @Test(arguments: [
        "(", ")", "(?<a>x", "(?<a", "(?<>x)", "[a", "[z-a]", "*", "a**", "a{2", "a{3,2}", "a{999}", #"\"#, #"\1"#,
        #"\p{L}"#, "(?=x)", "(?!x)", "(?<=x)", "(?<!x)", "(?i)x", "(?<a>x)(?<a>y)", "((a{200}){200}){200}",
    ])
    func unsupportedOrInvalidExpressionIsRejected(text: String) {
        #expect(throws: NameExpressionError.self) { try NameExpression(text) }
    }

    @Test func deeplyNestedExpressionIsRejected() {
        let text = String(repeating: "(", count: 400) + String(repeating: ")", count: 400)
        #expect(throws: NameExpressionError.self) { try NameExpression(text) }
    }

    /// Backtracking would take 2¹⁹⁹ steps.
    @Test(arguments: ["(?:a+)+$", "(?:a|a)*$", "(?:a*)*$", "(?:.*a){20}$", "(?:a|aa|a?)+$"])
    func hostileExpressionTakesLinearTime(text: String) throws {
        let name = String(repeating: "a", count: NameExpression.longestName - 1) + "b"
        let start = ContinuousClock.now
        #expect(try NameExpression(text).firstMatch(in: name) == nil)
        // Generous for a debug build on a busy machine.
        #expect(ContinuousClock.now - start < .seconds(10))
    }

    @Test func longNameDoesNotMatch() throws {
        let expression = try NameExpression("a")
        #expect(expression.firstMatch(in: String(repeating: "a", count: NameExpression.longestName)) != nil)
        #expect(expression.firstMatch(in: String(repeating: "a", count: NameExpression.longestName + 1)) == nil)
    }
}
