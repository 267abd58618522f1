import HummingbirdCore
import Logging
import NIOCore
import Synchronization

/// A connection that was accepted and waits to be handled.
///
/// A server channel drops those that come to life while it closes, and NIO ends the process where a dropped one was never
/// handled: so such a one is handled when it is let go.
final class AcceptedConnection: ServerChildChannelValue {
    let channel: any Channel
    private let http: HTTP1Channel
    private let departure: ClientDeparture
    private let logger: Logger
    /// `nil` once it is handled.
    private let waiting: Mutex<HTTP1Channel.Value?>

    init(_ value: HTTP1Channel.Value, http: HTTP1Channel, departure: ClientDeparture, logger: Logger) {
        channel = value.channel
        self.http = http
        self.departure = departure
        self.logger = logger
        waiting = Mutex(value)
    }

    deinit {
        guard let value = waiting.withLock({ $0.take() }) else { return }
        let (http, logger) = (http, logger)
        // Ahead of what else there is to do: the closing channel waits for nobody.
        Task.detached(priority: .high) { await http.handle(value: value, logger: logger) }
    }

    /// Answers its requests until it ends; once.
    func handle(logger: Logger) async {
        guard let value = waiting.withLock({ $0.take() }) else { return }
        await ClientDeparture.$current.withValue(departure) { await http.handle(value: value, logger: logger) }
    }
}
