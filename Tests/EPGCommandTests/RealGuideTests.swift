import Foundation
import FoundationXML
import TestSupport
import Testing

/// Tests that small real guides next to the package are imported without losing a programme.
@Suite struct RealGuideTests {
    private static let guides: [URL] = {
        let keys: [URLResourceKey] = [.fileSizeKey, .isRegularFileKey]
        let files = FileManager.default.enumerator(at: PackageFiles.sharedData, includingPropertiesForKeys: keys)
        return files?.compactMap { $0 as? URL }.filter { $0.pathExtension == "xml" } ?? []
    }()

    /// The maximum size of a guide in bytes, which is smaller before a release.
    private static let largest = TestScope.current < .release ? 30_000 : 100_000

    private static func isSmall(_ guide: URL) throws -> Bool {
        let values = try guide.resourceValues(forKeys: [.fileSizeKey, .isRegularFileKey])
        return values.isRegularFile == true && (1...largest).contains(values.fileSize ?? 0)
    }

    @Test(.needs(.sharedData()))
    func realGuidesAreImportedCompletely() throws {
        // The tests of the reader and the import cover larger guides.
        let guides = try Self.guides.filter { try Self.isSmall($0) }
        #expect(!guides.isEmpty)
        for guide in guides {
            let sandbox = try Sandbox()
            let run = try sandbox.epg("import", guide.path, "--json")
            if run.status == 0 {
                let outcome = try #require(try run.json(as: [String: Any].self)["outcome"] as? [String: Any])
                let report = try #require(outcome["report"] as? [String: Any])
                func sum(_ key: String) -> Int { (report[key] as? [String: Int] ?? [:]).values.reduce(0, +) }
                let others = ["airingsStored", "merged", "filtered"].map { report[$0] as? Int ?? 0 }.reduce(0, +)
                #expect(report["programmesRead"] as? Int == others + sum("dropped") + sum("skipped"), "\(guide.path)")
                continue
            }
            // Rejected guides are not XMLTV, or libxml2 rejects them, too.
            run.expect(65)
            let isWellFormed = XMLParser(contentsOf: guide)?.parse() ?? false
            #expect(!isWellFormed || run.errors.contains("not XMLTV"), "\(guide.path): \(run.errors)")
        }
    }
}
