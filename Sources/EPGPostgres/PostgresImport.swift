import Dispatch
import EPGJSON
import EPGModel
import Synchronization

/// An import into a guide on PostgreSQL: one transaction, written on a queue while the caller reads the feed.
///
/// New rows are copied in binary form. Changes of stored airings are one statement for each station.
final class PostgresImport: ImportSession {
    let contentKey: ContentHash
    private let store: PostgresWriter
    private let queue = DispatchQueue(label: "epg.import")
    /// `nil` after the end.
    private var writer: PostgresImportWriter?
    /// Limits the work waiting on the queue.
    private let room = DispatchSemaphore(value: 16)
    /// The steps that are not yet on the queue.
    private var steps: [@Sendable (PostgresImportWriter) throws -> Void] = []
    private var waitingAirings = 0

    init(
        _ store: PostgresWriter, source: Source, now: Instant, matcher: (any ChannelMatching)?,
        safeguard: ImportSafeguard?,
        limits: ImportLimits
    ) throws {
        self.store = store
        let writer = try store.translating {
            try store.connection.execute(script: "BEGIN")
            do {
                return try PostgresImportWriter(
                    store, source: source, now: now, matcher: matcher, safeguard: safeguard, limits: limits)
            } catch {
                store.connection.rollBack()
                throw error
            }
        }
        self.writer = writer
        contentKey = writer.state.contentKey
    }

    deinit {
        cancel()
    }

    func loadContentIndex() throws -> StoredContents { try sync { try $0.storedContents() } }

    func append(_ batch: ContentBatch) throws {
        steps.append { try $0.write(batch) }
        try flush()
    }

    func release(_ programmes: [Int64]) throws { try add(weight: 1) { $0.schedules.release(programmes) } }

    func setStations(_ stations: [(place: Int, id: StationID, nodes: [ContentNode])]) throws {
        // Encode here while the queue finishes earlier work.
        let descriptions = stations.map { station in
            StationRegistry.Description(
                place: station.place, station: Station(id: station.id, nodes: station.nodes),
                document: StoredDocument.nodes(station.nodes))
        }
        try sync { try $0.write(descriptions) }
    }

    func offerSchedule(of station: StationID, _ listings: NormalizedListings) throws {
        try add(weight: listings.airings.count) { writer in
            try writer.schedules.offer(listings, station: writer.stations.key(of: station))
        }
    }

    func confirmSchedule(of station: StationID) throws {
        try add(weight: 1) { writer in try writer.schedules.confirm(station: writer.stations.key(of: station)) }
    }

    func replaceSchedule(of station: StationID, with listings: NormalizedListings) throws {
        try add(weight: listings.airings.count) { writer in
            try writer.schedules.replace(station: writer.stations.key(of: station), with: listings)
        }
    }

    func commit(_ report: ImportReport, state: SourceState?) throws -> ImportOutcome {
        try flush()
        let outcome = try sync { try $0.commit(report, state: state) }
        writer = nil
        return outcome
    }

    func cancel() {
        guard writer != nil else { return }
        // Wait for queued work, which uses the connection.
        queue.sync { store.connection.rollBack() }
        writer = nil
    }

    /// Adds a step, and flushes if there are enough.
    private func add(weight: Int, _ step: @escaping @Sendable (PostgresImportWriter) throws -> Void) throws {
        steps.append(step)
        waitingAirings += weight
        if waitingAirings > 2048 { try flush() }
    }

    /// Moves the steps to the queue, and throws the error of earlier ones.
    private func flush() throws {
        guard let writer else { preconditionFailure("the import has ended") }
        room.wait()
        let (room, steps, store) = (self.room, self.steps, self.store)
        (self.steps, waitingAirings) = ([], 0)
        queue.async {
            defer { room.signal() }
            guard writer.failure.withLock({ $0 == nil }) else { return }
            do {
                try store.translating { for step in steps { try step(writer) } }
            } catch {
                writer.failure.withLock { $0 = error }
            }
        }
        if let failure = writer.failure.withLock({ $0 }) { throw failure }
    }

    /// Waits for all earlier work, then calls a closure.
    private func sync<Value>(_ work: (PostgresImportWriter) throws -> Value) throws -> Value {
        guard let writer else { preconditionFailure("the import has ended") }
        return try queue.sync {
            if let failure = writer.failure.withLock({ $0 }) { throw failure }
            return try store.translating { try work(writer) }
        }
    }
}

