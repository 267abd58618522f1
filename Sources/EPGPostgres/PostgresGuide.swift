import Dispatch
import EPGFiles
public import EPGModel
import EPGStore
import FoundationEssentials
import Glibc
import Synchronization

/// A guide in a PostgreSQL database.
///
/// ```swift
/// let guide = try PostgresGuide("postgresql://epg@db1,db2/guide?target_session_attrs=any")
/// let now = try guide.read { try $0.nowAndNext(at: instant, inRows: 0..<20) }
/// ```
///
/// Any number of processes on any number of computers can read concurrently, also from standbys. Only one process writes at a
/// time; it holds an advisory lock of the primary.
public final class PostgresGuide: GuideStorage {
    /// The location as given.
    public let location: String

    private let pool: PostgresPool
    /// A connection to the primary for comparisons with a standby.
    private let primary = Mutex<PostgresConnection?>(nil)
    private let search: PostgresSearch
    private let shown: @Sendable (StationRow) -> StationRow

    /// Returns whether a location is that of a PostgreSQL database.
    public static func isLocation(_ text: String) -> Bool {
        text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
    }

    /// Creates a guide for a database. The connection is opened on first use.
    ///
    /// - Parameters:
    ///   - location: A URL in libpq's form, without a password (postgresql.org/docs/15/libpq-connect.html).
    ///   - connections: The maximum number of concurrent reads, at least 1; further reads wait.
    ///   - cacheFolder: The folder of the search index on this computer; `nil` for that of ``PostgresSearch/defaultFolder``.
    ///   - shown: Changes the stations that reads return, such as their logos. Exports are unchanged.
    /// - Throws: ``PasswordInLocation``.
    public init(
        _ location: String, connections: Int = 4, cacheFolder: String? = nil,
        shown: @escaping @Sendable (StationRow) -> StationRow = { $0 }
    ) throws(PasswordInLocation) {
        if Self.containsPassword(location) { throw PasswordInLocation() }
        self.location = location
        self.shown = shown
        search = PostgresSearch(folder: cacheFolder ?? PostgresSearch.defaultFolder)
        pool = PostgresPool(location, capacity: connections)
    }

    /// Returns whether a URL has a password, which would be visible in the list of processes and in logs.
    private static func containsPassword(_ location: String) -> Bool {
        let rest = location.drop { $0 != "/" }.dropFirst(2)
        let authority = rest.prefix { !"/?".contains($0) }
        let user = authority.lastIndex(of: "@").map { authority[..<$0] } ?? ""
        let query = rest.firstIndex(of: "?").map { rest[$0...].dropFirst() } ?? ""
        return user.contains(":")
            || query.split(separator: "&").contains {
                $0.lowercased().hasPrefix("password=") || $0.lowercased().hasPrefix("sslpassword=")
            }
    }

    public var companionPath: String {
        let hash = ContentHasher.fixed.hash(Array(location.utf8).span)
        return search.folder + "/" + hash.base36
    }

    public var exists: Bool {
        (try? read(until: ReadingLimit(.seconds(10))) { _ in true }) ?? false
    }

    public func owns(file path: String) -> Bool { false }

    // MARK: - Reading

