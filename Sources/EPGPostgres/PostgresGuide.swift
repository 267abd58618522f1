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
            || query.split(separator: "&").contains { $0.lowercased().hasPrefix("password=") || $0.lowercased().hasPrefix("sslpassword=") }
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
        var attempts = 0
        while true {
            attempts += 1
            do {
                return try pool.withConnection(until: end) { connection in
                    connection.interruption = cause
                    defer {
                        connection.interruption = { nil }
                        connection.rollBack()
                    }
                    try connection.execute(script: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
                    try Self.checkSchema(connection, location)
                    return try body(PostgresReader(connection, location: location, search: search, shown: shown))
                }
            } catch let error as PostgresError {
                if let cause = cause() { throw cause }
                // A standby cancels reads that conflict with its replay, and a connection may be lost by a failover.
                guard error.isConflict || error.isConnectionLost, attempts < 3 else {
                    throw StoreError(error, location: location)
                }
            }
        }
    }

    /// Waits for current reads and closes the connections.
    public func close() { pool.close() }

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
        try readTables { try GuideDatabase.write($0, to: path, target: target) }
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
            try replace(with: tables, waiting: wait, notes: { _ in }) { writer, old in try writer.renew(after: old, now: now) }
        }
    }

    /// Replaces the guide with tables, in one transaction.
    ///
    /// - Parameter notes: Receives the number of rows that were written so far.
    package func replace(
        with tables: some GuideTables, waiting wait: LockWait, notes: (Int) -> Void
    ) throws -> RestoreReport {
        try replace(with: tables, waiting: wait, notes: notes) { _, _ in }
    }

    /// - Parameter finish: Changes the written guide. It gets the state of the replaced one.
    private func replace(
        with tables: some GuideTables, waiting wait: LockWait, notes: (Int) -> Void,
        _ finish: (PostgresWriter, GuideState?) throws -> Void
    ) throws -> RestoreReport {
        try withRefreshLock(waiting: wait) {
            try translating {
                try withLock(.writing, waiting: wait) { connection in
                    let isNew = try PostgresSchema.foundVersion(connection) == nil
                    try PostgresSchema.prepare(connection, location)
                    let writer = PostgresWriter(connection, location: location, search: search)
                    let replaced = isNew ? RestoreReport.Replaced.nothing : .guide(try writer.check())
                    try connection.transaction {
                        let old = isNew ? nil : try writer.state()
                        let digest = try PostgresTables(connection: connection).replaceRows(with: tables, notes)
                        guard try GuideDigest(of: PostgresTables(connection: connection)) == digest else {
                            throw StoreError.damaged(path: location, detail: "the copy differs from its source")
                        }
                        try finish(writer, old)
                    }
                    // Without the index, the first search builds it.
                    try? writer.refreshSearchIndex()
                    let check = try writer.check()
                    if let problem = check.problems.first {
                        throw StoreError.damaged(path: location, detail: problem)
                    }
                    return RestoreReport(restored: check, replaced: replaced)
                }
            }
        }
    }

    // MARK: - Writing

    public func write<Value>(waiting wait: LockWait, _ body: (any GuideWriting) throws -> Value) throws -> Value {
        try translating {
            try withLock(.writing, waiting: wait) { connection in
                try PostgresSchema.prepare(connection, location)
                let writer = PostgresWriter(connection, location: location, search: search, shown: shown)
                defer { writer.cancelImport() }
                return try body(writer)
            }
        }
    }

    public func withRefreshLock<Value>(waiting wait: LockWait, _ body: () throws -> Value) throws -> Value {
        // The connection and its errors belong to the lock, those of the body to its own reads and writes.
        let connection = try translating { try connectForWriting() }
        try translating { try acquire(.refreshing, with: connection, waiting: wait) }
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
    private func connectForWriting() throws(PostgresError) -> PostgresConnection {
        try PostgresConnection(location, overrides: ["target_session_attrs": "read-write"])
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
            throw StoreError(error, location: location)
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

    /// Creates an empty guide if there is none.
    ///
    /// - Throws: ``StoreError`` for a guide of another version.
    static func prepare(_ connection: PostgresConnection, _ location: String) throws {
        if let found = try foundVersion(connection) {
            guard found == version else {
                throw found > version
                    ? StoreError.newerSchema(path: location, found: Int(found), known: version)
                    : .tooOldSchema(path: location, found: Int(found), known: version)
            }
            return
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
    }
}

extension StoreError {
    init(_ error: PostgresError, location: String) {
        switch error.state {
        case "53100": self = .full(path: location)
        case "25006":
            self = .notWritable(path: location, detail: "the server is a standby, or allows reading only")
        case "42P01", "42703": self = .damaged(path: location, detail: error.message)
        case "XX001", "XX002": self = .damaged(path: location, detail: error.message)
        default: self = .inaccessible(path: location, detail: error.message)
        }
    }
}

/// A pool of connections for reading, each of which serves one caller at a time.
final class PostgresPool: Sendable {
    private let location: String
    private let idle = Mutex<[PostgresConnection]>([])
    private let isClosed = Atomic(false)
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
        let timeout = end.map { DispatchTime.now() + max(0, min(ContinuousClock.now.duration(to: $0) / .seconds(1), 1e9)) }
        guard free.wait(timeout: timeout ?? .distantFuture) == .success else { throw ReadingError.timedOut }
        defer { free.signal() }
        guard !isClosed.load(ordering: .relaxed) else {
            throw StoreError.inaccessible(path: location, detail: "the database is closed")
        }
        let connection = try idle.withLock { $0.popLast() } ?? PostgresConnection(location)
        defer {
            if connection.isOpen, !isClosed.load(ordering: .relaxed) { idle.withLock { $0.append(connection) } }
        }
        return try body(connection)
    }

    func close() {
        isClosed.store(true, ordering: .relaxed)
        idle.withLock { $0.removeAll() }
    }
}
