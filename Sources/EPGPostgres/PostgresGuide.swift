import CPostgres
import EPGJSON
public import EPGModel
public import EPGSQL
import FoundationEssentials
import Glibc
import Synchronization

/// A guide in a PostgreSQL database.
///
/// ```swift
/// let guide = try PostgresGuide("postgresql://epg@db1,db2/guide?target_session_attrs=any", backups: .sqlite)
/// let now = try guide.read { try $0.nowAndNext(at: instant, inRows: 0..<20) }
/// ```
///
/// Any number of processes on any number of computers can read concurrently, also from standbys. Only one process writes at a
/// time; it holds an advisory lock of the primary.
public final class PostgresGuide: GuideStorage {
    /// The location as given.
    public let location: String

    private let pool: PostgresPool
    private let replication = Mutex(Replication())
    /// A connection to the primary for comparisons with a standby.
    private let primary = Mutex<PostgresConnection?>(nil)
    /// The connection that holds the refresh lock.
    private let refreshLock = Mutex<PostgresConnection?>(nil)
    private let search: PostgresSearch
    private let backups: BackupFormat
    private let shown: @Sendable (StationRow) -> StationRow

    /// Returns whether a location names a PostgreSQL database.
    public static func isLocation(_ text: String) -> Bool {
        text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
    }

    /// Creates a guide for a database. The connection is opened on first use.
    ///
    /// - Parameters:
    ///   - location: A URL in libpq's form, without a password (postgresql.org/docs/15/libpq-connect.html).
    ///   - backups: The format of backups, such as `BackupFormat.sqlite` of `EPGStore`.
    ///   - connections: The maximum number of concurrent reads, at least 1; further reads wait.
    ///   - cacheFolder: The folder of the search index on this computer; `nil` for that in `EPG_CACHE`, systemd's
    ///     `CACHE_DIRECTORY`, or `epg` in `XDG_CACHE_HOME` (`~/.cache`).
    ///   - shown: Changes the stations that reads return, such as their logos. Exports are unchanged.
    /// - Throws: ``InvalidLocation``.
    public init(
        _ location: String, backups: BackupFormat, connections: Int = 4, cacheFolder: String? = nil,
        shown: @escaping @Sendable (StationRow) -> StationRow = { $0 }
    ) throws(InvalidLocation) {
        try Self.check(location)
        self.location = location
        self.backups = backups
        self.shown = shown
        search = PostgresSearch(folder: cacheFolder, location: location)
        pool = PostgresPool(location, capacity: connections)
    }

    /// Rejects a URL that is malformed, or has a password, which would be visible in the list of processes and in logs.
    private static func check(_ location: String) throws(InvalidLocation) {
        // Without libpq, connecting fails.
        guard cpostgres_load() == nil else { return }
        guard let options = cpostgres_conninfoParse(location, nil) else { throw .malformed }
        defer { cpostgres_conninfoFree(options) }
        var option = options
        while let keyword = option.pointee.keyword {
            if option.pointee.val != nil, ["password", "sslpassword"].contains(String(cString: keyword)) {
                throw .password
            }
            option += 1
        }
    }

    public var companionPath: String { search.base }

    public var exists: Bool {
        do {
            return try read(until: ReadingLimit(.seconds(10))) { _ in true }
        } catch StoreError.notFound {
            return false
        } catch {
            // Programs then report this error, instead of a missing guide.
            return true
        }
    }

    public func owns(file path: String) -> Bool { false }

    // MARK: - Reading

    public func read<Value>(until limit: ReadingLimit, _ body: (any GuideReading) throws -> Value) throws -> Value {
        try withReader(until: limit) { try body($0) }
    }

    private func withReader<Value>(
        until limit: ReadingLimit = ReadingLimit(nil), _ body: (PostgresReader) throws -> Value
    ) throws -> Value {
        let end = limit.duration.map { limit.start.advanced(by: $0) }
        let cause: () -> (any Error)? = {
            if limit.isCancelled?() ?? false { return ReadingError.cancelled }
            if let end, ContinuousClock.now >= end { return ReadingError.timedOut }
            return nil
        }
        var attempts = 0
        while true {
            attempts += 1
            var (isConnected, hasBegun) = (false, false)
            do {
                return try pool.withConnection(until: end) { connection in
                    isConnected = true
                    connection.interruption = cause
                    defer {
                        connection.interruption = { nil }
                        connection.rollBack()
                    }
                    try begin(connection, until: end)
                    hasBegun = true
                    return try body(PostgresReader(connection, location: location, search: search, shown: shown))
                }
            } catch let error as PostgresError {
                if let cause = cause() { throw cause }
                // A standby cancels reads that conflict with its replay, and a connection may be lost by a failover.
                guard isConnected, error.isConflict || error.isConnectionLost, attempts < 3,
                    !hasBegun || limit.isRepeatable
                else {
                    throw StoreError(error, location: location)
                }
            }
        }
    }

