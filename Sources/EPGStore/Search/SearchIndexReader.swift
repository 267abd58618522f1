import GRDB
import Synchronization

/// A connection to an index for searches that is kept from one reading to the next, with one transaction for all that is
/// asked in one reading.
///
/// It is used by one thread at a time, as the connection to the guide is.
final class SearchIndexReader: Sendable {
    private struct State {
        var queue: DatabaseQueue?
        var deadline: ReadingDeadline?
        var isReading = false
    }

    private let state = Mutex(State())

    /// Does something; all that is read of the index meanwhile belongs to one state of it.
    func session<Answer>(until deadline: ReadingDeadline?, _ body: () throws -> Answer) throws -> Answer {
        state.withLock { state in
            state.deadline = deadline
            state.isReading = true
        }
        defer { end() }
        return try body()
    }

    /// Reads the index of a guide; `nil` where there is none yet, and where no ``session(until:_:)`` is on.
    ///
    /// - Throws: `DatabaseError`, and what the body throws.
    func read<Value>(ofGuide path: String, _ body: (Database) throws -> Value) throws -> Value? {
        let (queue, deadline) = try state.withLock { state in
            if state.queue == nil, FileStatus.exists(SearchIndex.path(ofGuide: path)) {
                state.queue = try Connections.reader(
                    path: SearchIndex.path(ofGuide: path), cacheKiB: 8 << 10, keepsTransactions: true)
            }
            return (state.queue, state.deadline)
        }
        guard let queue else { return nil }
        return try queue.unsafeReentrantRead { database in
            if !database.isInsideTransaction { try database.beginTransaction(.deferred) }
            return try ReadingDeadline.watching(deadline, database) {
                try database.tableExists("mark") ? try body(database) : nil
            }
        }
    }

    var isReading: Bool { state.withLock { $0.isReading } }

    /// The deadline of the reading that is on.
    var deadline: ReadingDeadline? { state.withLock { $0.deadline } }

    func close() throws {
        try state.withLock { $0.queue.take() }?.close()
    }

    private func end() {
        let queue = state.withLock { state in
            state.deadline = nil
            state.isReading = false
            return state.queue
        }
        let failure = queue?.unsafeReentrantRead { database in
            database.isInsideTransaction ? Result { try database.rollback() } : .success(())
        }
        // A connection that can't end its transaction is of no use: the next reading makes another one.
        if case .failure? = failure { state.withLock { $0.queue = nil } }
    }
}
