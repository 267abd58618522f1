/// A stored guide with many readers and one writer.
///
/// Methods block the calling thread. Writes should be short: a refresh must not hold the guide while it waits for servers,
/// because that blocks all other writers.
public protocol GuideStorage: Sendable {
    /// The location of the guide, as given by the caller.
    var location: String { get }

    /// The path beside which programs keep files that belong to the guide, such as the state of accounts: the path of the
    /// database, or one on this computer for a guide on a server.
    var companionPath: String { get }

    /// Whether a guide, or something else, exists at that location.
    var exists: Bool { get }

    /// Reads one generation of the guide.
    ///
    /// Waits if all connections are in use. May call the body more than once: if another database replaces the one being
    /// read, the read is interrupted and restarts on the new one.
    /// - Throws: ``ReadingError``, ``StoreError``, and errors of the body.
    func read<Value>(until limit: ReadingLimit, _ body: (any GuideReading) throws -> Value) throws -> Value

    /// Writes the guide. Creates an empty guide if there is none, and migrates an older one.
    ///
    /// Commits of the body are permanent even if the body throws.
    /// - Parameter wait: The time to wait for another writing process.
    /// - Throws: ``StoreError``, such as ``StoreError/busy(path:)``, and errors of the body.
    func write<Value>(waiting wait: LockWait, _ body: (any GuideWriting) throws -> Value) throws -> Value

    /// Runs the body as the only refresh of the guide. Other processes may write between the refresh's own writes.
    ///
    /// - Parameter wait: The time to wait for another refresh. ``LockWait/never`` also throws immediately while another
    ///   process is writing.
    /// - Throws: ``StoreError/refreshing(path:)``, ``StoreError/busy(path:)``, and errors of the body.
    func withRefreshLock<Value>(waiting wait: LockWait, _ body: () throws -> Value) throws -> Value

    /// Runs the body as the only sender of reminders. Other processes may refresh and write the guide at the same time.
    ///
    /// Reads of the body see all committed reminders.
    /// - Returns: `nil` without a call of the body if another process is sending reminders.
    /// - Throws: ``StoreError``, and errors of the body.
    func withReminderLock<Value>(_ body: () throws -> Value) throws -> Value?

    /// Migrates an existing guide to the current schema, and updates its search index.
    ///
    /// - Returns: The former and the current version of the schema, equal if no migration was necessary.
    /// - Throws: ``StoreError``, such as ``StoreError/notFound(path:)``.
    func migrate(waiting wait: LockWait) throws -> (found: Int, current: Int)

    /// Checks the guide and its search index, and counts their contents. The result contains problems.
    ///
    /// - Throws: ``StoreError`` if the guide cannot be read.
    /// - Complexity: O(size of the guide).
    func check() throws -> StoreCheck

    /// Writes a consistent copy of the guide to a file while others read and write the guide.
    ///
    /// The copy is the state of one read transaction. It is checked before it gets its name, so the file with that name is
    /// either intact or the former one. Only its owner may read it, because URLs of sources may contain credentials.
    /// - Returns: The check of the copy.
    /// - Throws: ``BackupError`` and ``StoreError``.
    /// - Complexity: O(size of the guide).
    func backUp(to path: String, target: BackupTarget) throws -> StoreCheck

    /// Replaces the guide with the content of a backup while others read it.
    ///
    /// The restored guide has a new generation, above the generations of the backup and the replaced guide, so that clients and
    /// caches do not confuse it with a known state. Its change log starts empty, and its search index is complete.
    /// - Parameters:
    ///   - now: The start of the new generation.
    ///   - wait: The time to wait for other writers, a refresh, and readers of an old state.
    /// - Throws: ``RestoreError``; ``StoreError/busy(path:)``, ``StoreError/refreshing(path:)``, ``StoreError/full(path:)``.
    /// - Complexity: O(size of the backup).
    func restore(from backup: String, now: Instant, waiting wait: LockWait) throws -> RestoreReport

    /// Returns whether a file is part of the guide, so that nothing else may overwrite it.
    func owns(file path: String) -> Bool

    /// Returns the server that reads use, which may be behind; `nil` for a guide in a file.
    ///
    /// - Throws: ``StoreError`` if no server is available.
    func server() throws -> DatabaseServer?

    /// Updates the search index of this computer, if the guide has one per computer, so that the next search need not.
    ///
    /// - Throws: ``StoreError``.
    /// - Complexity: O(new programmes).
    func prepareSearches() throws
}

extension GuideStorage {
    public var companionPath: String { location }

    public func server() throws -> DatabaseServer? { nil }

    public func prepareSearches() throws {}

    /// Migrates a guide of an older version.
    ///
    /// - Throws: ``StoreError``, also if there is no guide.
    package func migrateIfOlder(waiting wait: LockWait) throws {
        do {
            try read { _ in }
        } catch StoreError.olderSchema {
            _ = try migrate(waiting: wait)
        }
    }

    /// Reads for at most `duration`; without a limit by default.
    public func read<Value>(
        within duration: Duration? = nil, _ body: (any GuideReading) throws -> Value
    ) throws -> Value {
        try read(until: ReadingLimit(duration), body)
    }

