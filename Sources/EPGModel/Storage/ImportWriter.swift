/// The statements of an import that depend on the database.
///
/// ``ImportWriter`` calls them in the order of an import, in one transaction.
package protocol ImportTables: SendableMetatype {
    associatedtype Schedules: ScheduleTable

    /// The number of this import: the next one of any source.
    var importID: Int64 { get }

    /// The digests of programmes.
    var digests: any DigestTable { get }

    // MARK: The start

    /// Returns the state of the guide.
    func state() throws -> GuideState

    /// Returns the number of a source, which is inserted if it does not exist.
    func sourceKey(of source: Source) throws -> (id: Int64, isNew: Bool)

    /// Returns all stations.
    func stations() throws -> [StationRegistry.Stored]

    /// Returns the priorities of all sources by their numbers.
    func priorities() throws -> [Int64: Int64]

    /// Returns the airings and the coverage of a source.
    func schedules(ofSource source: Int64) throws -> Schedules

    /// Returns the stored programmes and transmissions, without the numbers of new ones.
    func contents() throws -> StoredContents

    // MARK: Contents and stations

    /// Inserts the programmes, their digests and the transmissions of a batch, possibly after a delay.
    func insert(_ batch: ContentBatch) throws

    /// Inserts diagnostics of this import in this order, possibly after a delay.
    func insert(_ diagnostics: [Diagnostic]) throws

    /// Inserts or updates stations that a source describes.
    func store(_ stations: [StationRegistry.Stored], describedBy source: Int64) throws

    // MARK: The end

    /// Writes all delayed contents.
    func finishContents() throws

    /// Returns the number of airings of a source.
    func airingCount(ofSource source: Int64) throws -> Int

    /// Updates the best source of stations, and whether there are others. Returns the number of changed stations.
    func resolveSources(of stations: [Int64]) throws -> Int

    /// Completes listings with other sources' listings of the same broadcasts where the schedules of a source changed.
    ///
    /// - Parameter nextProgramme: The number of the next new programme.
    func complete(
        _ changes: [Int64: ChangedRanges], ofSource source: Int64, state: GuideState, nextProgramme: Int64, now: Instant
    ) throws -> CompletionOutcome

    /// Returns whether a source is limited to groups of channels, so that the sources of a station decide on its channels.
    func limitsGroups() throws -> Bool

    /// Matches the channels of all lineups again; returns the number of channels whose station or rule changed.
    func rematch(_ matcher: any ChannelMatching) throws -> Int

    /// Renumbers the rows; returns the number of moved stations.
    func arrangeRows() throws -> Int

    /// Returns the import under which the source's latest diagnostics are stored, and their digest; `nil` if there are none.
    func lastDiagnostics(ofSource source: Int64) throws -> (importID: Int64, digest: [UInt8])?

    /// Removes the diagnostics of a source's earlier imports; returns the programmes that may have become unused.
    func removeFormerDiagnostics(ofSource source: Int64) throws -> Set<Int64>

    /// Removes the diagnostics of this import, of which most have not been written yet.
    func discardDiagnostics() throws

    /// Removes the given programmes that are unused, and all unused transmissions.
    func removeUnused(_ programmes: Set<Int64>) throws

    /// Writes the state if it differs.
    func write(_ state: GuideState) throws

    /// Writes the entry of a new generation.
    func log(_ entry: ChangeLogEntry, generation: Int64) throws

    /// Writes the entry of an import, and removes old entries of its source: all but the last 100 and the earlier import with the same
    /// diagnostics.
    func log(_ entry: ImportLogEntry) throws

    /// Stores the attributes of `<tv>` of a source's last guide.
    func saveHeader(_ header: [ContentAttribute], ofSource source: Int64) throws

    /// Stores the result of a refresh of a source.
    func saveState(_ state: SourceState, ofSource source: Int64) throws

    /// Discards everything that the transaction has written, and begins another transaction.
    func restart() throws

    /// Makes everything that was written visible to readers, at once.
    func commit() throws
}

