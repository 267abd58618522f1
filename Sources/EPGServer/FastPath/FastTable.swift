import EPGModel
import NIOCore
import Synchronization

/// Answers that can be given again without looking at the guide, by the target of the request as it was sent.
///
/// The table is good for one epoch of the guide (see ``GuideWatch/epoch``), and an entry, where the address leaves the minute
/// to the clock, for one minute.
final class FastTable: Sendable {
    private struct Entry {
        let answer: ReadyAnswer
        /// The minute that it is good for, counted from 1970; `nil` where it doesn't depend on the clock.
        let minute: Int64?
        /// In bytes.
        let size: Int
    }

    /// What tells requests apart: the target, and whether gzip is taken.
    private struct Key: Hashable {
        let target: String
        let acceptsGzip: Bool
    }

    private struct State {
        var epoch: UInt64 = 0
        var entries: [Key: Entry] = [:]
        /// The size of all entries.
        var size = 0

        mutating func removeAll() {
            entries.removeAll(keepingCapacity: true)
            size = 0
        }
    }

    /// In bytes of answers, most of which the ``AnswerCache`` holds too.
    private let capacity: Int
    private let state = Mutex(State())

    init(capacity: Int = 64 << 20) {
        self.capacity = capacity
    }

    /// The bytes of all answers that are held, with their targets.
    var size: Int { state.withLock { $0.size } }

    /// The answer for a target, if there is one that is good now.
    func answer(for target: String, acceptsGzip: Bool, epoch: UInt64, now: Instant) -> ReadyAnswer? {
        let key = Key(target: target, acceptsGzip: acceptsGzip)
        return state.withLock { state in
            guard state.epoch == epoch, let entry = state.entries[key],
                entry.minute.map({ $0 == now.minute }) ?? true
            else { return nil }
            return entry.answer
        }
    }

    /// Keeps an answer; where there is no room for it, all others go: those that are wanted come back by themselves.
    ///
    /// Those of earlier epochs go too. An answer greater than an eighth of the room isn't kept, nor one for a target of more
    /// than 2,048 bytes.
    /// - Parameter minute: The minute that it is good for; `nil` where it doesn't depend on the clock.
    func insert(_ answer: ReadyAnswer, for target: String, acceptsGzip: Bool, epoch: UInt64, minute: Int64?) {
        // Fields and dictionaries take their room, too.
        let size = answer.body.readableBytes + target.utf8.count + 2048
        guard target.utf8.count <= 2048, size <= capacity / 8 else { return }
        let key = Key(target: target, acceptsGzip: acceptsGzip)
        state.withLock { state in
            guard epoch >= state.epoch else { return }
            if epoch > state.epoch { state.removeAll() }
            state.epoch = epoch
            state.size -= state.entries.removeValue(forKey: key)?.size ?? 0
            if state.size + size > capacity { state.removeAll() }
            state.entries[key] = Entry(answer: answer, minute: minute, size: size)
            state.size += size
        }
    }
}

extension Instant {
    /// Minutes since 1970, rounded down.
    var minute: Int64 { secondsSince1970.quotientAndRemainderFloored(dividingBy: 60).quotient }
}
