import CustomDump
import Foundation
import Testing

/// Reviewed output in `Tests/Goldens`.
enum Golden {
    /// Compares text with a golden file, or writes the file if `UPDATE_GOLDENS` is `1`; a test that writes fails.
    static func expect(_ text: String, equals name: String) throws {
        let file = Package.root.appending(path: "Tests/Goldens/\(name)")
        let exists = FileManager.default.fileExists(atPath: file.path)
        let expected = exists ? String(decoding: try Data(contentsOf: file), as: UTF8.self) : ""
        guard ProcessInfo.processInfo.environment["UPDATE_GOLDENS"] == "1" else {
            // Without another package's support library, `expectNoDifference` only prints, and the test passes.
            if let difference = diff(expected, text) {
                Issue.record(
                    "\(name) differs. Review the difference, and run make goldens to accept it.\n\(difference)")
            }
            return
        }
        guard text != expected else { return }
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        Issue.record("Wrote \(name): review the difference")
    }
}