/// An entry of the change log: a new generation of the guide.
package struct ChangeLogEntry: Sendable {
    /// The start of the generation.
    package let at: Instant
    /// Whether stations were added or removed, or their descriptions, numbers or order changed.
    package let changesStations: Bool
    /// The changed schedules by the number of the station.
    private let schedules: [Int64: StationChanges.Extent]
    /// The stations to consider, in ascending order.
    package let stations: [Int64]

    /// Creates an entry.
    ///
    /// - Parameters:
    ///   - schedules: The changed schedules by the number of the station.
    ///   - sources: Stations with other changes that matter only if the station is shared.
    package init(
        at instant: Instant, changesStations: Bool, schedules: [Int64: StationChanges.Extent] = [:],
        sources: [Int64] = []
    ) {
        at = instant
        self.changesStations = changesStations
        self.schedules = schedules
        stations = Set(schedules.keys).union(sources).sorted()
    }

    /// Returns the change of a station's schedule; `nil` if there is none. The schedule of a shared station, which several sources
    /// contribute to, counts as entirely changed.
    package func extent(of station: Int64, isShared: Bool) -> StationChanges.Extent? {
        isShared ? .whole : schedules[station]
    }

    /// The instant before which entries are removed: the log keeps a week.
    package var horizon: Instant { at.advanced(by: -7 * 86_400) }
}

/// An entry of the log of imports.
package struct ImportLogEntry: Sendable {
    /// The number of the import.
    package let id: Int64
    /// The number of its source.
    package let source: Int64
    /// The instant of the import.
    package let at: Instant
    /// The generation of the guide after the import.
    package let generation: Generation
    /// The numbers of programmes that were read, stored, merged, dropped, skipped and filtered, and of airings that were inserted,
    /// changed, removed and completed: the columns of the table in this order.
    package let counts: [Int64]
    /// The import whose diagnostics equal this import's.
    package let diagnosticsOf: Int64
    /// The digest of these diagnostics.
    package let digest: ContentHash

    /// Creates the entry of a playlist: its channels count as read and stored.
    package init(
        id: Int64, source: Int64, at instant: Instant, generation: Generation, _ outcome: LineupOutcome,
        digest: ContentHash
    ) {
        (self.id, self.source, at, self.generation, diagnosticsOf, self.digest) =
            (id, source, instant, generation, id, digest)
        let changes = outcome.changes.counts
        counts = [outcome.channels, outcome.channels, 0, 0, 0, 0, changes.added, changes.renamed, changes.removed, 0]
            .map { Int64($0) }
    }

    init(_ outcome: ImportOutcome, source: Int64, at instant: Instant, diagnosticsOf: Int64, digest: ContentHash) {
        let report = outcome.report
        id = outcome.importID
        self.source = source
        at = instant
        generation = outcome.generation
        counts = [
            report.programmesRead, report.airingsStored, report.merged, report.dropped.values.reduce(0, +),
            report.skipped.values.reduce(0, +), report.filtered, outcome.airings.inserted,
            outcome.airings.changed + outcome.airings.moved, outcome.airings.removed,
            outcome.completed.values.reduce(0) { $0 + $1.airings },
        ].map { Int64($0) }
        self.diagnosticsOf = diagnosticsOf
        self.digest = digest
    }
}

/// A digest of diagnostics in order. Equal digests mean equal diagnostics.
package struct DiagnosticDigest: Sendable {
    /// The digest of the diagnostics that were added.
    package private(set) var value = ContentHash(high: 0, low: 0)
    private let hasher: ContentHasher

    /// Creates a digest of no diagnostics.
    ///
    /// - Parameter key: The key of content hashes of the guide.
    package init(key: ContentHash) {
        hasher = ContentHasher(key: key)
    }

    /// Adds a diagnostic.
    package mutating func add(_ found: Diagnostic) {
        var bytes = value.blob
        func add(_ value: Int64?) {
            unsafe withUnsafeBytes(of: (value ?? 0x5555).littleEndian) { unsafe bytes.append(contentsOf: $0) }
            bytes.append(value == nil ? 0 : 1)
        }
        func add(_ text: String?) {
            add(text.map { Int64($0.utf8.count) })
            if let text { bytes.append(contentsOf: text.utf8) }
        }
        for text in [found.severity.rawValue, found.keyword.rawValue, found.action.rawValue] { add(text) }
        add(Int64(found.line))
        add(found.station?.rawValue)
        for listing in [found.listing, found.other] {
            add(listing.map { Int64($0.line) })
            add(listing?.start.secondsSince1970)
            add(listing?.stop?.secondsSince1970)
            add(listing?.programme)
        }
        add(found.window?.start.secondsSince1970)
        add(found.window?.end.secondsSince1970)
        add(found.quote)
        value = hasher.hash(bytes.span)
    }
}

