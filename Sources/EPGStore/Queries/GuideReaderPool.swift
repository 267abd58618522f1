import Dispatch
import EPGFiles
import EPGModel
import EPGSearch
import GRDB
import GRDBSQLite
import Synchronization

/// A pool of connections for reading, each of which serves one caller at a time.
///
/// If another file is renamed to the path of the guide, the next read uses the new file. That must not find the log (`-wal`)
/// of the old file; `epg restore` ensures it. Connections to two files with the same log name would corrupt each other's view.
/// The first read that detects another file therefore interrupts the reads of the old one (see ``ReadingDeadline``), which
/// restart, closes their connections, and opens new ones.
///
/// If the file is overwritten in place, reads fail or return the new content, and recover when the file is complete. Only a
/// read during that time may see parts of both.
final class GuideReaderPool: Sendable {
    /// A connection to a guide and to its search index.
    ///
    /// SQLite caches pages until a writer commits, so it would mix old and new pages if another program overwrites the file
    /// (`cp backup guide.sqlite`). A connection is therefore replaced if a file was modified since it was opened.
    private struct Reader {
        let store: GuideStore
        /// The state of the files before opening.
        let files: GuideFiles
    }

    private struct State {
        var idle: [Reader] = []
        /// The current reads, all of ``files``.
        var readings: [ReadingDeadline] = []
        /// The files of the readers, in their state before the first reader was opened.
        var files: GuideFiles?
        var isClosed = false

        /// Closes the idle readers and then throws the first error.
        mutating func closeAll() throws {
            let outcomes = idle.map { reader in Result { try reader.store.close() } }
            idle.removeAll()
            for outcome in outcomes { try outcome.get() }
        }
    }

    private let path: String
    private let cacheKiB: Int
    private let shown: @Sendable (StationRow) -> StationRow
    private let state = Mutex(State())
    /// Counts the available readers.
    private let free: DispatchSemaphore
    /// The group of all ``State/readings``.
    private let readings = DispatchGroup()

    init(
        path: String, connections: Int, cacheKiB: Int, shown: @escaping @Sendable (StationRow) -> StationRow
    ) {
        self.path = path
        self.cacheKiB = cacheKiB
        self.shown = shown
        free = DispatchSemaphore(value: max(1, connections))
    }

    func read<Value>(until limit: ReadingLimit, _ body: (any GuideReading) throws -> Value) throws -> Value {
        while true {
            let reading = ReadingDeadline(limit)
            do {
                let reader = try acquire(for: reading)
                defer { end(reading, with: reader) }
                return try reader.store.read(until: reading, body)
            } catch is GuideWasReplaced {
            } catch let error as SearchIndexMissing {
                // A read of the old guide may open the search index of the new one, before or after another read interrupts it.
                guard
                    reading.cause is GuideWasReplaced
                        || state.withLock({ $0.files?.identity }) != GuideFiles(path: path)?.identity
                else { throw error }
            } catch let error as StoreError {
                invalidateReaders(after: error)
                throw error
            }
        }
    }

    /// Replaces all readers if the guide cannot be read and was modified since they were opened: while any connection is open,
    /// SQLite takes the size of the file from the index of the log (`-shm`).
    private func invalidateReaders(after error: StoreError) {
        switch error {
        case .damaged, .notAGuide, .newerSchema, .olderSchema, .tooOldSchema, .inaccessible:
            let found = GuideFiles(path: path)
            state.withLock { if $0.files != found { $0.files = nil } }
        case .notFound, .notWritable, .busy, .refreshing, .full, .unfinished, .noSpaceToMigrate, .migrationFailed,
            .noPrimary:
            break
        }
    }

    func close() throws {
        state.withLock { $0.isClosed = true }
        readings.wait()
        try state.withLock { try $0.closeAll() }
    }

    /// Acquires a reader of the current guide until ``end(_:with:)``.
    private func acquire(for reading: ReadingDeadline) throws -> Reader {
        guard free.wait(timeout: reading.timeout) == .success else { throw ReadingError.timedOut }
        do {
            while true {
                if let cause = reading.cause { throw cause }
                if let reader = try begin(reading) { return reader }
                try renew(for: reading)
            }
        } catch {
            free.signal()
            throw error
        }
    }

