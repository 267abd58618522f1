import Dispatch
import EPGModel
import GRDB
import GRDBSQLite
import Synchronization

/// Connections for reading, each of which answers one caller at a time.
///
/// Where another file is renamed to the path of the guide, the next reading reads that one. It must not find the former one's
/// log (`-wal`); `epg restore` takes care of that. Connections to two files that share the name of their log would damage each
/// other's view of it. So the first reading that finds another file interrupts those of the old one (see ``ReadingDeadline``),
/// which start again, closes their connections, and opens new ones.
///
/// Where the file is overwritten in place, reading fails or gives the new content, and heals when the file is whole again.
/// Only a reading during which that happens may see parts of both.
final class GuideReaderPool: Sendable {
    /// A connection to a guide and to its index for searches.
    ///
    /// SQLite keeps pages as long as no writer commits, so it would mix old pages with new ones when something else overwrites
    /// the file (`cp backup guide.sqlite`). So a connection is made anew wherever a file was written to since it was made.
    private struct Reader {
        let store: GuideStore
        /// The files before it was made.
        let files: GuideFiles
    }

    private struct State {
        var idle: [Reader] = []
        /// The readings that are on, all of ``files``.
        var readings: [ReadingDeadline] = []
        /// Of which files the readers are, as they were before the first of the readers was made.
        var files: GuideFiles?
        var isClosed = false

        /// Closes the idle readers; the first error is told when all are closed.
        mutating func closeAll() throws {
            let outcomes = idle.map { reader in Result { try reader.store.close() } }
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

    init(path: String, connections: Int, cacheKiB: Int) {
        self.path = path
        self.cacheKiB = cacheKiB
        free = DispatchSemaphore(value: max(1, connections))
    }

    func read<Answer>(until limit: ReadingLimit, _ body: (any GuideReading) throws -> Answer) throws -> Answer {
        while true {
            let reading = ReadingDeadline(limit)
            do {
                let reader = try take(for: reading)
                defer { end(reading, with: reader) }
                return try reader.store.read(until: reading, body)
            } catch is GuideWasReplaced {
            } catch let error as SearchIndexMissing {
                // A reading of the old guide may open the search index of the new one.
                guard state.withLock({ $0.files?.identity }) != GuideFiles(path: path)?.identity else { throw error }
            } catch let error as StoreError {
                noteDamage(error)
                throw error
            }
        }
    }

    /// Has all readers made anew at once where the guide can't be read and was written to since they were made: as long as one
    /// connection is open, SQLite takes the size of the file from the index of the log (`-shm`).
    private func noteDamage(_ error: StoreError) {
        switch error {
        case .damaged, .notAGuide, .newerSchema, .olderSchema, .tooOldSchema, .inaccessible:
            let found = GuideFiles(path: path)
            state.withLock { if $0.files != found { $0.files = nil } }
        case .notFound, .notWritable, .busy, .refreshing, .full, .unfinished, .noSpaceToMigrate, .migrationFailed:
            break
        }
    }

    func close() throws {
        state.withLock { $0.isClosed = true }
        readings.wait()
        try state.withLock { try $0.closeAll() }
    }

    /// A reader of the guide that stands, until ``end(_:with:)``.
    private func take(for reading: ReadingDeadline) throws -> Reader {
        guard free.wait(timeout: reading.timeout) == .success else { throw ReadingError.tookTooLong }
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

    /// Begins a reading with an idle reader or a new one; `nil` where the readers are of files that stand there no more.
    private func begin(_ reading: ReadingDeadline) throws -> Reader? {
        let found = GuideFiles(path: path)
        let idle = try state.withLock { state throws -> Reader?? in
            guard !state.isClosed else { throw StoreError.inaccessible(path: path, detail: "reading has ended") }
            guard let found else { throw StoreError.notFound(path: path) }
            guard state.files?.identity == found.identity else { return .none }
            state.readings.append(reading)
            readings.enter()
            return .some(state.idle.popLast())
        }
        guard let idle, let found else { return nil }
        if let idle, idle.files == found { return idle }
        var reader: Reader?
        defer { if reader == nil { forget(reading) } }
        try idle?.store.close()
        let store = try GuideStore(readingFrom: path, cacheKiB: cacheKiB)
        if GuideFiles(path: path)?.identity == found.identity {
            reader = Reader(store: store, files: found)
        } else {
            // Another file came just before the reader was opened, so it may be a reader of that one.
            try store.close()
        }
        return reader
    }

    private func end(_ reading: ReadingDeadline, with reader: Reader) {
        state.withLock { $0.idle.append(reader) }
        forget(reading)
        free.signal()
    }

    private func forget(_ reading: ReadingDeadline) {
        state.withLock { $0.readings.removeAll { $0 === reading } }
        readings.leave()
    }

    /// Interrupts the readings of files that stand there no more, and closes their readers.
    private func renew(for reading: ReadingDeadline) throws {
        let isSame = state.withLock { state in
            guard state.files?.identity != GuideFiles(path: path)?.identity else { return true }
            for reading in state.readings { reading.interruptForReplacement() }
            return false
        }
        guard !isSame else { return }
        guard readings.wait(timeout: reading.timeout) == .success else { throw ReadingError.tookTooLong }
        try state.withLock { state in
            let found = GuideFiles(path: path)
            // Another caller may have been here, or the old files may be back.
            guard state.files?.identity != found?.identity, state.readings.isEmpty else { return }
            state.files = found
            try state.closeAll()
        }
    }
}

/// Decides when one reading gives up: at its deadline, when it is cancelled, or when another file has taken the place of the
/// one being read. SQLite asks it on the reading thread, so that, unlike an interrupt, it never reaches the next reader of the
/// connection.
final class ReadingDeadline: Sendable {
    /// Steps of SQLite's machine between two questions: some ten microseconds.
    private static let stepsBetweenLooks: Int32 = 1000

    private let limit: ReadingLimit
    private let isReplaced = Atomic(false)
    private let stopped = Mutex<(any Error)?>(nil)

    init(_ limit: ReadingLimit) {
        self.limit = limit
    }

    private var end: ContinuousClock.Instant? { limit.duration.map { limit.start.advanced(by: $0) } }

    /// Until when the reading may wait for something.
    var timeout: DispatchTime {
        end.map { .now() + max(0, min(ContinuousClock.now.duration(to: $0) / .seconds(1), 1e9)) } ?? .distantFuture
    }

    /// The error to give up with now, if there is a cause.
    var cause: (any Error)? {
        if isReplaced.load(ordering: .relaxed) { return GuideWasReplaced() }
        if limit.isCancelled?() ?? false { return ReadingError.cancelled }
        if let end, ContinuousClock.now >= end { return ReadingError.tookTooLong }
        return nil
    }

    /// The cause for which a statement was given up, if one was.
    var stoppedReading: (any Error)? { stopped.withLock { $0 } }

    /// Makes the reading give up because another file stands at the path of the guide.
    func interruptForReplacement() { isReplaced.store(true, ordering: .relaxed) }

    /// Runs the body, in which a connection gives up every statement once there is a cause.
    func watching<Answer>(_ database: Database, _ body: () throws -> Answer) throws -> Answer {
        let connection = database.sqliteConnection
        // The handler is taken away before the deadline can go.
        sqlite3_progress_handler(
            connection, Self.stepsBetweenLooks,
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

/// Another file took the place of the guide during a reading, which ended early for that.
struct GuideWasReplaced: Error {}
