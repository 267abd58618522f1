import CollectionLayout
import Foundation
import TestSupport
import Testing

@testable import EPGRender

/// Tests that the samples in the articles are compiled and run in this folder.
@Suite struct SampleTests {
    /// Every Swift block of an article occurs in a file of this folder, ignoring white space.
    @Test func everySampleIsCompiled() throws {
        let files = try FileManager.default.contentsOfDirectory(
            atPath: PackageFiles.root.appending(path: "Tests/DocumentationTests").path)
        let compiled = try files.filter { $0.hasSuffix(".swift") }.map { name in
            compact(
                try String(
                    contentsOf: PackageFiles.root.appending(path: "Tests/DocumentationTests").appending(path: name),
                    encoding: .utf8))
        }
        var count = 0
        for article in try DocumentationCatalog.folders.flatMap(DocumentationCatalog.articles) {
            for sample in samples(in: article.text) {
                count += 1
                let isCompiled = compiled.contains { $0.contains(compact(sample)) }
                #expect(isCompiled, "\(article.name) has a sample that no test compiles:\n\(sample)")
            }
        }
        #expect(count >= 10)
    }

    /// Every picture in an article has a file for light and dark mode, and every file is used.
    @Test func everyPictureExists() throws {
        for folder in DocumentationCatalog.folders {
            let shown = try DocumentationCatalog.pictures(in: folder)
            let resources = folder.appending(path: "Resources")
            let files = Set(try FileManager.default.contentsOfDirectory(atPath: resources.path))
            #expect(files == Set(shown.flatMap { ["\($0).svg", "\($0)~dark.svg"] }))
        }
    }

    /// Returns the blocks between "```swift" and "```".
    private func samples(in article: String) -> [String] {
        var samples: [String] = []
        var lines: [Substring]?
        for line in article.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```swift") {
                lines = []
            } else if line.hasPrefix("```"), let found = lines {
                samples.append(found.joined(separator: "\n"))
                lines = nil
            } else {
                lines?.append(line)
            }
        }
        return samples
    }

    private func compact(_ text: String) -> String { text.filter { !$0.isWhitespace } }
}

/// Tests that the pictures in the documentation equal the generated ones. `make goldens` updates them.
@Suite struct PictureGoldenTests {
    @Test(arguments: Picture.all) func pictureEqualsGolden(_ picture: Picture) throws {
        for (suffix, theme) in SVGTheme.bySuffix {
            try DocumentationCatalog.expect(try picture.draw(theme), of: picture.name, suffix: suffix)
        }
    }
}

/// The documentation catalogs, one for each documented module.
enum DocumentationCatalog {
    static let folders = ["CollectionLayout", "CollectionView", "EPGLayout"].map { module in
        PackageFiles.root.appending(path: "Sources/\(module)/\(module).docc")
    }

    /// Returns the articles of a catalog by name.
    static func articles(in folder: URL) throws -> [(name: String, text: String)] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            .filter { $0.hasSuffix(".md") }
            .map { ($0, try String(contentsOf: folder.appending(path: $0), encoding: .utf8)) }
    }

    /// Returns the names of the pictures in the articles of a catalog.
    static func pictures(in folder: URL) throws -> Set<String> {
        Set(
            try articles(in: folder).flatMap { article in
                article.text.matches(of: /!\[[^\]]+\]\(([^)]+)\)/).map { String($0.output.1) }
            })
    }

    /// Compares a picture with its file.
    ///
    /// The file belongs to the catalog whose articles use the picture.
    static func expect(_ picture: String, of name: String, suffix: String) throws {
        let folder = try #require(
            try folders.first { try pictures(in: $0).contains(name) }, "no article uses the picture \(name)")
        try Golden.expect(picture, equals: folder.appending(path: "Resources/\(name + suffix).svg"))
    }
}
