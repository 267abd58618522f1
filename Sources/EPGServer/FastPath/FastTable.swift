import EPGModel
import NIOCore
import Synchronization

/// Answers that can be given again without looking at the guide, by the target of the request as it was sent.
///
/// Every entry is good for one epoch of the guide (see ``GuideWatch/epoch``) and, where the address leaves the minute to
/// the clock, for one minute.
final class FastTable: Sendable {
    /// What the table has room for.
    private static let greatestCount = 4096

    private struct Entry {
        let answer: ReadyAnswer
        let epoch: UInt64
        /// The minute that it is good for, counted from 1970; `nil` where it doesn't depend on the clock.
        let minute: Int64?
    }

    /// What tells requests apart: the target, and whether gzip is taken.
    private struct Key: Hashable {
        let target: String
        let acceptsGzip: Bool
    }

    private let entries = Mutex<[Key: Entry]>([:])

    /// The answer for a target, if there is one that is good now.
    func answer(for target: String, acceptsGzip: Bool, epoch: UInt64, now: Instant) -> ReadyAnswer? {
        let key = Key(target: target, acceptsGzip: acceptsGzip)
        return entries.withLock { entries in
            guard let entry = entries[key], entry.epoch == epoch, entry.minute.map({ $0 == now.minute }) ?? true else {
                return nil
            }
            return entry.answer
        }
    }

    /// Keeps an answer; where there is no room for it, all others go: those that are wanted come back by themselves.
    ///
    /// - Parameter minute: The minute that it is good for; `nil` where it doesn't depend on the clock.
    func insert(_ answer: ReadyAnswer, for target: String, acceptsGzip: Bool, epoch: UInt64, minute: Int64?) {
        guard target.utf8.count <= 2048 else { return }
        entries.withLock { entries in
            if entries.count >= FastTable.greatestCount { entries.removeAll(keepingCapacity: true) }
            entries[Key(target: target, acceptsGzip: acceptsGzip)] = Entry(answer: answer, epoch: epoch, minute: minute)
        }
    }
}

extension Instant {
    /// Minutes since 1970, rounded down.
    var minute: Int64 { secondsSince1970.quotientAndRemainderFloored(dividingBy: 60).quotient }
}