extension PostgresWriter {
    /// Converts errors of PostgreSQL.
    fileprivate func translating<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try read(body)
        } catch let error as PostgresError {
            throw StoreError(writing: error, location: location)
        }
    }
}

/// The part of an import that accesses the database.
///
/// It is `@unchecked Sendable` because all mutable state except ``failure`` is used only on the serial queue of the import.
private final class PostgresImportWriter: @unchecked Sendable {
    /// The state before the import.
    let state: GuideState
    let schedules: ScheduleWriter<PostgresScheduleTable>
    var stations: StationRegistry
    /// The error of queued work.
    let failure = Mutex<(any Error)?>(nil)

    private let store: PostgresWriter
    private let connection: PostgresConnection
    private let importID: Int64
    private let source: Int64
    private let isNewSource: Bool
    private let now: Instant
    private let matcher: (any ChannelMatching)?
    private let limits: ImportLimits
    /// The size at which buffered rows are copied.
    private static let chunk = 4 << 20
    private var programmes = BinaryRows()
    private var digests = BinaryRows()
    private var transmissions = BinaryRows()
    private var diagnosticRows = BinaryRows()
    private var diagnosticCount: Int64 = 0
    private var diagnostics: DiagnosticDigest
    private var updatedDigests: [(id: Int64, digest: ProgrammeDigest)] = []
    private var nextProgramme: Int64
    private var nextTransmission: Int64

    init(
        _ store: PostgresWriter, source: Source, now: Instant, matcher: (any ChannelMatching)?,
        safeguard: ImportSafeguard?, limits: ImportLimits
    ) throws {
        self.store = store
        connection = store.connection
        self.now = now
        self.matcher = matcher
        self.limits = limits
        state = try store.state()
        (nextProgramme, nextTransmission) = (state.nextProgramme, state.nextTransmission)
        (self.source, isNewSource) = try store.sourceKey(of: source)
        importID = (try connection.integer("SELECT max(id) FROM import") ?? 0) + 1
        diagnostics = DiagnosticDigest(key: state.contentKey)
        let known = try connection.values(
            "SELECT feed_id, id, name, number, document, described_by, ordinal FROM station"
        ) { row in
            StationRegistry.Stored(
                id: StationID(row.text(0)), key: row.integer(1), name: row.text(2), number: row.textIfPresent(3),
                document: row.blob(4), describedBy: row.integerIfPresent(5), ordinal: row.integer(6))
        }
        let priorities = try connection.values("SELECT id, priority FROM source") { ($0.integer(0), $0.integer(1)) }
        stations = StationRegistry(
            known, source: self.source, priorities: Dictionary(priorities) { first, _ in first })
        schedules = ScheduleWriter(
            try PostgresScheduleTable(connection, source: self.source), nextAiring: state.nextAiring,
            contentKey: state.contentKey, safeguard: safeguard, now: now)
    }

    func storedContents() throws -> StoredContents {
        var contents = StoredContents()
        try connection.rows("SELECT id, hash FROM transmission") { row in
            if let hash = ContentHash(blob: row.blob(1)) { contents.transmissions[hash] = row.integer(0) }
            return true
        }
        let count = try connection.integer("SELECT sum(length(digests))::bigint FROM programme_digest") ?? 0
        contents.programmes = ProgrammeIndex(minimumCapacity: Int(count) / DigestPiece.width)
        try connection.rows("SELECT first_id, digests FROM programme_digest", streams: true) { row in
            DigestPiece.insert(row.blob(1), from: row.integer(0), into: &contents.programmes)
            return true
        }
        contents.nextProgramme = state.nextProgramme
        contents.nextTransmission = state.nextTransmission
        return contents
    }

    // MARK: - Contents

