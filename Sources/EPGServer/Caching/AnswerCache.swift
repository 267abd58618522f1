import NIOCore
import Synchronization

/// Answers that were given, as long as there is room for them.
///
/// Keys are canonical addresses together with the version of the guide, so that nothing in here is ever out of date; nobody
/// asks for what belongs to a version that stands no more, so it is soon let go.
final class AnswerCache: Sendable {
    /// What was counted since the start.
    struct Counts: Hashable, Sendable {
        var hits = 0
        var misses = 0
        var evictions = 0
        var entries = 0
        var bytes = 0
    }

    private struct Entry {
        let answer: CachedAnswer
        /// Whether it was used since the hand last passed.
        var wasUsed: Bool
    }

    private struct State {
        var entries: [String: Entry] = [:]
        /// The keys in the order in which the hand of the clock passes them.
        var clock: [String] = []
        var hand = 0
        var counts = Counts()
    }

    /// In bytes of answers.
    private let capacity: Int
    private let state = Mutex(State())

    init(capacity: Int) {
        self.capacity = capacity
    }

    var counts: Counts {
        state.withLock { state in
            var counts = state.counts
            counts.entries = state.entries.count
            return counts
        }
    }

    subscript(key: String) -> CachedAnswer? {
        state.withLock { state in
            guard let index = state.entries.index(forKey: key) else {
                state.counts.misses += 1
                return nil
            }
            state.counts.hits += 1
            state.entries.values[index].wasUsed = true
            return state.entries.values[index].answer
        }
    }

    /// Keeps an answer, and lets those go that were not used for longest, by the clock algorithm.
    ///
    /// An answer greater than an eighth of the room isn't kept, nor is one that isn't lasting.
    func insert(_ answer: CachedAnswer, for key: String) {
        let size = answer.size + key.utf8.count
        guard answer.isLasting, size <= capacity / 8 else { return }
        state.withLock { state in
            guard state.entries[key] == nil else { return }
            while state.counts.bytes + size > capacity, !state.clock.isEmpty { AnswerCache.evictOne(&state) }
            state.entries[key] = Entry(answer: answer, wasUsed: false)
            state.clock.append(key)
            state.counts.bytes += size
        }
    }

    private static func evictOne(_ state: inout State) {
        while true {
            if state.hand >= state.clock.count { state.hand = 0 }
            let key = state.clock[state.hand]
            guard var entry = state.entries[key] else { preconditionFailure("the clock and the entries differ") }
            guard entry.wasUsed else {
                state.entries[key] = nil
                state.clock[state.hand] = state.clock[state.clock.count - 1]
                state.clock.removeLast()
                state.counts.bytes -= entry.answer.size + key.utf8.count
                state.counts.evictions += 1
                return
            }
            entry.wasUsed = false
            state.entries[key] = entry
            state.hand += 1
        }
    }
}
