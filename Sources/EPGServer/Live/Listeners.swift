import HTTPTypes
import Synchronization

/// The clients that listen to what happens, of which there may be so many and no more.
final class Listeners: Sendable {
    /// A client's right to listen; it is given back when it goes.
    final class Place: Sendable {
        private let listeners: Listeners

        fileprivate init(_ listeners: Listeners) {
            self.listeners = listeners
        }

        deinit {
            listeners.number.withLock { $0 -= 1 }
        }
    }

    let settings: LiveSettings
    private let number = Mutex(0)

    init(_ settings: LiveSettings) {
        self.settings = settings
    }

    /// How many listen.
    var count: Int { number.withLock { $0 } }

    /// - Throws: ``Problem`` where so many listen that no more may.
    func takePlace() throws(Problem) -> Place {
        let isFree = number.withLock { number in
            guard number < settings.greatestCount else { return false }
            number += 1
            return true
        }
        guard isFree else {
            throw Problem(
                .serviceUnavailable, "As many clients listen as may; ask /api/v1/changes now and then instead.",
                retryAfter: 30)
        }
        return Place(self)
    }
}
