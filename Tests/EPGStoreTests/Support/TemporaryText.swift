import Foundation

/// A text in a file that goes with this value.
final class TemporaryText: Sendable {
    let path: String

    init(_ text: String) throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "epg-text-\(UUID().uuidString)")
        try Data(text.utf8).write(to: url)
        path = url.path
    }

    deinit {
        // A file that can't be removed is the system's to clear; it fails no test.
        _ = Result { try FileManager.default.removeItem(atPath: path) }
    }
}
