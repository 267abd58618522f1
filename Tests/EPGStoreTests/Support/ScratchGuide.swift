import EPGImport
import EPGModel
import EPGStore
import Foundation
import XMLTV

/// A guide on disk in a temporary folder; the folder goes with it.
final class ScratchGuide {
    let path: String
    private let folder: URL
    /// The store that writes, while it is open.
    private(set) var writer: GuideStore?

    /// 2026-03-28T18:00:00Z: the instant that imports are logged with.
    static let now = Day.instant("18:00")

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "epg-store-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.appending(path: "guide.sqlite").path
    }

    /// A guide with some airings in it, see ``Day``.
    convenience init(_ airings: [String]) throws {
        try self.init()
        try importing(airings)
    }

    deinit {
        writer = nil
        // A folder that can't be removed is the system's to clear; it fails no test.
        _ = Result { try FileManager.default.removeItem(at: folder) }
    }

    /// The store, open for writing.
    var store: GuideStore {
        get throws {
            if let writer { return writer }
            let opened = try GuideStore(writingTo: path)
            writer = opened
            return opened
        }
    }

    /// Closes the writing store.
    func close() throws {
        try writer?.close()
        writer = nil
    }

    @discardableResult
    func importing(
        _ airings: [String], as source: Source = Source(name: "feed"), options: ImportOptions = ImportOptions()
    ) throws -> ImportOutcome {
        try importing(text: Day.guide(airings), as: source, options: options)
    }

    @discardableResult
    func importing(
        text: String, as source: Source = Source(name: "feed"), options: ImportOptions = ImportOptions(),
        now: Instant = ScratchGuide.now
    ) throws -> ImportOutcome {
        try GuideImporter(store: try store).importGuide(
            ChunkSource(Array(text.utf8)), as: source, options: options, now: now)
    }

    /// All airings of a station.
    func airings(of station: String = "one") throws -> [Airing] {
        try store.schedule(of: StationID(station), during: Day.allTime).airings
    }

    /// All airings of a station, as ``Day`` writes them.
    func lines(of station: String = "one") throws -> [String] {
        try airings(of: station).map(Day.line)
    }

    /// The identifier of the only airing with a title.
    func identifier(of title: String, on station: String = "one") throws -> AiringID? {
        let found = try airings(of: station).filter { $0.title == title }
        return found.count == 1 ? found.first?.id : nil
    }
}
