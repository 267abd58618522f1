package import EPGAccess
import EPGModel
import HTTPTypes
import Synchronization

extension AccessRole {
    /// How long a session may be unused.
    var idleLimit: Duration { self == .administrator ? .seconds(2 * 3600) : .seconds(30 * 86_400) }
    /// How long a session lasts at most.
    package var lifetime: Duration { self == .administrator ? .seconds(86_400) : .seconds(180 * 86_400) }
    /// The maximum number of sessions. The session that was unused for the longest time makes room.
    var sessionCapacity: Int { self == .administrator ? 100 : 1000 }
}

/// A log-in of a browser.
package struct Session: Sendable {
    /// A message for the next page.
    package struct Notice: Hashable, Sendable {
        /// The message.
        package let text: String
        /// Whether an action failed.
        package let isError: Bool
        /// The number of the change that the page offers to undo; `nil` for none.
        package let undo: Int?

        /// Creates a message.
        package init(text: String, isError: Bool = false, undo: Int? = nil) {
            self.text = text
            self.isError = isError
            self.undo = undo
        }
    }

    /// The role of the password.
    package let role: AccessRole
    /// The token that each request with an effect must repeat.
    package let formToken: String
    /// The session ends when another password replaces this one.
    fileprivate let password: PasswordHash
    fileprivate let created: ContinuousClock.Instant
    fileprivate var used: ContinuousClock.Instant
    /// A message for the next page; `nil` for none.
    package var notice: Notice?
    /// What the pages of the session keep until its end.
    package var memory: (any Sendable)?

    fileprivate init(_ role: AccessRole, _ password: PasswordHash, at now: ContinuousClock.Instant) {
        self.role = role
        self.password = password
        formToken = RandomSecret.make()
        (created, used) = (now, now)
    }

    fileprivate func isValid(_ records: AccessRecords, at now: ContinuousClock.Instant) -> Bool {
        now - used < role.idleLimit && now - created < role.lifetime && records[role] == password
    }
}

/// The names of the cookie with the identifier of a session.
package enum SessionCookie {
    /// The name of a cookie over HTTP.
    package static let name = "epg-session"
    /// Browsers accept a name with this prefix only from HTTPS and for the whole host (RFC 6265bis, 4.1.3.2).
    package static let secureName = "__Host-epg"
}

/// The sessions of a service, in memory only.
///
/// A session has a random identifier of 256 bits, of which the table holds the SHA-256. It ends after a time without a request,
/// after its lifetime, and when the password of its role changes.
package final class SessionTable: Sendable {
    private let sessions = Mutex<[String: Session]>([:])

    /// Begins a session with a new identifier. Sessions of one role do not end sessions of the other.
    package func begin(
        _ role: AccessRole, _ password: PasswordHash, at now: ContinuousClock.Instant = .now
    ) -> (id: String, session: Session) {
        let session = Session(role, password, at: now)
        let id = RandomSecret.make()
        sessions.withLock { sessions in
            let others = sessions.filter { $0.value.role == role }
            if others.count >= role.sessionCapacity, let oldest = others.min(by: { $0.value.used < $1.value.used }) {
                sessions[oldest.key] = nil
            }
            sessions[SHA256.hexadecimal(of: id)] = session
        }
        return (id, session)
    }

    /// Returns a valid session, and counts its use.
    ///
    /// - Parameter records: The current passwords.
    package func session(
        _ id: String, _ records: AccessRecords, at now: ContinuousClock.Instant = .now
    ) -> Session? {
        let key = SHA256.hexadecimal(of: id)
        return sessions.withLock { sessions in
            guard var session = sessions[key] else { return nil }
            guard session.isValid(records, at: now) else {
                sessions[key] = nil
                return nil
            }
            session.used = now
            sessions[key] = session
            return session
        }
    }

    /// Returns whether a session is valid, without counting a use.
    func isValid(_ id: String, _ records: AccessRecords, at now: ContinuousClock.Instant = .now) -> Bool {
        let key = SHA256.hexadecimal(of: id)
        return sessions.withLock { $0[key]?.isValid(records, at: now) ?? false }
    }

    /// Changes a session, if it still exists.
    package func update(_ id: String, _ change: (inout Session) -> Void) {
        let key = SHA256.hexadecimal(of: id)
        sessions.withLock { sessions in
            guard var session = sessions[key] else { return }
            change(&session)
            sessions[key] = session
        }
    }

    /// Ends a session.
    package func end(_ id: String) { sessions.withLock { $0[SHA256.hexadecimal(of: id)] = nil } }

    var count: Int { sessions.withLock { $0.count } }
}

