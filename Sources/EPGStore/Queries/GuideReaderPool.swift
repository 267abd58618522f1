import Dispatch
import EPGModel
import Synchronization

/// Connections for reading, each of which answers one caller at a time.
///
/// Where another file was renamed to the path of the guide, it is read from the next reading on; where there is none, reading
/// fails until there is one again. A guide that is put in the place of another must not find that one's log (`-wal`);
/// `epg restore` takes care of that.
///
/// All connections are to the same files: connections to two files that share the name of their log would damage each other's
/// view of it. So the first reading that finds another file interrupts those of the old one, closes their connections, and
/// opens new ones. The interrupted readings end at SQLite's next look at their ``ReadingDeadline``, within milliseconds, and
/// start again on the new file.
///
/// Where the file is overwritten in place, reading fails or gives the new content, and heals when the file is whole again.
/// Only a reading during which that happens may see parts of both.
final class GuideReaderPool: Sendable {
    private struct State {
        var idle: [GuideReader] = []
        /// The readings that are on, all of the files of ``identity``.
        var readings: [ReadingDeadline] = []
        /// Of which files the readers are.
        var identity: GuideIdentity?
        /// When those were written to last, before the first of the readers was made.
        var stamp: GuideStamp?
        var isClosed = false

        /// Closes the idle readers; the first error is told when all are closed.
        mutating func closeAll() throws {
            let outcomes = idle.map { reader in Result { try reader.close() } }
            idle.removeAll()
            for outcome in outcomes { try outcome.get() }
        }
    }

    private let path: String
    private let cacheKiB: Int
    private let state = Mutex(State())
    /// As many as readers that aren't taken.
    private let free: DispatchSemaphore
    /// Entered by each of ``State/readings``.
    private let readings = DispatchGroup()

    /// - Parameters:
    ///   - connections: How many may read at once, at least 1; others wait.
    ///   - cacheKiB: Maximum size of the page cache of each, in KiB.
    init(path: String, connections: Int, cacheKiB: Int) {
        self.path = path
        self.cacheKiB = cacheKiB
        free = DispatchSemaphore(value: max(1, connections))
    }

    /// Hands the guide over; see ``GuideStorage/read(until:_:)``.
    func read<Answer>(
        until limit: ReadingLimit, _ body: (any GuideReading) throws -> Answer
    ) throws -> Answer {
        while true {
            let reading = ReadingDeadline(limit)
            do {
                let reader = try take(for: reading)
                defer { end(reading, with: reader) }
                return try reader.read(until: reading, body)
            } catch is GuideWasReplaced {
            } catch let error as SearchIndexMissing {
                // A reading of the old guide may open the search index of the new one.
                guard state.withLock({ $0.identity }) != GuideIdentity(path: path) else { throw error }
            } catch let error as StoreError {
                noteDamage(error)
                throw error
            }
        }
    }

    /// Has all readers made anew, at once, where the guide can't be read and was written to since they were made.
    ///
    /// Another size of a file that was overwritten in place is seen only then: as long as one connection is open, SQLite
    /// takes the size that the index of the log (`-shm`) has.
    private func noteDamage(_ error: StoreError) {
        switch error {
        case .damaged, .notAGuide, .newerSchema, .olderSchema, .tooOldSchema, .inaccessible: break
        case .notFound, .notWritable, .busy, .refreshing, .full, .unfinished, .noSpaceToMigrate, .migrationFailed:
            return
        }
        let stamp = GuideStamp(path: path)
        state.withLock { state in
            if state.stamp != stamp { state.identity = nil }
        }
    }

    /// Waits for the readings that are on, and closes the connections; who reads later gets an error.
    ///
    /// - Throws: ``StoreError``.
    func close() throws {
        state.withLock { $0.isClosed = true }
        readings.wait()
        try state.withLock { try $0.closeAll() }
    }

    /// A reader of the guide that stands, until ``end(_:with:)``.
    private func take(for reading: ReadingDeadline) throws -> GuideReader {
        guard free.wait(timeout: reading.timeout) == .success else { throw ReadingTookTooLong() }
        do {
            while true {
                if let cause = reading.cause { throw cause.error }
                if let reader = try begin(reading) { return reader }
                try renew(for: reading)
            }
        } catch {
            free.signal()
            throw error
        }
    }

    /// Begins a reading with an idle reader or a new one; `nil` where the readers are of files that stand there no more.
    private func begin(_ reading: ReadingDeadline) throws -> GuideReader? {
        guard let found = GuideIdentity(path: path) else {
            let isClosed = state.withLock { $0.isClosed }
            throw isClosed ? ended : StoreError.notFound(path: path)
        }
        let idle = try state.withLock { state throws -> GuideReader?? in
            guard !state.isClosed else { throw ended }
            guard state.identity == found else { return nil }
            state.readings.append(reading)
            readings.enter()
            return .some(state.idle.popLast())
        }
        guard let idle else { return nil }
        if let idle { return idle }
        do {
            let reader = try GuideReader(path: path, cacheKiB: cacheKiB)
            if GuideIdentity(path: path) == found { return reader }
            // Another file came just before the reader was opened, so it may be a reader of that one.
            try reader.close()
        } catch {
            forget(reading)
            throw error
        }
        forget(reading)
        return nil
    }

    private var ended: StoreError { .inaccessible(path: path, detail: "reading has ended") }

    private func end(_ reading: ReadingDeadline, with reader: GuideReader) {
        state.withLock { $0.idle.append(reader) }
        forget(reading)
        free.signal()
    }

    /// Takes a reading from those that are on.
    private func forget(_ reading: ReadingDeadline) {
        state.withLock { $0.readings.removeAll { $0 === reading } }
        readings.leave()
    }

    /// Interrupts the readings of files that stand there no more and closes all readers, so that new ones read the files that
    /// stand now.
    private func renew(for reading: ReadingDeadline) throws {
        let isSame = state.withLock { state in
            guard state.identity != GuideIdentity(path: path) else { return true }
            for reading in state.readings { reading.interruptForReplacement() }
            return false
        }
        guard !isSame else { return }
        guard readings.wait(timeout: reading.timeout) == .success else { throw ReadingTookTooLong() }
        try state.withLock { state in
            let found = GuideIdentity(path: path)
            // Another caller may have been here, or the old files may be back.
            guard state.identity != found, state.readings.isEmpty else { return }
            state.stamp = GuideStamp(path: path)
            state.identity = found
            try state.closeAll()
        }
    }
}

extension ReadingDeadline {
    /// Until when the reading may wait for something.
    fileprivate var timeout: DispatchTime {
        guard let (seconds, attoseconds) = remaining?.components else { return .distantFuture }
        let nanoseconds = Int(clamping: seconds.multipliedReportingOverflow(by: 1_000_000_000).partialValue)
        return .now() + .nanoseconds(nanoseconds + Int(attoseconds / 1_000_000_000))
    }
}

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
    private let cacheKiB: Int
    private let connection: Mutex<Connection?>

    /// - Throws: ``StoreError``.
    init(path: String, cacheKiB: Int) throws {
        self.path = path
        self.cacheKiB = cacheKiB
        connection = Mutex(nil)
        _ = try current()
    }

    /// Hands the guide over within one read transaction.
    ///
    /// - Throws: The error of the cause for which the reading gave up, what the body throws, and ``StoreError``.
    func read<Answer>(
        until deadline: ReadingDeadline, _ body: (any GuideReading) throws -> Answer
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
            let store = try GuideStore(readingFrom: path, cacheKiB: cacheKiB)
            connection = Connection(store: store, stamp: stamp)
            return store
        }
    }
}
