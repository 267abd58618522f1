import HTTPTypes
import NIOCore
import Synchronization

/// Admits clients that know the secret token (RFC 6750) and locks out addresses that guess it.
///
/// Five wrong tokens from one address within a minute lock the address out for a minute. Each further lockout lasts twice
/// as long as the one before, up to 15 minutes. An address that sends no wrong token for 15 minutes after its last lockout
/// starts over. A request without credentials isn't a guess.
///
/// A locked-out address is refused whatever it sends, the right token included: otherwise the answers would still tell a
/// right guess from a wrong one.
///
/// Addresses are those of the other limits (``PeerTable/asker(_:forwardedFor:)``): behind a trusted proxy the one that the
/// proxy names, and a whole IPv6 network (/64) counts as one. Clients that have no address of their own, on a Unix socket
/// or behind a trusted proxy that names nobody, are never locked out, because one of them would lock out all others.
final class TokenGate: Sendable {
    private let token: BearerToken
    private let guesses = Mutex<[PeerAddress: Guesses]>([:])

    /// Wrong tokens within ``window`` that lock an address out.
    static let guessLimit = 5
    /// Nanoseconds in which they are counted.
    static let window: Int64 = 60 * second
    /// Nanoseconds of the first lockout and of the longest.
    static let shortestLockout: Int64 = 60 * second
    static let longestLockout: Int64 = 900 * second
    /// Addresses that are remembered at most. Above it, the one that would be forgotten first is.
    static let capacity = 4096

    private static let second: Int64 = 1_000_000_000

    init(_ token: BearerToken) {
        self.token = token
    }

    /// Makes sure that a client knows the token.
    ///
    /// - Parameters:
    ///   - authorization: The header of that name.
    ///   - client: The address that limits count; `nil` for a client that isn't limited.
    ///   - now: In nanoseconds, of a clock that never goes back.
    /// - Throws: ``TokenRefusal``.
    func admit(
        _ authorization: String?, from client: PeerAddress?, at now: Int64 = NIODeadline.now().nanoseconds
    ) throws(TokenRefusal) {
        guard let client else {
            if token.isGiven(in: authorization) { return }
            throw authorization == nil ? .missing : .wrong(lockoutSeconds: nil)
        }
        // One look for the whole decision: requests that come at once get no more guesses than those that come in turn.
        let refusal: TokenRefusal? = guesses.withLock { guesses in
            if let lockedUntil = guesses[client]?.lockedUntil, lockedUntil > now {
                return .lockedOut(seconds: TokenGate.seconds(lockedUntil - now))
            }
            if token.isGiven(in: authorization) { return nil }
            guard authorization != nil else { return .missing }
            var own = guesses[client].flatMap { $0.isForgotten(at: now) ? nil : $0 } ?? Guesses()
            let lockout = own.add(at: now)
            if guesses[client] == nil, guesses.count >= TokenGate.capacity { TokenGate.makeRoom(in: &guesses) }
            guesses[client] = own
            return .wrong(lockoutSeconds: lockout.map(TokenGate.seconds))
        }
        if let refusal { throw refusal }
    }

    /// How many addresses are remembered.
    var count: Int { guesses.withLock { $0.count } }

    /// Forgets the address that would be forgotten first.
    private static func makeRoom(in guesses: inout [PeerAddress: Guesses]) {
        if let first = guesses.min(by: { $0.value.forgottenAt < $1.value.forgottenAt }) { guesses[first.key] = nil }
    }

    private static func seconds(_ nanoseconds: Int64) -> Int { Int((nanoseconds + second - 1) / second) }

    /// The wrong tokens of one address.
    private struct Guesses {
        /// When the last ones came, fewer than ``guessLimit``.
        private var recent: [Int64] = []
        private var nextLockout = TokenGate.shortestLockout
        private(set) var lockedUntil: Int64?

        /// Counts a wrong token.
        ///
        /// - Returns: The nanoseconds of the lockout that it brings about; `nil` for none.
        mutating func add(at now: Int64) -> Int64? {
            recent.removeAll { $0 <= now - TokenGate.window }
            recent.append(now)
            guard recent.count >= TokenGate.guessLimit else { return nil }
            let lockout = nextLockout
            recent.removeAll()
            lockedUntil = now + lockout
            nextLockout = min(2 * lockout, TokenGate.longestLockout)
            return lockout
        }

        /// When nothing of it matters any more.
        var forgottenAt: Int64 {
            max((recent.last ?? .min / 2) + TokenGate.window, (lockedUntil ?? .min / 2) + TokenGate.longestLockout)
        }

        func isForgotten(at now: Int64) -> Bool { forgottenAt <= now }
    }
}

/// Why a client isn't admitted.
enum TokenRefusal: Error, Hashable {
    /// The request has no credentials.
    case missing
    /// The token is another one; with the seconds of the lockout that begins with it, if one does.
    case wrong(lockoutSeconds: Int?)
    /// The address sent too many wrong tokens.
    case lockedOut(seconds: Int)

    /// What the client is told: 401, or 429 with `Retry-After`.
    var problem: Problem {
        var problem: Problem
        switch self {
        case .missing:
            problem = Problem(.unauthorized, "This request needs a token: send Authorization: Bearer TOKEN.")
            problem.challenge = "Bearer realm=\"epg\""
        case .wrong:
            problem = Problem(.unauthorized, "The token isn't the one of this service.")
            problem.challenge = "Bearer realm=\"epg\", error=\"invalid_token\""
        case .lockedOut(let seconds):
            problem = Problem(
                .tooManyRequests, "Too many wrong tokens came from your address; try again in \(seconds) s.",
                retryAfter: seconds)
        }
        return problem
    }
}

/// The secret that a client must know (RFC 6750).
struct BearerToken: Sendable {
    private let bytes: [UInt8]

    /// - Parameter bytes: Not empty.
    init(_ bytes: [UInt8]) {
        precondition(!bytes.isEmpty, "a token without bytes lets everybody in")
        self.bytes = bytes
    }

    /// Whether the header `Authorization` has this token.
    ///
    /// - Complexity: How long it takes depends on the length of what was sent alone, not on how much of it is right.
    func isGiven(in field: String?) -> Bool {
        guard let field, field.utf8.count <= 8192 else { return false }
        let parts = field.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return false }
        let given = Array(parts[1].utf8.drop { $0 == UInt8(ascii: " ") })
        var difference = given.count ^ bytes.count
        for (place, byte) in given.enumerated() { difference |= Int(byte ^ bytes[place % bytes.count]) }
        return difference == 0
    }
}
