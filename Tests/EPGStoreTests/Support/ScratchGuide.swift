import EPGImport
import EPGModel
import EPGStore
import StoreConformance

/// A guide on disk in a temporary folder; the folder goes with it.
final class ScratchGuide {
    let path: String
    private let folder: TemporaryFolder
    /// The store that writes, while it is open.
    private(set) var writer: GuideStore?

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path(of: "guide.sqlite")
    }

    /// A guide with some airings in it, see ``Day``.
    convenience init(_ airings: [String]) throws {
        try self.init()
        try importing(airings)
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
        now: Instant = Day.now
    ) throws -> ImportOutcome {
        try store.importing(text: text, as: source, options: options, now: now)
    }

    /// All airings of a station.
    func airings(of station: String = "one") throws -> [Airing] { try store.airings(of: station) }

    /// All airings of a station, as ``Day`` writes them.
    func lines(of station: String = "one") throws -> [String] { try store.lines(of: station) }

    /// The identifier of the only airing with a title.
    func identifier(of title: String, on station: String = "one") throws -> AiringID? {
        try store.identifier(of: title, on: station)
    }

    /// The changes since a generation, as ``ChangeText`` writes them.
    func changes(since generation: Int64) throws -> [String] { try store.changeLines(since: generation) }
}
