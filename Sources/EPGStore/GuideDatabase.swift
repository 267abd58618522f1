package import EPGModel

/// A guide in an SQLite database that is opened for each use; see ``GuideOpening``.
///
/// A refresh holds a lock of its own all the while, and that of the one writer only as long as it writes. So it isn't two
/// refreshes that run at once, and nobody who imports by hand waits for a server.
package struct GuideDatabase: GuideOpening {
    /// The path of the database.
    package let path: String

    private let wait: LockWait
    private let reportUnfinished: @Sendable (StoreError) -> Void

    /// - Parameter reportUnfinished: Takes ``StoreError/unfinished(path:detail:)`` when what was committed could not be moved
    ///   from the log into the database: the write has succeeded, but the disk may be failing.
    package init(path: String, reportUnfinished: @escaping @Sendable (StoreError) -> Void = { _ in }) {
        self.init(path: path, wait: .always, reportUnfinished)
    }

    private init(path: String, wait: LockWait, _ reportUnfinished: @escaping @Sendable (StoreError) -> Void) {
        self.path = path
        self.wait = wait
        self.reportUnfinished = reportUnfinished
    }

    /// The same guide for somebody who waits for other processes only as long as there is use in it.
    package func waiting(unless isCancelled: @escaping @Sendable () -> Bool) -> GuideDatabase {
        GuideDatabase(path: path, wait: .unless(isCancelled), reportUnfinished)
    }

    /// Whether an older version of this program wrote the guide, and ``write(_:)`` will migrate it.
    ///
    /// - Throws: ``StoreError`` where it cannot be read for another reason.
    package var needsMigration: Bool {
        get throws {
            do {
                try GuideStore(readingFrom: path).close()
                return false
            } catch StoreError.olderSchema(_, let found, _) where found >= Schema.oldestVersion {
                return true
            }
        }
    }

    /// Hands the guide over for reading.
    ///
    /// - Throws: ``StoreError`` where there is none.
    package func read<Answer>(_ body: (any UpkeepReading) throws -> Answer) throws -> Answer {
        let store = try GuideStore(readingFrom: path)
        let answer = try body(store)
        try store.close()
        return answer
    }

    /// Hands the guide over for writing, and makes it where there is none; waits as long as another process writes.
    ///
    /// - Throws: ``StoreError``, ``StoreError/busy(path:)`` where that process isn't waited for any more; what the body throws
    ///   goes before an error of closing the guide.
    package func write<Answer>(_ body: (any ScheduleWriting) throws -> Answer) throws -> Answer {
        let store = try GuideStore(writingTo: path, wait: wait)
        let answer = Result { try body(store) }
        // What was committed must reach the database, whatever came after it.
        let end = Result { try store.close() }
        let value = try answer.get()
        do {
            try end.get()
        } catch let error as StoreError {
            // What the body wrote is committed, so it has not failed.
            guard case .unfinished = error else { throw error }
            reportUnfinished(error)
        }
        return value
    }

    /// Does something as the only refresh of the guide.
    ///
    /// - Parameter waits: Whether to wait for another refresh; else, and where another process is writing now, an error is
    ///   thrown at once.
    /// - Throws: ``StoreError/refreshing(path:)``, ``StoreError/busy(path:)``, and what the body throws.
    package func refreshing<Answer>(waits: Bool, _ body: () throws -> Answer) throws -> Answer {
        let lock = try FileLock(refreshing: path, wait: waits ? wait : .never)
        defer { lock.release() }
        if !waits { try FileLock(databasePath: path, wait: .never).release() }
        return try body()
    }
}
