import Dispatch
import EPGModel
import GRDB
import Glibc
import Synchronization

/// Feeds the index for searches while an import runs, on a thread of its own that yields to the others.
///
/// When the index falls too far behind, feeding ends, and ``SearchIndex/refresh(from:)`` reads the rest from the guide later.
final class SearchFeed: Sendable {
    private enum Step { case text(ContentBatch), end, cancel }

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
    /// The number of batches that may wait, each with about 300 KiB of texts and rows.
    private static let room = 160

    /// Begins to feed; `nil` where the index isn't up to date with the guide, or can't be written: it is only an index.
    init?(store: GuideStore, nextProgramme: Int64) {
        lock = store.lock
        do {
            index = try store.searchIndex()
            let mark = try index.queue.inDatabase { try SearchIndex.mark($0) }
            if mark.programme >= nextProgramme { try index.queue.write(SearchIndex.clear) }
            guard mark.programme == nextProgramme - 1 else { return nil }
        } catch {
            return nil
        }
        let context = Unmanaged.passRetained(self)
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { context in
                // The guide is waited for, the index isn't. On Linux this holds for the calling thread alone.
                setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 19)
                if let context { Unmanaged<SearchFeed>.fromOpaque(context).takeRetainedValue().run() }
                return nil
            }, context.toOpaque())
        guard code == 0 else {
            context.release()
            return nil
        }
        pthread_detach(thread)
    }

    /// Takes a batch, unless too many are waiting.
    func append(_ batch: ContentBatch) {
        guard !batch.programmes.isEmpty else { return }
        line.withLock { line in
            line.isFed = line.isFed && line.steps.count < Self.room
            guard line.isFed else { return }
            var texts = batch
            (texts.documents, texts.transmissions, texts.diagnostics) = ([], [], [])
            line.steps.append(.text(texts))
            arrived.signal()
        }
    }

    /// Keeps what was put in, after the guide was committed; goes on by itself.
    func finish() { send(.end) }

    /// Forgets what was put in; goes on by itself.
    func forget() { send(.cancel) }

    /// Waits until all that was handed over is in the index.
    func waitUntilEnded() {
        ended.wait()
        ended.signal()
    }

    private func send(_ step: Step) {
        line.withLock { $0.steps.append(step) }
        arrived.signal()
    }

    private func run() {
        do {
            try index.queue.writeWithoutTransaction { try feed($0) }
        } catch {
            // What was fed is undone with its transaction; the index is brought up to date from the guide.
            line.withLock { $0 = Line(isFed: false) }
        }
        ended.signal()
    }

    private func feed(_ database: Database) throws {
        var isKept = false
        try database.inTransaction(.immediate) {
            var mark = try SearchIndex.mark(database)
            let writer = try SearchWriter(database)
            while true {
                arrived.wait()
                switch line.withLock({ $0.steps.removeFirst() }) {
                case .text(let batch):
                    try writer.add(batch)
                    mark.programme = batch.programmes.last?.id ?? mark.programme
                case .end where writer.count > 0:
                    try SearchIndex.setMark(mark, in: database)
                    isKept = true
                    return .commit
                case .end, .cancel:
                    return .rollback
                }
            }
        }
        if isKept { _ = Result { try Connections.keepLog(database) } }
    }
}

/// Puts programmes into the full-text index.
final class SearchWriter {
    private let insert: InsertStatement
    private(set) var count: Int64 = 0

    init(_ database: Database) throws {
        insert = try InsertStatement(
            database, "INSERT INTO text (rowid, title, subtitle, description) VALUES (?, ?, ?, ?)")
    }

    func add(_ batch: ContentBatch) throws {
        try batch.texts.withUnsafeBytes { texts in
            for row in batch.programmes {
                try add(
                    row.id, row.title.bytes(in: texts), row.subtitle.bytes(in: texts), row.description.bytes(in: texts))
            }
        }
    }

    /// Adds the programmes of the guide above a number.
    func add(from guide: Database, above number: Int64) throws {
        let sql = "SELECT id, title, subtitle, description FROM programme WHERE id > ? ORDER BY id"
        try guide.rows(sql, [number]) { columns in
            try add(columns.integer(0), columns.bytes(1), columns.bytes(2), columns.bytes(3))
            return true
        }
    }

    /// Adds the texts of a programme, which stay where they are meanwhile, as ``SearchText`` prepares them.
    private func add(
        _ programme: Int64, _ title: UnsafeRawBufferPointer?, _ subtitle: UnsafeRawBufferPointer?,
        _ description: UnsafeRawBufferPointer?
    ) throws {
        try insert.run { binder in
            binder.integer(1, programme)
            Self.bind(title, to: 2, binder)
            Self.bind(subtitle, to: 3, binder)
            Self.bind(description, to: 4, binder)
        }
        count += 1
    }

    private static func bind(_ text: UnsafeRawBufferPointer?, to parameter: Int32, _ binder: Binder) {
        if let text, SearchText.mayNeedPreparation(text) {
            binder.text(parameter, SearchText.prepared(String(decoding: text, as: UTF8.self)))
        } else {
            binder.text(parameter, bytes: text)
        }
    }
}
