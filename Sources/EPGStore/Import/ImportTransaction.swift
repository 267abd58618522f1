import Dispatch
import EPGJSON
package import EPGModel
import GRDB
import Synchronization

/// An import into an SQLite guide: one transaction, written on the database's queue while the caller reads the feed.
///
/// An ``ImportWriter`` performs all database access on that queue in order. If too many batches are waiting, the caller blocks.
package final class ImportTransaction: ImportSession {
    package let contentKey: ContentHash
    private let store: GuideStore
    /// `nil` after the end. Its statements are released on the queue, where nothing else uses the connection.
    private var writer: ImportWriter?
    private let search: SearchFeed?
    /// Limits the work waiting on the queue.
    private let room = DispatchSemaphore(value: 16)
    /// The steps that are not yet on the queue.
    private var steps: [@Sendable (ImportWriter) throws -> Void] = []
    private var waitingAirings = 0

    init(_ store: GuideStore, makeWriter: (Database) throws -> ImportWriter) throws {
        self.store = store
        let writer = try StoreError.translating(path: store.path) {
            try store.queue.writeWithoutTransaction { database in
                try Self.setForeignKeys(false, database)
                do {
                    // With a write-ahead log, this does not block readers. In a new guide, no reader may delay the commit.
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

    package func loadContentIndex() throws -> StoredContents { try sync { try $0.storedContents() } }

    package func append(_ batch: ContentBatch) throws {
        search?.append(batch)
        steps.append { try $0.contents.write(batch) }
        try flush()
    }

    package func release(_ programmes: [Int64]) throws { try add(weight: 1) { $0.schedules.release(programmes) } }

    package func setStations(_ stations: [(place: Int, id: StationID, nodes: [ContentNode])]) throws {
        // Encode here while the queue finishes earlier work.
        let descriptions = stations.map { station in
            StationRegistry.Description(
                place: station.place, station: Station(id: station.id, nodes: station.nodes),
                document: StoredDocument.nodes(station.nodes))
        }
        try sync { try $0.stations.write(descriptions) }
    }

    package func offerSchedule(of station: StationID, _ listings: NormalizedListings) throws {
        try add(weight: listings.airings.count) { writer in
            try writer.schedules.offer(listings, station: writer.stations.key(of: station))
        }
    }

    package func confirmSchedule(of station: StationID) throws {
        try add(weight: 1) { writer in try writer.schedules.confirm(station: writer.stations.key(of: station)) }
    }

    package func replaceSchedule(of station: StationID, with listings: NormalizedListings) throws {
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
            // From now on, others may read during imports. If a reader prevents the switch to a write-ahead log, it happens on
            // closing or by the next writer.
            _ = Result { try Connections.enableWriteAheadLog(database) }
        }
        // The numbers of rolled back programmes will be reused.
        if end.isRolledBack { search?.cancel() } else { search?.finish() }
        return end.outcome
    }

    package func cancel() {
        guard writer != nil else { return }
        search?.cancel()
        search?.waitUntilEnded()
        // A rollback can fail only if the transaction has already ended.
        store.queue.inDatabase { database in
            if database.isInsideTransaction { _ = Result { try database.rollback() } }
            writer = nil
            _ = Result { try Self.setForeignKeys(true, database) }
        }
    }

    /// Enables or disables foreign key enforcement, outside of a transaction. Imports write rows after those they reference.
    private static func setForeignKeys(_ areEnforced: Bool, _ database: Database) throws {
        try database.execute(sql: "PRAGMA foreign_keys = \(areEnforced ? "ON" : "OFF")")
    }

    /// Adds a step, and flushes if there are enough.
    private func add(weight: Int, _ step: @escaping @Sendable (ImportWriter) throws -> Void) throws {
        steps.append(step)
        waitingAirings += weight
        if waitingAirings > 2048 { try flush() }
    }

    /// Moves the steps to the queue, and throws the error of earlier ones.
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

    /// Waits for all earlier work, then calls a closure.
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
            // A separate connection allows a concurrent checkpoint of the guide.
            let guide = try Connections.reader(path: path, cacheKiB: 2 << 10)
            let index = try searchIndex()
            try guide.inDatabase { try index.refresh(from: StoredTexts($0)) }
            try guide.close()
        }
    }
}

/// The part of an import that accesses the database.
///
/// It is `@unchecked Sendable` because all mutable state except ``failure`` is used only on the database's serial queue.
final class ImportWriter: @unchecked Sendable {
    let contents: ContentWriter
    var stations: StationWriter
    let schedules: ScheduleWriter<ScheduleRows>
    /// The state before the import.
    let state: GuideState
    /// The error of queued work.
    let failure = Mutex<(any Error)?>(nil)
    private let database: Database
    private let importID: Int64
    private let source: Int64
    private let isNewSource: Bool
    private let now: Instant
    private let matcher: (any ChannelMatching)?
    private let limits: ImportLimits

    init(
        _ database: Database, source: Source, now: Instant, matcher: (any ChannelMatching)?,
        safeguard: ImportSafeguard?, limits: ImportLimits
    ) throws {
        self.database = database
        self.now = now
        self.matcher = matcher
        self.limits = limits
        state = try GuideState(database)
        (self.source, isNewSource) = try SourceRow.id(of: source, orInsertIn: database)
        // Its row is written at the end; see ``ContentWriter/flush()`` for the reason.
        importID = try Int64.fetchOne(database, sql: "SELECT ifnull(max(id), 0) + 1 FROM import") ?? 1
        contents = try ContentWriter(database, importID: importID, state: state)
        stations = try StationWriter(database, source: self.source)
        schedules = ScheduleWriter(
            try ScheduleRows(database, source: self.source), nextAiring: state.nextAiring, contentKey: state.contentKey,
            safeguard: safeguard, now: now)
    }

    fileprivate func storedContents() throws -> StoredContents {
        var contents = StoredContents()
        try database.rows("SELECT id, hash FROM transmission WHERE id <> 0") { columns in
            if let hash = ContentHash(blob: columns.blob(1)) { contents.transmissions[hash] = columns.integer(0) }
            return true
        }
        contents.programmes = try DigestPiece.index(database)
        contents.nextProgramme = state.nextProgramme
        contents.nextTransmission = state.nextTransmission
        return contents
    }

    /// Ends the import: writes the remaining data, or rolls back if neither the guide nor the diagnostics changed.
    ///
    /// - Throws: ``RefusedImport``, ``ExceededImportLimit``; the transaction then remains open.
    func commit(
        _ report: ImportReport, state sourceState: SourceState?
    ) throws -> (outcome: ImportOutcome, isRolledBack: Bool) {
        try schedules.checkListings(report)
        try checkGrowth()
        // The stations of a first import have been inserted with their source, and no other source covers them.
        let isFirst = state.generation == 0
        let resolved = isFirst ? 0 : try StationWriter.resolveSources(of: schedules.touched, in: database)
        let changedStations = stations.registry.inserted + stations.registry.changed
        var rematched = 0
        if let matcher, changedStations > 0 { rematched = try StoredLineup.rematch(matcher, in: database) }
        let moved = changedStations + resolved + rematched > 0 ? try RowArrangement.arrange(in: database) : 0
        let changedAirings = schedules.inserted + schedules.changed + schedules.moved + schedules.removed
        let changesGuide = changedAirings + changedStations + resolved + rematched + moved > 0
        let previous = try ImportLog.last(ofSource: source, in: database)
        let sameFindings = previous?.digest == contents.diagnostics.value.blob
        var state = state
        if changesGuide { state.generation += 1 }
        var outcome = ImportOutcome(
            report: report, importID: importID, generation: Generation(state.generation), changedGuide: changesGuide)
        outcome.airings = AiringDifference(
            inserted: schedules.inserted, removed: schedules.removed, moved: schedules.moved, changed: schedules.changed
        )
        outcome.airingsUnchanged = schedules.unchanged
        outcome.stationsInserted = stations.registry.inserted
        outcome.stationsChanged = stations.registry.changed

        let isRolledBack = !changesGuide && sameFindings && !isNewSource && !contents.updatesDigests
        if isRolledBack {
            try database.rollback()
            try database.beginTransaction(.immediate)
        } else {
            outcome.programmesInserted = Int(contents.nextProgramme - state.nextProgramme)
            try contents.finish()
            var released = schedules.released
            if !sameFindings {
                released.formUnion(try ImportLog.removeDiagnostics(ofSource: source, but: importID, in: database))
            }
            try ProgrammeCleaning.removeUnused(released, in: database)
            state.nextAiring = schedules.nextAiring
            (state.nextProgramme, state.nextTransmission) = (contents.nextProgramme, contents.nextTransmission)
            try state.write(to: database)
            if changesGuide {
                let otherStations = stations.registry.inserted + stations.registry.redescribed + rematched + moved
                let entry = ChangeLog.Entry(
                    at: now, changesStations: otherStations > 0,
                    schedules: schedules.changes.stations, sources: schedules.touched)
                try ChangeLog.write(entry, generation: state.generation, in: database)
            }
        }
        try ImportLog.finish(
            outcome, source: source, now: now, diagnosticsOf: sameFindings ? previous?.diagnosticsOf : nil,
            digest: contents.diagnostics.value, in: database)
        try SourceRow.saveHeader(report.header, ofSource: source, in: database)
        if let sourceState { try SourceStateRow(id: source, state: sourceState).upsert(database) }
        try database.commit()
        return (outcome, isRolledBack)
    }

    /// Checks the total contents of the source, because alternating guides within the limits could still fill the store.
    private func checkGrowth() throws {
        if stations.registry.inserted > 0, stations.registry.count(ofSource: source) > limits.stations {
            throw ExceededImportLimit(.storedStations, value: limits.stations)
        }
        // Airings are numbered from 1, so low numbers make counting unnecessary.
        guard schedules.inserted > schedules.removed, schedules.nextAiring > Int64(limits.programmes) else { return }
        let count = try Int.fetchOne(
            database, sql: "SELECT count(*) FROM airing WHERE source_id = ?", arguments: [source])
        guard count ?? 0 <= limits.programmes else {
            throw ExceededImportLimit(.storedAirings, value: limits.programmes)
        }
    }
}
