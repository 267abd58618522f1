/// A regular expression with named groups, in the syntax of Swift's `Regex`. Case is ignored.
package struct NameExpression: Hashable, Sendable {
    /// The expression as written, which is valid.
    package let text: String

    /// Maximum number of Unicode scalars of a name; longer names do not match, because `Regex` backtracks.
    package static let longestName = 200

    /// - Throws: The error of `Regex` for an invalid expression.
    package init(_ text: String) throws {
        _ = try Regex(text)
        self.text = text
    }

    /// The names of the groups in order.
    package var groups: [String] {
        text.matches(of: /\(\?P?<(?<name>[A-Za-z_]\w*)>/).map { String($0.name) }
    }

    /// Returns a function that finds the texts of the named groups in the first match; `nil` if the expression does not match
    /// anywhere in the name. Groups that did not take part in the match are missing.
    package func matcher() throws -> (_ name: String) -> [String: String]? {
        let regex = try Regex(text).ignoresCase().matchingSemantics(.unicodeScalar)
        return { name in
            guard name.unicodeScalars.count <= Self.longestName, let match = name.firstMatch(of: regex) else {
                return nil
            }
            var texts: [String: String] = [:]
            for group in match.output {
                if let name = group.name, let text = group.substring { texts[name] = String(text) }
            }
            return texts
        }
    }
}
