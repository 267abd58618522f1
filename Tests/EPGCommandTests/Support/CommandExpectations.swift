import Foundation
import Testing

extension CommandRun {
    /// Expects an exit code, and the complete output and errors or parts of them. A failure lists the differences and shows
    /// the complete texts.
    ///
    /// - Parameters:
    ///   - status: The exit code; `nil` for any.
    ///   - outputOmits: Parts that the output must not contain.
    ///   - errorsOmit: Parts that the errors must not contain.
    @discardableResult
    func expect(
        _ status: Int32? = nil, output: String? = nil, outputContains: [String] = [], outputOmits: [String] = [],
        errors: String? = nil, errorsContain: [String] = [], errorsOmit: [String] = [], _ comment: String = "",
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> CommandRun {
        var problems: [String] = []
        if let status, self.status != status { problems.append("The exit code is \(self.status), not \(status).") }
        for (name, text, expected) in [("output", self.output, output), ("errors", self.errors, errors)] {
            if let expected, text != expected { problems.append("The \(name) differ from “\(expected)”.") }
        }
        let rules = [
            ("output", self.output, outputContains, true), ("output", self.output, outputOmits, false),
            ("errors", self.errors, errorsContain, true), ("errors", self.errors, errorsOmit, false),
        ]
        for (name, text, parts, isContained) in rules {
            for part in parts where text.contains(part) != isContained {
                problems.append("The \(name) \(isContained ? "do not contain" : "contain") “\(part)”.")
            }
        }
        guard !problems.isEmpty else { return self }
        let command = arguments.joined(separator: " ")
        let texts = "Output:\n\(self.output.prefix(20_000))\nErrors:\n\(self.errors.prefix(20_000))"
        Issue.record(
            "\(command) \(comment)\n\(problems.joined(separator: "\n"))\n\(texts)", sourceLocation: sourceLocation)
        return self
    }
}

/// Expects members of a JSON object; `nil` is a missing member. A failure lists the members that differ.
func expectMembers(
    _ object: [String: Any]?, _ expected: [String: Any?], sourceLocation: SourceLocation = #_sourceLocation
) {
    func text(_ value: Any?) -> String {
        guard let value, let data = try? JSONSerialization.data(withJSONObject: [value], options: [.sortedKeys]) else {
            return "missing"
        }
        return String(decoding: data.dropFirst().dropLast(), as: UTF8.self)
    }
    guard let object else {
        Issue.record("The object is missing.", sourceLocation: sourceLocation)
        return
    }
    for (name, value) in expected.sorted(by: { $0.key < $1.key }) {
        let (found, expected) = (text(object[name]), text(value))
        guard found != expected else { continue }
        Issue.record("\(name) is \(found), not \(expected), in \(object).", sourceLocation: sourceLocation)
    }
}
