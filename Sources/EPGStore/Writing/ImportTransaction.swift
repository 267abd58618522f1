package import EPGModel
import Dispatch
import GRDB
import Synchronization

/// An import into an SQLite guide: one transaction, written on the database's own queue while the caller reads on.
///
/// All that touches the database lives in an ``ImportWriter`` and runs on that queue, in the order in which it was handed
/// over. A few batches may wait; then the caller does.
package final class ImportTransaction: ImportSession {
    package let contentKey: ContentHash
    private let store: GuideStore
    private let writer: ImportWriter
    private let search: SearchFeed?
    /// Work that may wait on the queue.
    private let room = DispatchSemaphore(value: 4)
    private var isOpen = true
    private var pendingSchedules: [(index: Int, listings: NormalisedListings)] = []
    private var pendingAirings = 0

    init(_ store: GuideStore, source: Source, now: Instant) throws {
        self.store = store
        writer = try StoreError.translating(path: store.path) {
            try store.queue.writeWithoutTransaction { database in
                try database.beginTransaction(.immediate)
                do {
                    return try ImportWriter(database, source: source, now: now)
                } catch {
                    try database.rollback()
                    throw error
                }
            }
        }
        contentKey = writer.contentKey
        search = SearchFeed(store: store, nextProgramme: writer.firstProgramme)
    }

    deinit {
        cancel()
    }

    package func takeContentIndex() throws -> StoredContents {
        try sync { database, writer in try writer.storedContents(database) }
    }

    package func append(_ batch: ContentBatch) throws {
        search?.append(batch)
        try enqueue { database, writer in try writer.contents.write(batch) }
    }

    package func setStations(_ stations: [Station]) throws {
        try sync { database, writer in try writer.stations.write(stations) }
    }

    package func replaceSchedule(ofStationAt index: Int, with listings: NormalisedListings) throws {
        pendingSchedules.append((index, listings))
        pendingAirings += listings.airings.count
        if pendingAirings > 4096 { try flushSchedules() }
    }

    package func commit(_ report: ImportReport, state: SourceState?) throws -> ImportOutcome {
        try flushSchedules()
        let outcome = try sync { database, writer in
            try writer.commit(database, report, state: state)
        }
        isOpen = false
        search?.finish()
        return outcome
    }

    package func cancel() {
        guard isOpen else { return }
        isOpen = false
        search?.cancel()
        // Rolling back can fail only where the transaction is gone already, which is what is wanted.
        store.queue.inDatabase { database in
            if database.isInsideTransaction { _ = Result { try database.rollback() } }
        }
    }

    // MARK: - Private

    private func flushSchedules() throws {
        guard !pendingSchedules.isEmpty else { return }
        let schedules = pendingSchedules
        pendingSchedules = []
        pendingAirings = 0
        try enqueue { database, writer in
            for (index, listings) in schedules {
                try writer.schedules.replace(station: writer.stations.keys[index], with: listings)
            }
        }
    }

    /// Hands work to the queue, and throws what went wrong with earlier work.
    private func enqueue(_ work: @escaping @Sendable (Database, ImportWriter) throws -> Void) throws {
        room.wait()
        let (writer, room, path) = (self.writer, self.room, store.path)
        store.queue.asyncWriteWithoutTransaction { database in
            defer { room.signal() }
            guard writer.failure == nil else { return }
            do {
                try work(database, writer)
            } catch {
                writer.failure = StoreError(error, path: path) ?? error
            }
        }
        if let failure = writer.failure { throw failure }
    }

    /// Waits for all earlier work, then does this.
    private func sync<Value>(_ work: (Database, ImportWriter) throws -> Value) throws -> Value {
        try StoreError.translating(path: store.path) {
            try store.queue.writeWithoutTransaction { database in
                if let failure = writer.failure { throw failure }
                return try work(database, writer)
            }
        }
    }
}
