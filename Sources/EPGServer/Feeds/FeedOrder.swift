import EPGImport
import EPGModel
import Synchronization

/// A feed as a client asks for it.
struct FeedOrder: Sendable {
    /// What a feed is written as.
    enum Format: String, Sendable {
        case xmltv
        /// EPG JSON, an object on each line.
        case json
    }

    /// The same for all addresses whose feeds have the same bytes before they are packed.
    let key: String
    private let format: Format
    private let selection: FeedSelection
    /// How long others may keep it.
    let freshness: Freshness
    /// The generation that the address names, if any.
    let generation: GenerationName?

    /// Reads the parameters.
    init(_ format: Format, _ request: inout RequestReader) throws(Problem) {
        self.format = format
        selection = try FeedSelection(&request, takesStrict: format == .xmltv)
        key = format.rawValue + "?" + (try request.finish())
        generation = request.generation
        freshness = request.generation?.key == nil || request.followsClock ? .live : .immutable
    }

    /// When the feed of a version of the guide became what it is: with the guide, with the edition, or with the day.
    func lastModified(at version: GuideVersion, _ edition: Edition) -> Instant? {
        edition.lastModified(of: version).map { max($0, selection.today ?? $0) }
    }

    /// Writes the feed.
    ///
    /// - Throws: ``Problem`` where nothing is there that was asked for by name, what the sink throws, or an error of the
    ///   store.
    func write(_ guide: any GuideReading, to sink: @escaping ExportSink) throws {
        var chosen = try selection.selection(in: guide)
        let hasFound = Found()
        if let isWanted = chosen.stations {
            chosen.stations = { station in
                guard isWanted(station) else { return false }
                hasFound.flag.store(true, ordering: .relaxed)
                return true
            }
        } else {
            hasFound.flag.store(true, ordering: .relaxed)
        }
        let options = try selection.options(in: guide, isForPlayers: format == .xmltv)
        switch format {
        case .xmltv:
            var exporter = XMLTVExporter(options, to: sink)
            try guide.export(chosen, to: &exporter)
        case .json:
            var exporter = JSONExporter(options, to: sink)
            try guide.export(chosen, to: &exporter)
        }
        guard hasFound.flag.load(ordering: .relaxed) else {
            throw Problem.notFound("There is no such station; /api/v1/stations lists those of the guide.")
        }
    }

    /// Whether a station was found, told by the closure that chooses.
    private final class Found: Sendable {
        let flag = Atomic(false)
    }
}