    /// Begins a transaction that sees one state of the guide, and checks its schema.
    ///
    /// - Throws: ``StoreError`` if the database has no guide, or one of another version.
    private func begin(_ connection: PostgresConnection, until end: ContinuousClock.Instant?) throws {
        // The server also ends statements of a client that cannot cancel them any more.
        let limit = end.map { max(1, ContinuousClock.now.duration(to: $0).wholeMilliseconds) } ?? 0
        let found: Int
        do {
            found =
                try connection.texts(
                    script: """
                        BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = \(limit);
                        SELECT version FROM schema_version
                        """
                ).first.flatMap { $0.flatMap { Int($0) } } ?? 0
        } catch let error as PostgresError where error.state == "42P01" {
            // The table does not exist.
            throw StoreError.notFound(path: location)
        }
        guard found <= GuideSchema.version else {
            throw StoreError.newerSchema(path: location, found: found, known: GuideSchema.version)
        }
        guard found == GuideSchema.version else {
            throw StoreError.olderSchema(path: location, found: found, known: GuideSchema.version)
        }
    }

    public func prepareSearches() throws {
        try withReader { reader in
            // Another process of this computer that updates the index, such as an import, does not need help.
            do { try search.refresh(for: reader, waiting: .never) } catch StoreError.busy {}
        }
    }

    /// The lag is measured between calls. Blocks for some seconds if the primary is not reachable.
    public func server() throws -> DatabaseServer? {
        // The age of the last transaction would include the time in which there were none.
        let sql = """
            SELECT pg_is_in_recovery(), generation, EXISTS (SELECT 1 FROM pg_stat_wal_receiver),
                coalesce(pg_last_wal_receive_lsn() - '0/0', 0)::bigint, coalesce(pg_last_wal_replay_lsn() - '0/0', 0)::bigint
            FROM guide
            """
        let (found, generation) = try withReader(until: ReadingLimit(.seconds(5), isRepeatable: true)) { reader in
            let connection = reader.connection
            guard
                let row = try connection.first(
                    sql, [],
                    {
                        (
                            isStandby: $0.flag(0), generation: $0.integer(1), receives: $0.flag(2),
                            received: $0.integer(3), replayed: $0.integer(4)
                        )
                    })
            else { throw StoreError.notFound(path: location) }
            let lag =
                row.isStandby
                ? replication.withLock { $0.lag(of: connection.server, row.receives, row.received, row.replayed) }
                : .zero
            let server = DatabaseServer(
                host: connection.server, role: row.isStandby ? .standby : .primary, lag: lag,
                generationsBehind: row.isStandby ? nil : 0)
            return (server, row.generation)
        }
        var server = found
        if server.role == .standby {
            server.generationsBehind = primaryGeneration().map { max(0, Int($0 - generation)) }
        }
        return server
    }

    /// What a standby had received at some instants, to measure how long it takes to apply it.
    private struct Replication {
        private var server = ""
        /// Positions in the log that were not applied at the last call, and when they were received.
        private var pending: [(position: Int64, instant: ContinuousClock.Instant)] = []
        /// When the standby was last connected to its primary.
        private var connected = ContinuousClock.now

        mutating func lag(of server: String, _ receives: Bool, _ received: Int64, _ replayed: Int64) -> Duration {
            let now = ContinuousClock.now
            if server != self.server { (self.server, pending, connected) = (server, [], now) }
            if receives { connected = now }
            pending.removeAll { $0.position <= replayed }
            if received > max(replayed, pending.last?.position ?? 0) { pending.append((received, now)) }
            return max(now - connected, pending.first.map { now - $0.instant } ?? .zero)
        }
    }

    /// Returns the generation of the primary; `nil` if it is not available.
    private func primaryGeneration() -> Int64? {
        primary.withLock { primary in
            do {
                let connection = try primary ?? connectForWriting()
                let end = ContinuousClock.now + .seconds(2)
                connection.interruption = { ContinuousClock.now > end ? ReadingError.timedOut : nil }
                primary = connection
                return try connection.integer("SELECT generation FROM guide")
            } catch {
                primary = nil
                return nil
            }
        }
    }

