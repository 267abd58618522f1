import EPGModel
import HTTPTypes

/// An endpoint behind its path.
struct Route: Sendable {
    /// A part of a path between two slashes.
    enum Segment: Hashable, Sendable {
        case fixed(String)
        /// Any text before a fixed ending, which is empty but for such as `{id}.ics`.
        case capture(String, ending: String)
    }

    let path: String
    let segments: [Segment]
    /// Reads the parameters of a request.
    let question: @Sendable (inout RequestReader) throws(Problem) -> Question

    /// The route of an endpoint.
    init<Place: Endpoint>(_ endpoint: Place.Type) {
        path = Place.path
        segments = Route.segments(of: Place.path)
        question = { request throws(Problem) in
            let endpoint = try Place(&request)
            return try Question(
                path: Place.path, request, freshness: endpoint.freshness, isSearch: endpoint.isSearch, endpoint.answer,
                quick: endpoint.quickAnswer)
        }
    }

    private static func segments(of path: String) -> [Segment] {
        path.split(separator: "/").map { part in
            guard part.hasPrefix("{"), let end = part.firstIndex(of: "}") else { return .fixed(String(part)) }
            let name = part[part.index(after: part.startIndex)..<end]
            return .capture(String(name), ending: String(part[part.index(after: end)...]))
        }
    }

    /// What stands in the braces, still encoded; `nil` where the path is another one.
    func captures(of parts: [Substring]) -> [(name: String, value: Substring)]? {
        guard parts.count == segments.count else { return nil }
        var captures: [(name: String, value: Substring)] = []
        for (segment, part) in zip(segments, parts) {
            switch segment {
            case .fixed(let text):
                guard part == text else { return nil }
            case .capture(let name, let ending):
                guard part.utf8.count > ending.utf8.count, part.hasSuffix(ending) else { return nil }
                captures.append((name, part.dropLast(ending.count)))
            }
        }
        return captures
    }
}

/// What was asked, in its one canonical form.
struct Question: Sendable {
    /// The canonical address: the path, and the parameters that aren't at their defaults, sorted.
    let key: String
    let freshness: Freshness
    /// See ``Endpoint/isSearch``.
    let isSearch: Bool
    /// Whether the address leaves the minute to the clock.
    let followsClock: Bool
    /// The generation that the address names, if any.
    let generation: GenerationName?
    /// Whether the target alone says what is asked, so that a ``FastTable`` may know it.
    let isFast: Bool
    /// Answers.
    ///
    /// - Throws: ``Problem``, also where the guide is of another generation than the address names; an error of the store.
    let answer: @Sendable (GuideView) throws -> Document
    /// See ``Endpoint/quickAnswer(_:)``; of the generation that the index is of.
    let quickAnswer: @Sendable (ScheduleIndex, Site) -> Document?

    init(
        path: String, _ request: RequestReader, freshness: Freshness, isSearch: Bool = false,
        _ answer: @escaping @Sendable (GuideView) throws -> Document,
        quick: @escaping @Sendable (ScheduleIndex) -> Document? = { _ in nil }
    ) throws(Problem) {
        let query = try request.finish()
        key = request.filled(path) + (query.isEmpty ? "" : "?" + query)
        let named = request.generation
        self.freshness = named?.key == nil || request.followsClock || freshness == .never ? freshness : .immutable
        self.isSearch = isSearch
        followsClock = request.followsClock
        generation = named
        isFast = freshness != .never && !request.readsHost
        self.answer = { guide in
            // The guide may have changed since the request was looked at.
            if let named, !named.means(guide.generationName) {
                throw Problem.otherGeneration(named, standing: guide.generationName)
            }
            var document = try answer(guide)
            document.edition = guide.site.edition
            return document
        }
        quickAnswer = { schedules, site in
            let isMeant = named.map { $0.means(GenerationName(schedules.version, edition: site.edition.name)) }
            guard isMeant ?? true, var document = quick(schedules) else { return nil }
            document.edition = site.edition
            return document
        }
    }
}
