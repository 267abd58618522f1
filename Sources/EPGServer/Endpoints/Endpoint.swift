import EPGModel

/// A question that an address asks of the guide: its answer depends on the guide's generation and on its own parameters,
/// and on nothing else.
///
/// What depends on the clock takes the minute from ``RequestReader/minute()``, which makes it a parameter. An answer that
/// depends on something else says so by its ``freshness`` or by ``Document/isPassing``.
protocol Endpoint: Sendable {
    /// The path, such as `/api/v1/stations/{id}/schedule`; what stands in braces is taken from the address.
    static var path: String { get }

    /// Reads the parameters.
    ///
    /// Parameters that aren't read here are refused afterwards, so that every address has one meaning.
    init(_ request: inout RequestReader) throws(Problem)

    /// How long others may keep the answer.
    var freshness: Freshness { get }

    /// Whether a full-text search is needed for the answer: it runs in a class of its own, so that nothing else waits for it.
    var isSearch: Bool { get }

    /// Answers; all that is asked of the guide belongs to one generation.
    ///
    /// - Throws: ``Problem``, or an error of the store.
    func answer(_ guide: GuideView) throws -> Document

    /// The same answer out of memory alone, at once; `nil` where something has to be read, or where there is more to be done
    /// than a fraction of a millisecond's work.
    func quickAnswer(_ schedules: ScheduleIndex) -> Document?
}

extension Endpoint {
    var freshness: Freshness { .live }

    var isSearch: Bool { false }

    func quickAnswer(_ schedules: ScheduleIndex) -> Document? { nil }
}

/// The guide as one answer sees it.
struct GuideView: Sendable {
    /// Everything that is asked of it belongs to one generation.
    let guide: any GuideReading
    let version: GuideVersion
    /// Where its schedules are kept in memory.
    let standing: StandingSchedules
    /// What the service calls itself, where pages and feeds lead.
    let site: Site
    /// When the service refreshes a source next by itself; `nil` where others do.
    var nextRefresh: (@Sendable (SourceSummary) -> Instant?)?

    var generation: Generation { version.generation }

    /// Its schedules in memory.
    ///
    /// - Throws: An error of the store.
    func schedules() throws -> ScheduleIndex { try standing.index(of: version, in: guide) }

    /// The generation by its full name.
    var generationName: GenerationName { GenerationName(version, edition: site.edition.name) }

    /// An earlier generation of this guide by its full name; `nil` where the guide's log doesn't have it.
    ///
    /// - Throws: An error of the store.
    func name(of generation: Generation) throws -> GenerationName? {
        try guide.version(of: generation).map { GenerationName($0, edition: site.edition.name) }
    }
}

/// How long others may keep an answer.
enum Freshness: Hashable, Sendable {
    /// It follows the guide: browsers ask again each time, caches in between after a few seconds.
    case live
    /// It is never kept.
    case never
    /// The address names a generation in full: it is the same for ever.
    case immutable
}
