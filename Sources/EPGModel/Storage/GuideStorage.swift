/// A stored guide as a program operates it: with many readers and one writer.
///
/// The calling thread does the work and waits where it must. A write should take moments: a refresh that held the guide open
/// while it waits for servers would keep everybody else from writing.
public protocol GuideStorage: Sendable {
    /// The location of the guide, as it was given.
    var location: String { get }

    /// Whether there is a guide, or something else, at that location.
    var exists: Bool { get }

    /// Reads one generation of the guide.
    ///
    /// Waits where all connections are in use. The body may be called more than once: when another database replaces the one
    /// being read, the reading is interrupted and starts again on the new one.
    /// - Throws: ``ReadingError``, ``StoreError``, and errors of the body.
    func read<Answer>(until limit: ReadingLimit, _ body: (any GuideReading) throws -> Answer) throws -> Answer

    /// Writes the guide. Creates an empty one where there is none, and migrates an older one.
    ///
    /// What the body commits stays, even if the body throws.
    /// - Parameter wait: How long to wait for another process that writes.
    /// - Throws: ``StoreError``, such as ``StoreError/busy(path:)``, and errors of the body.
    func write<Answer>(waiting wait: LockWait, _ body: (any GuideWriting) throws -> Answer) throws -> Answer

    /// Runs the body as the only refresh of the guide. Others may still write between the refresh's own writes.
    ///
    /// - Parameter wait: How long to wait for another refresh. ``LockWait/never`` also throws at once while another process is
    ///   writing.
    /// - Throws: ``StoreError/refreshing(path:)``, ``StoreError/busy(path:)``, and errors of the body.
    func refreshing<Answer>(waiting wait: LockWait, _ body: () throws -> Answer) throws -> Answer

    /// Migrates an existing guide to this version of the program, and updates its search index.
    ///
    /// - Returns: The former and the current version of the schema; the same where there was nothing to do.
    /// - Throws: ``StoreError``, such as ``StoreError/notFound(path:)``.
    func migrate(waiting wait: LockWait) throws -> (found: Int, current: Int)

    /// Checks the guide and its search index, and counts their contents. Damage is a problem in the result.
    ///
    /// - Throws: ``StoreError`` where nothing can be read.
    /// - Complexity: O(size of the guide).
    func check() throws -> StoreCheck

    /// Writes a consistent copy of the guide to a file, while others read and write the guide.
    ///
    /// The copy is the guide of one read transaction. It is checked before it gets its name, so the file under that name is
    /// either sound or the former one. Only its owner may read it: the URLs of sources may contain credentials.
    /// - Returns: The check of the copy.
    /// - Throws: ``BackupError`` and ``StoreError``.
    /// - Complexity: O(size of the guide).
    func backUp(to path: String, target: BackupTarget) throws -> StoreCheck

    /// Replaces the guide with the content of a backup, while others read it.
    ///
    /// The restored guide has a new generation, above those of the backup and of the replaced guide, so that no client and no
    /// cache takes it for a state that it knows. Its log of changes begins anew, and its search index is complete.
    /// - Parameters:
    ///   - now: When the new generation begins.
    ///   - wait: How long to wait for other writers, for a refresh, and for readers of an old state.
    /// - Throws: ``RestoreError``; ``StoreError/busy(path:)``, ``StoreError/refreshing(path:)``, ``StoreError/full(path:)``.
    /// - Complexity: O(size of the backup).
    func restore(from backup: String, now: Instant, waiting wait: LockWait) throws -> RestoreReport

    /// Whether a file is a part of the guide, which nothing else may overwrite.
    func owns(file path: String) -> Bool
}

extension GuideStorage {
    /// Reads for at most `duration` from now on; without a limit by default.
    public func read<Answer>(
        within duration: Duration? = nil, _ body: (any GuideReading) throws -> Answer
    ) throws -> Answer {
        try read(until: ReadingLimit(duration), body)
    }

    /// Writes the guide, and does not wait for another process that writes.
    public func write<Answer>(_ body: (any GuideWriting) throws -> Answer) throws -> Answer {
        try write(waiting: .never, body)
    }
}

/// How long to wait for another process that holds the guide.
public enum LockWait: Sendable {
    case never
    /// As long as it takes.
    case always
    /// Until the closure returns `true`; it is called some times a second.
    case unless(@Sendable () -> Bool)
}

/// When a reading gives up, whether it still waits for a connection or has one.
public struct ReadingLimit: Sendable {
    /// `nil` for no limit.
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

/// Why a reading ended early.
public enum ReadingError: Error, Hashable, Sendable, CustomStringConvertible {
    case tookTooLong
    /// Its answer is no longer wanted.
    case cancelled

    public var description: String {
        switch self {
        case .tookTooLong: "reading took longer than it may; ask for less at once"
        case .cancelled: "the reading was cancelled"
        }
    }
}

/// The result of a check of a guide.
public struct StoreCheck: Hashable, Sendable {
    /// Sentences about what is wrong; empty for a sound guide.
    public var problems: [String] = []
    public var generation = Generation(0)
    /// The number of stations, with and without airings.
    public var stations = 0
    /// The number of airings, of all sources.
    public var airings = 0
    /// The number of contents, including those that only the log refers to.
    public var programmes = 0
    /// From the first start to the last stop; `nil` for an empty guide.
    public var range: TimeWindow?
    /// Whether searches find every programme.
    public var isSearchComplete = true
    /// What is wrong with the search index, which can be built anew from the guide; `nil` for a sound one.
    public var searchDamage: String?
    public var isSound: Bool { problems.isEmpty && searchDamage == nil }
    public var bytes = 0

    public init() {}
}

/// What happens to a file at the path of a new backup.
public enum BackupTarget: Hashable, Sendable {
    /// There must be none.
    case new
    /// It is replaced, once the backup is complete.
    case replaced
}

/// The result of a restore.
public struct RestoreReport: Hashable, Sendable {
    /// What was at the path of the guide before.
    public enum Replaced: Hashable, Sendable {
        /// No file, or an empty one.
        case nothing
        case guide(StoreCheck)
        /// A file that could not be read as a guide, and why.
        case unreadable(detail: String)
    }

    public var restored: StoreCheck
    public var replaced: Replaced

    public init(restored: StoreCheck, replaced: Replaced) {
        self.restored = restored
        self.replaced = replaced
    }
}
