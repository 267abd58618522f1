import EPGCalendar
import EPGHTTP
import EPGImport
import EPGJSON
import EPGModel
import EPGRender
import HTTPTypes
import Hummingbird
import Synchronization

/// A resource that is read from the guide.
///
/// The response depends on the guide's generation and on the parameters, and on nothing else. An endpoint that depends on the
/// clock takes the minute from ``ParameterReader/minute()``, which makes it a parameter. An endpoint that depends on anything
/// else is ``Freshness/uncacheable``, or says so in ``Document/isCacheable``.
protocol Endpoint: Sendable {
    /// The path in Hummingbird's notation, such as `/api/v1/stations/{id}/schedule`.
    static var path: String { get }

    /// The group of the route (default: ``AccessGroup/reading``).
    static var group: AccessGroup { get }

    /// Reads the parameters.
    ///
    /// The service rejects parameters that are not read here, so that every URL has one meaning.
    init(_ parameters: inout ParameterReader) throws(Problem)

    /// The time for which clients and caches may keep the response. The default is ``Freshness/revalidated``.
    var freshness: Freshness { get }

    /// Whether the response may take seconds, such as a full-text search. Slow reads run in a class of their own. The default is
    /// `false`.
    var isSlow: Bool { get }

    /// Reads the response from the guide. Everything it reads belongs to one generation.
    ///
    /// - Throws: ``Problem``, or an error of the store.
    func document(from guide: GuideView) throws -> Document

    /// Returns the same response from schedules in memory; `nil` if it needs anything else, or takes longer than a fraction of
    /// a millisecond. The default is `nil`.
    func document(from schedules: ScheduleIndex) -> Document?
}

extension Endpoint {
    static var group: AccessGroup { .reading }

    var freshness: Freshness { .revalidated }

    var isSlow: Bool { false }

    func document(from schedules: ScheduleIndex) -> Document? { nil }
}

extension RouterMethods where Context == ServiceRequestContext {
    /// Serves an endpoint at its path, for GET and HEAD.
    func add<Resource: Endpoint>(_ endpoint: Resource.Type, from service: GuideService) {
        onRead(RouterPath(Resource.path)) { request, context in
            try await service.respond(to: request, context, with: Resource.self)
        }
    }
}

/// The state of the guide for a response.
struct GuideView: Sendable {
    /// The guide at one generation, with the parental limit of the request.
    private(set) var guide: any GuideReading
    let version: GuideVersion
    /// The schedules in memory, for ``schedules()``.
    private let currentSchedules: CurrentSchedules
    /// What evaluations of watch rules have read.
    let watchIndex: WatchIndex
    private let knownDuplicates: KnownDuplicates
    let site: Site
    /// The pictures that the service keeps; `nil` if it keeps none.
    var artwork: Artwork?
    /// Returns the time of the next refresh of a source; `nil` if it does not refresh sources.
    var nextRefresh: (@Sendable (SourceSummary) -> Instant?)?
    private var isLimited = false

    init(
        guide: any GuideReading, version: GuideVersion, currentSchedules: CurrentSchedules,
        watchIndex: WatchIndex = WatchIndex(), knownDuplicates: KnownDuplicates = KnownDuplicates(), site: Site,
        artwork: Artwork? = nil, nextRefresh: (@Sendable (SourceSummary) -> Instant?)? = nil
    ) {
        self.guide = guide
        self.version = version
        self.currentSchedules = currentSchedules
        self.watchIndex = watchIndex
        self.knownDuplicates = knownDuplicates
        self.site = site
        self.artwork = artwork
        self.nextRefresh = nextRefresh
    }

    /// Returns the same state with locked airings.
    fileprivate func limited(by limit: ParentalLimit) -> GuideView {
        guard !limit.allowsEverything else { return self }
        var view = self
        view.guide = LimitedGuide(guide, limit)
        view.isLimited = true
        return view
    }

    /// Returns the stations whose names differ only in quality.
    ///
    /// - Throws: An error of the store.
    func duplicates() throws -> DuplicateStations {
        try knownDuplicates.duplicates(in: guide.unlimited, at: version)
    }

    /// The schedules of this version in memory; `nil` with a parental limit, because they belong to the whole guide.
    ///
    /// - Throws: An error of the store.
    func schedules() throws -> ScheduleIndex? {
        isLimited ? nil : try currentSchedules.index(of: version, in: guide)
    }

    /// The full name of the generation.
    var generationName: GenerationName { GenerationName(version, edition: site.edition) }

    /// The full name of an earlier generation of this guide; `nil` if the guide's log does not have it.
    ///
    /// - Throws: An error of the store.
    func name(of generation: Generation) throws -> GenerationName? {
        try guide.version(of: generation).map { GenerationName($0, edition: site.edition) }
    }
}

