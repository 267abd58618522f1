import EPGModel
import Hummingbird
import ServiceLifecycle

/// Tells one client what happens, until it goes or the service shuts down.
struct LiveTelling: Sendable {
    let services: StreamingServices
    /// The generation that the client was told last, before it lost the connection.
    let known: GenerationName?

    private var settings: LiveSettings { services.listeners.settings }

    /// - Parameter body: What the client sends, whose end says that it went.
    func run(_ body: RequestBody, to writer: inout any ResponseBodyWriter) async throws {
        let news = LiveNews()
        let minute = services.answers.now().startOfMinute
        let versions = services.answers.watch.versions()
        let standing = services.answers.name(of: services.answers.watch.version)
        if standing == known { news.giveSignOfLife() } else { news.tell(standing) }
        try await withGracefulShutdownHandler {
            try await body.consumeWithInboundCloseHandler { _ in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        for await version in versions { news.tell(services.answers.name(of: version)) }
                        news.end()
                    }
                    group.addTask { await tick(news, from: minute) }
                    for await _ in news.signals {
                        if let text = news.take() { try await writer.write(text) }
                    }
                    group.cancelAll()
                }
            } onInboundClosed: {
                news.end()
            }
        } onGracefulShutdown: {
            news.end()
        }
        try await writer.finish(nil)
    }

    /// Looks at the clock until it is cancelled.
    private func tick(_ news: LiveNews, from minute: Instant) async {
        let step = min(settings.tick, settings.heartbeat)
        var minute = minute
        var quiet = Duration.zero
        while true {
            do { try await Task.sleep(for: step) } catch { return }
            quiet += step
            let now = services.answers.now().startOfMinute
            if now != minute {
                minute = now
                news.tell(minute: now)
            }
            if quiet >= settings.heartbeat {
                quiet = .zero
                news.giveSignOfLife()
            }
        }
    }
}

extension Instant {
    fileprivate var startOfMinute: Instant {
        Instant(
            secondsSince1970: secondsSince1970 - secondsSince1970.quotientAndRemainderFloored(dividingBy: 60).remainder)
    }
}