    public func check() throws -> StoreCheck { try withReader { try $0.check() } }

    public func backUp(to path: String, target: BackupTarget) throws -> StoreCheck {
        try readTables { try backups.write($0, path, target) }
    }

    /// Calls a closure with the tables of the guide, in one state.
    package func readTables<Value>(_ body: (PostgresTables) throws -> Value) throws -> Value {
        try withReader { try body(PostgresTables(connection: $0.connection)) }
    }

    /// Replaces the guide with the content of a backup, in one transaction.
    public func restore(from backup: String, now: Instant, waiting wait: LockWait) throws -> RestoreReport {
        try? FileManager.default.createDirectory(atPath: search.folder, withIntermediateDirectories: true)
        return try backups.read(backup, search.folder + "/restored") { tables in
            try withRefreshLock(waiting: wait) {
                try translating {
                    try withLock(.writing, waiting: wait) { connection in
                        var replaced = RestoreReport.Replaced.nothing
                        let copy = try write(tables, with: connection, notes: { _ in }) { writer, isNew in
                            var old: GuideState?
                            do {
                                if !isNew { (old, replaced) = (try writer.state(), .guide(try writer.check())) }
                            } catch StoreError.damaged(_, let detail) {
                                replaced = .unreadable(detail: detail)
                            }
                            return { [old] in try writer.connection.renew(after: old, now: now) }
                        }
                        return RestoreReport(restored: copy.check, replaced: replaced)
                    }
                }
            }
        }
    }

    /// Writes tables into a database without a guide, in one transaction.
    ///
    /// - Parameter notes: Receives the number of rows that were written so far.
    /// - Throws: ``BackupError/exists(path:)`` if the database has a guide that is not empty; ``StoreError``.
    package func write(_ tables: some GuideTables, notes: (Int) -> Void) throws -> GuideCopy {
        try translating {
            try withLock(.writing, waiting: .never) { connection in
                try write(tables, with: connection, notes: notes) { writer, isNew in
                    guard try isNew || writer.isEmpty() else { throw BackupError.exists(path: location) }
                    return {}
                }
            }
        }
    }

