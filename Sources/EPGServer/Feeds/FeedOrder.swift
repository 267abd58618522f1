import EPGCalendar
import EPGImport
import EPGModel

/// The feed that a client requests. Its parameters are those of `epg export`.
struct FeedOrder: Sendable {
    /// Equal for all URLs whose feeds have the same bytes before compression.
    let key: String
    /// How long clients and caches may keep the feed.
    let freshness: Freshness
    /// The generation that the URL names; `nil` for the current one.
    let generation: GenerationName?
    private let format: ExportRequest.Format
    private let request: ExportRequest
    /// The start of the current day, if the feed depends on it; feeds written before may be out of date.
    private let today: Instant?

    /// - Throws: ``Problem`` for an invalid or unknown parameter.
    init(_ format: ExportRequest.Format, _ parameters: inout ParameterReader) throws(Problem) {
        self.format = format
        var request = ExportRequest()
        let days = try parameters.integer("days", default: 0, in: 0...3660)
        let offset = try parameters.integer("offset", default: 0, in: -3660...3660)
        if days > 0 || offset != 0 {
            let (zone, start) = try parameters.today()
            today = parameters.followsClock ? start : nil
            request.window = zone.window(
                ofDays: days > 0 ? days : nil, from: zone.date(at: start).advanced(byDays: offset))
        } else {
            today = nil
            request.window = try FeedOrder.window(&parameters)
        }
        request.patterns = try parameters.stationPatterns()
        guard request.patterns.count <= 100 else {
            throw .badParameter("stations", "the URL has \(request.patterns.count) patterns; the maximum is 100.")
        }
        request.lineup = try parameters.text("lineup")
        request.source = try parameters.text("source")
        request.times = try parameters.choice("times", default: ExportRequest.Times.usual)
        if format == .xmltv { request.isStrict = try parameters.flag("strict") }
        self.request = request
        key = format.rawValue + "?" + (try parameters.finish())
        generation = parameters.generation
        freshness = parameters.generation?.key == nil || parameters.followsClock ? .revalidated : .immutable
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

    /// Identifies the feed of a version of the guide.
    func key(at version: GuideVersion) -> String { "\(version.generation) \(version.nonce) \(key)" }

    /// When the feed of a version of the guide became what it is: with the guide, with the service, or with the current
    /// day.
    func lastModified(at version: GuideVersion, _ site: Site) -> Instant? {
        site.lastModified(of: version).map { max($0, today ?? $0) }
    }

    /// Writes the feed.
    ///
    /// - Throws: ``Problem`` if the guide lacks what the client named, what the sink throws, or an error of the store.
    func write(_ guide: any GuideReading, to sink: @escaping ExportSink) throws {
        do {
            try request.write(guide, as: format, to: sink)
        } catch let error as UnknownSource {
            throw Problem.badParameter(
                "source", "there is no source “\(error.name)”. /api/v1/sources lists all sources.")
        } catch let error as UnknownLineup {
            throw Problem.badParameter(
                "lineup", "there is no lineup “\(error.name)”. /api/v1/lineups lists all lineups.")
        } catch is NoStationSelected {
            throw Problem.notFound("No station matches. /api/v1/stations lists all stations.")
        }
    }
}
