import Dispatch
import EPGJSON
import EPGModel
import EPGSQL
import Glibc
import Synchronization

/// A pool of connections for reading, each of which serves one caller at a time.
///
/// Connections are opened in the background, one after the other, so that callers wait no longer than they want for a server that
/// does not respond. All idle connections lead to the server of the newest connection.
final class PostgresPool: Sendable {
    /// The age at which a connection is replaced, so that readers return to the first host of the location once it is available
    /// again.
    private static let lifetime = Duration.seconds(60)
    /// The pause after a failed attempt to connect. It doubles with each attempt up to the maximum.
    private static let pauses = (minimum: Duration.milliseconds(50), maximum: Duration.seconds(1))
    /// The time for which callers with a deadline wait for a server.
    private static let patience = Duration.seconds(2)

    private struct State {
        var idle: [PostgresConnection] = []
        /// The server of the newest connection.
        var server: String?
        /// The attempt to connect that is in progress.
        var attempt: DispatchGroup?
        var failure: Failure?
        /// The number of callers that read from the primary.
        var primaryReaders = 0

        /// Discards the connections, those in use after their use.
        mutating func discardConnections() {
            (attempt, server, failure, idle) = (nil, nil, nil, [])
        }
    }

    private struct Failure {
        let error: PostgresError
        let pause: Duration
        let end: ContinuousClock.Instant
    }

    private let location: String
    private let state = Mutex(State())
    /// Counts the available connections.
    private let free: DispatchSemaphore

    init(_ location: String, capacity: Int) {
        self.location = location
        free = DispatchSemaphore(value: max(1, capacity))
    }

    /// Calls a closure with a connection, waiting for one until an instant.
    ///
    /// Without an instant, a failed attempt to connect is an error. Otherwise, further attempts follow.
    /// - Throws: ``ReadingError/timedOut``, ``PostgresError``, and errors of the closure.
    func withConnection<Value>(
        until end: ContinuousClock.Instant?, _ body: (PostgresConnection) throws -> Value
    ) throws -> Value {
        guard free.wait(timeout: end?.dispatchTime ?? .distantFuture) == .success else { throw ReadingError.timedOut }
        defer { free.signal() }
        let connection = try connection(until: end)
        defer { keep(connection) }
        return try body(connection)
    }

    private enum Step {
        case use(PostgresConnection)
        case wait(DispatchGroup)
        case pause(Failure)
    }

    private func connection(until end: ContinuousClock.Instant?) throws -> PostgresConnection {
        let patience = end.map { min($0, .now + Self.patience) }
        while true {
            switch state.withLock({ next(&$0) }) {
            case .use(let connection): return connection
            case .wait(let attempt):
                guard attempt.wait(timeout: end?.dispatchTime ?? .distantFuture) == .success else {
                    throw ReadingError.timedOut
                }
            case .pause(let failure):
                guard let patience, failure.end < patience else { throw failure.error }
                usleep(useconds_t(max(0, ContinuousClock.now.duration(to: failure.end) / .microseconds(1))))
            }
        }
    }

    /// Takes an idle connection, or starts an attempt to connect.
    private func next(_ state: inout State) -> Step {
        let now = ContinuousClock.now
        if let connection = state.idle.popLast() {
            // Use the old one while the attempt is in progress.
            if now - connection.opened > Self.lifetime, state.attempt == nil,
                state.failure.map({ $0.end < now }) ?? true
            {
                startAttempt(&state)
            }
            return .use(connection)
        }
        if let attempt = state.attempt { return .wait(attempt) }
        if let failure = state.failure, now < failure.end { return .pause(failure) }
        return .wait(startAttempt(&state))
    }

    /// Connects in the background.
    @discardableResult
    private func startAttempt(_ state: inout State) -> DispatchGroup {
        let attempt = DispatchGroup()
        attempt.enter()
        state.attempt = attempt
        let overrides = state.primaryReaders > 0 ? ["target_session_attrs": "read-write"] : [:]
        DispatchQueue.global().async { [self] in
            let result = Result { () throws(PostgresError) in try PostgresConnection(location, overrides: overrides) }
            self.state.withLock { state in
                // Otherwise, the pool reads from other servers by now.
                if state.attempt === attempt {
                    state.attempt = nil
                    add(result, &state)
                }
            }
            attempt.leave()
        }
        return attempt
    }

    private func add(_ result: Result<PostgresConnection, PostgresError>, _ state: inout State) {
        switch result {
        case .success(let connection):
            state.failure = nil
            if state.server != connection.server { state.idle = [] }
            state.idle.removeAll { connection.opened - $0.opened > Self.lifetime }
            state.server = connection.server
            state.idle.append(connection)
        case .failure(let error):
            let pause = min(state.failure.map { $0.pause * 2 } ?? Self.pauses.minimum, Self.pauses.maximum)
            state.failure = Failure(error: error, pause: pause, end: .now + pause)
        }
    }

    private func keep(_ connection: PostgresConnection) {
        state.withLock { state in
            if !connection.isOpen {
                // The server has probably ended the others, too.
                state.idle = []
            } else if connection.server == state.server, !connection.isInTransaction {
                let isReplaced = state.idle.contains { $0.opened - connection.opened > Self.lifetime }
                if !isReplaced { state.idle.append(connection) }
            }
        }
    }

    /// Calls a closure during which all reads are from the primary, except those that have begun.
    func readingPrimary<Value>(_ body: () throws -> Value) rethrows -> Value {
        func add(_ count: Int) {
            state.withLock { state in
                let wasReading = state.primaryReaders > 0
                state.primaryReaders += count
                if wasReading != (state.primaryReaders > 0) { state.discardConnections() }
            }
        }
        add(1)
        defer { add(-1) }
        return try body()
    }
}

extension ContinuousClock.Instant {
    /// The same instant for Dispatch, at most years from now.
    fileprivate var dispatchTime: DispatchTime {
        .now() + max(0, min(ContinuousClock.now.duration(to: self) / .seconds(1), 1e9))
    }
}
