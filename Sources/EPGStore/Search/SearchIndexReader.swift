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
    }

    private let state = Mutex(State())

    /// The deadline of the session that is on.
    var deadline: ReadingDeadline? { state.withLock { $0.deadline } }

    /// Does something; all that is read of the index meanwhile belongs to one state of it.
    func session<Answer>(until deadline: ReadingDeadline, _ body: () throws -> Answer) throws -> Answer {
        state.withLock { $0.deadline = deadline }
        defer { end() }
        return try body()
    }

    /// Reads the index of a guide; `nil` where there is none yet. Outside of a session, the connection is not kept.
    ///
    /// - Throws: `DatabaseError`, and what the body throws.
    func read<Value>(ofGuide path: String, _ body: (Database) throws -> Value) throws -> Value? {
        guard let deadline else { return try SearchIndex.read(ofGuide: path, body) }
        let queue = try state.withLock { state in
            if state.queue == nil, FilePresence.exists(SearchIndex.path(ofGuide: path)) {
                state.queue = try Connections.reader(
                    path: SearchIndex.path(ofGuide: path), cacheKiB: 8 << 10, keepsTransactions: true)
            }
            return state.queue
        }
        return try queue?.unsafeReentrantRead { database in
            if !database.isInsideTransaction { try database.beginTransaction(.deferred) }
            return try deadline.watching(database) {
                try database.tableExists("mark") ? try body(database) : nil
            }
        }
    }

    func close() throws { try state.withLock { $0.queue.take() }?.close() }

    private func end() {
        let queue = state.withLock { state in
            state.deadline = nil
            return state.queue
        }
        do {
            try queue?.unsafeReentrantRead { if $0.isInsideTransaction { try $0.rollback() } }
        } catch {
            // A connection that can't end its transaction is of no use: the next reading makes another one.
            state.withLock { $0.queue = nil }
        }
    }
}
