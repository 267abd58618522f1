import Foundation

/// A temporary folder that is removed with this object.
package final class TemporaryFolder: Sendable {
    private let url: URL

    /// Creates an empty folder.
    package init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "epg-store-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        // A failure to remove the folder does not fail a test.
        _ = Result { try FileManager.default.removeItem(at: url) }
    }

    /// The path of a file in it.
    package func path(of name: String) -> String { url.appending(path: name).path }

    /// The names of the files in it, sorted.
    package func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
    }
}
