import Foundation
import Testing

/// The folders of the documentation of `CollectionLayout`.
enum DocumentationCatalogue {
    static let samples = URL(filePath: #filePath).deletingLastPathComponent()

    static let folder =
        samples
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Sources/CollectionLayout/CollectionLayout.docc")

    /// The articles by name.
    static func articles() throws -> [(name: String, text: String)] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            .filter { $0.hasSuffix(".md") }
            .map { ($0, try String(contentsOf: folder.appending(path: $0), encoding: .utf8)) }
    }

    /// Compares a picture with its file, or writes it where `UPDATE_GOLDENS` is `1`; a run that writes fails.
    static func expect(_ picture: String, equals name: String) throws {
        let file = folder.appending(path: "Resources/\(name).svg")
        let isThere = FileManager.default.fileExists(atPath: file.path)
        let accepted = isThere ? try String(contentsOf: file, encoding: .utf8) : ""
        guard picture != accepted else { return }
        guard ProcessInfo.processInfo.environment["UPDATE_GOLDENS"] == "1" else {
            let (old, new) = (accepted.split(separator: "\n"), picture.split(separator: "\n"))
            let line = zip(old, new).enumerated().first { $0.element.0 != $0.element.1 }
            let index = line?.offset ?? min(old.count, new.count)
            Issue.record(
                """
                \(name).svg: look at it, and renew it with make goldens. Line \(index + 1) was
                \(index < old.count ? old[index] : "missing"), and is
                \(index < new.count ? new[index] : "missing")
                """)
            return
        }
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(picture.utf8).write(to: file)
        Issue.record("\(name).svg was written anew: look at it")
    }
}