    /// Replaces all rows in one transaction, which compares the copy with its source and checks it.
    ///
    /// - Parameter prepare: Examines the guide that is replaced, which is empty if it is new. It returns a closure that changes the
    ///   copy.
    private func write(
        _ tables: some GuideTables, with connection: PostgresConnection, notes: (Int) -> Void,
        prepare: (_ writer: PostgresWriter, _ isNew: Bool) throws -> () throws -> Void
    ) throws -> GuideCopy {
        let writer = PostgresWriter(connection, location: location, search: search)
        var (check, digest) = try connection.transaction {
            let finish = try prepare(writer, PostgresSchema.prepare(connection, location))
            let target = PostgresTables(connection: connection)
            let digest = try target.replaceRows(with: tables, notes)
            guard try GuideDigest(of: target) == digest else {
                throw StoreError.damaged(path: location, detail: "the copy differs from its source")
            }
            try finish()
            let check = try writer.check()
            if let problem = check.problems.first { throw StoreError.damaged(path: location, detail: problem) }
            return (check, digest)
        }
        try writer.refreshSearchIndex()
        check.isSearchComplete = try writer.isSearchIndexCurrent()
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
                try keepRefreshLock(on: connection.server)
                let isNew = try PostgresSchema.prepare(connection, location)
                if let problem = try connection.first(GuideState.invalidNumbersSQL, [], { $0.text(0) }) {
                    throw StoreError.damaged(path: location, detail: problem)
                }
                return try body(PostgresWriter(connection, location: location, search: search, shown: shown), isNew)
            }
        }
    }

    public func withRefreshLock<Value>(waiting wait: LockWait, _ body: () throws -> Value) throws -> Value {
        // This connection and its errors belong to the lock; the body has connections and errors of its own.
        let connection = try connectForWriting()
        try translating { try acquire(.refreshing, with: connection, waiting: wait) }
        // Fail before the refresh rather than at its end if another process is writing.
        if case .never = wait { try translating { try withLock(.writing, waiting: .never) { _ in } } }
        refreshLock.withLock { $0 = connection }
        defer { refreshLock.withLock { $0 = nil } }
        // A refresh decides by the state of sources, in which standbys may be behind.
        return try pool.readingPrimary(body)
    }

    /// Acquires the refresh lock of this guide again if a failover has ended it. Blocks for at most 5 s if the server is gone.
    ///
    /// - Parameter server: The server that is now the primary.
    /// - Throws: ``StoreError/refreshing(path:)`` if another process has acquired it first.
    private func keepRefreshLock(on server: String) throws {
        try refreshLock.withLock { held in
            guard let connection = held else { return }
            let end = ContinuousClock.now + .seconds(5)
            connection.interruption = { ContinuousClock.now > end ? ReadingError.timedOut : nil }
            do {
                if connection.server == server {
                    _ = try connection.integer("SELECT 1::bigint")
                    return
                }
                // The name may be another name of the same server, which would refuse the lock to a second connection.
                _ = try connection.texts(script: "SELECT pg_advisory_unlock_all()")
            } catch is PostgresError {
                // The server has ended the session.
            } catch ReadingError.timedOut {
                // The server is not reachable.
            }
            let replacement = try connectForWriting()
            try acquire(.refreshing, with: replacement, waiting: .never)
            held = replacement
        }
    }

    public func withReminderLock<Value>(_ body: () throws -> Value) throws -> Value? {
        let connection = try connectForWriting()
        do {
            try translating { try acquire(.reminding, with: connection, waiting: .never) }
        } catch StoreError.refreshing {
            return nil
        }
        // Standbys may be behind in recorded reminders.
        return try withExtendedLifetime(connection) { try pool.readingPrimary(body) }
    }

    public func migrate(waiting wait: LockWait) throws -> (found: Int, current: Int) {
        try translating {
            try withLock(.writing, waiting: wait) { connection in
                guard let found = try PostgresSchema.foundVersion(connection) else {
                    throw StoreError.notFound(path: location)
                }
                try PostgresSchema.prepare(connection, location)
                return (Int(found), GuideSchema.version)
            }
        }
    }

    private enum Lock: Int32 { case writing = 1, refreshing = 2, reminding = 3 }

    /// Opens a connection to the primary, of the hosts in the location.
    ///
    /// - Throws: ``StoreError/noPrimary(path:detail:)``.
    private func connectForWriting() throws(StoreError) -> PostgresConnection {
        do {
            return try PostgresConnection(location, overrides: ["target_session_attrs": "read-write"])
        } catch  where error.isConnectionLost {
            throw .noPrimary(path: location, detail: error.message)
        } catch {
            throw StoreError(error, location: location)
        }
    }

    private func withLock<Value>(
        _ lock: Lock, waiting wait: LockWait, _ body: (PostgresConnection) throws -> Value
    ) throws -> Value {
        let connection = try connectForWriting()
        try acquire(lock, with: connection, waiting: wait)
        // The server also releases the lock when the connection ends, but notices that later.
        defer { if connection.isOpen { _ = try? connection.execute("SELECT pg_advisory_unlock_all()") } }
        return try body(connection)
    }

    /// Acquires an advisory lock of this guide for the session of a connection.
    private func acquire(_ lock: Lock, with connection: PostgresConnection, waiting wait: LockWait) throws {
        // Several guides in one database have different schemas.
        let sql = "SELECT pg_try_advisory_lock($1::bigint::integer, hashtext(current_schema()))"
        while try connection.first(sql, [.integer(Int64(lock.rawValue) + 0x4550_4700)], { $0.flag(0) }) != true {
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
        } catch let damage as GuideDamage {
            throw StoreError.damaged(path: location, detail: damage.detail)
        } catch let damage as StoredDocument.Damage {
            throw StoreError.migrationFailed(
                path: location, detail: "a document cannot be read: \(damage.detail)")
        }
    }
}

/// The reason why a URL cannot be the location of a guide.
public enum InvalidLocation: Error, Hashable, Sendable, CustomStringConvertible {
    case password, malformed

    public var description: String {
        switch self {
        case .password:
            "The URL of the database must not contain a password, because other users can see it. Use ~/.pgpass, PGPASSFILE or "
                + "PGPASSWORD."
        // libpq's message may quote a secret.
        case .malformed:
            "The URL of the database is malformed. An example is postgresql://epg@db1,db2/guide?sslmode=verify-full."
        }
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
        case _ where error.isConnectionLost:
            self = .noPrimary(
                path: location, detail: "the connection was lost, and nothing was changed (\(error.message))")
        default: self.init(error, location: location)
        }
    }
}
