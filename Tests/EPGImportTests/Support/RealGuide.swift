import Foundation
import Testing

/// A guide as it is published, from the folder beside the package; tests are skipped where that is missing.
struct RealGuide: Sendable, CustomStringConvertible {
    /// Below the folder, as STATS.md calls it.
    let name: String

    var description: String { name }

    /// `../shared/data` beside the package.
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "shared/data")

    static let isThere = FileManager.default.fileExists(atPath: folder.path)

    /// Says why tests are skipped.
    static let absence = "the folder shared/data with real guides isn't beside the package"

    /// With `EPG_SLOW` all guides are read, otherwise those below a size that a debug build reads at once.
    static let limit = ProcessInfo.processInfo.environment["EPG_SLOW"] == nil ? 1_500_000 : Int.max

    /// What STATS.md says of each file.
    static let surveys: [Survey] = {
        do {
            let text = try String(contentsOf: folder.appending(path: "STATS.md"), encoding: .utf8)
            return text.split(separator: "\n").compactMap { Survey(row: $0) }
        } catch {
            // Without the folder the tests are skipped; with it, one of them wants the survey.
            return []
        }
    }()

    init(_ survey: Survey) {
        name = survey.file
    }

    /// The guide's bytes, unpacked.
    func bytes() throws -> [UInt8] { try Self.bytes(of: name) }

    /// The bytes of a file of the folder; one whose name ends in `.gz` is unpacked by gzip(1).
    static func bytes(of name: String) throws -> [UInt8] {
        let url = folder.appending(path: name)
        guard name.hasSuffix(".gz") else { return Array(try Data(contentsOf: url)) }
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["gzip", "-dc", url.path]
        process.standardOutput = output
        try process.run()
        let unpacked = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Array(unpacked)
    }
}

/// A row of the survey that was made of the real guides with another program (lxml).
struct Survey: Sendable, CustomTestStringConvertible {
    let file: String
    let channels: Int
    let programmes: Int
    let missingStops: Int
    /// Well-formed XML with a guide in it.
    let isGuide: Bool
    let hasRepeatedChannels: Bool
    let bytes: Int

    var testDescription: String { file }

    /// Reads `| file | disk | XML | enc | ch | prog | span | nostop | …`; `nil` for a row that is none.
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
        // Among the filters' outputs are feeds in RSS.
        isGuide = !row.contains("NOT WELL-FORMED") && !file.contains("/output/rss/")
        hasRepeatedChannels = row.contains("dup channel ids")
    }

    /// `455.4k` and `3.6M` as bytes.
    private static func bytes(_ text: String) -> Int? {
        let factor = text.hasSuffix("M") ? 1_000_000.0 : text.hasSuffix("k") ? 1000 : 1
        return Double(text.filter { $0.isNumber || $0 == "." }).map { Int($0 * factor) }
    }
}
