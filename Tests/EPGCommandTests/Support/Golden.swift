import CustomDump
import Foundation
import Testing

/// Texts that were read and accepted once, in `Tests/Goldens`.
enum Golden {
    /// Compares a text with a golden file, or writes it where `UPDATE_GOLDENS` is `1`; a run that writes fails.
    static func expect(_ text: String, equals name: String) throws {
        let file = Package.root.appending(path: "Tests/Goldens/\(name)")
        let isThere = FileManager.default.fileExists(atPath: file.path)
        let accepted = isThere ? String(decoding: try Data(contentsOf: file), as: UTF8.self) : ""
        guard ProcessInfo.processInfo.environment["UPDATE_GOLDENS"] == "1" else {
            // Not `expectNoDifference`: without another package's support library it only prints, and the test passes.
            if let difference = diff(accepted, text) {
                Issue.record("\(name): read it, and renew it with make goldens\n\(difference)")
            }
            return
        }
        guard text != accepted else { return }
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        Issue.record("\(name) was written anew: read the difference")
    }
}
