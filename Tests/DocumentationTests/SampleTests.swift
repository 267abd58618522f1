import Foundation
import Testing

/// What the articles show is what this folder compiles and runs.
@Suite struct SampleTests {
    /// Every block of Swift in an article stands in a file of this folder, apart from white space.
    @Test func everySampleIsCompiled() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: DocumentationCatalogue.samples.path)
        let compiled = try files.filter { $0.hasSuffix(".swift") }.map { name in
            dense(try String(contentsOf: DocumentationCatalogue.samples.appending(path: name), encoding: .utf8))
        }
        var count = 0
        for article in try DocumentationCatalogue.folders.flatMap(DocumentationCatalogue.articles) {
            for sample in samples(in: article.text) {
                count += 1
                let isCompiled = compiled.contains { $0.contains(dense(sample)) }
                #expect(isCompiled, "\(article.name) has a sample that no test compiles:\n\(sample)")
            }
        }
        #expect(count >= 10)
    }

    /// Every picture that an article shows is a file, in both themes; every file is shown.
    @Test func everyPictureIsThere() throws {
        for folder in DocumentationCatalogue.folders {
            let shown = try DocumentationCatalogue.pictures(in: folder)
            let resources = folder.appending(path: "Resources")
            let files = Set(try FileManager.default.contentsOfDirectory(atPath: resources.path))
            #expect(files == Set(shown.flatMap { ["\($0).svg", "\($0)~dark.svg"] }))
        }
    }

    /// The blocks between "```swift" and "```".
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

    private func dense(_ text: String) -> String { text.filter { !$0.isWhitespace } }
}
