package import Foundation
package import Testing

/// Reviewed output in files.
package enum Golden {
    /// Whether tests write golden files, and fail, in place of comparing with them (`UPDATE_GOLDENS=1`).
    private static let isUpdating = ProcessInfo.processInfo.environment["UPDATE_GOLDENS"] == "1"

    /// Compares text with a golden file.
    package static func expect(
        _ text: String, equals file: URL, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let exists = FileManager.default.fileExists(atPath: file.path)
        let golden = exists ? String(decoding: try Data(contentsOf: file), as: UTF8.self) : ""
        guard text != golden else { return }
        let name = file.lastPathComponent
        if isUpdating {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
            Issue.record("Wrote \(name): review the difference", sourceLocation: sourceLocation)
        } else {
            Issue.record(
                "\(name) differs. Review the difference, and run make goldens to accept it.\n\(difference(golden, text))",
                sourceLocation: sourceLocation)
        }
    }

    /// Returns the first ten removed (`-`) and added (`+`) lines, with their numbers.
    private static func difference(_ old: String, _ new: String) -> String {
        let (old, new) = (lines(of: old), lines(of: new))
        let changes = new.difference(from: old)
        let shown = changes.prefix(10).map { change in
            switch change {
            case .remove(let offset, let line, _): "-\(offset + 1): \(line)"
            case .insert(let offset, let line, _): "+\(offset + 1): \(line)"
            }
        }
        let rest = changes.count > shown.count ? "\n… and \(changes.count - shown.count) more lines" : ""
        return shown.joined(separator: "\n") + rest
    }

    private static func lines(of text: String) -> [Substring] {
        text.split(separator: "\n", omittingEmptySubsequences: false)
    }
}
