import EPGImport
import EPGModel
import EPGStore
import StoreConformance

/// A guide on disk in a temporary folder that is removed with this object.
final class ScratchGuide {
    let path: String
    private let folder: TemporaryFolder
    /// The open store for writing.
    private(set) var writer: GuideStore?

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path(of: "guide.sqlite")
    }

    /// Creates a guide with airings in the notation of ``Day``.
    convenience init(_ airings: [String]) throws {
        try self.init()
        try importing(airings)
    }

    /// The store for writing, which is opened if necessary.
    var store: GuideStore {
        get throws {
            if let writer { return writer }
            let opened = try GuideStore(writingTo: path)
            writer = opened
            return opened
        }
    }

    /// Closes the store for writing.
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

    /// Returns all airings of a station.
    func airings(of station: String = "one") throws -> [Airing] { try store.airings(of: station) }

    /// Returns all airings of a station in the notation of ``Day``.
    func lines(of station: String = "one") throws -> [String] { try store.lines(of: station) }

    /// Returns the identifier of the airing with a title; `nil` unless exactly one airing has it.
    func identifier(of title: String, on station: String = "one") throws -> AiringID? {
        try store.identifier(of: title, on: station)
    }

    /// Returns the changes since a generation in the notation of ``ChangeText``.
    func changes(since generation: Int64) throws -> [String] { try store.changeLines(since: generation) }
}
