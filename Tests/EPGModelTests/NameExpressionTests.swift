import EPGModel
import TestSupport
import Testing

/// The expected values of ``captures(_:)`` come from Python's `re` (`re.search(…, re.IGNORECASE).groupdict()`).
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
        Case("(?<a>a+?)(?<b>a*)", "aaa", ["a": "a", "b": "aa"]),
        Case(#"(?<day>\d+)(?:st|nd|rd|th)? (?<month>\w+)"#, "on 12th Dec!", ["day": "12", "month": "Dec"]),
        Case("(?<a>a)|(?<b>b)", "b", ["b": "b"]),
        Case("(?<a>)b", "ab", ["a": ""]),
        Case("(?P<a>é+)", "ÉÉ", ["a": "ÉÉ"]),
    ]

    @Test(arguments: cases) func captures(_ sample: Case) throws {
        try expectEqual(NameExpression(sample.expression).matcher()(sample.name), sample.groups)
    }

    @Test func groupsAreListedInOrder() throws {
        let expression = try NameExpression(#"(?<title>\w+)(?:x)(y) (?P<time>\d+) (?=z)(?!y)"#)
        expectEqual(expression.groups, ["title", "time"])
    }

    @Test(arguments: ["(", ")", "(?<a>x", "[a", "*", "(?<a>x)(?<a>y)"])
    func invalidExpressionIsRejected(text: String) {
        #expect(throws: (any Error).self) { try NameExpression(text) }
    }

    @Test func longNameDoesNotMatch() throws {
        let match = try NameExpression("a").matcher()
        #expect(match(String(repeating: "a", count: NameExpression.longestName)) != nil)
        expectEqual(match(String(repeating: "a", count: NameExpression.longestName + 1)), nil)
    }
}
