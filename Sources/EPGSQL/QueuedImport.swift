import Dispatch
import EPGJSON
package import EPGModel
import Synchronization

/// The serial queue on which the database of an import is accessed, and its transaction.
package protocol ImportQueue: Sendable {
    /// Calls a closure on the queue after all earlier ones, and returns at once.
    func enqueue(_ work: @escaping @Sendable () -> Void)

    /// Calls a closure on the queue after all earlier ones.
    func wait<Value>(for work: () throws -> Value) throws -> Value

    /// Converts errors of the database to ``StoreError``.
    func converting<Value>(_ body: () throws -> Value) throws -> Value

    /// Begins the transaction. Called on the queue.
    func begin() throws

    /// Rolls the transaction back if it is still open. Called on the queue.
    func rollBack()
}

/// Takes part in an import with an index of its own.
package protocol ImportObserver: AnyObject {
    /// Takes note of a batch before it is queued.
    func append(_ batch: ContentBatch)

    /// Keeps the batches, after the commit of the guide.
    func finish()

    /// Discards the batches: the import is rolled back, or wrote nothing but the log, so that the numbers of programmes will be used
    /// again.
    func cancel()
}

/// An import whose data is written on a queue while the caller reads the feed. If too many batches are waiting, the caller blocks.
package final class QueuedImport<Queue: ImportQueue, Tables: ImportTables>: ImportSession {
    package let contentKey: ContentHash
    package var observer: (any ImportObserver)?
    private let queue: Queue
    /// `nil` after the end. Its statements are released on the queue, where nothing else uses the connection.
    private var work: Work?
    /// Limits the work waiting on the queue.
    private let room = DispatchSemaphore(value: 16)
    /// The steps that are not yet on the queue.
    private var steps: [@Sendable (ImportWriter<Tables>) throws -> Void] = []
    private var waitingAirings = 0

    /// The writer, and the error of queued work.
    ///
    /// It is `@unchecked Sendable` because the writer is used only on the serial queue.
    private final class Work: @unchecked Sendable {
        let writer: ImportWriter<Tables>
        let failure = Mutex<(any Error)?>(nil)

        init(_ writer: ImportWriter<Tables>) { self.writer = writer }
    }

    /// Begins an import in a transaction of its own.
    ///
    /// - Parameter makeWriter: Returns the writer. Called on the queue, in the transaction.
    package init(_ queue: Queue, makeWriter: () throws -> ImportWriter<Tables>) throws {
        self.queue = queue
        let work = try queue.converting {
            try queue.wait {
                do {
                    try queue.begin()
                    return Work(try makeWriter())
                } catch {
                    queue.rollBack()
                    throw error
                }
            }
        }
        self.work = work
        contentKey = work.writer.state.contentKey
    }

    deinit {
        cancel()
    }

    // MARK: - ImportSession

    package func loadContentIndex() throws -> StoredContents { try sync { try $0.storedContents() } }

    package func append(_ batch: ContentBatch) throws {
        observer?.append(batch)
        steps.append { try $0.write(batch) }
        try flush()
    }

    package func release(_ programmes: [Int64]) throws { try add(weight: 1) { $0.schedules.release(programmes) } }

    package func setStations(_ stations: [(place: Int, id: StationID, nodes: [ContentNode])]) throws {
        // Encode here while the queue finishes earlier work.
        let descriptions = stations.map { station in
            StationRegistry.Stored(
                Station(id: station.id, nodes: station.nodes), at: station.place,
                document: StoredDocument.nodes(station.nodes))
        }
        try sync { try $0.write(descriptions) }
    }

    package func replaceSchedule(of station: StationID, with listings: NormalizedListings) throws {
        try add(weight: listings.airings.count) { writer in
            try writer.schedules.replace(station: writer.key(of: station), with: listings)
        }
    }

    package func commit(_ report: ImportReport, state: SourceState?) throws -> ImportOutcome {
        try flush()
        let end = try sync { try $0.commit(report, state: state) }
        try queue.wait { work = nil }
        if end.isRolledBack {
            observer?.cancel()
        } else {
            for batch in end.completed { observer?.append(batch) }
            observer?.finish()
        }
        return end.outcome
    }

    package func cancel() {
        guard work != nil else { return }
        observer?.cancel()
        // Nothing in this closure throws.
        _ = Result {
            try queue.wait {
                queue.rollBack()
                work = nil
            }
        }
    }

    // MARK: - Steps

    /// Adds a step, and flushes if there are enough.
    private func add(
        weight: Int, _ step: @escaping @Sendable (ImportWriter<Tables>) throws -> Void
    ) throws {
        steps.append(step)
        waitingAirings += weight
        if waitingAirings > 2048 { try flush() }
    }

    /// Moves the steps to the queue, and throws the error of earlier ones.
    private func flush() throws {
        guard let work else { preconditionFailure("the import has ended") }
        room.wait()
        let (room, queue, steps) = (self.room, self.queue, self.steps)
        (self.steps, waitingAirings) = ([], 0)
        queue.enqueue {
            defer { room.signal() }
            guard work.failure.withLock({ $0 == nil }) else { return }
            do {
                try queue.converting { for step in steps { try step(work.writer) } }
            } catch {
                work.failure.withLock { $0 = error }
            }
        }
        if let failure = work.failure.withLock({ $0 }) { throw failure }
    }

    /// Waits for all earlier work, then calls a closure.
    private func sync<Value>(_ body: (ImportWriter<Tables>) throws -> Value) throws -> Value {
        guard let work else { preconditionFailure("the import has ended") }
        return try queue.converting {
            try queue.wait {
                if let failure = work.failure.withLock({ $0 }) { throw failure }
                return try body(work.writer)
            }
        }
    }
}
