import Dispatch
package import EPGModel
import GRDB
import Synchronization

/// An import into an SQLite guide: one transaction, written on the database's own queue while the caller reads on.
///
/// All that touches the database lives in an ``ImportWriter`` and runs on that queue, in order. A few batches may wait; then
/// the caller does.
package final class ImportTransaction: ImportSession {
    package let contentKey: ContentHash
    private let store: GuideStore
    /// `nil` once it has ended: its statements go on the queue, where nothing else uses the connection.
    private var writer: ImportWriter?
    private let search: SearchFeed?
    /// Work that may wait on the queue.
    private let room = DispatchSemaphore(value: 16)
    /// What waits for a turn on the queue.
    private var steps: [@Sendable (ImportWriter) throws -> Void] = []
    private var waitingAirings = 0

    init(_ store: GuideStore, makeWriter: (Database) throws -> ImportWriter) throws {
        self.store = store
        let writer = try StoreError.translating(path: store.path) {
            try store.queue.writeWithoutTransaction { database in
                try Self.setForeignKeys(false, database)
                do {
                    // With a log this keeps nobody from reading. A new guide has none; no reader may hold up its commit.
                    try database.beginTransaction(.exclusive)
                    return try makeWriter(database)
                } catch {
                    if database.isInsideTransaction { _ = Result { try database.rollback() } }
                    _ = Result { try Self.setForeignKeys(true, database) }
                    throw error
                }
            }
        }
        self.writer = writer
        contentKey = writer.state.contentKey
        search = SearchFeed(store: store, nextProgramme: writer.state.nextProgramme)
        store.lastFeed.withLock { [search] in $0 = search }
    }

    deinit {
        cancel()
    }

    package func takeContentIndex() throws -> StoredContents { try sync { try $0.storedContents() } }

    package func append(_ batch: ContentBatch) throws {
        search?.append(batch)
        steps.append { try $0.contents.write(batch) }
        try flush()
    }

    package func release(_ programmes: [Int64]) throws { try add(weight: 1) { $0.schedules.release(programmes) } }

    package func setStations(_ stations: [(place: Int, id: StationID, nodes: [ContentNode])]) throws {
        // Made here while the queue finishes what waits.
        let descriptions = stations.map { StationWriter.Description(place: $0.place, id: $0.id, nodes: $0.nodes) }
        try sync { try $0.stations.write(descriptions) }
    }

    package func offerSchedule(of station: StationID, _ listings: NormalisedListings) throws {
        try add(weight: listings.airings.count) { writer in
            try writer.schedules.offer(listings, station: writer.stations.key(of: station))
        }
    }

    package func settleSchedule(of station: StationID) throws {
        try add(weight: 1) { writer in try writer.schedules.settle(station: writer.stations.key(of: station)) }
    }

    package func replaceSchedule(of station: StationID, with listings: NormalisedListings) throws {
        try add(weight: listings.airings.count) { writer in
            try writer.schedules.replace(station: writer.stations.key(of: station), with: listings)
        }
    }

    package func commit(_ report: ImportReport, state: SourceState?) throws -> ImportOutcome {
        try flush()
        let end = try sync { try $0.commit(report, state: state) }
        try store.queue.inDatabase { database in
            writer = nil
            try Self.setForeignKeys(true, database)
            // From now on there is something to read during an import. Where a reader is in the way, the guide gets a log when
            // it is closed, or by the next writer.
            _ = Result { try Connections.keepLog(database) }
        }
        // The numbers of programmes that were taken back are given again, to others.
        if end.tookAllBack { search?.forget() } else { search?.finish() }
        return end.outcome
    }

    package func cancel() {
        guard writer != nil else { return }
        search?.forget()
        search?.waitUntilEnded()
        // Rolling back can fail only where the transaction is gone already, which is what is wanted.
        store.queue.inDatabase { database in
            if database.isInsideTransaction { _ = Result { try database.rollback() } }
            writer = nil
            _ = Result { try Self.setForeignKeys(true, database) }
        }
    }

    /// Sets whether SQLite looks up what each row refers to, outside of a transaction. An import writes every row after those
    /// that it refers to.
    private static func setForeignKeys(_ areEnforced: Bool, _ database: Database) throws {
        try database.execute(sql: "PRAGMA foreign_keys = \(areEnforced ? "ON" : "OFF")")
    }

    /// Keeps a step until there are enough for a turn of the queue.
    private func add(weight: Int, _ step: @escaping @Sendable (ImportWriter) throws -> Void) throws {
        steps.append(step)
        waitingAirings += weight
        if waitingAirings > 2048 { try flush() }
    }

    /// Hands the steps to the queue, and throws what went wrong with earlier ones.
    private func flush() throws {
        guard let writer else { preconditionFailure("the import has ended") }
        room.wait()
        let (room, path, steps) = (self.room, store.path, self.steps)
        (self.steps, waitingAirings) = ([], 0)
        store.queue.asyncWriteWithoutTransaction { _ in
            defer { room.signal() }
            guard writer.failure.withLock({ $0 == nil }) else { return }
            do {
                for step in steps { try step(writer) }
            } catch {
                writer.failure.withLock { $0 = StoreError(error, path: path) ?? error }
            }
        }
        if let failure = writer.failure.withLock({ $0 }) { throw failure }
    }

    /// Waits for all earlier work, then does this.
    private func sync<Value>(_ work: (ImportWriter) throws -> Value) throws -> Value {
        guard let writer else { preconditionFailure("the import has ended") }
        return try StoreError.translating(path: store.path) {
            try store.queue.writeWithoutTransaction { _ in
                if let failure = writer.failure.withLock({ $0 }) { throw failure }
                return try work(writer)
            }
        }
    }
}

extension GuideStore: GuideWriting {
    package func beginImport(
        of source: Source, now: Instant, matcher: (any ChannelMatching)?, safeguard: ImportSafeguard?,
        limits: ImportLimits
    ) throws -> any ImportSession {
        try ImportTransaction(self) { database in
            try ImportWriter(
                database, source: source, now: now, matcher: matcher, safeguard: safeguard, limits: limits)
        }
    }

    package func refreshSearchIndex() throws {
        beginCheckpoint()
        lastFeed.withLock { $0 }?.waitUntilEnded()
        try StoreError.translating(path: SearchIndex.path(ofGuide: path)) {
            // A connection of its own, so that the guide's log is moved into the database at the same time.
            let guide = try Connections.reader(path: path, cacheKiB: 2 << 10)
            try searchIndex().refresh(from: guide)
            try guide.close()
        }
    }
}
