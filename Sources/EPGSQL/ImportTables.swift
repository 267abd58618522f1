package import EPGModel

/// The tables of a guide in an SQL database, as an import writes them. Engines implement only the bulk inserts.
package protocol SQLImportTables: ImportTables {
    /// The connection with the transaction of the import.
    var connection: any SQLConnection { get }

    /// Forgets the diagnostics that have not been written yet.
    func dropWaitingDiagnostics()

    /// Writes programmes that are delayed, so that statements find them.
    func flushProgrammes() throws
}

/// What all engines do. ``ImportTables`` documents the members.
extension SQLImportTables {
    package var digests: any DigestTable { DigestRows(connection) }

    /// Does nothing, because most tables write programmes at once.
    package func flushProgrammes() throws {}

    package func state() throws -> GuideState { try connection.state() }

    package func sourceKey(of source: Source) throws -> (id: Int64, isNew: Bool) {
        try connection.sourceKey(of: source)
    }

    package func stations() throws -> [StationRegistry.Stored] {
        try connection.values(
            "SELECT feed_id, id, name, number, document, described_by, ordinal FROM station"
        ) { row in
            StationRegistry.Stored(
                id: StationID(row.text(0)), key: row.integer(1), name: row.text(2), number: row.textIfPresent(3),
                document: row.blob(4), describedBy: row.integerIfPresent(5), ordinal: row.integer(6))
        }
    }

    package func priorities() throws -> [Int64: Int64] {
        let rows = try connection.values("SELECT id, priority FROM source") { ($0.integer(0), $0.integer(1)) }
        return Dictionary(rows) { first, _ in first }
    }

    package func contents() throws -> StoredContents {
        var contents = StoredContents()
        try connection.rows("SELECT id, hash FROM transmission", [], streams: true) { row in
            if let hash = ContentHash(blob: row.blob(1)) { contents.transmissions[hash] = row.integer(0) }
            return true
        }
        let bytes = try connection.integer("SELECT CAST(sum(length(digests)) AS bigint) FROM programme_digest") ?? 0
        contents.programmes = ProgrammeIndex(minimumCapacity: Int(bytes) / DigestPiece.width)
        try connection.rows("SELECT first_id, digests FROM programme_digest", [], streams: true) { row in
            DigestPiece.insert(row.blob(1), from: row.integer(0), into: &contents.programmes)
            return true
        }
        return contents
    }

    package func airingCount(ofSource source: Int64) throws -> Int {
        Int(try connection.integer("SELECT count(*) FROM airing WHERE source_id = $1", [.integer(source)]) ?? 0)
    }

    package func resolveSources(of stations: [Int64]) throws -> Int { try connection.resolveSources(of: stations) }

    package func complete(
        _ changes: [Int64: ChangedRanges], ofSource source: Int64, state: GuideState, nextProgramme: Int64, now: Instant
    ) throws -> CompletionOutcome {
        var completion = try GuideCompletion(
            connection, state: state, nextProgramme: nextProgramme, now: now, insert: insert)
        if state.generation > 0, !changes.isEmpty {
            try flushProgrammes()
            try completion.complete(changes, ofSource: source)
        }
        return completion.outcome
    }

    package func limitsGroups() throws -> Bool { try connection.limitsGroups() }

    package func rematch(_ matcher: any ChannelMatching) throws -> Int { try connection.rematch(matcher) }

    package func arrangeRows() throws -> Int { try connection.arrangeRows() }

    package func lastDiagnostics(ofSource source: Int64) throws -> (importID: Int64, digest: [UInt8])? {
        try connection.first(SourceSQL.lastImport, [.integer(source)]) { ($0.integer(0), $0.blob(1)) }
    }

    package func removeFormerDiagnostics(ofSource source: Int64) throws -> Set<Int64> {
        let programmes = try connection.values(
            """
            DELETE FROM diagnostic WHERE import_id IN (SELECT id FROM import WHERE source_id = $1 AND id <> $2)
            RETURNING programme_id, other_programme_id
            """, [.integer(source), .integer(importID)]
        ) { [$0.integerIfPresent(0), $0.integerIfPresent(1)] }
        return Set(programmes.joined().compactMap(\.self))
    }

    package func discardDiagnostics() throws {
        dropWaitingDiagnostics()
        try connection.execute("DELETE FROM diagnostic WHERE import_id = $1", [.integer(importID)])
    }

    package func removeUnused(_ programmes: Set<Int64>) throws { try connection.removeUnused(programmes) }

    package func write(_ state: GuideState) throws { try connection.write(state) }

    package func log(_ entry: ChangeLogEntry, generation: Int64) throws {
        try connection.log(entry, generation: generation)
    }

    package func log(_ entry: ImportLogEntry) throws { try connection.log(entry) }

    package func saveHeader(_ header: [ContentAttribute], ofSource source: Int64) throws {
        try connection.saveHeader(header, of: source)
    }

    package func saveState(_ state: SourceState, ofSource source: Int64) throws {
        try connection.saveState(state, of: source)
    }
}

extension SQLConnection {
    /// Writes the entry of an import, and removes old entries of its source; see ``ImportTables/log(_:)-(ImportLogEntry)``.
    package func log(_ entry: ImportLogEntry) throws {
        let head = [entry.id, entry.source, entry.at.secondsSince1970, entry.generation.rawValue]
        try execute(
            """
            INSERT INTO import (id, source_id, at, generation, read, stored, merged, dropped, skipped, filtered, inserted,
                changed, removed, completed, diagnostics_of, diagnostics_digest)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
            """,
            (head + entry.counts + [entry.diagnosticsOf]).map { .integer($0) } + [.bytes(entry.digest.blob)])
        try execute(
            """
            DELETE FROM import WHERE source_id = $1
                AND id NOT IN (SELECT id FROM import WHERE source_id = $1 ORDER BY id DESC LIMIT 100)
                AND id NOT IN (SELECT diagnostics_of FROM import WHERE source_id = $1 ORDER BY id DESC LIMIT 1)
            """, [.integer(entry.source)])
    }
}
