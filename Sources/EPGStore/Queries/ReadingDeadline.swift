import Dispatch
import EPGModel
import GRDB
import GRDBSQLite
import Synchronization

/// Decides when one reading gives up: at its deadline, when it is cancelled, or when another file has taken the place of the
/// one being read. SQLite asks it every ``stepsBetweenLooks`` steps and ends the statement when it says so.
///
/// The handler runs on the reading thread, so it can't come too late: unlike an interrupt from another thread, it never
/// reaches the next reader of the connection.
final class ReadingDeadline: Sendable {
    /// Steps of SQLite's machine between two looks at the clock: some ten microseconds.
    private static let stepsBetweenLooks: Int32 = 1000

    private let end: ContinuousClock.Instant?
    private let isCancelled: (@Sendable () -> Bool)?
    private let isReplaced = Atomic(false)
    private let stopped = Mutex<(any Error)?>(nil)

    init(_ limit: ReadingLimit) {
        end = limit.duration.map { limit.start.advanced(by: $0) }
        isCancelled = limit.isCancelled
    }

    /// Until when the reading may wait for something.
    var timeout: DispatchTime {
        end.map { .now() + max(0, min(ContinuousClock.now.duration(to: $0) / .seconds(1), 1e9)) } ?? .distantFuture
    }

    /// The error to give up with now, if there is a cause.
    var cause: (any Error)? {
        if isReplaced.load(ordering: .relaxed) { return GuideWasReplaced() }
        if let isCancelled, isCancelled() { return ReadingCancelled() }
        if let end, ContinuousClock.now >= end { return ReadingTookTooLong() }
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
