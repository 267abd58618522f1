import Foundation
import TestSupport
import Testing

/// A published guide from the folder next to the package. Tests are skipped if the folder is missing.
struct RealGuide: Sendable, CustomStringConvertible {
    /// The path in the folder, as in STATS.md.
    let name: String

    var description: String { name }

    /// The maximum size of a guide in bytes: unlimited for a release, otherwise small enough for a debug build.
    static let limit = TestScope.current < .release ? 500_000 : Int.max

    /// The rows of STATS.md by file.
    static let surveys: [Survey] = {
        do {
            let text = try String(contentsOf: PackageFiles.sharedData.appending(path: "STATS.md"), encoding: .utf8)
            return text.split(separator: "\n").compactMap { Survey(row: $0) }
        } catch {
            // Without the folder, the tests are skipped. With it, `surveyedGuidesAreRead` requires the survey.
            return []
        }
    }()

    init(_ survey: Survey) {
        name = survey.file
    }

    /// Returns the decompressed bytes of the guide.
    func bytes() throws -> [UInt8] { try Self.bytes(of: name) }

    /// Returns the bytes of a file of the folder, decompressed by gzip(1) if its name ends in `.gz`.
    static func bytes(of name: String) throws -> [UInt8] {
        let url = PackageFiles.sharedData.appending(path: name)
        guard name.hasSuffix(".gz") else { return Array(try Data(contentsOf: url)) }
        return try TestProgram.output(of: "gzip", ["-dc", url.path])
    }
}

/// A row of the survey of the real guides, made with another program (lxml).
struct Survey: Sendable, CustomTestStringConvertible {
    let file: String
    let channels: Int
    let programmes: Int
    let missingStops: Int
    /// Whether it is well-formed XML with a guide.
    let isGuide: Bool
    let hasRepeatedChannels: Bool
    let bytes: Int

    var testDescription: String { file }

    /// Parses `| file | disk | XML | enc | ch | prog | span | nostop | …`. Fails for any other row.
    init?(row: Substring) {
        let cells = row.split(separator: "|", omittingEmptySubsequences: false).map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        guard cells.count > 12, let channels = Int(cells[5]), let programmes = Int(cells[6]),
            let missing = Int(cells[8].prefix { $0.isNumber }), let bytes = Survey.bytes(cells[3])
        else { return nil }
        file = cells[1]
        (self.channels, self.programmes, self.bytes) = (channels, programmes, bytes)
        missingStops = missing
        // The outputs of filters include RSS feeds.
        isGuide = !row.contains("NOT WELL-FORMED") && !file.contains("/output/rss/")
        hasRepeatedChannels = row.contains("dup channel ids")
    }

    /// Parses `455.4k` and `3.6M` as bytes.
    private static func bytes(_ text: String) -> Int? {
        let factor = text.hasSuffix("M") ? 1_000_000.0 : text.hasSuffix("k") ? 1000 : 1
        return Double(text.filter { $0.isNumber || $0 == "." }).map { Int($0 * factor) }
    }
}
