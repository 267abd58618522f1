import Foundation

/// One case of the W3C's conformance suite.
struct ConformanceCase {
    enum Kind: String, CaseIterable {
        case valid, invalid, error
        case notWellFormed = "not-wf"
    }

    let kind: Kind
    /// The document, from the suite's folder on.
    let path: String
    /// Whether external entities decide: `none` where they don't.
    let entities: String
    let recommendation: String
    let version: String
    /// The editions of the recommendation that it is about; empty for all.
    let editions: String
    /// Whether it is about a parser that knows namespaces.
    let isNamespaceAware: Bool

    /// Whether it asks what the fifth edition of XML 1.0 says.
    var appliesToFifthEdition: Bool { editions.isEmpty || editions.split(separator: " ").contains("5") }
    var isAboutNamespaces: Bool { recommendation.hasPrefix("NS") }
    var isAboutXML11: Bool { version == "1.1" || recommendation.hasSuffix("1.1") }
}

/// The W3C's XML conformance suite of 23 September 2013, unpacked to a folder that goes when it is done.
final class ConformanceSuite {
    let folder: URL
    let cases: [ConformanceCase]

    static var archive: URL { SharedFolder.url.appending(path: "xmlts20130923.zip") }
    static let unzip = "/usr/bin/unzip"
    static var isAvailable: Bool {
        FileManager.default.fileExists(atPath: archive.path()) && Program.exists(unzip)
    }

    init() throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "xmlts-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        folder = root
        _ = try Program.output(of: Self.unzip, ["-q", Self.archive.path(), "-d", root.path()])
        cases = try Self.catalogues(in: root.appending(path: "xmlconf"))
    }

    deinit {
        do { try FileManager.default.removeItem(at: folder) } catch { print("left behind: \(folder.path()): \(error)") }
    }

    func bytes(of test: ConformanceCase) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: url(of: test)))
    }

    /// The bytes of an entity that a document names, relative to the document; `nil` where there is none.
    func entity(_ name: String, of test: ConformanceCase) -> [UInt8]? {
        FileManager.default.contents(atPath: url(of: test).deletingLastPathComponent().appending(path: name).path())
            .map { [UInt8]($0) }
    }

    private func url(of test: ConformanceCase) -> URL { folder.appending(path: "xmlconf/\(test.path)") }

    /// The cases of all files that hold `<TEST>` elements; their documents lie beside them.
    private static func catalogues(in folder: URL) throws -> [ConformanceCase] {
        let paths = FileManager.default.enumerator(atPath: folder.path())?.compactMap { $0 as? String } ?? []
        var cases: [ConformanceCase] = []
        for path in paths.sorted() where path.hasSuffix(".xml") {
            let text = String(decoding: try Data(contentsOf: folder.appending(path: path)), as: UTF8.self)
            guard text.contains("<TEST ") else { continue }
            let base = path.split(separator: "/").dropLast().joined(separator: "/")
            for element in text.matches(of: /<TEST\s([^>]*)>/) {
                cases.append(try read(attributes: element.output.1, base: base))
            }
        }
        return cases
    }

    private static func read(attributes text: Substring, base: String) throws -> ConformanceCase {
        var values: [Substring: String] = [:]
        for attribute in text.matches(of: /([A-Z]+)\s*=\s*["']([^"']*)["']/) {
            values[attribute.output.1] = String(attribute.output.2)
        }
        guard let kind = ConformanceCase.Kind(rawValue: values["TYPE"] ?? ""), let uri = values["URI"] else {
            throw UnreadableCatalogue(element: String(text))
        }
        return ConformanceCase(
            kind: kind, path: "\(base)/\(uri)", entities: values["ENTITIES"] ?? "none",
            recommendation: values["RECOMMENDATION"] ?? "XML1.0", version: values["VERSION"] ?? "1.0",
            editions: values["EDITION"] ?? "", isNamespaceAware: values["NAMESPACE"] != "no")
    }

    struct UnreadableCatalogue: Error {
        let element: String
    }
}
