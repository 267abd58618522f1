internal import Synchronization

/// The tokens that this process holds, so that it logs in once a day, however often it refreshes.
///
/// Where the service refused a log-in for a reason that another one makes worse, it isn't asked again for a while.
package final class SchedulesDirectTokens: Sendable {
    /// Whose token it is.
    struct Key: Hashable {
        var address: String
        var username: String
        /// The SHA-1 of the password: a corrected one is tried at once.
        var passwordHash: String
    }

    /// A token, and how long it holds.
    struct Token: Hashable {
        var text: String
        /// The uptime from which on it isn't used any more.
        var end: Duration
    }

    private enum State {
        case token(Token)
        /// Until the uptime is reached, the answer is this one.
        case refused(ServiceRefusal, until: Duration)
    }

    private let states = Mutex<[Key: State]>([:])

    package init() {}

    /// The token that holds at an uptime; `nil` where one must be asked for.
    ///
    /// - Throws: ``SchedulesDirectTrouble`` where it mustn't be asked for yet.
    func token(for key: Key, at uptime: Duration) throws(SchedulesDirectTrouble) -> String? {
        switch states.withLock({ $0[key] }) {
        case .token(let token) where uptime < token.end: return token.text
        case .refused(let refusal, let end) where uptime < end: throw SchedulesDirectTrouble(refusal)
        default: return nil
        }
    }

    func keep(_ token: Token, for key: Key) {
        states.withLock { $0[key] = .token(token) }
    }

    /// Lets go of a token that the service doesn't take any more.
    func forget(_ text: String, for key: Key) {
        states.withLock { states in
            if case .token(let token) = states[key], token.text == text { states[key] = nil }
        }
    }

    /// Remembers a refusal for as long as the service isn't to be asked again.
    func note(_ refusal: ServiceRefusal, for key: Key, at uptime: Duration) {
        let seconds = SchedulesDirectCode.holdSeconds(refusal.code ?? 0)
        guard seconds > 0 else { return }
        states.withLock { $0[key] = .refused(refusal, until: uptime + .seconds(seconds)) }
    }
}
