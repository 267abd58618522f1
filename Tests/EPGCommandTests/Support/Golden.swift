import CustomDump
import Foundation
import Testing

/// Reviewed output in `Tests/Goldens`.
enum Golden {
    /// Compares text with a golden file, or writes the file if `UPDATE_GOLDENS` is `1`; a test that writes fails.
    static func expect(_ text: String, equals name: String) throws {
        let file = Package.root.appending(path: "Tests/Goldens/\(name)")
        let isThere = FileManager.default.fileExists(atPath: file.path)
        let accepted = isThere ? String(decoding: try Data(contentsOf: file), as: UTF8.self) : ""
        guard ProcessInfo.processInfo.environment["UPDATE_GOLDENS"] == "1" else {
            // `expectNoDifference` only prints without another package's support library, and the test passes.
            if let difference = diff(accepted, text) {
                Issue.record(
                    "\(name) differs. Review the difference, and run make goldens to accept it.\n\(difference)")
            }
            return
        }
        guard text != accepted else { return }
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        Issue.record("Wrote \(name): review the difference")
    }
}
