import Dispatch
import EPGModel
import GRDB
import Synchronization

/// Feeds the index for searches while an import runs, on a thread of its own that yields to the others.
///
/// It never holds the import up: when the index falls too far behind, feeding ends, and the rest is read from the guide
/// later (``SearchIndex/refresh(from:)``).
final class SearchFeed: Sendable {
    private enum Step {
        case text(ContentBatch)
        case end
        case cancel
    }

    private struct Line {
        var steps: [Step] = []
        var isFed = true
    }

    private let index: SearchIndex
    /// Held as long as the index is written.
    private let lock: FileLock?
    private let line = Mutex(Line())
    private let arrived = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    /// The number of batches that may wait, each about half a MiB.
    private static let room = 64

    /// Begins to feed; `nil` where the index isn't up to date with the guide, or can't be written: it is only an index.
    init?(store: GuideStore, nextProgramme: Int64) {
        lock = store.lock
        do {
            index = try store.searchIndex()
            let mark = try index.queue.inDatabase { try SearchIndex.mark($0) }
            if mark.programme >= nextProgramme { try index.clear() }
            guard mark.programme == nextProgramme - 1 else { return nil }
        } catch {
            return nil
        }
        // The guide is waited for, the index isn't.
        BackgroundThread.run { [self] in
            do {
                try index.queue.writeWithoutTransaction { try work($0) }
            } catch {
                // What was fed is undone with its transaction; the index is brought up to date from the guide.
                line.withLock { line in
                    line.isFed = false
                    line.steps.removeAll()
                }
            }
            ended.signal()
        }
    }

    /// Takes a batch, unless too many are waiting.
    func append(_ batch: ContentBatch) {
        guard !batch.programmes.isEmpty else { return }
        let isTaken = line.withLock { line in
            guard line.isFed, line.steps.count < Self.room else {
                line.isFed = false
                return false
            }
            line.steps.append(.text(batch))
            return true
        }
        if isTaken { arrived.signal() }
    }

    /// Keeps what was put in, after the guide was committed; goes on by itself.
    func finish() {
        send(.end)
    }

    /// Forgets what was put in; goes on by itself.
    func forget() {
        send(.cancel)
    }

    /// Forgets what was put in, and waits until that is done.
    func cancel() {
        forget()
        waitUntilEnded()
    }

    /// Waits until all that was handed over is in the index.
    func waitUntilEnded() {
        ended.wait()
        ended.signal()
    }

    private func send(_ step: Step) {
        line.withLock { $0.steps.append(step) }
        arrived.signal()
    }

    private func work(_ database: Database) throws {
        try database.beginTransaction(.immediate)
        do {
            var mark = try SearchIndex.mark(database)
            let writer = try SearchWriter(database)
            while true {
                arrived.wait()
                switch line.withLock({ $0.steps.removeFirst() }) {
                case .text(let batch):
                    try writer.add(batch)
                    mark.programme = batch.programmes.last?.id ?? mark.programme
                case .end:
                    guard writer.count > 0 else { return try database.rollback() }
                    try SearchIndex.setMark(mark, in: database)
                    return try database.commit()
                case .cancel:
                    return try database.rollback()
                }
            }
        } catch {
            if database.isInsideTransaction { try database.rollback() }
            throw error
        }
    }
}
