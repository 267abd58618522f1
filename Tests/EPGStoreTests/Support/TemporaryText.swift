import Foundation

/// A temporary text file that is removed with this object.
final class TemporaryText: Sendable {
    let path: String

    init(_ text: String) throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "epg-text-\(UUID().uuidString)")
        try Data(text.utf8).write(to: url)
        path = url.path
    }

    deinit {
        // A failure to remove the file does not fail a test.
        _ = Result { try FileManager.default.removeItem(atPath: path) }
    }
}
