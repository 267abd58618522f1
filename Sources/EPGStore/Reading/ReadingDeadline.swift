import GRDB
import GRDBSQLite
import Synchronization

/// Until when a reading may go on. SQLite asks it now and then, and gives up when it is over.
///
/// An answer that is asked for by a handler that runs on the reading thread can't come too late: unlike an interrupt of
/// another thread it never reaches the next reader of the connection.
final class ReadingDeadline: Sendable {
    /// Steps of SQLite's machine between two looks at the clock: some ten microseconds.
    private static let stepsBetweenLooks: Int32 = 1000

    private let end: ContinuousClock.Instant
    private let hasStopped = Atomic(false)

    init(after limit: Duration) {
        end = .now.advanced(by: limit)
    }

    /// What is left; zero when it is over.
    var remaining: Duration { max(.zero, ContinuousClock.now.duration(to: end)) }

    var isOver: Bool { ContinuousClock.now >= end }

    /// Whether a statement was given up because of it.
    var stoppedReading: Bool { hasStopped.load(ordering: .relaxed) }

    /// Does something with a connection, which gives up every statement once the deadline is over.
    ///
    /// The connection is as it was afterwards.
    static func watching<Answer>(
        _ deadline: ReadingDeadline?, _ database: Database, _ body: () throws -> Answer
    ) throws -> Answer {
        guard let deadline else { return try body() }
        let connection = database.sqliteConnection
        // The handler is taken away before the deadline can go.
        sqlite3_progress_handler(
            connection, stepsBetweenLooks,
            { context in
                guard let context else { return 0 }
                let deadline = Unmanaged<ReadingDeadline>.fromOpaque(context).takeUnretainedValue()
                guard deadline.isOver else { return 0 }
                deadline.hasStopped.store(true, ordering: .relaxed)
                return 1
            }, Unmanaged.passUnretained(deadline).toOpaque())
        defer { sqlite3_progress_handler(connection, 0, nil, nil) }
        return try withExtendedLifetime(deadline) { try body() }
    }
}
