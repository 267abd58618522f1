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
    /// Why a reading gives up.
    enum Cause: Int {
        case tookTooLong = 1, cancelled, replaced

        var error: any Error {
            switch self {
            case .tookTooLong: ReadingTookTooLong()
            case .cancelled: ReadingCancelled()
            case .replaced: GuideWasReplaced()
            }
        }
    }

    /// Steps of SQLite's machine between two looks at the clock: some ten microseconds.
    private static let stepsBetweenLooks: Int32 = 1000

    private let end: ContinuousClock.Instant?
    private let isCancelled: (@Sendable () -> Bool)?
    private let isReplaced = Atomic(false)
    /// The raw value of the cause for which a statement was given up; 0 for none.
    private let stopped = Atomic(0)

    init(_ limit: ReadingLimit) {
        end = limit.duration.map { limit.start.advanced(by: $0) }
        isCancelled = limit.isCancelled
    }

    /// The time left, zero when there is none; `nil` where there is no deadline.
    var remaining: Duration? { end.map { max(.zero, ContinuousClock.now.duration(to: $0)) } }

    /// The cause to give up now, if there is one.
    var cause: Cause? {
        if isReplaced.load(ordering: .relaxed) { return .replaced }
        if let isCancelled, isCancelled() { return .cancelled }
        if let end, ContinuousClock.now >= end { return .tookTooLong }
        return nil
    }

    /// The cause for which a statement was given up, if one was.
    var stoppedReading: Cause? { Cause(rawValue: stopped.load(ordering: .relaxed)) }

    /// Makes the reading give up because another file stands at the path of the guide.
    func interruptForReplacement() { isReplaced.store(true, ordering: .relaxed) }

    /// Does something with a connection, which gives up every statement once there is a cause.
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
                guard let cause = deadline.cause else { return 0 }
                deadline.stopped.store(cause.rawValue, ordering: .relaxed)
                return 1
            }, Unmanaged.passUnretained(deadline).toOpaque())
        defer { sqlite3_progress_handler(connection, 0, nil, nil) }
        return try withExtendedLifetime(deadline) { try body() }
    }
}

/// Another file took the place of the guide during a reading, which ended early for that.
struct GuideWasReplaced: Error {}