    /// Writes the guide without waiting for another writing process.
    public func write<Value>(_ body: (any GuideWriting) throws -> Value) throws -> Value {
        try write(waiting: .never, body)
    }
}

/// A database server from which a guide is read.
public struct DatabaseServer: Hashable, Sendable {
    public enum Role: String, Hashable, Sendable, CaseIterable {
        case primary
        /// A copy that follows the primary.
        case standby
    }

    /// `host:port`.
    public var host: String
    public var role: Role
    /// The time for which the server has not applied changes that it has received, or has been without a primary; 0 if it is up
    /// to date.
    public var lag: Duration
    /// The number of generations by which it is behind the primary; `nil` if the primary is not available.
    public var generationsBehind: Int?

    /// Creates a description of a server.
    public init(host: String, role: Role, lag: Duration, generationsBehind: Int?) {
        self.host = host
        self.role = role
        self.lag = lag
        self.generationsBehind = generationsBehind
    }
}

extension DatabaseServer: CustomStringConvertible {
    /// `standby db2:5432, 0.3 s and 1 generation behind`.
    public var description: String {
        guard role == .standby else { return "primary \(host)" }
        let tenths = (lag.components.seconds * 10) + lag.components.attoseconds / 100_000_000_000_000_000
        let generations =
            switch generationsBehind {
            case 1: "1 generation"
            case let count?: "\(count) generations"
            case nil: "an unknown number of generations"
            }
        return "standby \(host), \(tenths / 10).\(tenths % 10) s and \(generations) behind"
    }
}

/// The time to wait for another process that holds a lock of the guide.
public enum LockWait: Sendable {
    case never
    /// Waits indefinitely.
    case always
    /// Waits until the closure returns `true`, which is called several times per second.
    case until(@Sendable () -> Bool)
}

/// The limit of a read, including the time that it waits for a connection.
public struct ReadingLimit: Sendable {
    /// `nil` for no limit.
    public let duration: Duration?
    /// The start of ``duration``, such as the arrival of a request.
    public let start: ContinuousClock.Instant
    /// Returns whether the read is canceled. The reading thread calls it every few dozen microseconds.
    public let isCancelled: (@Sendable () -> Bool)?
    /// Whether the body of the read may be called again after an error of the database, because it has no side effects.
    public let isRepeatable: Bool

    /// Creates a limit.
    ///
    /// - Parameters:
    ///   - duration: The maximum duration; `nil` for no limit.
    ///   - start: The start of the duration; now by default.
    ///   - isCancelled: Returns whether to cancel the read. It is called often and on the reading thread, so it must be fast.
    ///     `nil` (the default) if the read cannot be canceled.
    ///   - isRepeatable: Whether the body of the read has no side effects, so that it may be called again after an error of the
    ///     database.
    public init(
        _ duration: Duration?, from start: ContinuousClock.Instant = .now, isRepeatable: Bool = false,
        isCancelled: (@Sendable () -> Bool)? = nil
    ) {
        self.duration = duration
        self.start = start
        self.isRepeatable = isRepeatable
        self.isCancelled = isCancelled
    }
}

/// The reason why a read ended early.
public enum ReadingError: Error, Hashable, Sendable, CustomStringConvertible {
    case timedOut
    /// The result is no longer needed.
    case cancelled

    public var description: String {
        switch self {
        case .timedOut: "the read exceeded its time limit; request less data at once"
        case .cancelled: "the read was canceled"
        }
    }
}

/// The texts of problems that all stores find. They contain no quotation mark, so SQL may contain them in quotation marks.
package enum GuideProblem: String {
    case digests = "programmes without a digest, or digests without a programme"
    case identifiers = "the identifiers for new rows are already in use, or too large"
    case stationRows = "the rows of stations have gaps or duplicates"
    case uncoveredStations = "stations with airings of a source that does not cover them: "
    case sharedStations = "stations with a wrong number of sources: "
    case bestSources = "stations whose source is not the best one: "
    case channelOrder = "channels of lineups after a gap in their order: "
    case favoriteOrder = "the order of favorites has gaps"
    case changeLog = "the log of changes has gaps, or does not end at the current generation"
    case wholeSchedules = "changes of airings whose whole schedule changed: "
}

/// The result of a check of a guide.
public struct StoreCheck: Hashable, Sendable {
    /// Descriptions of problems; empty for an intact guide.
    public var problems: [String] = []
    public var generation = Generation(0)
    /// The number of stations, with and without airings.
    public var stations = 0
    /// The number of airings of all sources.
    public var airings = 0
    /// The number of programmes, including those that only the log references.
    public var programmes = 0
    /// The range from the first start to the last stop; `nil` for an empty guide.
    public var range: TimeWindow?
    /// Whether searches find every programme.
    public var isSearchComplete = true
    /// The damage of the search index, which can be rebuilt from the guide; `nil` if it is intact.
    public var searchDamage: String?
    /// Whether neither the guide nor its search index is damaged.
    public var isIntact: Bool { problems.isEmpty && searchDamage == nil }
    /// The size of the database in bytes, without its write-ahead log and its search index.
    public var bytes = 0

