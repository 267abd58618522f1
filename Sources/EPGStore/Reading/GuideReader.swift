import EPGModel
import Synchronization

/// One connection of a ``GuideReaderPool``, to a guide and to its index for searches. One thread at a time uses it.
///
/// SQLite keeps pages as long as no writer commits, so it doesn't notice that something else overwrites the file
/// (`cp backup guide.sqlite`) and would mix old pages with new ones. So the connection is made anew wherever a file was
/// written to since it was made: after each import, and after damage. That costs some tenths of a millisecond.
final class GuideReader: Sendable {
    private struct Connection {
        let store: GuideStore
        /// The files before it was made.
        let stamp: GuideStamp?
    }

    private let path: String
    private let connection: Mutex<Connection?>

    /// - Throws: ``StoreError``.
    init(path: String) throws {
        self.path = path
        connection = Mutex(nil)
        _ = try current()
    }

    /// Hands the guide over within one read transaction.
    ///
    /// - Throws: The error of the cause for which the reading gave up, what the body throws, and ``StoreError``.
    func read<Answer>(
        until deadline: ReadingDeadline, _ body: (any GuideBrowsing) throws -> Answer
    ) throws -> Answer {
        let store = try current()
        // What the body throws is not the store's error, so that it isn't translated.
        var outcome: Result<Answer, any Error>?
        do {
            try store.read { database in
                outcome = Result {
                    try ReadingDeadline.watching(deadline, database) {
                        try store.keepingSearchIndexOpen(until: deadline) { try body(store) }
                    }
                }
            }
        } catch {
            if outcome == nil { throw error }
        }
        guard let outcome else { throw StoreError.inaccessible(path: path, detail: "nothing was read") }
        do {
            return try outcome.get()
        } catch {
            if let cause = deadline.stoppedReading { throw cause.error }
            throw StoreError(error, path: path) ?? error
        }
    }

    func close() throws {
        try connection.withLock { $0.take() }?.store.close()
    }

    /// The connection, made anew where a file was written to since.
    private func current() throws -> GuideStore {
        let stamp = GuideStamp(path: path)
        return try connection.withLock { connection in
            if let connection, connection.stamp == stamp { return connection.store }
            try connection.take()?.store.close()
            let store = try GuideStore(readingFrom: path, cacheKiB: 8 << 10)
            connection = Connection(store: store, stamp: stamp)
            return store
        }
    }
}
