import HTTPTypes
import Synchronization

/// The clients that listen to what happens, of which there may be so many and no more, in all and of one address.
final class Listeners: Sendable {
    /// A client's right to listen; it is given back when it goes.
    final class Place: Sendable {
        private let listeners: Listeners
        private let asker: PeerAddress?

        fileprivate init(_ listeners: Listeners, _ asker: PeerAddress?) {
            self.listeners = listeners
            self.asker = asker
        }

        deinit {
            listeners.taken.withLock { $0.remove(asker) }
        }
    }

    let settings: LiveSettings
    private let taken = Mutex(AskerCounts())

    init(_ settings: LiveSettings) {
        self.settings = settings
    }

    /// How many listen.
    var count: Int { taken.withLock { $0.total } }

    /// - Parameter asker: Who wants to listen; `nil` for who isn't limited.
    /// - Throws: ``Problem`` where so many listen that no more may: 429 where they are the asker's, 503 else.
    func takePlace(for asker: PeerAddress?) throws(Problem) -> Place {
        try taken.withLock { taken throws(Problem) in
            guard taken.count(of: asker) < settings.greatestCountPerAddress else {
                throw Problem(
                    .tooManyRequests,
                    "As many clients of your address listen as may; ask /api/v1/changes now and then instead.",
                    retryAfter: 30)
            }
            guard taken.total < settings.greatestCount else {
                throw Problem(
                    .serviceUnavailable, "As many clients listen as may; ask /api/v1/changes now and then instead.",
                    retryAfter: 30)
            }
            taken.add(asker)
        }
        return Place(self, asker)
    }
}
