import CExpat
import Foundation
import TestSupport
import Testing
import XMLTV

@Suite struct ConformanceTests {
    @Test(.needs(.sharedData("xmlts20130923.zip"), .programs("unzip")))
    func w3cSuiteGivesExpectedOutcomes() throws {
        let suite = try ConformanceSuite()
        expectEqual(suite.cases.count, 2586)
        var counts: [ConformanceOutcome: [ConformanceCase.Kind: Int]] = [:]
        var exceptions: [ConformanceOutcome: [String]] = [:]
        for test in suite.cases {
            let bytes = try suite.bytes(of: test)
            let ours = ScannerReading.read(ChunkSource(bytes))
            let verdict = OracleComparison.compare(bytes, ours.reading, convertedFrom: ours.encoding)
            let outcome = ConformanceOutcome(test, bytes, ours.reading, verdict) { suite.entity($0, of: test) }
            counts[outcome, default: [:]][test.kind, default: 0] += 1
            if outcome.isException { exceptions[outcome, default: []].append(test.path) }
            if outcome == .violation {
                let fault = ours.reading.fault.map { "\($0)" } ?? "accepted"
                Issue.record("\(test.kind.rawValue) \(test.path): \(fault); \(verdict)")
            }
        }
        print(Self.table(counts))
        print(Self.list(exceptions))
        // Checks that the comparison can fail: each expected outcome occurs many times.
        #expect(counts[.rejectedForFault]?[.notWellFormed] ?? 0 > 500)
        #expect(counts[.readAlike]?[.valid] ?? 0 > 300)
    }

    private static func table(_ counts: [ConformanceOutcome: [ConformanceCase.Kind: Int]]) -> String {
        let kinds = ConformanceCase.Kind.allCases
        var lines = [kinds.map { column($0.rawValue) }.joined() + "  outcome"]
        for outcome in ConformanceOutcome.allCases {
            guard let row = counts[outcome] else { continue }
            lines.append(kinds.map { column("\(row[$0] ?? 0)") }.joined() + "  \(outcome.rawValue)")
        }
        return lines.joined(separator: "\n")
    }

    private static func column(_ text: String) -> String {
        String(repeating: " ", count: max(1, 9 - text.count)) + text
    }

    private static func list(_ exceptions: [ConformanceOutcome: [String]]) -> String {
        var lines: [String] = []
        for outcome in ConformanceOutcome.allCases {
            guard let paths = exceptions[outcome] else { continue }
            lines.append("\(outcome.rawValue): \(paths.sorted().joined(separator: " "))")
        }
        return lines.joined(separator: "\n")
    }
}

/// A case of the W3C conformance suite.
struct ConformanceCase {
    enum Kind: String, CaseIterable {
        case valid, invalid, error
        case notWellFormed = "not-wf"
    }

    let kind: Kind
    /// The document, relative to the suite's folder.
    let path: String
    /// The external entities on which the outcome depends, or `none`.
    let entities: String
    let recommendation: String
    let version: String
    /// The editions of the recommendation that the case applies to; empty for all.
    let editions: String
    /// Whether the case concerns namespace-aware parsers.
    let isNamespaceAware: Bool

    /// Whether the case applies to the fifth edition of XML 1.0.
    var appliesToFifthEdition: Bool { editions.isEmpty || editions.split(separator: " ").contains("5") }
    var isAboutNamespaces: Bool { recommendation.hasPrefix("NS") }
    var isAboutXML11: Bool { version == "1.1" || recommendation.hasSuffix("1.1") }
}

/// The W3C XML conformance suite of 23 September 2013, extracted to a temporary folder.
final class ConformanceSuite {
    let folder: URL
    let cases: [ConformanceCase]

    init() throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "xmlts-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        folder = root
        let archive = PackageFiles.sharedData.appending(path: "xmlts20130923.zip")
        _ = try TestProgram.output(of: "unzip", ["-q", archive.path(), "-d", root.path()])
        cases = try Self.catalogs(in: root.appending(path: "xmlconf"))
    }

    deinit {
        do { try FileManager.default.removeItem(at: folder) } catch { print("left behind: \(folder.path()): \(error)") }
    }

    func bytes(of test: ConformanceCase) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: url(of: test)))
    }

    /// Returns the bytes of an entity, relative to the document, or `nil` if it doesn't exist.
    func entity(_ name: String, of test: ConformanceCase) -> [UInt8]? {
        FileManager.default.contents(atPath: url(of: test).deletingLastPathComponent().appending(path: name).path())
            .map { [UInt8]($0) }
    }

    private func url(of test: ConformanceCase) -> URL { folder.appending(path: "xmlconf/\(test.path)") }

    /// Returns the cases of all files with `<TEST>` elements. Their documents are in the same folder.
    private static func catalogs(in folder: URL) throws -> [ConformanceCase] {
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
            throw UnreadableCatalog(element: String(text))
        }
        return ConformanceCase(
            kind: kind, path: "\(base)/\(uri)", entities: values["ENTITIES"] ?? "none",
            recommendation: values["RECOMMENDATION"] ?? "XML1.0", version: values["VERSION"] ?? "1.0",
            editions: values["EDITION"] ?? "", isNamespaceAware: values["NAMESPACE"] != "no")
    }

    struct UnreadableCatalog: Error {
        let element: String
    }
}