    public func read<Value>(until limit: ReadingLimit, _ body: (any GuideReading) throws -> Value) throws -> Value {
        let end = limit.duration.map { limit.start.advanced(by: $0) }
        let cause: () -> (any Error)? = {
            if limit.isCancelled?() ?? false { return ReadingError.cancelled }
            if let end, ContinuousClock.now >= end { return ReadingError.timedOut }
            return nil
        }
        return try withReadingConnection(until: end, cause) { connection in
            connection.interruption = cause
            defer {
                connection.interruption = { nil }
                connection.rollBack()
            }
            try connection.execute(script: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            try Self.checkSchema(connection, location)
            return try body(PostgresReader(connection, location: location, search: search, shown: shown))
        }
    }

    /// Calls a closure with a connection; again with another one if the closure fails by a conflict or a lost connection.
    private func withReadingConnection<Value>(
        until end: ContinuousClock.Instant?, _ interruption: () -> (any Error)? = { nil },
        _ body: (PostgresConnection) throws -> Value
    ) throws -> Value {
        var attempts = 0
        while true {
            attempts += 1
            do {
                return try pool.withConnection(until: end, body)
            } catch let error as PostgresError {
                if let cause = interruption() { throw cause }
                // A standby cancels reads that conflict with its replay, and a connection may be lost by a failover.
                guard error.isConflict || error.isConnectionLost, attempts < 3 else {
                    throw StoreError(error, location: location)
                }
            }
        }
    }

    public func prepareSearches() throws {
        try read { reader in if let reader = reader as? PostgresReader { try search.refresh(for: reader) } }
    }

    /// Waits for current reads and closes the connections.
    public func close() {
        pool.close()
        primary.withLock { $0 = nil }
    }

    /// Blocks for some seconds if the primary is not reachable.
    public func server() throws -> DatabaseServer? {
        // The details of the receiver, such as the time of its last message, are for administrators only.
        let sql = """
            SELECT pg_is_in_recovery(), generation,
                CASE WHEN NOT pg_is_in_recovery() OR pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn()
                    AND EXISTS (SELECT 1 FROM pg_stat_wal_receiver) THEN 0
                ELSE coalesce(extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp()) * 1000, 0)::bigint END
            FROM guide
            """
        var generation: Int64 = 0
        var server = try withReadingConnection(until: .now + .seconds(5)) { connection in
            let row = try connection.first(sql) { ($0.boolean(0), $0.integer(1), $0.integer(2)) }
            guard let row else { throw StoreError.notFound(path: location) }
            generation = row.1
            return DatabaseServer(
                host: connection.server, role: row.0 ? .standby : .primary, lag: .milliseconds(max(0, row.2)),
                generationsBehind: row.0 ? nil : 0)
        }
        if server.role == .standby {
            server.generationsBehind = primaryGeneration().map { max(0, Int($0 - generation)) }
        }
        return server
    }

    /// Returns the generation of the primary; `nil` if it is not available.
    private func primaryGeneration() -> Int64? {
        primary.withLock { primary in
            do {
                let connection = try primary ?? connectForWriting()
                primary = connection
                return try connection.integer("SELECT generation FROM guide")
            } catch {
                primary = nil
                return nil
            }
        }
    }

    /// - Throws: ``StoreError`` if the database has no guide, or one of another version.
    fileprivate static func checkSchema(_ connection: PostgresConnection, _ location: String) throws {
        do {
            let found = try connection.integer("SELECT version FROM schema_version") ?? 0
            guard found <= PostgresSchema.version else {
                throw StoreError.newerSchema(path: location, found: Int(found), known: PostgresSchema.version)
            }
            guard found == PostgresSchema.version else {
                throw StoreError.olderSchema(path: location, found: Int(found), known: PostgresSchema.version)
            }
        } catch let error as PostgresError where error.state == "42P01" {
            // The table does not exist.
            throw StoreError.notFound(path: location)
        }
    }

    public func check() throws -> StoreCheck {
        try read(until: ReadingLimit(nil)) { reader in
            guard let reader = reader as? PostgresReader else { return StoreCheck() }
            return try reader.check()
        }
    }

    /// Writes the guide to an SQLite database.
    public func backUp(to path: String, target: BackupTarget) throws -> StoreCheck {
        try readTables { try GuideDatabase.write($0, to: path, target: target, notes: { _ in }).check }
    }

    /// Calls a closure with the tables of the guide, in one state.
    package func readTables<Value>(_ body: (PostgresTables) throws -> Value) throws -> Value {
        try read(until: ReadingLimit(nil)) { reader in
            guard let reader = reader as? PostgresReader else { throw StoreError.notFound(path: location) }
            return try body(PostgresTables(connection: reader.connection))
        }
    }

    /// Replaces the guide with the content of an SQLite database, in one transaction.
    public func restore(from backup: String, now: Instant, waiting wait: LockWait) throws -> RestoreReport {
        try? FileManager.default.createDirectory(atPath: search.folder, withIntermediateDirectories: true)
        return try GuideDatabase.readBackup(backup, copyingBeside: search.folder + "/restored") { tables in
            try withRefreshLock(waiting: wait) {
                try withWriter(waiting: wait) { writer, isNew in
                    let replaced = isNew ? RestoreReport.Replaced.nothing : .guide(try writer.check())
                    let copy = try write(tables, with: writer, notes: { _ in }) { [old = try writer.state()] in
                        try writer.renew(after: isNew ? nil : old, now: now)
                    }
                    return RestoreReport(restored: copy.check, replaced: replaced)
                }
            }
        }
    }

    /// Writes tables into a database without a guide, in one transaction.
    ///
    /// - Parameter notes: Receives the number of rows that were written so far.
    /// - Throws: ``BackupError/exists(path:)`` if the database has a guide that is not empty; ``StoreError``.
    package func write(_ tables: some GuideTables, notes: (Int) -> Void) throws -> GuideCopy {
        try withWriter(waiting: .never) { writer, isNew in
            guard try isNew || writer.isEmpty() else { throw BackupError.exists(path: location) }
            return try write(tables, with: writer, notes: notes) {}
        }
    }

    /// Replaces all rows in one transaction, and compares the copy with its source.
    ///
    /// - Parameter finish: Changes the copied guide before it becomes visible.
    private func write(
        _ tables: some GuideTables, with writer: PostgresWriter, notes: (Int) -> Void, finish: () throws -> Void
    ) throws -> GuideCopy {
        let digest = try writer.connection.transaction {
            let target = PostgresTables(connection: writer.connection)
            let digest = try target.replaceRows(with: tables, notes)
            guard try GuideDigest(of: target) == digest else {
                throw StoreError.damaged(path: location, detail: "the copy differs from its source")
            }
            try finish()
            return digest
        }
        // Without the index, the first search builds it.
        try? writer.refreshSearchIndex()
        let check = try writer.check()
        if let problem = check.problems.first { throw StoreError.damaged(path: location, detail: problem) }
        return GuideCopy(check: check, digest: digest)
    }

    // MARK: - Writing

    public func write<Value>(waiting wait: LockWait, _ body: (any GuideWriting) throws -> Value) throws -> Value {
        try withWriter(waiting: wait) { writer, _ in
            defer { writer.cancelImport() }
            return try body(writer)
        }
    }

    /// Calls a closure with the only writer, after creating an empty guide if there is none.
    private func withWriter<Value>(
        waiting wait: LockWait, _ body: (_ writer: PostgresWriter, _ isNew: Bool) throws -> Value
    ) throws -> Value {
        try translating {
            try withLock(.writing, waiting: wait) { connection in
                let isNew = try PostgresSchema.prepare(connection, location)
                return try body(PostgresWriter(connection, location: location, search: search, shown: shown), isNew)
            }
        }
    }

    public func withRefreshLock<Value>(waiting wait: LockWait, _ body: () throws -> Value) throws -> Value {
        // The connection and its errors belong to the lock, those of the body to its own reads and writes.
        let connection = try connectForWriting()
        try translating { try acquire(.refreshing, with: connection, waiting: wait) }
        // A refresh decides by the state of sources, in which standbys may be behind.
        pool.readPrimary()
        // Fail before the refresh rather than at its end if another process is writing.
        if case .never = wait { try translating { try withLock(.writing, waiting: .never) { _ in } } }
        return try withExtendedLifetime(connection) { try body() }
    }

    public func migrate(waiting wait: LockWait) throws -> (found: Int, current: Int) {
        try translating {
            try withLock(.writing, waiting: wait) { connection in
                guard let found = try PostgresSchema.foundVersion(connection) else {
                    throw StoreError.notFound(path: location)
                }
                try PostgresSchema.prepare(connection, location)
                return (Int(found), PostgresSchema.version)
            }
        }
    }

    private enum Lock: Int32 { case writing = 1, refreshing = 2 }

    /// Opens a connection to the primary, of the hosts in the location.
    ///
    /// - Throws: ``StoreError/noPrimary(path:detail:)``.
    private func connectForWriting() throws(StoreError) -> PostgresConnection {
        do {
            return try PostgresConnection(location, overrides: ["target_session_attrs": "read-write"])
        } catch {
            throw .noPrimary(path: location, detail: error.message)
        }
    }

    private func withLock<Value>(
        _ lock: Lock, waiting wait: LockWait, _ body: (PostgresConnection) throws -> Value
    ) throws -> Value {
        let connection = try connectForWriting()
        try acquire(lock, with: connection, waiting: wait)
        // The server releases the lock when the connection ends.
        return try withExtendedLifetime(connection) { try body(connection) }
    }

    /// Acquires an advisory lock of this guide for the session of a connection.
    private func acquire(_ lock: Lock, with connection: PostgresConnection, waiting wait: LockWait) throws {
        // Several guides in one database have different schemas.
        let sql = "SELECT pg_try_advisory_lock($1::bigint::integer, hashtext(current_schema()))"
        while try connection.first(sql, [.integer(Int64(lock.rawValue) + 0x4550_4700)], { $0.boolean(0) }) != true {
            let isOver =
                switch wait {
                case .never: true
                case .always: false
                case .until(let isOver): isOver()
                }
            if isOver { throw lock == .writing ? StoreError.busy(path: location) : .refreshing(path: location) }
            usleep(50_000)
        }
    }

    private func translating<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as PostgresError {
            throw StoreError(writing: error, location: location)
        }
    }
}