    func write(_ batch: ContentBatch) throws {
        batch.documents.withUnsafeBytes { documents in
            batch.texts.withUnsafeBytes { texts in
                for row in batch.programmes {
                    programmes.beginRow(10)
                    programmes.add(row.id)
                    for field in [row.title, row.subtitle, row.category, row.description] {
                        programmes.add(bytes: field.bytes(in: texts))
                    }
                    for mark in [AiringMarks.new, .premiere, .live] { programmes.add(row.marks.contains(mark)) }
                    programmes.add(bytes: row.document.bytes(in: documents))
                    programmes.add(row.marks.contains(.derived))
                }
            }
            for row in batch.transmissions {
                transmissions.beginRow(3)
                transmissions.add(row.id)
                transmissions.add(row.hash.blob)
                transmissions.add(bytes: row.attributes.bytes(in: documents))
                nextTransmission = row.id + 1
            }
        }
        if let first = batch.programmes.first, let last = batch.programmes.last {
            digests.beginRow(2)
            digests.add(first.id)
            digests.add(DigestPiece.bytes(of: batch.programmes))
            nextProgramme = last.id + 1
        }
        updatedDigests += batch.digests
        for found in batch.diagnostics {
            diagnostics.add(found)
            add(found)
        }
        if programmes.size > Self.chunk || diagnosticRows.size > Self.chunk { try copyContents() }
    }

    private func add(_ found: Diagnostic) {
        diagnosticCount += 1
        diagnosticRows.beginRow(17)
        diagnosticRows.add(importID)
        diagnosticRows.add(diagnosticCount)
        for text in [found.severity.rawValue, found.keyword.rawValue, found.action.rawValue] {
            diagnosticRows.add(text)
        }
        diagnosticRows.add(Int64(found.line))
        diagnosticRows.add(found.station.map { PostgresValue.bytes(of: $0.rawValue) })
        diagnosticRows.add(found.listing?.start.secondsSince1970)
        diagnosticRows.add(found.listing?.stop?.secondsSince1970)
        diagnosticRows.add(found.listing?.programme)
        diagnosticRows.add(found.other.map { Int64($0.line) })
        diagnosticRows.add(found.other?.start.secondsSince1970)
        diagnosticRows.add(found.other?.stop?.secondsSince1970)
        diagnosticRows.add(found.other?.programme)
        diagnosticRows.add(found.window?.start.secondsSince1970)
        diagnosticRows.add(found.window?.end.secondsSince1970)
        diagnosticRows.add(found.quote.map(PostgresValue.bytes))
    }

    private func copyContents() throws {
        try connection.copy(
            programmes,
            into: """
                programme (id, title, subtitle, category, description, is_new, is_premiere, is_live, document, is_derived)
                """)
        try connection.copy(digests, into: "programme_digest (first_id, digests)")
        try connection.copy(transmissions, into: "transmission (id, hash, attributes)")
        try connection.copy(
            diagnosticRows,
            into: """
                diagnostic (import_id, ordinal, severity, keyword, action, line, station, start, stop, programme_id,
                    other_line, other_start, other_stop, other_programme_id, window_start, window_stop, quote)
                """)
        (programmes, digests, transmissions, diagnosticRows) = (BinaryRows(), BinaryRows(), BinaryRows(), BinaryRows())
    }

    // MARK: - Stations

    func write(_ descriptions: [StationRegistry.Description]) throws {
        let stations = stations.update(descriptions)
        guard !stations.isEmpty else { return }
        try connection.execute(
            """
            INSERT INTO station (id, feed_id, name, number, document, described_by, ordinal, position, source_id)
            SELECT key, feed_id, name, number, document, $7, ordinal, ordinal, $7
            FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::json[], $6::bigint[])
                AS s (key, feed_id, name, number, document, ordinal)
            ON CONFLICT (id) DO UPDATE SET name = excluded.name, number = excluded.number, document = excluded.document,
                described_by = excluded.described_by, ordinal = excluded.ordinal
            """,
            [
                .integers(stations.map(\.key)), .texts(stations.map(\.id.rawValue)), .texts(stations.map(\.name)),
                .texts(stations.map(\.number)), .documents(stations.map(\.document)),
                .integers(stations.map(\.ordinal)),
                .integer(source),
            ])
    }

    // MARK: - The end