    /// Begins a read with an idle or a new reader; returns `nil` if the readers belong to replaced files.
    private func begin(_ reading: ReadingDeadline) throws -> Reader? {
        let found = GuideFiles(path: path)
        let idle = try state.withLock { state throws -> Reader?? in
            guard !state.isClosed else { throw StoreError.inaccessible(path: path, detail: "the database is closed") }
            guard let found else { throw StoreError.notFound(path: path) }
            guard state.files?.identity == found.identity else { return .none }
            state.readings.append(reading)
            readings.enter()
            return .some(state.idle.popLast())
        }
        guard let idle, let found else { return nil }
        if let idle, idle.files == found { return idle }
        var reader: Reader?
        defer { if reader == nil { finish(reading) } }
        try idle?.store.close()
        let store = try GuideStore(readingFrom: path, cacheKiB: cacheKiB, shown: shown)
        if GuideFiles(path: path)?.identity == found.identity {
            reader = Reader(store: store, files: found)
        } else {
            // The file was replaced just before opening, so the reader may belong to the new file.
            try store.close()
        }
        return reader
    }

    private func end(_ reading: ReadingDeadline, with reader: Reader) {
        state.withLock { $0.idle.append(reader) }
        finish(reading)
        free.signal()
    }

    private func finish(_ reading: ReadingDeadline) {
        state.withLock { $0.readings.removeAll { $0 === reading } }
        readings.leave()
    }

    /// Interrupts the reads of replaced files and closes their readers.
    private func renew(for reading: ReadingDeadline) throws {
        let isSame = state.withLock { state in
            guard state.files?.identity != GuideFiles(path: path)?.identity else { return true }
            for reading in state.readings { reading.interruptForReplacement() }
            return false
        }
        guard !isSame else { return }
        guard readings.wait(timeout: reading.timeout) == .success else { throw ReadingError.timedOut }
        try state.withLock { state in
            let found = GuideFiles(path: path)
            // Another caller may have done this already, or the old files may be back.
            guard state.files?.identity != found?.identity, state.readings.isEmpty else { return }
            state.files = found
            try state.closeAll()
        }
    }
}

/// The conditions that end a read: its deadline, a cancellation, or the replacement of the file.
///
/// SQLite checks them on the reading thread, so that, unlike an interrupt, they never affect the next user of the connection.
final class ReadingDeadline: Sendable {
    /// The number of SQLite virtual machine steps between checks: tens of microseconds.
    private static let stepsBetweenChecks: Int32 = 1000

    private let limit: ReadingLimit
    private let isReplaced = Atomic(false)
    private let stopped = Mutex<(any Error)?>(nil)

    init(_ limit: ReadingLimit) {
        self.limit = limit
    }

    private var end: ContinuousClock.Instant? { limit.duration.map { limit.start.advanced(by: $0) } }

    /// The time until which the read may wait.
    var timeout: DispatchTime {
        end.map { .now() + max(0, min(ContinuousClock.now.duration(to: $0) / .seconds(1), 1e9)) } ?? .distantFuture
    }

    /// The error with which to end the read now; `nil` to continue.
    var cause: (any Error)? {
        if isReplaced.load(ordering: .relaxed) { return GuideWasReplaced() }
        if limit.isCancelled?() ?? false { return ReadingError.cancelled }
        if let end, ContinuousClock.now >= end { return ReadingError.timedOut }
        return nil
    }

    /// The error with which a statement was ended, if any.
    var stoppedReading: (any Error)? { stopped.withLock { $0 } }

    /// Ends the read because the file of the guide was replaced.
    fileprivate func interruptForReplacement() { isReplaced.store(true, ordering: .relaxed) }

    /// Calls a closure, during which the connection ends statements on any of the conditions.
    func watching<Value>(_ database: Database, _ body: () throws -> Value) throws -> Value {
        let connection = database.sqliteConnection
        // Remove the handler before the deadline can be deallocated.
        sqlite3_progress_handler(
            connection, Self.stepsBetweenChecks,
            { context in
                guard let context else { return 0 }
                let deadline = Unmanaged<ReadingDeadline>.fromOpaque(context).takeUnretainedValue()
                guard let cause = deadline.cause else { return 0 }
                deadline.stopped.withLock { $0 = cause }
                return 1
            }, Unmanaged.passUnretained(self).toOpaque())
        defer { sqlite3_progress_handler(connection, 0, nil, nil) }
        return try withExtendedLifetime(self) { try body() }
    }
}

/// The file of the guide was replaced during a read, which therefore ended.
private struct GuideWasReplaced: Error {}

/// The identities and modification times of the files of a guide.
private struct GuideFiles: Equatable {
    /// The identities, which do not change with the contents.
    let identity: [FileStatus.Identity?]
    private let changed: [Duration?]

    /// Returns `nil` if there is no guide.
    init?(path: String) {
        guard let guide = FileStatus(path: path) else { return nil }
        let searchIndex = FileStatus(path: SearchIndex.path(ofGuide: path))
        identity = [guide.identity, searchIndex?.identity]
        changed = [guide.changed, searchIndex?.changed]
    }
}