/// The limits of log-ins.
///
/// Each address may fail as often as ``GuessTable`` allows. After many wrong passwords from any addresses, each attempt is
/// delayed, but none is refused: strangers must not keep the administrator out. Attempts from known addresses, where a log-in of
/// an administrator has succeeded since the start of the service, are not delayed.
package final class LoginLimiter: Sendable {
    /// The result of an attempt.
    package enum Outcome {
        case wrong
        /// The password is right. `forgetsGuesses` is whether it resets the failure count of the address.
        case right(forgetsGuesses: Bool)
        /// The password was not checked.
        case unchecked
    }

    private struct State {
        var guesses = GuessTable()
        /// The attempts that are being checked.
        var running = ClientCounts()
        /// The times of the last wrong passwords within ``window``, from any address.
        var failures: [ContinuousClock.Instant] = []
        /// The addresses with a right password. All are forgotten if there are too many.
        var known: Set<ClientAddress> = []
    }

    private let state = Mutex(State())

    /// Creates limits without any attempt.
    package init() {}

    /// The number of wrong passwords within ``window`` without delays. Each further one doubles the delay.
    static let freeFailures = 30
    static let window = Duration.seconds(900)
    private static let longestDelay = 10
    /// The number of remembered wrong passwords, which suffices for the longest delay.
    private static let capacity = freeFailures + 8
    private static let knownCapacity = 1000

    /// Begins an attempt, which ``end(_:from:at:)`` must end. Concurrent attempts get no more guesses than successive ones.
    ///
    /// - Parameter client: The address that limits count; `nil` for a client that is not limited.
    /// - Returns: The time to wait before the password is checked, and whether the address is known.
    /// - Throws: ``Problem`` with status 429 if the address is locked out.
    package func begin(
        from client: ClientAddress?, at now: ContinuousClock.Instant = .now
    ) throws(Problem) -> (delay: Duration, isKnown: Bool) {
        try state.withLock { state throws(Problem) in
            if let client {
                if let seconds = state.guesses.lockoutSeconds(of: client, at: now) {
                    throw Problem(
                        .tooManyRequests, "Too many wrong passwords. Try again in \(seconds) s.", retryAfter: seconds)
                }
                guard state.running.count(of: client) + state.guesses.count(of: client, at: now) < GuessTable.guessLimit
                else {
                    throw Problem(
                        .tooManyRequests, "Your address sends too many passwords at once. Try again.", retryAfter: 1)
                }
            }
            state.running.add(client)
            state.failures.removeAll { $0 <= now - Self.window }
            if let client, state.known.contains(client) { return (.zero, true) }
            let excess = state.failures.count + state.running.total - Self.freeFailures
            return (excess > 0 ? .seconds(min(1 << min(excess - 1, 10), Self.longestDelay)) : .zero, false)
        }
    }

    /// Ends an attempt.
    ///
    /// A correct reader password does not reset the address's failed administrator attempts. Otherwise, readers could guess the
    /// administrator's password as often as they like, with their own password now and then.
    package func end(_ outcome: Outcome, from client: ClientAddress?, at now: ContinuousClock.Instant = .now) {
        state.withLock { state in
            state.running.remove(client)
            switch outcome {
            case .wrong:
                if let client { _ = state.guesses.add(client, at: now) }
                if state.failures.count >= Self.capacity { state.failures.removeFirst() }
                state.failures.append(now)
            case .right(forgetsGuesses: true):
                guard let client else { break }
                state.guesses.forget(client)
                if state.known.count >= Self.knownCapacity { state.known.removeAll() }
                state.known.insert(client)
            case .right(forgetsGuesses: false), .unchecked: break
            }
        }
    }
}
