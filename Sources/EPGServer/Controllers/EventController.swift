import EPGModel
import HTTPTypes
import Hummingbird
import Synchronization

/// `/api/v1/events`: server-sent events for as long as the client listens.
final class EventController: Sendable {
    static let path = "/api/v1/events"

    private let service: GuideService
    private let settings: LiveSettings
    /// The open streams.
    private let counts = Mutex(ClientCounts())

    init(service: GuideService, settings: LiveSettings) {
        self.service = service
        self.settings = settings
    }

    func addRoutes(to router: some RouterMethods<GuideRequestContext>) {
        router.onRead(RouterPath(EventController.path)) { try self.response(to: $0, $1) }
    }

    private func response(to request: Request, _ context: GuideRequestContext) throws(Problem) -> Response {
        _ = try service.parameters(of: request, context).finish()
        var headers: HTTPFields = [
            .contentType: "text/event-stream", .cacheControl: Freshness.uncacheable.cacheControl,
        ]
        // nginx buffers responses otherwise.
        headers[named: "X-Accel-Buffering"] = "no"
        guard request.method == .get else { return .headAlone(headers) }
        let place = try takePlace(for: context.client.limitedAddress)
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

    /// Counts an open stream until the place is released.
    ///
    /// - Parameter client: The client that listens; `nil` for one that is not limited.
    /// - Throws: ``Problem`` with status 429 above the limit per client, or 503 above the limit in total.
    private func takePlace(for client: ClientAddress?) throws(Problem) -> Lease {
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
        return Lease { self.counts.withLock { $0.remove(client) } }
    }
}