    /// Ends the import: writes the remaining data, or rolls back if neither the guide nor the diagnostics changed.
    ///
    /// - Throws: ``RefusedImport``, ``ExceededImportLimit``; the transaction then remains open.
    func commit(_ report: ImportReport, state sourceState: SourceState?) throws -> ImportOutcome {
        try schedules.table.flush()
        try schedules.checkListings(report)
        try checkGrowth()
        // The stations of a first import have been inserted with their source, and no other source covers them.
        let resolved = state.generation == 0 ? 0 : try store.resolveSources(of: schedules.touched)
        let changedStations = stations.inserted + stations.changed
        var rematched = 0
        if let matcher, changedStations > 0 { rematched = try store.rematch(matcher) }
        let moved = changedStations + resolved + rematched > 0 ? try store.arrangeRows() : 0
        let changedAirings = schedules.inserted + schedules.changed + schedules.moved + schedules.removed
        let changesGuide = changedAirings + changedStations + resolved + rematched + moved > 0
        let previous = try connection.first(
            "SELECT diagnostics_of, diagnostics_digest FROM import WHERE source_id = $1 ORDER BY id DESC LIMIT 1",
            [.integer(source)]
        ) { (diagnosticsOf: $0.integer(0), digest: $0.blob(1)) }
        let sameFindings = previous?.digest == diagnostics.value.blob
        let generation = state.generation + (changesGuide ? 1 : 0)
        var outcome = ImportOutcome(
            report: report, importID: importID, generation: Generation(generation), changedGuide: changesGuide)
        outcome.airings = AiringDifference(
            inserted: schedules.inserted, removed: schedules.removed, moved: schedules.moved, changed: schedules.changed
        )
        outcome.airingsUnchanged = schedules.unchanged
        outcome.stationsInserted = stations.inserted
        outcome.stationsChanged = stations.changed

        if !changesGuide, sameFindings, !isNewSource, updatedDigests.isEmpty {
            try connection.execute(script: "ROLLBACK; BEGIN")
        } else {
            outcome.programmesInserted = Int(nextProgramme - state.nextProgramme)
            try copyContents()
            var editor = DigestEditor(store)
            for (id, digest) in updatedDigests.sorted(by: { $0.id < $1.id }) { _ = try editor.set(digest, of: id) }
            try editor.finish()
            var released = schedules.released
            if !sameFindings { released.formUnion(try removeFormerDiagnostics()) }
            try store.removeUnused(released)
            try connection.execute(
                """
                UPDATE guide SET generation = $1, next_airing = $2, next_programme = $3, next_transmission = $4
                WHERE (generation, next_airing, next_programme, next_transmission) <> ($1, $2, $3, $4)
                """,
                [
                    .integer(generation), .integer(schedules.nextAiring), .integer(nextProgramme),
                    .integer(nextTransmission),
                ])
            if changesGuide {
                let otherStations = stations.inserted + stations.redescribed + rematched + moved
                try store.log(
                    PostgresWriter.ChangeEntry(
                        at: now, changesStations: otherStations > 0, schedules: schedules.changes.stations,
                        sources: schedules.touched), generation: generation)
            }
        }
        try log(outcome, diagnosticsOf: sameFindings ? previous?.diagnosticsOf : nil)
        try store.saveHeader(report.header, of: source)
        if let sourceState { try store.saveState(sourceState, of: source) }
        try connection.execute(script: "COMMIT")
        return outcome
    }

    /// Checks the total contents of the source, because alternating guides within the limits could still fill the store.
    private func checkGrowth() throws {
        if stations.inserted > 0, stations.count(ofSource: source) > limits.stations {
            throw ExceededImportLimit(.storedStations, value: limits.stations)
        }
        // Airings are numbered from 1, so low numbers make counting unnecessary.
        guard schedules.inserted > schedules.removed, schedules.nextAiring > Int64(limits.programmes) else { return }
        let count = try connection.integer("SELECT count(*) FROM airing WHERE source_id = $1", [.integer(source)])
        guard count ?? 0 <= limits.programmes else {
            throw ExceededImportLimit(.storedAirings, value: limits.programmes)
        }
    }

    /// Removes the diagnostics of earlier imports, and returns the programmes that may have become unused.
    private func removeFormerDiagnostics() throws -> [Int64] {
        try connection.values(
            """
            DELETE FROM diagnostic WHERE import_id IN (SELECT id FROM import WHERE source_id = $1 AND id <> $2)
            RETURNING programme_id, other_programme_id
            """, [.integer(source), .integer(importID)]
        ) { [$0.integerIfPresent(0), $0.integerIfPresent(1)] }.flatMap(\.self).compactMap { $0 }
    }

