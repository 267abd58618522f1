import EPGCalendar
import EPGImport
import EPGModel

/// What of the guide a feed has, and how it is written: the parameters of `epg export`.
struct FeedSelection: Sendable {
    /// Airings that overlap it; `nil` for all.
    private let window: TimeWindow?
    /// Stations whose identifier matches one of these; empty for all.
    private let patterns: [StationPattern]
    /// Only stations that a channel of this lineup shows.
    private let lineup: String?
    /// All airings of this source, shown or not; `nil` for what the guide shows.
    private let source: String?
    private let times: FeedTimes
    private let isStrict: Bool
    /// The first instant of the day that counts as today, where the clock says which one that is: what was written before
    /// may be out of date since then.
    let today: Instant?

    /// Reads the parameters.
    ///
    /// - Parameter takesStrict: Whether the format has rules that can be kept strictly.
    init(_ request: inout RequestReader, takesStrict: Bool) throws(Problem) {
        let days = try request.integer("days", default: 0, in: 0...3660)
        let offset = try request.integer("offset", default: 0, in: -3660...3660)
        if days > 0 || offset != 0 {
            let (zone, start) = try request.today()
            today = request.followsClock ? start : nil
            window = FeedSelection.window(days: days, offset: offset, from: start, in: zone)
        } else {
            today = nil
            window = try FeedSelection.window(&request)
        }
        let texts = try request.text("stations", atMost: 2000)?.split(separator: ",") ?? []
        guard texts.count <= 100 else {
            throw .badParameter("stations", "these are \(texts.count) patterns; give at most 100.")
        }
        patterns = texts.map { StationPattern(String($0)) }
        lineup = try request.text("lineup")
        source = try request.text("source")
        times = try request.choice("times", default: FeedTimes.usual)
        isStrict = takesStrict ? try request.choice("strict", default: Toggle.off).isOn : false
    }

    /// Whole days of the calendar, from so many days after today.
    private static func window(days: Int, offset: Int, from today: Instant, in zone: Zone) -> TimeWindow {
        let first = zone.date(at: today).advanced(byDays: offset)
        let start = zone.start(of: first)
        let end = days > 0 ? zone.start(of: first.advanced(byDays: days)) : .endOfTime
        return TimeWindow(start: start, end: max(start, end))
    }

    /// The window between `from` and `to`, of which either may be missing.
    private static func window(_ request: inout RequestReader) throws(Problem) -> TimeWindow? {
        let start = try request.instant("from")
        let end = try request.instant("to")
        guard start != nil || end != nil else { return nil }
        let window = TimeWindow(from: start ?? .beginningOfTime, to: end ?? .endOfTime)
        guard let window, !window.isEmpty else { throw .badParameter("to", "it must be later than from.") }
        return window
    }

    // MARK: - Writing

    /// What is to be asked of the guide.
    ///
    /// - Throws: ``Problem`` where there is no such lineup or source.
    func selection(in guide: any GuideReading) throws -> ExportSelection {
        var selection = ExportSelection()
        selection.window = window
        if let source {
            let names = try guide.sourceRecords().map(\.source.name)
            guard names.contains(source) else {
                throw Problem.badParameter("source", "there is no source “\(source)”; /api/v1/sources lists them.")
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

    /// How it is to be written.
    ///
    /// - Parameter isForPlayers: Whether the usual times are those that the guide shows; else they are only where several
    ///   sources are mixed.
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
            throw Problem.badParameter("lineup", "there is no lineup “\(name)”; /api/v1/lineups lists them.")
        }
        return Set(matches.compactMap { $0?.station })
    }
}

/// Which times a feed has where the guide repaired them.
enum FeedTimes: String, CaseIterable, Sendable {
    /// In XMLTV those that the guide shows; in JSON those that the source published, unless several sources are mixed.
    case usual
    /// As the source gave them, without inferred stops.
    case published
    /// As the guide shows them.
    case shown
}

/// A parameter that is off or on.
enum Toggle: String, CaseIterable, Sendable {
    case off = "0"
    case on = "1"

    var isOn: Bool { self == .on }
}

extension Instant {
    /// Before and after whatever a guide holds; far enough from the ends of `Int64` to reckon with.
    fileprivate static let beginningOfTime = Instant(secondsSince1970: .min / 4)
    fileprivate static let endOfTime = Instant(secondsSince1970: .max / 4)
}