    /// Creates the result for an empty guide without problems.
    public init() {}
}

/// The handling of an existing file at the path of a new backup.
public enum BackupTarget: Hashable, Sendable {
    /// The file must not exist.
    case new
    /// The file is replaced after the backup is complete.
    case replaced
}

/// The result of a restore.
public struct RestoreReport: Hashable, Sendable {
    /// The former content at the path of the guide.
    public enum Replaced: Hashable, Sendable {
        /// No file, or an empty one.
        case nothing
        case guide(StoreCheck)
        /// A file that could not be read as a guide, with the reason.
        case unreadable(detail: String)
    }

    /// The check of the restored guide.
    public var restored: StoreCheck
    /// The guide or file that was replaced.
    public var replaced: Replaced

    /// Creates a report.
    ///
    /// - Parameters:
    ///   - restored: The check of the restored guide.
    ///   - replaced: The former content at the path of the guide.
    public init(restored: StoreCheck, replaced: Replaced) {
        self.restored = restored
        self.replaced = replaced
    }
}

/// An error of a store.
public enum StoreError: Error, Hashable, Sendable {
    case notFound(path: String)
    case notAGuide(path: String)
    case newerSchema(path: String, found: Int, known: Int)
    /// The guide has an older schema and must be migrated before reading.
    case olderSchema(path: String, found: Int, known: Int)
    /// The guide has a schema that is too old for a migration.
    case tooOldSchema(path: String, found: Int, known: Int)
    /// A migration needs more disk space than is available, in bytes; nothing was written.
    case noSpaceToMigrate(path: String, needed: Int64, available: Int64)
    /// The disk was full or failed during a migration; nothing was changed.
    case migrationFailed(path: String, detail: String)
    /// Another process is writing.
    case busy(path: String)
    /// Another process is refreshing.
    case refreshing(path: String)
    /// The disk is full; the transaction was rolled back.
    case full(path: String)
    case damaged(path: String, detail: String)
    /// The changes are committed, but could not be moved from the write-ahead log into the database; the next writer does it.
    case unfinished(path: String, detail: String)
    case notWritable(path: String, detail: String)
    case inaccessible(path: String, detail: String)
    /// No server of the database accepts changes.
    case noPrimary(path: String, detail: String)
}

extension StoreError: CustomStringConvertible {
    /// A description in full sentences. Programs append the remedy.
    public var description: String {
        switch self {
        case .notFound(let path): "There is no guide at \(path)."
        case .notAGuide(let path): "\(path) is not a guide database, or its header is damaged."
        case .newerSchema(let path, let found, let known):
            "A newer version of this program wrote \(path) (schema \(found); this version reads schema \(known))."
        case .olderSchema(let path, let found, let known), .tooOldSchema(let path, let found, let known):
            "An older version of this program wrote \(path) (schema \(found); this version reads schema \(known))."
        case .noSpaceToMigrate(let path, let needed, let available):
            "Migrating \(path) needs \(needed >> 20) MiB of free space on its disk; \(available >> 20) MiB are free. "
                + "Nothing was changed."
        case .migrationFailed(let path, let detail): "\(path) cannot be migrated: \(detail). Nothing was changed."
        case .busy(let path): "Another process is writing to \(path)."
        case .refreshing(let path): "Another refresh of \(path) is running."
        case .full(let path): "The disk of \(path) is full. Uncommitted changes were rolled back."
        case .damaged(let path, let detail): "\(path) is damaged (\(detail))."
        case .unfinished(let path, let detail):
            "The changes of \(path) are safe in \(path)-wal, but could not be moved into the database: \(detail). The next "
                + "writer moves them."
        case .notWritable(let path, let detail): "\(path) cannot be created or opened for writing: \(detail)."
        case .inaccessible(let path, let detail): "\(path) cannot be used: \(detail)."
        case .noPrimary(let path, let detail): "No server of \(path) accepts changes: \(detail)."
        }
    }
}

/// An error of a backup; no file was overwritten.
public enum BackupError: Error, Hashable, Sendable {
    case exists(path: String)
    /// The path leads to the guide or one of its files.
    case isGuide(path: String)
    case cannotWrite(path: String, detail: String)
    /// The guide is damaged, and so is the copy; the detail is its first problem.
    case damaged(path: String, detail: String)
}

/// An error of a restore; the guide is unchanged.
public enum RestoreError: Error, Hashable, Sendable {
    case notFound(path: String)
    /// The backup is damaged, belongs to another program, or has an unsupported schema.
    case badBackup(path: String, detail: String)
    /// The backup is the guide or one of its files.
    case isGuide(path: String)
    /// The file at the path of the guide is a folder or another program's database.
    case notReplaceable(path: String, detail: String)
    /// Other processes read an old state of the guide, so that its write-ahead log cannot be emptied.
    case inUse(path: String)
    case cannotWrite(path: String, detail: String)
}

extension Duration {
    /// The duration rounded down; at least 0.
    package var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        return max(0, min(seconds, .max / 2000) * 1000 + attoseconds / 1_000_000_000_000_000)
    }
}
