import TestSupport
import Testing

/// Expects the status, headers and parts of the text of a response.
///
/// - Parameters:
///   - status: The status; `nil` for any.
///   - headers: Names in lower case with the value of the first header with that name, or `nil` for no such header.
///   - comment: The case, for the message of a failure.
func expectResponse(
    _ response: RawResponse, _ status: Int? = nil, headers: KeyValuePairs<String, String?> = [:],
    contains parts: [String] = [], lacks others: [String] = [], _ comment: @autoclosure () -> String = "",
    file: String = #fileID, path: String = #filePath, line: Int = #line, column: Int = #column
) {
    var problems: [String] = []
    if let status, response.status != status { problems.append("status \(response.status) instead of \(status)") }
    for (name, value) in headers where response[name] != value {
        problems.append("\(name) is \(response[name] ?? "missing") instead of \(value ?? "missing")")
    }
    if !problems.isEmpty {
        Issue.record(
            "\(comment()) \(problems.joined(separator: ", ")): \(response.text.prefix(2000))",
            sourceLocation: SourceLocation(fileID: file, filePath: path, line: line, column: column))
    }
    expectText(
        response.text, contains: parts, lacks: others, comment(), file: file, path: path, line: line, column: column)
}

/// Waits until a condition holds, at most for a minute, and expects that it does.
func expectEventually(
    _ comment: String = "", file: String = #fileID, path: String = #filePath, line: Int = #line, column: Int = #column,
    _ condition: () async throws -> Bool
) async throws {
    guard try await !eventually(condition) else { return }
    Issue.record(
        "\(comment) The condition never held.",
        sourceLocation: SourceLocation(fileID: file, filePath: path, line: line, column: column))
}
