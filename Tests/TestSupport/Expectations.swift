import Testing

// A call of these functions compiles ten times as fast as a macro of Swift Testing. Four default arguments are the location, because
// Swift Testing's default is a macro, too.

/// Expects two equal values.
///
/// - Parameter comment: The case, for the message of a failure.
package func expectEqual<Value: Equatable>(
    _ value: Value, _ expected: Value, _ comment: @autoclosure () -> String = "",
    file: String = #fileID, path: String = #filePath, line: Int = #line, column: Int = #column
) {
    guard value != expected else { return }
    recordDifference(
        value, expected, comment(), SourceLocation(fileID: file, filePath: path, line: line, column: column))
}

/// Expects two equal pairs, because tuples are not `Equatable`.
package func expectEqual<First: Equatable, Second: Equatable>(
    _ value: (First, Second), _ expected: (First, Second),
    _ comment: @autoclosure () -> String = "",
    file: String = #fileID, path: String = #filePath, line: Int = #line, column: Int = #column
) {
    guard value != expected else { return }
    recordDifference(
        value, expected, comment(), SourceLocation(fileID: file, filePath: path, line: line, column: column))
}

/// Expects two equal triples, because tuples are not `Equatable`.
package func expectEqual<First: Equatable, Second: Equatable, Third: Equatable>(
    _ value: (First, Second, Third), _ expected: (First, Second, Third),
    _ comment: @autoclosure () -> String = "",
    file: String = #fileID, path: String = #filePath, line: Int = #line, column: Int = #column
) {
    guard value != expected else { return }
    recordDifference(
        value, expected, comment(), SourceLocation(fileID: file, filePath: path, line: line, column: column))
}

/// Expects two equal tuples of four values, because tuples are not `Equatable`.
package func expectEqual<First: Equatable, Second: Equatable, Third: Equatable, Fourth: Equatable>(
    _ value: (First, Second, Third, Fourth), _ expected: (First, Second, Third, Fourth),
    _ comment: @autoclosure () -> String = "",
    file: String = #fileID, path: String = #filePath, line: Int = #line, column: Int = #column
) {
    guard value != expected else { return }
    recordDifference(
        value, expected, comment(), SourceLocation(fileID: file, filePath: path, line: line, column: column))
}

/// Expects a text that contains all of `parts` and none of `others`; a missing text fails.
///
/// - Parameter comment: The case, for the message of a failure.
package func expectText(
    _ text: String?, contains parts: [String] = [], lacks others: [String] = [],
    _ comment: @autoclosure () -> String = "",
    file: String = #fileID, path: String = #filePath, line: Int = #line, column: Int = #column
) {
    let missing = parts.filter { text?.contains($0) != true }
    let unwanted = others.filter { text?.contains($0) == true }
    if text != nil, missing.isEmpty, unwanted.isEmpty { return }
    record(
        "missing: \(missing), unwanted: \(unwanted), in: \(text ?? "nil")", comment(),
        at: SourceLocation(fileID: file, filePath: path, line: line, column: column))
}

/// Expects a text that begins with `prefix`.
package func expectPrefix(
    _ text: String?, _ prefix: String, _ comment: @autoclosure () -> String = "",
    file: String = #fileID, path: String = #filePath, line: Int = #line, column: Int = #column
) {
    guard text?.hasPrefix(prefix) != true else { return }
    record(
        "\(text ?? "nil") does not begin with \(prefix)", comment(),
        at: SourceLocation(fileID: file, filePath: path, line: line, column: column))
}

/// Expects a text that ends with `suffix`.
package func expectSuffix(
    _ text: String, _ suffix: String, _ comment: @autoclosure () -> String = "",
    file: String = #fileID, path: String = #filePath, line: Int = #line, column: Int = #column
) {
    guard !text.hasSuffix(suffix) else { return }
    record(
        "\(text) does not end with \(suffix)", comment(),
        at: SourceLocation(fileID: file, filePath: path, line: line, column: column))
}

/// Expects a sequence that contains an element.
package func expectContains<Values: Sequence>(
    _ values: Values, _ expected: Values.Element, _ comment: @autoclosure () -> String = "",
    file: String = #fileID, path: String = #filePath, line: Int = #line, column: Int = #column
) where Values.Element: Equatable {
    guard !values.contains(expected) else { return }
    record(
        "\(String(describingForTest: expected)) is missing in \(String(describingForTest: values))", comment(),
        at: SourceLocation(fileID: file, filePath: path, line: line, column: column))
}

/// Expects a collection without elements.
package func expectEmpty(
    _ values: some Collection, _ comment: @autoclosure () -> String = "",
    file: String = #fileID, path: String = #filePath, line: Int = #line, column: Int = #column
) {
    guard !values.isEmpty else { return }
    record(
        "\(String(describingForTest: values)) is not empty", comment(),
        at: SourceLocation(fileID: file, filePath: path, line: line, column: column))
}

/// Expects an error of a type and returns it.
///
/// - Parameter comment: The case, for the message of a failure.
@discardableResult
package func expectThrows<Failure: Error, Value>(
    _ type: Failure.Type, _ comment: @autoclosure () -> String = "",
    file: String = #fileID, path: String = #filePath, line: Int = #line, column: Int = #column,
    _ body: () throws -> Value
) -> Failure? {
    let outcome: String
    do {
        outcome = "returned \(String(describingForTest: try body()))"
    } catch let error as Failure {
        return error
    } catch {
        outcome = "threw \(String(describingForTest: error))"
    }
    record(
        "\(outcome) instead of throwing \(type)", comment(),
        at: SourceLocation(fileID: file, filePath: path, line: line, column: column))
    return nil
}

private func recordDifference(_ value: Any, _ expected: Any, _ comment: String, _ location: SourceLocation) {
    let (value, expected) = (String(describingForTest: value), String(describingForTest: expected))
    record("\(value) is not equal to \(expected)", comment, at: location)
}

private func record(_ message: String, _ comment: String, at location: SourceLocation) {
    Issue.record(Comment(rawValue: comment.isEmpty ? message : "\(comment): \(message)"), sourceLocation: location)
}

/// Expects a missing value.
///
/// - Parameter comment: The case, for the message of a failure.
package func expectNil<Value>(
    _ value: Value?, _ comment: @autoclosure () -> String = "",
    file: String = #fileID, path: String = #filePath, line: Int = #line, column: Int = #column
) {
    guard let value else { return }
    let message = "\(value) instead of nil"
    Issue.record(
        Comment(rawValue: comment().isEmpty ? message : "\(comment()): \(message)"),
        sourceLocation: SourceLocation(fileID: file, filePath: path, line: line, column: column))
}

/// Expects two different values.
///
/// - Parameter comment: The case, for the message of a failure.
package func expectNotEqual<Value: Equatable>(
    _ value: Value, _ other: Value, _ comment: @autoclosure () -> String = "",
    file: String = #fileID, path: String = #filePath, line: Int = #line, column: Int = #column
) {
    guard value == other else { return }
    let message = "two values are equal: \(value)"
    Issue.record(
        Comment(rawValue: comment().isEmpty ? message : "\(comment()): \(message)"),
        sourceLocation: SourceLocation(fileID: file, filePath: path, line: line, column: column))
}
