import HTTPTypes
import Hummingbird
import Synchronization

/// `/api/v1/events`: server-sent events for as long as the client listens.
struct EventController: Sendable {
    static let path = "/api/v1/events"

    private let service: GuideService
    private let settings: LiveSettings
    private let places: EventPlaces

    init(service: GuideService, settings: LiveSettings) {
        self.service = service
        self.settings = settings
        places = EventPlaces(settings)
    }

    func addRoutes(to router: some RouterMethods<GuideRequestContext>) {
        for method in [HTTPRequest.Method.get, .head] {
            router.on(RouterPath(EventController.path), method: method) { try response(to: $0, $1) }
        }
    }

    private func response(to request: Request, _ context: GuideRequestContext) throws(Problem) -> Response {
        _ = try service.parameters(of: request, context).finish()
        var headers: HTTPFields = [
            .contentType: "text/event-stream", .cacheControl: Freshness.uncacheable.cacheControl,
        ]
        // nginx buffers responses otherwise.
        headers[named: "X-Accel-Buffering"] = "no"
        guard request.method == .get else { return .headAlone(headers) }
        let place = try places.take(for: context.client.limitedAddress)
        let stream = EventStream(
            service: service, settings: settings,
            knownGeneration: request.headers[named: "Last-Event-ID"].flatMap { GenerationName($0) })
        return Response(
            status: .ok, headers: headers,
            body: ResponseBody { writer in
                try await stream.run(request.body, to: &writer)
                withExtendedLifetime(place) {}
            })
    }
}

/// Limits the number of open event streams, in total and per client.
private final class EventPlaces: Sendable {
    /// Counts as an open stream until it is deinitialized.
    final class Place: Sendable {
        private let places: EventPlaces
        private let client: ClientAddress?

        fileprivate init(of client: ClientAddress?, in places: EventPlaces) {
            self.client = client
            self.places = places
        }

        deinit {
            places.counts.withLock { $0.remove(client) }
        }
    }

    private let settings: LiveSettings
    private let counts = Mutex(ClientCounts())

    init(_ settings: LiveSettings) {
        self.settings = settings
    }

    /// - Parameter client: The client that listens; `nil` for one that is not limited.
    /// - Throws: ``Problem`` with status 429 above the limit per client, or 503 above the limit in total.
    func take(for client: ClientAddress?) throws(Problem) -> Place {
        try counts.withLock { counts throws(Problem) in
            guard counts.count(of: client) < settings.maximumCountPerAddress else {
                throw Problem(
                    .tooManyRequests, "Your address has too many event streams open. Poll /api/v1/changes instead.",
                    retryAfter: 30)
            }
            guard counts.total < settings.maximumCount else {
                throw Problem(
                    .serviceUnavailable, "Too many event streams are open. Poll /api/v1/changes instead.",
                    retryAfter: 30)
            }
            counts.add(client)
        }
        return Place(of: client, in: self)
    }
}
