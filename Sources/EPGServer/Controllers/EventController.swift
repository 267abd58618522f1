import EPGHTTP
import EPGModel
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceLifecycle
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

    func addRoutes(to router: AccessRouter) {
        let router = router[.reading]
        router.onRead(RouterPath(EventController.path)) { try self.response(to: $0, $1) }
    }

    private func response(to request: Request, _ context: ServiceRequestContext) throws(Problem) -> Response {
        _ = try service.parameters(of: request, context).finish()
        var headers: HTTPFields = [
            .contentType: "text/event-stream", .cacheControl: Freshness.uncacheable.cacheControl,
        ]
        // nginx buffers responses otherwise.
        headers[named: "X-Accel-Buffering"] = "no"
        guard request.method == .get else { return .headAlone(headers) }
        let place = try acquireStream(for: context.client.limitedAddress)
        let stream = EventStream(
            service: service, settings: settings, isStillAdmitted: context.admission?.isStillValid,
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
    private func acquireStream(for client: ClientAddress?) throws(Problem) -> Lease {
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

/// The settings of `/api/v1/events`.
package struct LiveSettings: Hashable, Sendable {
    /// The maximum number of clients (default: 256).
    package var maximumCount = 256
    /// The maximum number of clients of one address (default: 32).
    package var maximumCountPerAddress = 32
    /// The time after which a silent stream sends a comment as a heartbeat (default: 15 s).
    package var heartbeat = Duration.seconds(15)
    /// How often the clock is read (default: 1 s).
    package var tick = Duration.seconds(1)

    /// Creates the default settings.
    package init() {}
}

/// Server-sent events for a client: new generations of the guide, and each new minute.
struct EventStream: Sendable {
    let service: GuideService
    let settings: LiveSettings
    /// See ``Admission/isStillValid``. The stream ends when it returns `false`.
    var isStillAdmitted: (@Sendable () async -> Bool)?
    /// The last generation that the client received before it lost the connection.
    fileprivate let knownGeneration: GenerationName?

    /// Sends events until the client closes the connection, its log-in ends, or the service shuts down.
    ///
    /// - Parameter body: The body of the request, which ends when the client disconnects.
    func run(_ body: RequestBody, to writer: inout any ResponseBodyWriter) async throws {
        let events = PendingEvents()
        let minute = service.now().startOfMinute
        let versions = service.watch.versions()
        let current = service.name(of: service.watch.version)
        events.add { if current == knownGeneration { $0.isHeartbeatDue = true } else { $0.generation = current } }
        try await withGracefulShutdownHandler {
            try await body.consumeWithInboundCloseHandler { _ in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        for await version in versions { events.add { $0.generation = service.name(of: version) } }
                        events.finish()
                    }
                    group.addTask { await tick(events, from: minute) }
                    for await _ in events.signals {
                        if let text = events.drainEvents() { try await writer.write(text) }
                    }
                    group.cancelAll()
                }
            } onInboundClosed: {
                events.finish()
            }
        } onGracefulShutdown: {
            events.finish()
        }
        try await writer.finish(nil)
    }

    /// Adds minutes and heartbeats until the task is canceled, or the client is no longer admitted.
    private func tick(_ events: PendingEvents, from minute: Instant) async {
        let step = min(settings.tick, settings.heartbeat)
        var minute = minute
        var silence = Duration.zero
        while true {
            do { try await Task.sleep(for: step) } catch { return }
            if let isStillAdmitted, await !isStillAdmitted() { return events.finish() }
            silence += step
            let now = service.now().startOfMinute
            if now != minute {
                minute = now
                events.add { $0.minute = now }
            }
            if silence >= settings.heartbeat {
                silence = .zero
                events.add { $0.isHeartbeatDue = true }
            }
        }
    }
}

/// The pending events of a client: the last of each kind, regardless of how slow the client is.
private final class PendingEvents: Sendable {
    struct Events {
        var generation: GenerationName?
        var minute: Instant?
        var isHeartbeatDue = false
    }

    /// A stream with an element whenever there may be events.
    let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation
    private let events = Mutex(Events())

    init() {
        (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    func add(_ change: (inout Events) -> Void) {
        events.withLock { change(&$0) }
        signal.yield()
    }

    /// Ends ``signals``.
    func finish() { signal.finish() }

    /// Removes and returns the events in the format `text/event-stream` (HTML, 9.2.6); `nil` if there are none.
    func drainEvents() -> ByteBuffer? {
        let events = events.withLock { events in
            defer { events = Events() }
            return events
        }
        var text = ""
        if let name = events.generation {
            text += "id: \(name)\nevent: generation\n"
            text += "data: {\"generation\":\(name.generation),\"name\":\"\(name)\"}\n\n"
        }
        if let minute = events.minute { text += "event: now\ndata: {\"at\":\(minute.secondsSince1970)}\n\n" }
        if text.isEmpty, events.isHeartbeatDue { text = ": ping\n\n" }
        return text.isEmpty ? nil : ByteBuffer(string: text)
    }
}
