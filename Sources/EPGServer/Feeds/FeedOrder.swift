import EPGCalendar
import EPGImport
import EPGModel
import Synchronization

/// The feed that a client requests.
struct FeedOrder: Sendable {
    enum Format: String, Sendable {
        case xmltv
        /// EPG JSON, an object on each line.
        case json
    }

    /// Equal for all URLs whose feeds have the same bytes before compression.
    let key: String
    /// How long clients and caches may keep the feed.
    let freshness: Freshness
    /// The generation that the URL names; `nil` for the current one.
    let generation: GenerationName?
    private let format: Format
    private let selection: FeedSelection

    /// - Throws: ``Problem`` for an invalid or unknown parameter.
    init(_ format: Format, _ parameters: inout ParameterReader) throws(Problem) {
        self.format = format
        selection = try FeedSelection(&parameters, hasStrictForm: format == .xmltv)
        key = format.rawValue + "?" + (try parameters.finish())
        generation = parameters.generation
        freshness = parameters.generation?.key == nil || parameters.followsClock ? .revalidated : .immutable
    }

    /// When the feed of a version of the guide became what it is: with the guide, with the service, or with the current
    /// day.
    func lastModified(at version: GuideVersion, _ site: Site) -> Instant? {
        site.lastModified(of: version).map { max($0, selection.today ?? $0) }
    }

    /// Writes the feed.
    ///
    /// - Throws: ``Problem`` if the guide lacks what the client named, what the sink throws, or an error of the store.
    func write(_ guide: any GuideReading, to sink: @escaping ExportSink) throws {
        var chosen = try selection.selection(in: guide)
        let found = FoundFlag()
        if let isSelected = chosen.stations {
            chosen.stations = { station in
                guard isSelected(station) else { return false }
                found.flag.store(true, ordering: .relaxed)
                return true
            }
        } else {
            found.flag.store(true, ordering: .relaxed)
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
        guard found.flag.load(ordering: .relaxed) else {
            throw Problem.notFound("No station matches. /api/v1/stations lists all stations.")
        }
    }

    /// Whether a station was selected, set by the closure that selects stations.
    private final class FoundFlag: Sendable {
        let flag = Atomic(false)
    }
}

/// The parameters of feeds, which are those of `epg export`.
private struct FeedSelection: Sendable {
    /// Selects airings that overlap it; `nil` for all.
    private let window: TimeWindow?
    /// Select stations whose identifier matches one of them; empty for all.
    private let patterns: [StationPattern]
    /// Selects stations that a channel of this lineup shows; `nil` for all.
    private let lineup: String?
    /// Selects all airings of this source, including hidden ones; `nil` for those that the guide shows.
    private let source: String?
    private let times: FeedTimes
    private let isStrict: Bool
    /// The start of the current day, if the feed depends on it; feeds written before may be out of date.
    let today: Instant?

    /// - Parameter hasStrictForm: Whether the format has rules that an exporter may follow strictly.
    init(_ parameters: inout ParameterReader, hasStrictForm: Bool) throws(Problem) {
        let days = try parameters.integer("days", default: 0, in: 0...3660)
        let offset = try parameters.integer("offset", default: 0, in: -3660...3660)
        if days > 0 || offset != 0 {
            let (zone, start) = try parameters.today()
            today = parameters.followsClock ? start : nil
            window = FeedSelection.window(days: days, offset: offset, from: start, in: zone)
        } else {
            today = nil
            window = try FeedSelection.window(&parameters)
        }
        let texts = try parameters.text("stations", maximumLength: 2000)?.split(separator: ",") ?? []
        guard texts.count <= 100 else {
            throw .badParameter("stations", "the URL has \(texts.count) patterns; the maximum is 100.")
        }
        patterns = texts.map { StationPattern(String($0)) }
        lineup = try parameters.text("lineup")
        source = try parameters.text("source")
        times = try parameters.choice("times", default: FeedTimes.usual)
        isStrict = hasStrictForm ? try parameters.choice("strict", default: Toggle.off).isOn : false
    }

    /// Whole days of the calendar, beginning a number of days after today; 0 days for all that follow.
    private static func window(days: Int, offset: Int, from today: Instant, in zone: Zone) -> TimeWindow {
        let first = zone.date(at: today).advanced(byDays: offset)
        let start = zone.start(of: first)
        let end = days > 0 ? zone.start(of: first.advanced(byDays: days)) : .endOfTime
        return TimeWindow(start: start, end: max(start, end))
    }

    /// The window from `from` to `to`, each of which may be missing.
    private static func window(_ parameters: inout ParameterReader) throws(Problem) -> TimeWindow? {
        let start = try parameters.instant("from")
        let end = try parameters.instant("to")
        guard start != nil || end != nil else { return nil }
        let window = TimeWindow(from: start ?? .beginningOfTime, to: end ?? .endOfTime)
        guard let window, !window.isEmpty else { throw .badParameter("to", "the time must be later than from.") }
        return window
    }

    /// - Throws: ``Problem`` if the guide lacks the lineup or the source.
    func selection(in guide: any GuideReading) throws -> ExportSelection {
        var selection = ExportSelection()
        selection.window = window
        if let source {
            let names = try guide.sourceRecords().map(\.source.name)
            guard names.contains(source) else {
                throw Problem.badParameter(
                    "source", "there is no source “\(source)”. /api/v1/sources lists all sources.")
            }
            selection.source = source
        }
        let listed = try lineup.map { try FeedSelection.stations(ofLineup: $0, in: guide) }
        if !patterns.isEmpty || listed != nil {
            selection.stations = { [patterns] station in
                (listed?.contains(station.id) ?? true)
                    && (patterns.isEmpty || patterns.contains { $0.matches(station.id.rawValue) })
            }
        }
        return selection
    }

    /// - Parameter isForPlayers: Whether ``FeedTimes/usual`` always means the times that the guide shows.
    func options(in guide: any GuideReading, isForPlayers: Bool) throws -> ExportOptions {
        let choice: ExportOptions.Times
        switch times {
        case .published: choice = .published
        case .shown: choice = .shown
        case .usual:
            choice = try isForPlayers || source == nil && guide.sourceRecords().count > 1 ? .shown : .published
        }
        return ExportOptions(times: choice, isStrict: isStrict)
    }

    private static func stations(ofLineup name: String, in guide: any GuideReading) throws -> Set<StationID> {
        guard let matches = try guide.lineup(named: name)?.matches else {
            throw Problem.badParameter("lineup", "there is no lineup “\(name)”. /api/v1/lineups lists all lineups.")
        }
        return Set(matches.compactMap { $0?.station })
    }
}

/// The times that a feed contains if the guide repaired them.
private enum FeedTimes: String, CaseIterable, Sendable {
    /// In XMLTV, the times that the guide shows; in JSON, those that the source published, unless the guide merges
    /// several sources.
    case usual
    /// The times of the source, without inferred stops.
    case published
    /// The times that the guide shows.
    case shown
}

extension Instant {
    /// Earlier and later than any airing, and far enough from the ends of `Int64` for arithmetic.
    fileprivate static let beginningOfTime = Instant(secondsSince1970: .min / 4)
    fileprivate static let endOfTime = Instant(secondsSince1970: .max / 4)
}