/// The outcome of a conformance case, and whether it is the expected one.
enum ConformanceOutcome: String, CaseIterable {
    case readAlike = "read as by libexpat"
    case readTokens = "read; a DTD declares attributes that libexpat normalizes as tokens"
    case readOnlyByScanner = "read; libexpat rejects names that the fifth edition allows"
    case rejectedForEntities = "rejected because of <!ENTITY"
    case rejectedForVersion = "rejected because of its version"
    case rejectedForFault = "rejected because of its fault"
    case acceptedInsideDTD = "accepted; the fault is inside the DTD, where libexpat finds it"
    case acceptedExternalDTD = "accepted; the fault is in the external DTD, where libexpat finds it if it reads the DTD"
    case acceptedExternalVersion = "accepted; the external DTD is XML 1.1"
    case acceptedMark = "accepted; the byte order mark of UTF-8 overrides the declaration, also in libexpat"
    case acceptedNamespaces = "accepted; a fault only by the namespace recommendation, which libexpat also accepts"
    case otherEditionAccepted = "accepted; a fault only in editions before the fifth"
    case otherEditionRejected = "rejected; about editions before the fifth"
    case optional = "optional error"
    case violation = "VIOLATION"

    /// Whether the outcome differs from the suite's expectation. The test prints such cases.
    var isException: Bool {
        switch self {
        case .readAlike, .rejectedForFault, .optional: false
        default: true
        }
    }

    init(
        _ test: ConformanceCase, _ bytes: [UInt8], _ ours: XMLReading<XMLError>, _ verdict: OracleVerdict,
        entity: @escaping (String) -> [UInt8]?
    ) {
        if case .contradiction = verdict {
            self = .violation
        } else if test.kind == .error {
            self = .optional
        } else if !test.appliesToFifthEdition {
            self = ours.isAccepted ? .otherEditionAccepted : .otherEditionRejected
        } else if let fault = ours.fault {
            self = Self.rejected(test, fault)
        } else if test.kind == .notWellFormed {
            self = Self.accepted(test, bytes, verdict, entity: entity)
        } else {
            self = Self.read(verdict)
        }
    }

    private static func rejected(_ test: ConformanceCase, _ fault: XMLError) -> Self {
        switch fault.reason {
        case .entityDeclaration: .rejectedForEntities
        case .unsupportedVersion: .rejectedForVersion
        default: test.kind == .notWellFormed ? .rejectedForFault : .violation
        }
    }

    private static func read(_ verdict: OracleVerdict) -> Self {
        switch verdict {
        case .bothAccept: .readAlike
        case .differ(.attributeDeclarations): .readTokens
        case .differ(.names), .differ(.namesInsideDTD): .readOnlyByScanner
        default: .violation
        }
    }

    /// Returns why a malformed document may have been accepted, judging by libexpat's error.
    private static func accepted(
        _ test: ConformanceCase, _ bytes: [UInt8], _ verdict: OracleVerdict, entity: @escaping (String) -> [UInt8]?
    ) -> Self {
        switch verdict {
        case .differ(.insideDTD), .differ(.namesInsideDTD):
            return .acceptedInsideDTD
        case .bothAccept where test.isAboutNamespaces, .differ(.attributeDeclarations) where test.isAboutNamespaces:
            return .acceptedNamespaces
        case .bothAccept where bytes.starts(with: [0xEF, 0xBB, 0xBF]):
            return .acceptedMark
        case .bothAccept:
            var readsVersion11 = false
            let theirs = Expat.read(bytes) { name in
                let bytes = entity(name)
                let start = String(decoding: bytes?.prefix(60) ?? [], as: UTF8.self)
                if start.contains(#/version\s*=\s*["']1\.1["']/#) { readsVersion11 = true }
                return bytes
            }
            if theirs.fault?.code == XML_ERROR_EXTERNAL_ENTITY_HANDLING { return .acceptedExternalDTD }
            if theirs.fault?.isInDoctype == true { return .acceptedExternalDTD }
            return readsVersion11 ? .acceptedExternalVersion : .violation
        default:
            return .violation
        }
    }
}