/// The location of a guide contains a password.
public struct PasswordInLocation: Error, Hashable, Sendable, CustomStringConvertible {
    public var description: String {
        "The URL of the database must not contain a password, because other users can see it. Use PGPASSFILE, ~/.pgpass or "
            + "PGPASSWORD."
    }
}

/// The schema of a guide on PostgreSQL: creation and recognition.
enum PostgresSchema {
    /// The same number as that of the SQLite schema with the same tables.
    static let version = 8

    /// Returns the version of the guide in the schema of a connection; `nil` if there is none.
    static func foundVersion(_ connection: PostgresConnection) throws -> Int64? {
        guard
            try connection.first("SELECT to_regclass('schema_version') IS NOT NULL", [], { $0.boolean(0) }) ?? false
        else { return nil }
        return try connection.integer("SELECT version FROM schema_version")
    }

    /// Creates an empty guide if there is none. Returns whether there was none.
    ///
    /// - Throws: ``StoreError`` for a guide of another version.
    @discardableResult
    static func prepare(_ connection: PostgresConnection, _ location: String) throws -> Bool {
        if let found = try foundVersion(connection) {
            guard found == version else {
                throw found > version
                    ? StoreError.newerSchema(path: location, found: Int(found), known: version)
                    : .tooOldSchema(path: location, found: Int(found), known: version)
            }
            return false
        }
        var generator = SystemRandomNumberGenerator()
        let key = ContentHash(high: generator.next(), low: generator.next())
        try connection.transaction {
            try connection.execute(script: String(decoding: PackageResources.schema_sql, as: UTF8.self))
            try connection.execute(
                """
                INSERT INTO guide (id, generation, content_key, next_airing, next_programme, next_transmission)
                VALUES (1, 0, $1, 1, 1, 1)
                """, [.bytes(key.blob)])
        }
        return true
    }
}

