import EPGImport
import EPGModel
import EPGSQL
import EPGStore
import Foundation
import TestSupport
import XMLTV

/// A guide imported from a text into a temporary folder, which is removed with it.
final class ImportedGuide {
    let store: GuideStore
    let outcome: ImportOutcome
    private let folder: URL

    /// The current time for every import.
    static let now = Instant(secondsSince1970: 1_774_720_800)

    /// Imports the bytes of a guide.
    init(
        bytes: [UInt8], as source: Source = Source(name: "feed"), options: ImportOptions = ImportOptions()
    ) throws {
        folder = try Self.makeFolder()
        do {
            let file = folder.appending(path: "guide.sqlite")
            try Self.emptyStore.get().write(to: file)
            store = try GuideStore(writingTo: file.path)
            outcome = try GuideImporter(store: store).importGuide(
                ChunkSource(bytes), as: source, options: options, now: Self.now)
        } catch {
            try FileManager.default.removeItem(at: folder)
            throw error
        }
    }

    /// Imports the text between `<tv>` and `</tv>`.
    convenience init(
        _ records: String, as source: Source = Source(name: "feed"), options: ImportOptions = ImportOptions()
    ) throws {
        let text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<tv>\n\(records)\n</tv>\n"
        try self.init(bytes: Array(text.utf8), as: source, options: options)
    }

    /// The file of an empty store. Opening a copy takes less time than creating the schema.
    private static let emptyStore = Result {
        let folder = try makeFolder()
        defer { _ = Result { try FileManager.default.removeItem(at: folder) } }
        let file = folder.appending(path: "guide.sqlite")
        try GuideStore(writingTo: file.path).close()
        return try Data(contentsOf: file)
    }

    private static func makeFolder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "epg-import-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    deinit {
        // Ignore errors, because the system cleans up temporary folders.
        _ = Result { try FileManager.default.removeItem(at: folder) }
    }

    /// Imports another guide into the same store.
    func importing(
        _ bytes: [UInt8], as source: Source = Source(name: "feed"), options: ImportOptions = ImportOptions()
    ) throws -> ImportOutcome {
        try GuideImporter(store: store).importGuide(
            ChunkSource(bytes), as: source, options: options, now: Self.now)
    }

    static let allTime = TimeWindow(
        start: Instant(secondsSince1970: .min / 2), end: Instant(secondsSince1970: .max / 2))

    /// Returns all airings of a station.
    func airings(of station: String) throws -> [Airing] {
        try store.schedule(of: StationID(station), during: Self.allTime).airings
    }

    /// Returns all details of a station's only airing.
    func onlyAiring(of station: String = "one.test") throws -> AiringDetail? {
        let airings = try airings(of: station)
        guard airings.count == 1, let airing = airings.first else { return nil }
        return try store.airing(airing.id)
    }

    /// Returns starts, stops, and titles of a station's airings: `2026-03-29T00:30:00Z 2026-03-29T01:00:00Z News`.
    func lines(of station: String) throws -> [String] {
        try airings(of: station).map { "\($0.window.start) \($0.window.end) \($0.title)" }
    }

    /// Returns the number of airings that continue another airing.
    func continuations() throws -> Int {
        let found = try diagnostics()
        let continued = found.filter { $0.action == .continued }
        // A listing that lost its start against another listing has no first part.
        let cut = Set(found.lazy.filter { $0.action == .trimmedStop }.map(\.line))
        return continued.count - Set(continued.map(\.line)).subtracting(cut).count
    }

    /// Returns the diagnostics of the import.
    func diagnostics() throws -> [Diagnostic] {
        var found: [Diagnostic] = []
        try store.diagnostics(ofImport: outcome.importID) { diagnostic in
            found.append(diagnostic)
            return true
        }
        return found
    }

    /// Returns the line, keyword, and action of each diagnostic: `5 badstart skipped`.
    func findings() throws -> [String] {
        try diagnostics().map { "\($0.line) \($0.keyword.rawValue) \($0.action.rawValue)" }
    }
}

/// Expects the counts of a report to add up.
func expectAddsUp(
    _ report: ImportReport, file: String = #fileID, path: String = #filePath, line: Int = #line, column: Int = #column
) {
    let lost = report.dropped.values.reduce(0, +) + report.skipped.values.reduce(0, +)
    expectEqual(
        report.airingsStored + report.merged + lost + report.filtered, report.programmesRead, "\(report)",
        file: file, path: path, line: line, column: column)
}
