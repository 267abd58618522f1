import Dispatch
import EPGModel
import GRDB
import Synchronization

/// Feeds the full-text index while an import runs, on a thread of its own.
///
/// It never holds the import up: when the index falls too far behind, feeding ends, and the rest is read from the guide
/// later (``SearchIndex/refresh(of:)``). It is `@unchecked Sendable` because ``writer`` is used on the index's serial
/// queue alone.
final class SearchFeed: @unchecked Sendable {
    private let index: SearchIndex
    private var writer: SearchWriter?
    private let room = DispatchSemaphore(value: 12)
    private let isFed = Mutex(true)
    private let lastFed: Mutex<Int64>

    /// Begins to feed; `nil` where the index isn't up to date with the guide, or can't be written: it is only an index.
    init?(store: GuideStore, nextProgramme: Int64) {
        lastFed = Mutex(nextProgramme - 1)
        do {
            index = try store.searchIndex()
            let isReady = try index.queue.writeWithoutTransaction { database in
                guard try SearchIndex.mark(database).programme == nextProgramme - 1 else { return false }
                try database.beginTransaction(.immediate)
                return true
            }
            guard isReady else { return nil }
        } catch {
            return nil
        }
    }

    /// Takes a batch, unless too many are waiting.
    func append(_ batch: ContentBatch) {
        guard let last = batch.programmes.last, isFed.withLock({ $0 }) else { return }
        guard room.wait(timeout: .now()) == .success else {
            isFed.withLock { $0 = false }
            return
        }
        lastFed.withLock { $0 = last.id }
        index.queue.asyncWriteWithoutTransaction { [self] database in
            defer { room.signal() }
            guard database.isInsideTransaction else { return }
            do {
                if writer == nil { writer = try SearchWriter(database) }
                try writer?.add(batch)
            } catch {
                // The index is left as it was; it is brought up to date from the guide.
                isFed.withLock { $0 = false }
                _ = Result { try database.rollback() }
            }
        }
    }

    /// Keeps what was put in, after the guide was committed.
    func finish() {
        index.queue.asyncWriteWithoutTransaction { [self] database in
            guard database.isInsideTransaction else { return }
            do {
                let count = writer?.count ?? 0
                if count > 0 {
                    let mark = try SearchIndex.mark(database)
                    try SearchIndex.setMark(
                        database, programme: lastFed.withLock { $0 }, entries: mark.entries + count)
                }
                writer = nil
                try database.commit()
            } catch {
                _ = Result { try database.rollback() }
            }
        }
    }

    /// Forgets what was put in.
    func cancel() {
        isFed.withLock { $0 = false }
        index.queue.inDatabase { database in
            writer = nil
            if database.isInsideTransaction { _ = Result { try database.rollback() } }
        }
    }
}
