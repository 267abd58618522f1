import EPGModel
import GRDB
import Synchronization

/// The part of an import that touches the database.
///
/// It is `@unchecked Sendable` because all that changes, but for ``failure``, is used on the database's serial queue alone.
final class ImportWriter: @unchecked Sendable {
    let contents: ContentWriter
    var stations: StationWriter
    let schedules: ScheduleWriter
    /// As it was before the import.
    let state: GuideState
    /// What went wrong with work that was handed over.
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
        // Its row is written at the end, for the reason at ``ContentWriter/flush()``.
        importID = try Int64.fetchOne(database, sql: "SELECT ifnull(max(id), 0) + 1 FROM import") ?? 1
        contents = try ContentWriter(database, importID: importID, state: state)
        stations = try StationWriter(database, source: self.source)
        schedules = try ScheduleWriter(
            database, source: self.source, state: state,
            comparison: safeguard.map { ListingsComparison($0, from: now) })
    }

    func storedContents() throws -> StoredContents {
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

    /// Ends the import: writes what is left to write, or takes everything back where nothing of the guide changed and
    /// the findings are those of the last time.
    ///
    /// - Throws: ``RefusedImport``, ``ExceededImportLimit``; then the transaction is still open.
    func commit(
        _ report: ImportReport, state sourceState: SourceState?
    ) throws -> (outcome: ImportOutcome, tookAllBack: Bool) {
        try schedules.comparison?.check(report, ofSource: source, in: database)
        try checkGrowth()
        // The stations of a first import were inserted with its source, and no other covers them.
        let isFirst = state.generation == 0
        let resolved = isFirst ? 0 : try StationWriter.resolveSources(of: schedules.touched, in: database)
        let changedStations = stations.inserted + stations.changed
        var rematched = 0
        if let matcher, changedStations > 0 { rematched = try StoredLineup.rematch(matcher, in: database) }
        let moved = changedStations + resolved + rematched > 0 ? try RowArrangement.arrange(in: database) : 0
        let changedAirings = schedules.inserted + schedules.changed + schedules.moved + schedules.removed
        let changesGuide = changedAirings + changedStations + resolved + rematched + moved > 0
        let previous = try ImportLog.last(ofSource: source, in: database)
        let sameFindings = previous?.digest == contents.digest.blob
        var state = state
        if changesGuide { state.generation += 1 }
        var outcome = ImportOutcome(
            report: report, importID: importID, generation: Generation(state.generation), changedGuide: changesGuide)
        outcome.airings = AiringDifference(
            inserted: schedules.inserted, removed: schedules.removed, moved: schedules.moved, changed: schedules.changed
        )
        outcome.airingsUnchanged = schedules.unchanged
        outcome.stationsInserted = stations.inserted
        outcome.stationsChanged = stations.changed

        let tookAllBack = !changesGuide && sameFindings && !isNewSource
        if tookAllBack {
            try database.rollback()
            try database.beginTransaction(.immediate)
        } else {
            outcome.programmesInserted = Int(contents.nextProgramme - state.nextProgramme)
            try contents.flush()
            var released = schedules.released
            if !sameFindings {
                released.formUnion(try ImportLog.removeDiagnostics(ofSource: source, but: importID, in: database))
            }
            try ProgrammeCleaning.removeUnused(released, in: database)
            state.nextAiring = schedules.nextAiring
            (state.nextProgramme, state.nextTransmission) = (contents.nextProgramme, contents.nextTransmission)
            try state.write(to: database)
            if changesGuide {
                let otherStations = stations.inserted + stations.redescribed + rematched + moved
                let entry = ChangeLog.Entry(
                    at: now, changesStations: otherStations > 0,
                    schedules: schedules.changes.stations, sources: schedules.touched)
                try ChangeLog.write(entry, generation: state.generation, in: database)
            }
        }
        try ImportLog.finish(
            outcome, source: source, now: now, diagnosticsOf: sameFindings ? previous?.diagnosticsOf : nil,
            digest: contents.digest, in: database)
        try SourceRow.saveHeader(report.header, ofSource: source, in: database)
        if let sourceState { try SourceStateRow(id: source, state: sourceState).upsert(database) }
        try database.commit()
        return (outcome, tookAllBack)
    }

    /// Checks what the source then has in the store: guides that each keep within the limits could fill it by turns.
    private func checkGrowth() throws {
        if stations.inserted > 0, stations.count(ofSource: source) > limits.stations {
            throw ExceededImportLimit(.storedStations, value: limits.stations)
        }
        // Airings are numbered from 1, so as long as the numbers are low there is nothing to count.
        guard schedules.inserted > schedules.removed, schedules.nextAiring > Int64(limits.programmes) else { return }
        let count = try Int.fetchOne(
            database, sql: "SELECT count(*) FROM airing WHERE source_id = ?", arguments: [source])
        guard count ?? 0 <= limits.programmes else {
            throw ExceededImportLimit(.storedAirings, value: limits.programmes)
        }
    }
}
