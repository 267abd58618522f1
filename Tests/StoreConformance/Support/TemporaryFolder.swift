import Foundation

/// A folder that goes with this value.
package final class TemporaryFolder: Sendable {
    private let url: URL

    /// Makes an empty folder.
    package init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "epg-store-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        // A folder that can't be removed is the system's to clear; it fails no test.
        _ = Result { try FileManager.default.removeItem(at: url) }
    }

    /// The path of a file in it.
    package func path(of name: String) -> String { url.appending(path: name).path }

    /// The names of the files in it, sorted.
    package func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
    }
}
