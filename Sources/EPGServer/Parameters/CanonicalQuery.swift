import EPGModel
import EPGRender

/// What a request asks of an endpoint, in its one canonical form.
struct CanonicalQuery: Sendable {
    /// The path of the endpoint, as metrics name it.
    let route: String
    /// The canonical URL: the path, and the parameters that differ from their defaults, sorted.
    let key: String
    /// How long clients and caches may keep the response.
    let freshness: Freshness
    /// See ``Endpoint/isSlow``.
    let isSlow: Bool
    /// Whether the URL leaves the minute to the clock.
    let followsClock: Bool
    /// The generation that the URL names; `nil` for the current one.
    let generation: GenerationName?
    /// Whether the target of the request alone determines the query, so that a ``ResponseCache`` may prepare it.
    let isPreparable: Bool
    private let endpoint: any Endpoint

    /// - Throws: ``Problem`` for an invalid or unknown parameter.
    init<Resource: Endpoint>(_ endpoint: Resource.Type, _ parameters: inout ParameterReader) throws(Problem) {
        let endpoint = try Resource(&parameters)
        let query = try parameters.finish()
        route = Resource.path
        key = parameters.filledPath(Resource.path) + (query.isEmpty ? "" : "?" + query)
        let isLasting = parameters.generation?.key != nil && !parameters.followsClock
        freshness = isLasting && endpoint.freshness == .revalidated ? .immutable : endpoint.freshness
        isSlow = endpoint.isSlow
        followsClock = parameters.followsClock
        generation = parameters.generation
        isPreparable = endpoint.freshness != .uncacheable && !parameters.readsHost
        self.endpoint = endpoint
    }

    /// Reads the response from the guide.
    ///
    /// - Throws: ``Problem``, also if the guide is at another generation than the URL names; an error of the store.
    func document(from guide: GuideView) throws -> Document {
        // The guide may have changed since the request was checked.
        if let generation, !generation.means(guide.generationName) {
            throw Problem.otherGeneration(generation, current: guide.generationName)
        }
        return try endpoint.document(from: guide)
    }

    /// Returns the response from schedules in memory; `nil` if it needs anything else. See ``Endpoint/document(from:)``.
    ///
    /// - Parameter name: The generation of the schedules.
    func document(from schedules: ScheduleIndex, at name: GenerationName) -> Document? {
        guard generation?.means(name) ?? true else { return nil }
        return endpoint.document(from: schedules)
    }
}
