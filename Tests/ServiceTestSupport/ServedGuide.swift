import EPGImport
import EPGModel
import EPGSQL
import EPGStore
import Foundation
import TestSupport
import XMLTV

/// A database in a temporary folder that is removed with it.
final class ServedGuide: Sendable {
    let folder: String
    /// Path of the database.
    var path: String { folder + "/guide.sqlite" }

    /// The time of imports: an hour before ``RunningServer/now``.
    static let imported = Instant(secondsSince1970: 1_792_861_800)

    /// Creates a database with a guide from `sample-data`.
    convenience init(sample name: String = "evening.xml") throws {
        try self.init(bytes: try ServedGuide.sample(name))
    }

    /// Creates a database with the XMLTV records between `<tv>` and `</tv>`.
    convenience init(_ records: String) throws {
        try self.init(bytes: ServedGuide.document(records))
    }

    init(bytes: [UInt8], as source: String = "default") throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "epgd-test-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try importGuide(bytes, as: source)
    }

    deinit {
        // A folder that cannot be removed does not fail a test.
        _ = Result { try FileManager.default.removeItem(atPath: folder) }
    }

    /// Imports a guide as another process would.
    @discardableResult
    func importGuide(_ bytes: [UInt8], as source: String = "default", at now: Instant = imported) throws
        -> ImportOutcome
    {
        try write { store in
            try GuideImporter(store: store).importGuide(ChunkSource(bytes), as: Source(name: source), now: now)
        }
    }

    /// Imports a playlist.
    func importPlaylist(_ bytes: [UInt8], named name: String) throws {
        try write { store in
            _ = try GuideImporter(store: store).importLineup(
                GuideFile(ChunkSource(bytes)), named: name, now: ServedGuide.imported)
        }
    }

    /// Adds two sources: `east`, which was refreshed an hour before ``RunningServer/now`` and failed a minute before it, for
    /// the third time; and `new`, which was never refreshed.
    func addSources() throws {
        try write { store in
            try store.save(Source(name: "east", location: "https://a.example/?key=secret"), now: ServedGuide.imported)
            try store.save(Source(name: "new", location: "/new.xml"), now: ServedGuide.imported)
            var state = SourceState()
            state.lastAttempt = RunningServer.now.advanced(by: -60)
            state.lastSuccess = RunningServer.now.advanced(by: -3600)
            state.lastError = "https://a.example/?key=secret is away"
            state.lastResult = .failed
            state.lastDuration = .milliseconds(1250)
            state.failures = 3
            try store.saveState(state, ofSource: "east")
        }
    }

    /// Returns the airings of all stations as lines: station, start, stop, title, sub-title, description.
    func lines() throws -> [String] {
        let store = try GuideStore(readingFrom: path)
        let allTime = TimeWindow(
            start: Instant(secondsSince1970: .min / 4), end: Instant(secondsSince1970: .max / 4))
        let lines = try store.schedules(inRows: 0..<1_000_000, during: allTime).flatMap { row in
            row.schedule.airings.map { airing in
                let texts = [airing.title, airing.subtitle ?? "-", airing.description ?? "-"].joined(separator: "|")
                return "\(row.schedule.station) \(airing.window.start) \(airing.window.end) \(texts)"
            }
        }
        try store.close()
        return lines
    }

    /// Opens the database for writing, runs `body` and closes the database.
    func write<Outcome>(_ body: (GuideStore) throws -> Outcome) throws -> Outcome {
        let store = try GuideStore(writingTo: path, waiting: .always)
        let outcome = try body(store)
        try store.close()
        return outcome
    }

    static func document(_ records: String) -> [UInt8] {
        Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<tv>\n\(records)\n</tv>\n".utf8)
    }

    static func sample(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: PackageFiles.sample(name))))
    }
}