extension StoreError {
    /// Creates the error of a read.
    init(_ error: PostgresError, location: String) {
        switch error.state {
        case "42P01", "42703": self = .damaged(path: location, detail: error.message)
        case "XX001", "XX002": self = .damaged(path: location, detail: error.message)
        default: self = .inaccessible(path: location, detail: error.message)
        }
    }

    /// Creates the error of a write.
    init(writing error: PostgresError, location: String) {
        switch error.state {
        case "53100": self = .full(path: location)
        // The server became a standby.
        case "25006": self = .noPrimary(path: location, detail: error.message)
        case _ where error.isConnectionLost: self = .noPrimary(path: location, detail: error.message)
        default: self.init(error, location: location)
        }
    }
}

/// A pool of connections for reading, each of which serves one caller at a time.
///
/// All idle connections lead to the same server: that of the newest connection.
final class PostgresPool: Sendable {
    /// The age at which a connection ends, so that readers return to the first host of the location once it is available again.
    private static let lifetime = Duration.seconds(60)
    /// The time between attempts to connect to servers that are not available. It doubles with each attempt up to the maximum.
    private static let pauses = (minimum: Duration.milliseconds(50), maximum: Duration.seconds(1))

    private struct State {
        var idle: [PostgresConnection] = []
        var server: String?
        var readsPrimary = false
        var isClosed = false
        var failure: Failure?
    }