    /// Writes the counts of the import, and keeps those of the last 100 imports.
    private func log(_ outcome: ImportOutcome, diagnosticsOf: Int64?) throws {
        let report = outcome.report
        if let diagnosticsOf, diagnosticsOf != importID {
            try connection.execute("DELETE FROM diagnostic WHERE import_id = $1", [.integer(importID)])
        }
        let counts = [
            report.programmesRead, report.airingsStored, report.merged, report.dropped.values.reduce(0, +),
            report.skipped.values.reduce(0, +), report.filtered, outcome.airings.inserted,
            outcome.airings.changed + outcome.airings.moved, outcome.airings.removed,
        ]
        try connection.execute(
            """
            INSERT INTO import (id, source_id, at, generation, read, stored, merged, dropped, skipped, filtered, inserted,
                changed, removed, diagnostics_of, diagnostics_digest)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
            """,
            [
                .integer(importID), .integer(source), .integer(now.secondsSince1970),
                .integer(outcome.generation.rawValue),
            ] + counts.map { .integer(Int64($0)) } + [
                .integer(diagnosticsOf ?? importID), .bytes(diagnostics.value.blob),
            ])
        try connection.execute(
            """
            DELETE FROM import WHERE source_id = $1
                AND id NOT IN (SELECT id FROM import WHERE source_id = $1 ORDER BY id DESC LIMIT 100)
                AND id NOT IN (SELECT diagnostics_of FROM import WHERE source_id = $1 ORDER BY id DESC LIMIT 1)
            """, [.integer(source)])
    }
}

/// The airings and the coverage of one source in a guide on PostgreSQL.
private final class PostgresScheduleTable: ScheduleTable {
    private let connection: PostgresConnection
    private let source: Int64
    private var coverage: [Int64: StoredCoverage]
    /// The stations whose coverage is not yet written.
    private var extended: Set<Int64> = []
    private var airings = BinaryRows()
    /// The stations of ``airings``.
    private var buffered: Set<Int64> = []

    init(_ connection: PostgresConnection, source: Int64) throws {
        self.connection = connection
        self.source = source
        let rows = try connection.values(
            "SELECT station_id, start, stop, listings FROM coverage WHERE source_id = $1", [.integer(source)]
        ) { row in
            (
                row.integer(0),
                StoredCoverage(start: row.integer(1), stop: row.integer(2), hash: ContentHash(blob: row.blob(3)))
            )
        }
        coverage = Dictionary(rows) { first, _ in first }
    }

    func coverage(of station: Int64) -> StoredCoverage? { coverage[station] }

    func firstStart(of station: Int64, from start: Int64, before end: Int64) throws -> Int64? {
        try flush(station)
        return try connection.integer(
            """
            SELECT start FROM airing WHERE source_id = $1 AND station_id = $2 AND start >= $3 AND start < $4
            ORDER BY start LIMIT 1
            """, [.integer(source), .integer(station), .integer(start), .integer(end)])
    }

    func airings(of station: Int64, stoppingAfter start: Int64, startingBefore end: Int64) throws -> [StoredAiring] {
        try flush(station)
        return try connection.values(
            """
            SELECT id, start, part, parts, stop, programme_id, transmission_id, inferred, published_start, published_stop
            FROM airing WHERE source_id = $1 AND station_id = $2 AND start < $4 AND stop > $3
            ORDER BY start DESC, part DESC
            """, [.integer(source), .integer(station), .integer(start), .integer(end)]
        ) { row in
            StoredAiring(
                id: row.integer(0), start: row.integer(1), part: row.integer(2), parts: row.integer(3),
                stop: row.integer(4), programme: row.integer(5), transmission: row.integerIfPresent(6),
                inferred: row.boolean(7) ? 1 : 0, publishedStart: row.integerIfPresent(8),
                publishedStop: row.integerIfPresent(9))
        }
    }

    func hasAirings(of station: Int64) throws -> Bool {
        try flush(station)
        return try connection.integer(
            "SELECT 1::bigint FROM airing WHERE source_id = $1 AND station_id = $2 LIMIT 1",
            [.integer(source), .integer(station)]) != nil
    }

    func delete(_ airings: [StoredAiring], of station: Int64) throws {
        guard !airings.isEmpty else { return }
        try connection.execute(
            """
            DELETE FROM airing a USING unnest($3::bigint[], $4::bigint[]) AS d (start, part)
            WHERE a.source_id = $1 AND a.station_id = $2 AND a.start = d.start AND a.part = d.part
            """,
            [.integer(source), .integer(station), .integers(airings.map(\.start)), .integers(airings.map(\.part))])
    }