/// A request for an endpoint in canonical form.
struct CanonicalQuery: Sendable {
    /// The path of the endpoint for metrics.
    let route: String
    /// The canonical URL: the path, and the parameters that differ from their defaults, sorted.
    let key: String
    /// The time zone of the service at the time of the request, which the response may depend on.
    let zone: Zone
    /// How long clients and caches may keep the response.
    let freshness: Freshness
    /// See ``Endpoint/isSlow``.
    let isSlow: Bool
    /// Whether the current minute is an implicit parameter.
    let followsClock: Bool
    /// The generation that the URL names; `nil` for the current one.
    let generation: GenerationName?
    /// A generation that the client has seen; `nil` if the URL names none.
    let knownGeneration: GenerationName?
    /// The parental limit that the URL names.
    private let limit: ParentalLimit
    /// Whether the target of the request alone determines the query, so that a ``ResponseCache`` may prepare it.
    let isPreparable: Bool
    /// Whether the response depends on the languages that the client accepts.
    private let readsLanguages: Bool
    private let endpoint: any Endpoint

    /// - Throws: ``Problem`` for an invalid or unknown parameter.
    init<Resource: Endpoint>(_ endpoint: Resource.Type, _ parameters: inout ParameterReader) throws(Problem) {
        let endpoint = try Resource(&parameters)
        let query = try parameters.finish()
        route = Resource.path
        key = parameters.filledPath(Resource.path) + (query.isEmpty ? "" : "?" + query)
        zone = parameters.defaultZone
        let isLasting = parameters.generation?.key != nil && !parameters.followsClock
        freshness = isLasting && endpoint.freshness == .revalidated ? .immutable : endpoint.freshness
        isSlow = endpoint.isSlow
        followsClock = parameters.followsClock
        generation = parameters.generation
        knownGeneration = parameters.knownGeneration
        limit = parameters.limit
        isPreparable =
            endpoint.freshness != .uncacheable && !parameters.readsHost && !parameters.readsLanguages
            && !parameters.readsAgent
        readsLanguages = parameters.readsLanguages
        self.endpoint = endpoint
    }

    /// Reads the response from the guide.
    ///
    /// - Throws: ``Problem``, also if the guide is not at the generation that the URL names; an error of the store.
    func document(from guide: GuideView) throws -> Document {
        // The guide may have changed since the request was checked.
        if let generation, !generation.refers(to: guide.generationName) {
            throw Problem.otherGeneration(generation, current: guide.generationName)
        }
        var document = try endpoint.document(from: guide.limited(by: limit))
        if readsLanguages { document.headers[.vary] = "Accept-Language" }
        return document
    }

    /// Returns the response from schedules in memory; `nil` if it needs anything else. See ``Endpoint/document(from:)``.
    ///
    /// - Parameter name: The generation of the schedules.
    func document(from schedules: ScheduleIndex, at name: GenerationName) -> Document? {
        guard generation?.refers(to: name) ?? true, limit.allowsEverything else { return nil }
        return endpoint.document(from: schedules)
    }
}

extension CachedResponse {
    /// Creates the response to a query.
    ///
    /// - Parameters:
    ///   - name: The generation of the guide that the document was read from.
    ///   - lastModified: The modification time; `nil` if unknown.
    ///   - artwork: The URLs of pictures in pages.
    convenience init(
        _ document: Document, to query: CanonicalQuery, at name: GenerationName, lastModified: Instant?,
        artwork: ArtworkLinks = .direct
    ) {
        let freshness: Freshness =
            if !document.isCacheable {
                .uncacheable
            } else if !document.isKept {
                .checked
            } else if document.isImmutable, query.freshness == .revalidated {
                .immutable
            } else {
                query.freshness
            }
        // The files of the pages do not depend on the guide.
        let isOfGuide = query.route != AssetEndpoint.path
        var headers: HTTPFields = isOfGuide ? [.guideGeneration: name.description] : [:]
        // A response that depends on the clock may change without the guide.
        if isOfGuide, freshness != .uncacheable, !query.followsClock, document.isKept {
            headers[.lastModified] = lastModified?.httpDate
        }
        self.init(document, route: query.route, freshness: freshness, headers: headers, pictures: artwork.origin)
    }
}

/// The stations of the last version whose names differ only in quality: comparing the names takes about 10 µs for each station.
final class KnownDuplicates: Sendable {
    private let last = Mutex<(version: GuideVersion, duplicates: DuplicateStations)?>(nil)

    /// Returns these stations of a guide.
    ///
    /// - Throws: An error of the store.
    fileprivate func duplicates(in guide: any GuideReading, at version: GuideVersion) throws -> DuplicateStations {
        if let known = last.withLock({ $0 }), known.version == version { return known.duplicates }
        let found = try DuplicateStations(in: guide)
        last.withLock { $0 = (version, found) }
        return found
    }
}
