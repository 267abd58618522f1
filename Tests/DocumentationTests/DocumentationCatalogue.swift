import Foundation
import Testing

/// The catalogs of the documentation: one for each module that has pages.
enum DocumentationCatalogue {
    static let samples = URL(filePath: #filePath).deletingLastPathComponent()

    static let folders = ["CollectionLayout", "CollectionView", "EPGLayout"].map { module in
        samples.deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Sources/\(module)/\(module).docc")
    }

    /// The articles of a catalog by name.
    static func articles(in folder: URL) throws -> [(name: String, text: String)] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            .filter { $0.hasSuffix(".md") }
            .map { ($0, try String(contentsOf: folder.appending(path: $0), encoding: .utf8)) }
    }

    /// The names of the pictures that the articles of a catalog show.
    static func pictures(in folder: URL) throws -> Set<String> {
        Set(
            try articles(in: folder).flatMap { article in
                article.text.matches(of: /!\[[^\]]+\]\(([^)]+)\)/).map { String($0.output.1) }
            })
    }

    /// Compares a picture with its file, or writes it where `UPDATE_GOLDENS` is `1`; a run that writes fails.
    ///
    /// The file belongs to the catalog whose articles show the picture.
    static func expect(_ picture: String, of name: String, ending: String) throws {
        let folder = try #require(
            try folders.first { try pictures(in: $0).contains(name) }, "no article shows the picture \(name)")
        let name = name + ending
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
