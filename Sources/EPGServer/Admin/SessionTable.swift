import EPGAccess
import HTTPTypes
import Synchronization

/// What a session may do.
enum AccessRole: String, Hashable, Sendable, CaseIterable {
    /// Administration, and reading.
    case administrator
    /// Reading only, if the service requires a log-in.
    case reader

    /// How long a session may be unused.
    var idleLimit: Duration { self == .administrator ? .seconds(2 * 3600) : .seconds(30 * 86_400) }
    /// How long a session lasts at most.
    var lifetime: Duration { self == .administrator ? .seconds(86_400) : .seconds(180 * 86_400) }
}

extension AccessRecords {
    /// The password of a role.
    func password(of role: AccessRole) -> PasswordHash? { role == .administrator ? administrator : reader }
}

/// A log-in of a browser.
struct Session: Sendable {
    /// A message for the next page.
    struct Notice: Hashable, Sendable {
        var text: String
        var isError = false
    }

    let role: AccessRole
    /// The token that each request with an effect must repeat.
    let formToken: String
    /// The password hash at the log-in. The session ends when another one replaces it.
    fileprivate let password: PasswordHash
    fileprivate let created: ContinuousClock.Instant
    fileprivate var used: ContinuousClock.Instant
    var notice: Notice?
    /// The last changes of mappings, for undoing them.
    var mappingChanges: [MappingChange] = []
}

/// The sessions of a service, in memory only.
///
/// A session has a random identifier of 256 bits, of which the table holds the SHA-256. It ends after a time without a request,
/// after its lifetime, and when the password of its role changes.
final class SessionTable: Sendable {
    private let sessions = Mutex<[String: Session]>([:])
    /// The maximum number of sessions. The one that was unused for the longest time makes room.
    static let capacity = 1000

    /// Begins a session with a new identifier.
    func begin(
        _ role: AccessRole, password: PasswordHash, at now: ContinuousClock.Instant = .now
    ) -> (id: String, session: Session) {
        let session = Session(
            role: role, formToken: RandomSecret.make(), password: password, created: now, used: now)
        let id = RandomSecret.make()
        sessions.withLock { sessions in
            if sessions.count >= Self.capacity, let oldest = sessions.min(by: { $0.value.used < $1.value.used }) {
                sessions[oldest.key] = nil
            }
            sessions[SHA256.hexadecimal(of: id)] = session
        }
        return (id, session)
    }

    /// Returns a valid session, and counts its use.
    ///
    /// - Parameter records: The current passwords.
    func session(
        _ id: String, _ records: AccessRecords, at now: ContinuousClock.Instant = .now
    ) -> Session? {
        let key = SHA256.hexadecimal(of: id)
        return sessions.withLock { sessions in
            guard var session = sessions[key] else { return nil }
            guard now - session.used < session.role.idleLimit, now - session.created < session.role.lifetime,
                records.password(of: session.role) == session.password
            else {
                sessions[key] = nil
                return nil
            }
            session.used = now
            sessions[key] = session
            return session
        }
    }

    /// Changes a session, if it still exists.
    func update(_ id: String, _ change: (inout Session) -> Void) {
        let key = SHA256.hexadecimal(of: id)
        sessions.withLock { sessions in
            guard var session = sessions[key] else { return }
            change(&session)
            sessions[key] = session
        }
    }

    /// Ends a session.
    func end(_ id: String) { sessions.withLock { $0[SHA256.hexadecimal(of: id)] = nil } }

    var count: Int { sessions.withLock { $0.count } }
}

/// The limits of log-ins: those of ``GuessTable`` for each address, and a pause between attempts after many wrong passwords from
/// any addresses.
final class LoginLimiter: Sendable {
    private struct State {
        var guesses = GuessTable()
        /// The times of wrong passwords within ``window``, from any address.
        var failures: [ContinuousClock.Instant] = []
        /// The earliest time of the next attempt.
        var open: ContinuousClock.Instant?
    }

    private let state = Mutex(State())
    /// What the limits count, for messages.
    private let subject: String

    /// The number of wrong passwords within ``window`` without pauses. Each further one doubles the pause.
    static let freeFailures = 30
    static let window = Duration.seconds(900)
    private static let longestPause = 10

    /// - Parameter subject: What the limits count, in the plural (default: passwords).
    init(_ subject: String = "passwords") {
        self.subject = subject
    }

    /// Counts an attempt as a wrong one, before the password is checked. Concurrent attempts therefore get no more guesses
    /// than successive ones.
    ///
    /// - Parameter client: The address that limits count; `nil` for a client that is not limited.
    /// - Throws: ``Problem`` with status 429 if the attempt must not be checked.
    func begin(from client: ClientAddress?, at now: ContinuousClock.Instant = .now) throws(Problem) {
        let seconds: Int? = state.withLock { state in
            if let client, let seconds = state.guesses.lockoutSeconds(of: client, at: now) { return seconds }
            if let open = state.open, open > now { return (open - now).wholeSeconds }
            if let client { _ = state.guesses.add(client, at: now) }
            state.failures.removeAll { $0 <= now - Self.window }
            state.failures.append(now)
            let excess = state.failures.count - Self.freeFailures
            state.open = excess > 0 ? now + .seconds(min(1 << min(excess - 1, 10), Self.longestPause)) : nil
            return nil
        }
        if let seconds {
            throw Problem(
                .tooManyRequests, "Too many wrong \(subject). Try again in \(seconds) s.", retryAfter: seconds)
        }
    }

    /// Forgets the wrong passwords of a client after a right one.
    func succeed(from client: ClientAddress?) {
        state.withLock { state in
            if let client { state.guesses.forget(client) }
            if !state.failures.isEmpty { state.failures.removeLast() }
            state.open = nil
        }
    }
}