/// An import inside its transaction: decides what to write, in which order, and whether the guide changes.
package final class ImportWriter<Tables: ImportTables> {
    /// The state before the import.
    package let state: GuideState
    /// The schedules of the imported source.
    package let schedules: ScheduleWriter<Tables.Schedules>
    private var stations: StationRegistry
    private let tables: Tables
    private let source: Int64
    private let isNewSource: Bool
    private let now: Instant
    private let matcher: (any ChannelMatching)?
    private let limits: ImportLimits
    private var nextProgramme: Int64
    private var nextTransmission: Int64
    /// A digest of all diagnostics so far.
    private var diagnostics: DiagnosticDigest
    private var updatedDigests: [(id: Int64, digest: ProgrammeDigest)] = []

    /// Begins an import in an open transaction. For the parameters, see
    /// ``GuideWriting/beginImport(of:now:matcher:safeguard:limits:)``.
    package init(
        _ tables: Tables, source: Source, now: Instant, matcher: (any ChannelMatching)?, safeguard: ImportSafeguard?,
        limits: ImportLimits
    ) throws {
        self.tables = tables
        self.now = now
        self.matcher = matcher
        self.limits = limits
        state = try tables.state()
        (nextProgramme, nextTransmission) = (state.nextProgramme, state.nextTransmission)
        (self.source, isNewSource) = try tables.sourceKey(of: source)
        diagnostics = DiagnosticDigest(key: state.contentKey)
        stations = try StationRegistry(tables.stations(), source: self.source, priorities: tables.priorities())
        schedules = ScheduleWriter(
            try tables.schedules(ofSource: self.source), nextAiring: state.nextAiring, contentKey: state.contentKey,
            safeguard: safeguard, now: now)
    }

    /// Returns the stored contents and the numbers of new ones.
    package func storedContents() throws -> StoredContents {
        var contents = try tables.contents()
        contents.nextProgramme = state.nextProgramme
        contents.nextTransmission = state.nextTransmission
        return contents
    }

    /// Writes contents and diagnostics.
    package func write(_ batch: ContentBatch) throws {
        try tables.insert(batch)
        if let last = batch.programmes.last { nextProgramme = last.id + 1 }
        if let last = batch.transmissions.last { nextTransmission = last.id + 1 }
        updatedDigests += batch.digests
        for diagnostic in batch.diagnostics { diagnostics.add(diagnostic) }
        try tables.insert(batch.diagnostics)
    }

    /// Inserts unknown stations and updates those with a new description.
    package func write(_ descriptions: [StationRegistry.Stored]) throws {
        let changed = stations.update(descriptions)
        if !changed.isEmpty { try tables.store(changed, describedBy: source) }
    }

    /// Returns the number of a station. An unknown station gets the next number, and ``write(_:)-(_)`` inserts it.
    package func key(of station: StationID) -> Int64 { stations.key(of: station) }

    /// Ends the import: writes the remaining data, or rolls back if neither the guide nor the diagnostics changed.
    ///
    /// - Returns: The outcome, the texts of completed programmes for an index, and whether it was rolled back, so that the numbers of
    ///   its programmes will be used again.
    /// - Throws: ``RefusedImport``, ``ExceededImportLimit``; the transaction then remains open.
    package func commit(
        _ report: ImportReport, state sourceState: SourceState?
    ) throws -> (outcome: ImportOutcome, completed: [ContentBatch], isRolledBack: Bool) {
        try schedules.table.flush()
        try schedules.checkListings(report)
        try checkGrowth()
        // The stations of a first import have been inserted with their source, and no other source covers them.
        let resolved = state.generation == 0 ? 0 : try tables.resolveSources(of: schedules.touched)
        let programmesInserted = Int(nextProgramme - state.nextProgramme)
        let completion = try tables.complete(
            schedules.changedRanges, ofSource: source, state: state, nextProgramme: nextProgramme, now: now)
        nextProgramme = completion.nextProgramme
        let changedStations = stations.inserted + stations.changed
        var rematched = 0
        // A limit may have changed since the last import, and another source may cover a station now.
        let mayRematch = try changedStations > 0 || tables.limitsGroups()
        if let matcher, mayRematch { rematched = try tables.rematch(matcher) }
        let moved = changedStations + resolved + rematched > 0 ? try tables.arrangeRows() : 0
        let changedAirings = schedules.inserted + schedules.changed + schedules.moved + schedules.removed
        let changesGuide =
            changedAirings + changedStations + resolved + rematched + moved > 0 || !completion.stations.isEmpty
        let previous = try tables.lastDiagnostics(ofSource: source)
        let sameFindings = previous?.digest == diagnostics.value.blob
        var state = state
        if changesGuide { state.generation += 1 }
        var outcome = ImportOutcome(
            report: report, importID: tables.importID, generation: Generation(state.generation),
            changedGuide: changesGuide)
        outcome.airings = AiringDifference(
            inserted: schedules.inserted, removed: schedules.removed, moved: schedules.moved, changed: schedules.changed
        )
        outcome.airingsUnchanged = schedules.unchanged
        outcome.completed = completion.counts
        outcome.stationsInserted = stations.inserted
        outcome.stationsChanged = stations.changed

        let isRolledBack = !changesGuide && sameFindings && !isNewSource && updatedDigests.isEmpty
        if isRolledBack {
            try tables.restart()
        } else {
            outcome.programmesInserted = programmesInserted
            // Equal diagnostics are stored once.
            if sameFindings { try tables.discardDiagnostics() }
            try tables.finishContents()
            try writeDigests()
            var released = schedules.released.union(completion.released)
            if !sameFindings { released.formUnion(try tables.removeFormerDiagnostics(ofSource: source)) }
            try tables.removeUnused(released)
            state.nextAiring = schedules.nextAiring
            (state.nextProgramme, state.nextTransmission) = (nextProgramme, nextTransmission)
            try tables.write(state)
            if changesGuide {
                let otherStations = stations.inserted + stations.redescribed + rematched + moved
                let entry = ChangeLogEntry(
                    at: now, changesStations: otherStations > 0, schedules: schedules.changes.stations,
                    sources: schedules.touched + completion.stations)
                try tables.log(entry, generation: state.generation)
            }
        }
        let formerDiagnostics = sameFindings ? previous?.importID : nil
        try tables.log(
            ImportLogEntry(
                outcome, source: source, at: now, diagnosticsOf: formerDiagnostics ?? tables.importID,
                digest: diagnostics.value))
        try tables.saveHeader(report.header, ofSource: source)
        if let sourceState { try tables.saveState(sourceState, ofSource: source) }
        try tables.commit()
        return (outcome, completion.batches, isRolledBack)
    }

    /// Writes the digests of stored programmes that an older version computed.
    private func writeDigests() throws {
        guard !updatedDigests.isEmpty else { return }
        var editor = DigestEditor(tables.digests)
        for (id, digest) in updatedDigests.sorted(by: { $0.id < $1.id }) { _ = try editor.set(digest, of: id) }
        try editor.finish()
    }

    /// Checks the total contents of the source, because alternating guides within the limits could still fill the store.
    private func checkGrowth() throws {
        if stations.inserted > 0, stations.count(ofSource: source) > limits.stations {
            throw ExceededImportLimit(.storedStations, value: limits.stations)
        }
        // Airings are numbered from 1, so low numbers make counting unnecessary.
        guard schedules.inserted > schedules.removed, schedules.nextAiring > Int64(limits.programmes) else { return }
        guard try tables.airingCount(ofSource: source) <= limits.programmes else {
            throw ExceededImportLimit(.storedAirings, value: limits.programmes)
        }
    }
}