    private struct Failure {
        let error: PostgresError
        let pause: Duration
        let end: ContinuousClock.Instant
    }

    private let location: String
    private let state = Mutex(State())
    /// Counts the available connections.
    private let free: DispatchSemaphore

    init(_ location: String, capacity: Int) {
        self.location = location
        free = DispatchSemaphore(value: max(1, capacity))
    }

    /// Calls a closure with a connection, waiting for one until an instant.
    ///
    /// - Throws: ``ReadingError/timedOut``, ``PostgresError``, and errors of the closure.
    func withConnection<Value>(
        until end: ContinuousClock.Instant?, _ body: (PostgresConnection) throws -> Value
    ) throws -> Value {
        let timeout = end.map {
            DispatchTime.now() + max(0, min(ContinuousClock.now.duration(to: $0) / .seconds(1), 1e9))
        }
        guard free.wait(timeout: timeout ?? .distantFuture) == .success else { throw ReadingError.timedOut }
        defer { free.signal() }
        let connection = try idleConnection() ?? connect()
        defer { keep(connection) }
        return try body(connection)
    }

    /// - Throws: The last ``PostgresError`` while attempts to connect pause; ``StoreError`` if the pool is closed.
    private func idleConnection() throws -> PostgresConnection? {
        let now = ContinuousClock.now
        return try state.withLock { state in
            if state.isClosed { throw StoreError.inaccessible(path: location, detail: "the database is closed") }
            state.idle.removeAll { now - $0.opened > Self.lifetime }
            if let connection = state.idle.popLast() { return connection }
            if let failure = state.failure, now < failure.end { throw failure.error }
            return nil
        }
    }

    private func connect() throws(PostgresError) -> PostgresConnection {
        let readsPrimary = state.withLock { $0.readsPrimary }
        do {
            let connection = try PostgresConnection(
                location, overrides: readsPrimary ? ["target_session_attrs": "read-write"] : [:])
            state.withLock { state in
                state.failure = nil
                if state.server != connection.server {
                    state.server = connection.server
                    state.idle = []
                }
            }
            return connection
        } catch {
            state.withLock { state in
                let pause = min(state.failure.map { $0.pause * 2 } ?? Self.pauses.minimum, Self.pauses.maximum)
                state.failure = Failure(error: error, pause: pause, end: .now + pause)
            }
            throw error
        }
    }

    private func keep(_ connection: PostgresConnection) {
        state.withLock { state in
            if !connection.isOpen {
                // The server has probably ended the others, too.
                state.idle = []
            } else if !state.isClosed, connection.server == state.server {
                state.idle.append(connection)
            }
        }
    }

    /// Reads from the primary from now on.
    func readPrimary() {
        state.withLock { state in
            state.readsPrimary = true
            state.idle = []
        }
    }

    func close() {
        state.withLock { state in
            state.isClosed = true
            state.idle = []
        }
    }
}
