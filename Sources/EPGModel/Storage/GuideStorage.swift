/// A stored guide as a program operates it: it is read by many at once, written by one, and kept.
///
/// The calling thread does the work and waits where it must. Whoever writes does so for moments: the nightly job waits for
/// servers in between, and holding the guide open all the while would keep everybody else from writing.
public protocol GuideStorage: Sendable {
    /// Where the guide is, as it was named.
    var location: String { get }

    /// Whether there is a guide, or something else, at that place.
    var exists: Bool { get }

    /// Hands the guide over as it stands: all that is asked in one call belongs to one generation.
    ///
    /// The calling thread waits where all connections are taken. The body may be called more than once: when another database
    /// takes the place of the one being read, the reading is interrupted and starts again on the new one.
    /// - Parameter limit: When the reading gives up.
    /// - Throws: ``ReadingTookTooLong``, ``ReadingCancelled``, ``StoreError``, or what the body throws.
    func read<Answer>(until limit: ReadingLimit, _ body: (any GuideReading) throws -> Answer) throws -> Answer

    /// Hands the guide over for writing. Makes an empty one where there is none, and migrates an older one.
    ///
    /// What is committed in the body stays, whatever follows.
    /// - Parameter wait: How long to wait for another process that writes.
    /// - Throws: ``StoreError``, ``StoreError/busy(path:)`` where that process is not waited for; what the body throws.
    func write<Answer>(waiting wait: LockWait, _ body: (any GuideWriting) throws -> Answer) throws -> Answer

    /// Does something as the only refresh of the guide. Others may still write between the refresh's own writes.
    ///
    /// - Parameter wait: How long to wait for another refresh. With ``LockWait/never`` an error is thrown at once where another
    ///   process is writing, too.
    /// - Throws: ``StoreError/refreshing(path:)``, ``StoreError/busy(path:)``, and what the body throws.
    func refreshing<Answer>(waiting wait: LockWait, _ body: () throws -> Answer) throws -> Answer

    /// Whether an older version of this program wrote the guide, so that the next write migrates it.
    ///
    /// - Throws: ``StoreError`` where the guide cannot be read for another reason.
    var needsMigration: Bool { get throws }

    /// Brings a guide that is there up to date with this version of the program, and its search index with the guide.
    ///
    /// - Throws: ``StoreError``, ``StoreError/notFound(path:)`` where there is none.
    func migrate(waiting wait: LockWait) throws -> MigrationReport

    /// Checks the guide and its search index, and counts what they hold.
    ///
    /// What cannot be read because of damage is a problem of the check, too; the check goes on behind it.
    /// - Throws: ``StoreError`` where nothing can be read.
    /// - Complexity: O(size of the guide).
    func check() throws -> StoreCheck

    /// Writes a sound copy of the guide to a file, while others read and write the guide.
    ///
    /// The copy is the guide as it stands in one read transaction. It is checked before it gets its name, so there is a sound
    /// copy under that name or what was there before. Only its owner may read it: the URLs of sources may hold credentials.
    /// - Returns: What the check of the copy found.
    /// - Throws: ``BackupError`` and ``StoreError``.
    /// - Complexity: O(size of the guide).
    func backUp(to path: String, target: BackupTarget) throws -> StoreCheck

    /// Replaces the guide with the content of a backup, while others read it.
    ///
    /// The restored guide has a new generation, above those of the backup and of the replaced guide, so that no client and no
    /// cache takes it for a state that it knows. Its log of changes begins anew, and its search index is complete.
    /// - Parameters:
    ///   - now: When the new generation began.
    ///   - wait: How long to wait for other writers, for a refresh, and for readers of an old state.
    /// - Throws: ``RestoreError``; ``StoreError/busy(path:)``, ``StoreError/refreshing(path:)``, ``StoreError/full(path:)``.
    /// - Complexity: O(size of the backup).
    func restore(from backup: String, now: Instant, waiting wait: LockWait) throws -> RestoreReport

    /// Whether a file is a part of the guide, which nothing else may overwrite.
    func owns(file path: String) -> Bool
}

