/// The wrong secrets of addresses, and their lockouts.
///
/// Five wrong secrets from one address within a minute lock the address out for a minute. Each further lockout lasts twice as
/// long as the one before, up to 15 minutes. An address that sends no wrong secret for 15 minutes after its last lockout starts
/// over.
struct GuessTable {
    private var guesses: [ClientAddress: Guesses] = [:]

    /// The number of wrong secrets within ``window`` that lock an address out.
    static let guessLimit = 5
    static let window = Duration.seconds(60)
    private static let shortestLockout = Duration.seconds(60)
    private static let longestLockout = Duration.seconds(900)
    /// The maximum number of remembered addresses. Above it, the address that would expire first is removed.
    static let capacity = 4096

    /// The number of remembered addresses.
    var count: Int { guesses.count }

    /// Returns the rest of a lockout, rounded up; `nil` if the address is not locked out.
    func lockoutSeconds(of client: ClientAddress, at now: ContinuousClock.Instant) -> Int? {
        guard let end = guesses[client]?.lockoutEnd, end > now else { return nil }
        return (end - now).wholeSeconds
    }

    /// Returns the number of wrong secrets of an address within ``window``.
    func count(of client: ClientAddress, at now: ContinuousClock.Instant) -> Int {
        guesses[client]?.count(at: now) ?? 0
    }

    /// Counts a wrong secret, and returns the duration of the lockout that it causes; `nil` if there is none.
    mutating func add(_ client: ClientAddress, at now: ContinuousClock.Instant) -> Duration? {
        var own = guesses[client].flatMap { $0.forgottenAt > now ? $0 : nil } ?? Guesses(at: now)
        let lockout = own.add(at: now)
        if guesses[client] == nil, guesses.count >= Self.capacity,
            let first = guesses.min(by: { $0.value.forgottenAt < $1.value.forgottenAt })
        {
            guesses[first.key] = nil
        }
        guesses[client] = own
        return lockout
    }

    /// Forgets the wrong secrets and the lockout of an address.
    mutating func forget(_ client: ClientAddress) { guesses[client] = nil }

    /// The wrong secrets of one address.
    private struct Guesses {
        /// The times of the last guesses, fewer than ``guessLimit``.
        private var recent: [ContinuousClock.Instant] = []
        private var nextLockout = GuessTable.shortestLockout
        private(set) var lockoutEnd: ContinuousClock.Instant?
        /// The time at which the address expires.
        private(set) var forgottenAt: ContinuousClock.Instant

        init(at now: ContinuousClock.Instant) {
            forgottenAt = now
        }

        func count(at now: ContinuousClock.Instant) -> Int { recent.count { $0 > now - GuessTable.window } }

        /// Counts a guess, and returns the duration of the lockout that it causes.
        mutating func add(at now: ContinuousClock.Instant) -> Duration? {
            recent.removeAll { $0 <= now - GuessTable.window }
            recent.append(now)
            guard recent.count >= GuessTable.guessLimit else {
                forgottenAt = max(forgottenAt, now + GuessTable.window)
                return nil
            }
            let lockout = nextLockout
            recent.removeAll()
            lockoutEnd = now + lockout
            forgottenAt = now + lockout + GuessTable.longestLockout
            nextLockout = min(lockout * 2, GuessTable.longestLockout)
            return lockout
        }
    }
}

/// The tokens that clients send (RFC 6750).
enum BearerToken {
    /// Returns the token in the header `Authorization`; `nil` if it has none, or another scheme.
    static func text(in authorization: String?) -> String? {
        let parts = authorization?.split(separator: " ", maxSplits: 1) ?? []
        guard parts.first?.lowercased() == "bearer" else { return nil }
        return parts.count == 2 ? String(parts[1].drop { $0 == " " }) : ""
    }
}

extension Duration {
    /// The seconds, rounded up.
    var wholeSeconds: Int { Int(components.seconds) + (components.attoseconds > 0 ? 1 : 0) }
}
