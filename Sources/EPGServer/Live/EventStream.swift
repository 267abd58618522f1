import EPGModel
import Hummingbird
import NIOCore
import ServiceLifecycle
import Synchronization

/// The settings of `/api/v1/events`.
package struct LiveSettings: Hashable, Sendable {
    /// The maximum number of clients (default: 256).
    package var maximumCount = 256
    /// The maximum number of clients of one address (default: 32).
    package var maximumCountPerAddress = 32
    /// How long a stream is silent before a comment shows that it is alive (default: 15 s).
    package var heartbeat = Duration.seconds(15)
    /// How often the clock is read (default: 1 s).
    package var tick = Duration.seconds(1)

    /// Creates the default settings.
    package init() {}
}

/// Server-sent events for one client: the generation of the guide, and each minute that begins.
struct EventStream: Sendable {
    let service: GuideService
    let settings: LiveSettings
    /// The generation that the client received last, before it lost the connection.
    let knownGeneration: GenerationName?

    /// Sends events until the client closes the connection or the service shuts down.
    ///
    /// - Parameter body: The body of the request, whose end means that the client has gone.
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
                        if let text = events.take() { try await writer.write(text) }
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

    /// Adds minutes and heartbeats until the task is cancelled.
    private func tick(_ events: PendingEvents, from minute: Instant) async {
        let step = min(settings.tick, settings.heartbeat)
        var minute = minute
        var silence = Duration.zero
        while true {
            do { try await Task.sleep(for: step) } catch { return }
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

/// The events that one client has yet to receive: the last of each kind, however slow the client is.
private final class PendingEvents: Sendable {
    struct Events {
        var generation: GenerationName?
        var minute: Instant?
        var isHeartbeatDue = false
    }

    /// Has an element whenever there may be events.
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

    /// Removes the events, and returns them in the format `text/event-stream` (HTML, 9.2.6); `nil` if there are none.
    func take() -> ByteBuffer? {
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