    func update(_ airings: [StoredAiring], of station: Int64) throws {
        guard !airings.isEmpty else { return }
        try connection.execute(
            """
            UPDATE airing a SET parts = u.parts, stop = u.stop, programme_id = u.programme,
                transmission_id = u.transmission, inferred = u.inferred, published_start = u.published_start,
                published_stop = u.published_stop
            FROM unnest($3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[], $9::boolean[],
                $10::bigint[], $11::bigint[], $12::bigint[])
                AS u (start, part, parts, stop, programme, transmission, inferred, published_start, published_stop, id)
            WHERE a.source_id = $1 AND a.station_id = $2 AND a.start = u.start AND a.part = u.part AND a.id = u.id
            """,
            [
                .integer(source), .integer(station), .integers(airings.map(\.start)), .integers(airings.map(\.part)),
                .integers(airings.map(\.parts)), .integers(airings.map(\.stop)), .integers(airings.map(\.programme)),
                .integers(airings.map(\.transmission)), .booleans(airings.map { $0.inferred != 0 }),
                .integers(airings.map(\.publishedStart)), .integers(airings.map(\.publishedStop)),
                .integers(airings.map(\.id)),
            ])
    }

    func insert(_ new: [StoredAiring], of station: Int64) throws {
        guard !new.isEmpty else { return }
        for airing in new {
            airings.beginRow(12)
            for number in [
                source, station, airing.start, airing.part, airing.parts, airing.stop, airing.id, airing.programme,
            ] {
                airings.add(number)
            }
            airings.add(airing.transmission)
            airings.add(airing.inferred != 0)
            airings.add(airing.publishedStart)
            airings.add(airing.publishedStop)
        }
        buffered.insert(station)
        if airings.size > 4 << 20 { try copyAirings() }
    }

    func deleteAll(of station: Int64) throws {
        try flush(station)
        for table in ["airing", "coverage"] {
            try connection.execute(
                "DELETE FROM \(table) WHERE source_id = $1 AND station_id = $2", [.integer(source), .integer(station)])
        }
        coverage[station] = nil
        extended.remove(station)
    }

    func extendCoverage(of station: Int64, from start: Int64, to stop: Int64, hash: ContentHash) {
        let known = coverage[station]
        coverage[station] = StoredCoverage(
            start: min(start, known?.start ?? start), stop: max(stop, known?.stop ?? stop), hash: hash)
        extended.insert(station)
    }

    func airingCounts(
        from start: Int64, to stop: Int64, where isCompared: (_ key: Int64, _ station: StationID) -> Bool
    ) throws -> [Int] {
        try connection.values(
            """
            SELECT c.station_id, s.feed_id, (SELECT count(*) FROM airing a
                WHERE a.source_id = $1 AND a.station_id = c.station_id AND a.start < $3 AND a.stop > $2)
            FROM coverage c JOIN station s ON s.id = c.station_id WHERE c.source_id = $1 AND c.stop > $2
            """, [.integer(source), .integer(start), .integer(stop)]
        ) { row in isCompared(row.integer(0), StationID(row.text(1))) ? Int(row.integer(2)) : nil }.compactMap { $0 }
    }

    /// Writes all buffered rows.
    func flush() throws {
        try copyAirings()
        guard !extended.isEmpty else { return }
        let stations = extended.sorted()
        let rows = stations.compactMap { coverage[$0] }
        try connection.execute(
            """
            INSERT INTO coverage (source_id, station_id, start, stop, listings)
            SELECT $1, c.station, c.start, c.stop, c.listings
            FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bytea[]) AS c (station, start, stop, listings)
            ON CONFLICT (station_id, source_id) DO UPDATE SET start = excluded.start, stop = excluded.stop,
                listings = excluded.listings
            """,
            [
                .integer(source), .integers(stations), .integers(rows.map(\.start)), .integers(rows.map(\.stop)),
                .blobs(rows.map { $0.hash?.blob }),
            ])
        extended = []
    }

    /// Writes the buffered rows of a station before they are read or deleted.
    private func flush(_ station: Int64) throws { if buffered.contains(station) { try copyAirings() } }

    private func copyAirings() throws {
        try connection.copy(
            airings,
            into: """
                airing (source_id, station_id, start, part, parts, stop, id, programme_id, transmission_id, inferred,
                    published_start, published_stop)
                """)
        (airings, buffered) = (BinaryRows(), [])
    }
}