extension GuideStorage {
    /// Reads for as long as it takes.
    public func read<Answer>(_ body: (any GuideReading) throws -> Answer) throws -> Answer {
        try read(until: ReadingLimit(nil), body)
    }

    /// Reads for at most `duration` from now on; `nil` for as long as it takes.
    public func read<Answer>(
        within duration: Duration?, _ body: (any GuideReading) throws -> Answer
    ) throws -> Answer {
        try read(until: ReadingLimit(duration), body)
    }

    /// Hands the guide over for writing, and does not wait for another process that writes.
    public func write<Answer>(_ body: (any GuideWriting) throws -> Answer) throws -> Answer {
        try write(waiting: .never, body)
    }
}

/// How long somebody waits for another process that holds the guide.
public enum LockWait: Sendable {
    /// Not at all.
    case never
    /// As long as it takes.
    case always
    /// Until the closure returns `true`; it is asked some times a second.
    case unless(@Sendable () -> Bool)
}

/// When a reading gives up, whether it still waits for a connection or has one.
public struct ReadingLimit: Sendable {
    /// How long the reading may take; `nil` for no limit.
    public let duration: Duration?
    /// The instant from which ``duration`` counts, such as the arrival of a request.
    public let start: ContinuousClock.Instant
    /// Returns whether the answer is no longer wanted. The reading thread calls it every few dozen microseconds.
    public let isCancelled: (@Sendable () -> Bool)?

    public init(
        _ duration: Duration?, from start: ContinuousClock.Instant = .now, isCancelled: (@Sendable () -> Bool)? = nil
    ) {
        self.duration = duration
        self.start = start
        self.isCancelled = isCancelled
    }
}

/// An answer took longer to read than it was given.
public struct ReadingTookTooLong: Error, Hashable, Sendable, CustomStringConvertible {
    public init() {}

    public var description: String { "reading took longer than it may; ask for less at once" }
}

/// A reading ended early because its answer is no longer wanted.
public struct ReadingCancelled: Error, Hashable, Sendable, CustomStringConvertible {
    public init() {}

    public var description: String { "the reading was cancelled" }
}

/// What a migration did.
public struct MigrationReport: Hashable, Sendable {
    /// Where the guide is.
    public var location: String
    /// The version of the schema before.
    public var found: Int
    /// The version of the schema now; the same where there was nothing to do.
    public var current: Int

    public init(location: String, found: Int, current: Int) {
        self.location = location
        self.found = found
        self.current = current
    }
}

/// What a check of a guide found.
public struct StoreCheck: Hashable, Sendable {
    /// What is wrong, in sentences; empty for a sound guide.
    public var problems: [String] = []
    /// The generation of the guide.
    public var generation = Generation(0)
    /// The number of stations, with and without airings.
    public var stations = 0
    /// The number of airings, of all sources.
    public var airings = 0
    /// The number of contents, those that only the log keeps among them.
    public var programmes = 0
    /// From the first start to the last stop; `nil` for an empty guide.
    public var range: TimeWindow?
    /// Whether every programme can be found by a search.
    public var isSearchComplete = true
    /// What is wrong with the index for searches, which holds nothing that the guide doesn't; `nil` for a sound one.
    public var searchDamage: String?
    /// Whether nothing is wrong.
    public var isSound: Bool { problems.isEmpty && searchDamage == nil }
    /// Bytes of the database.
    public var bytes = 0

    public init() {}
}

/// What becomes of a file that stands where a backup is to be written.
public enum BackupTarget: Hashable, Sendable {
    /// There must be none.
    case new
    /// It is replaced, once the backup is complete.
    case replaced
}

/// What a restore did.
public struct RestoreReport: Hashable, Sendable {
    /// What was at the path of the guide before.
    public enum Replaced: Hashable, Sendable {
        /// No file, or an empty one.
        case nothing
        /// A guide with this content.
        case guide(StoreCheck)
        /// A file that could not be read as a guide, and why.
        case unreadable(detail: String)
    }

    /// What the check of the restored guide found: how much it holds.
    public var restored: StoreCheck
    public var replaced: Replaced

    public init(restored: StoreCheck, replaced: Replaced) {
        self.restored = restored
        self.replaced = replaced
    }
}
