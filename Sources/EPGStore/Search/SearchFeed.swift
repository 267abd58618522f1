import Dispatch
import EPGModel
import GRDB
import Glibc
import Synchronization

/// Feeds the index for searches while an import runs, on a thread of its own that yields to the others.
///
/// It never holds the import up: when the index falls too far behind, feeding ends, and the rest is read from the guide
/// later (``SearchIndex/refresh(from:)``).
final class SearchFeed: Sendable {
    private enum Step {
        case text(ContentBatch)
        case end
        case cancel
    }

    private struct Line {
        var steps: [Step] = []
        var isFed = true
    }

    private let index: SearchIndex
    /// Held as long as the index is written.
    private let lock: FileLock?
    private let line = Mutex(Line())
    private let arrived = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    /// The number of batches that may wait, each about half a MiB.
    private static let room = 64

    /// Begins to feed; `nil` where the index isn't up to date with the guide, or can't be written: it is only an index.
    init?(store: GuideStore, nextProgramme: Int64) {
        lock = store.lock
        do {
            index = try store.searchIndex()
            let mark = try index.queue.inDatabase { try SearchIndex.mark($0) }
            if mark.programme >= nextProgramme { try index.clear() }
            guard mark.programme == nextProgramme - 1 else { return nil }
        } catch {
            return nil
        }
        // The guide is waited for, the index isn't.
        BackgroundThread.run { [self] in
            do {
                try index.queue.writeWithoutTransaction { try work($0) }
            } catch {
                // What was fed is undone with its transaction; the index is brought up to date from the guide.
                line.withLock { line in
                    line.isFed = false
                    line.steps.removeAll()
                }
            }
            ended.signal()
        }
    }

    /// Takes a batch, unless too many are waiting.
    func append(_ batch: ContentBatch) {
        guard !batch.programmes.isEmpty else { return }
        let isTaken = line.withLock { line in
            guard line.isFed, line.steps.count < Self.room else {
                line.isFed = false
                return false
            }
            line.steps.append(.text(batch))
            return true
        }
        if isTaken { arrived.signal() }
    }

    /// Keeps what was put in, after the guide was committed; goes on by itself.
    func finish() {
        send(.end)
    }

    /// Forgets what was put in; goes on by itself.
    func forget() {
        send(.cancel)
    }

    /// Forgets what was put in, and waits until that is done.
    func cancel() {
        forget()
        waitUntilEnded()
    }

    /// Waits until all that was handed over is in the index.
    func waitUntilEnded() {
        ended.wait()
        ended.signal()
    }

    private func send(_ step: Step) {
        line.withLock { $0.steps.append(step) }
        arrived.signal()
    }

    private func work(_ database: Database) throws {
        try database.beginTransaction(.immediate)
        do {
            var mark = try SearchIndex.mark(database)
            let writer = try SearchWriter(database)
            while true {
                arrived.wait()
                switch line.withLock({ $0.steps.removeFirst() }) {
                case .text(let batch):
                    try writer.add(batch)
                    mark.programme = batch.programmes.last?.id ?? mark.programme
                case .end:
                    guard writer.count > 0 else { return try database.rollback() }
                    try SearchIndex.setMark(mark, in: database)
                    try database.commit()
                    _ = Result { try Connections.keepLog(database) }
                    return
                case .cancel:
                    return try database.rollback()
                }
            }
        } catch {
            if database.isInsideTransaction { try database.rollback() }
            throw error
        }
    }
}

/// A thread of its own that yields to all others.
enum BackgroundThread {
    /// Runs the work; where the system gives no thread, at once and on this one.
    static func run(_ work: @escaping @Sendable () -> Void) {
        let job = Job {
            // On Linux this holds for the calling thread alone.
            setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 19)
            work()
        }
        let context = Unmanaged.passRetained(job)
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { context in
                if let context { Unmanaged<Job>.fromOpaque(context).takeRetainedValue().body() }
                return nil
            }, context.toOpaque())
        if code == 0 {
            pthread_detach(thread)
        } else {
            context.release()
            work()
        }
    }

    private final class Job: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }
}

/// Puts programmes into the full-text index.
final class SearchWriter {
    private let insert: InsertStatement
    /// How many were put in.
    private(set) var count: Int64 = 0

    init(_ database: Database) throws {
        insert = try InsertStatement(
            database, "INSERT INTO text (rowid, title, subtitle, description) VALUES (?, ?, ?, ?)")
    }

    /// Programmes of a batch.
    func add(_ batch: ContentBatch) throws {
        try batch.bytes.withUnsafeBytes { bytes in
            for row in batch.programmes {
                try add(row.id, [row.title, row.subtitle, row.description], of: bytes)
            }
        }
    }

    /// Programmes of the guide with a number above one.
    func add(from guide: Database, above number: Int64) throws {
        try guide.rows(
            "SELECT id, title, subtitle, description FROM programme WHERE id > ? ORDER BY id", .integer(number)
        ) { columns in
            try insert.run { binder in
                binder.integer(1, columns.integer(0))
                for column in Int32(1)...3 {
                    columns.withBytes(column) { bytes in bind(bytes, at: column + 1, binder) }
                }
            }
            count += 1
            return true
        }
    }

    private func add(_ id: Int64, _ fields: [ContentBatch.Field], of bytes: UnsafeRawBufferPointer) throws {
        try insert.run { binder in
            binder.integer(1, id)
            for (index, field) in fields.enumerated() {
                let piece =
                    field.isAbsent
                    ? nil
                    : UnsafeRawBufferPointer(
                        rebasing: bytes[Int(field.offset)..<Int(field.offset) + Int(field.count)])
                bind(piece, at: Int32(index + 2), binder)
            }
        }
        count += 1
    }

    /// Binds a text as ``SearchText`` prepares it, or NULL for none.
    private func bind(_ text: UnsafeRawBufferPointer?, at column: Int32, _ binder: InsertStatement.Binder) {
        if let text, SearchText.mayNeedPreparation(text) {
            binder.text(column, SearchText.prepared(String(decoding: text, as: UTF8.self)))
        } else {
            binder.text(column, bytes: text)
        }
    }
}
