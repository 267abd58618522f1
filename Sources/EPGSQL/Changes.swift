package import EPGModel

/// Statements whose plans the tests check.
package enum ChangeSQL {
    package static let stations = "SELECT station_id FROM change WHERE generation > $1 AND is_whole"

    /// The airing changes of later generations in ascending order.
    package static let airings = """
        SELECT station_id, airing_id, old_start, old_stop, new_start, new_stop FROM airing_change WHERE generation > $1
        ORDER BY generation, station_id, airing_id
        """

    package static let version =
        "SELECT g.generation, n.nonce, n.at FROM guide g LEFT JOIN generation n ON n.generation = g.generation"
}

// MARK: - Versions and changes

/// Versions and changes. ``GuideReading`` documents the members.
extension SQLReading {
    package func version() throws -> GuideVersion {
        try reading { connection in
            guard let version = try connection.first(ChangeSQL.version, [], GuideVersion.init) else {
                throw GuideDamage.noRow
            }
            guard version.generation.rawValue <= GuideState.maximumNumber else {
                throw GuideDamage(invalidColumn: "generation")
            }
            return version
        }
    }

    package func version(of generation: Generation) throws -> GuideVersion? {
        guard generation.rawValue > 0 else { return GuideVersion(generation: Generation(0), nonce: 0, since: nil) }
        return try reading { try $0.version(of: generation) }
    }

    package func changes(since start: GuideChanges.Start, of station: StationID?) throws -> GuideChanges? {
        try reading { try ChangeLog(connection: $0).loggedChanges(since: start, of: station) }
    }
}

extension GuideVersion {
    /// Creates the version of the columns generation, nonce, and start.
    fileprivate init(_ row: any StoredRow) {
        self.init(generation: Generation(row.integer(0)), nonce: row.integer(1), since: row.instant(2))
    }
}

/// The change log: a row for each generation of the last week, with its changed stations and airings.
private struct ChangeLog: ChangeLogTable {
    let connection: any SQLConnection

    func generation() throws -> Generation { Generation(try connection.state().generation) }

    func start(of generation: Generation) throws -> Instant? { try connection.version(of: generation)?.since }

    func firstLogged() throws -> (generation: Int64, start: Instant)? {
        try connection.first("SELECT generation, at FROM generation ORDER BY generation LIMIT 1") { row in
            (row.integer(0), Instant(secondsSince1970: row.integer(1)))
        }
    }

    func firstLogged(after instant: Instant) throws -> Int64? {
        try connection.integer(
            "SELECT generation FROM generation WHERE at > $1 ORDER BY generation LIMIT 1", [.instant(instant)])
    }

    func logged(after generation: Generation) throws -> (count: Int64, changesStations: Bool) {
        try connection.first(
            "SELECT count(*), count(*) FILTER (WHERE changes_stations) FROM generation WHERE generation > $1",
            [.integer(generation.rawValue)]
        ) { ($0.integer(0), $0.integer(1) > 0) } ?? (0, false)
    }

    func entirelyChanged(after generation: Generation) throws -> Set<Int64> {
        Set(try connection.values(ChangeSQL.stations, [.integer(generation.rawValue)]) { $0.integer(0) })
    }

    func visitChanges(
        after generation: Generation, _ body: (_ station: Int64, AiringChange?) throws -> Void
    ) throws {
        try connection.rows(ChangeSQL.airings, [.integer(generation.rawValue)], streams: false) { row in
            try body(
                row.integer(0),
                AiringChange(AiringID(row.integer(1)), from: row.windowIfPresent(2, 3), to: row.windowIfPresent(4, 5)))
            return true
        }
    }

    func rows(ofStations stations: [Int64]) throws -> [(key: Int64, row: Int, id: StationID)] {
        try connection.values(
            "SELECT id, position, feed_id FROM station WHERE \(connection.isIn("id", list: 1))", [.integers(stations)]
        ) { (key: $0.integer(0), row: Int($0.integer(1)), id: StationID($0.text(2))) }
    }
}

// MARK: - The state

extension GuideState {
    /// A query for numbers with which an import would overflow, or lose data: some seeks, regardless of the guide's size. The row
    /// is a problem; a valid guide has none.
    package static let invalidNumbersSQL = """
        SELECT '\(GuideProblem.identifiers.rawValue)' FROM guide
        WHERE next_airing <= (SELECT coalesce(max(id), 0) FROM airing)
            OR next_programme <= (SELECT coalesce(max(id), 0) FROM programme)
            OR next_transmission <= (SELECT coalesce(max(id), 0) FROM transmission)
            OR next_airing > \(GuideState.maximumNumber) OR next_programme > \(GuideState.maximumNumber)
            OR generation > \(GuideState.maximumNumber) OR next_transmission > \(GuideState.maximumTransmission)
            OR (SELECT max(id) FROM station) > \(GuideState.maximumNumber)
            OR (SELECT max(id) FROM import) > \(GuideState.maximumNumber)
            OR (SELECT max(id) FROM source) > \(GuideState.maximumNumber)
            OR (SELECT max(id) FROM lineup) > \(GuideState.maximumNumber)
            OR (SELECT min(first_id) FROM programme_digest) < 1
            OR (SELECT max(first_id) FROM programme_digest) >= next_programme
        """
}

extension GuideDamage {
    fileprivate static let noRow = GuideDamage(detail: "the table guide has no row")

    /// Creates the damage of an invalid number in a column of the table `guide`.
    fileprivate init(invalidColumn column: String) {
        detail = "\(GuideProblem.identifiers.rawValue) (\(column))"
    }
}

extension SQLConnection {
    fileprivate func version(of generation: Generation) throws -> GuideVersion? {
        try first(
            "SELECT generation, nonce, at FROM generation WHERE generation = $1", [.integer(generation.rawValue)],
            GuideVersion.init)
    }

    /// Returns the state of the guide.
    ///
    /// - Throws: ``GuideDamage`` if there is none, or a number would overflow.
    package func state() throws -> GuideState {
        let sql = "SELECT content_key, generation, next_airing, next_programme, next_transmission FROM guide"
        let state = try first(sql) { row in
            ContentHash(blob: row.blob(0)).map { key in
                GuideState(
                    contentKey: key, generation: row.integer(1), nextAiring: row.integer(2),
                    nextProgramme: row.integer(3), nextTransmission: row.integer(4))
            }
        }
        guard case .some(.some(let state)) = state else { throw GuideDamage.noRow }
        if let column = state.invalidColumn { throw GuideDamage(invalidColumn: column) }
        return state
    }

    /// Writes the state of the guide if it differs.
    package func write(_ state: GuideState) throws {
        let numbers = "(generation, next_airing, next_programme, next_transmission)"
        try execute(
            "UPDATE guide SET \(numbers) = ($1, $2, $3, $4) WHERE \(numbers) <> ($1, $2, $3, $4)",
            [state.generation, state.nextAiring, state.nextProgramme, state.nextTransmission].map { .integer($0) })
    }

    /// Increments the generation and logs the changes.
    package func raiseGeneration(for entry: ChangeLogEntry) throws {
        var state = try state()
        // An overflow violates a constraint.
        state.generation &+= 1
        try write(state)
        try log(entry, generation: state.generation)
    }

    /// Sets a generation and identifiers of airings that neither this guide nor a replaced one has used.
    package func renew(after old: GuideState?, now: Instant) throws {
        var state = try state()
        state.generation = max(state.generation, old?.generation ?? 0)
        state.nextAiring = max(state.nextAiring, old?.nextAiring ?? 0)
        try write(state)
        try execute("DELETE FROM generation")
        try raiseGeneration(for: ChangeLogEntry(at: now, changesStations: true))
    }

    /// Writes the entry of a new generation, after its stations, and removes old entries.
    package func log(_ entry: ChangeLogEntry, generation: Int64) throws {
        // Remove all generations up to the last old one, so that numbers stay contiguous even if the clock was wrong.
        let last = try integer("SELECT max(generation) FROM generation WHERE at < $1", [.instant(entry.horizon)])
        if let last {
            // Deletes do not cascade during an import into SQLite.
            for table in ["airing_change", "channel_change", "change", "generation"] {
                try execute("DELETE FROM \(table) WHERE generation <= $1", [.integer(last)])
            }
        }
        try execute(
            "INSERT INTO generation (generation, nonce, at, changes_stations) VALUES ($1, $2, $3, $4)",
            [
                .integer(generation), .integer(.random(in: .min ... .max)), .instant(entry.at),
                .boolean(entry.changesStations),
            ])
        guard !entry.stations.isEmpty else { return }
        let stations = try values(
            "SELECT id, is_shared FROM station WHERE \(isIn("id", list: 1)) ORDER BY id", [.integers(entry.stations)]
        ) { (key: $0.integer(0), isShared: $0.flag(1)) }
        var (changes, airings): ([[SQLValue]], [[SQLValue]]) = ([], [])
        for station in stations {
            guard let extent = entry.extent(of: station.key, isShared: station.isShared) else { continue }
            changes.append([.integer(generation), .integer(station.key), .boolean(extent == .whole)])
            guard case .airings(let changed) = extent else { continue }
            for change in changed.sorted(by: { $0.id < $1.id }) {
                airings.append([
                    .integer(generation), .integer(station.key), .integer(change.id.rawValue),
                    .instant(change.before?.start), .instant(change.before?.end),
                    .instant(change.after?.start), .instant(change.after?.end),
                ])
            }
        }
        try insert(into: "change (generation, station_id, is_whole)", changes)
        try insert(
            into: "airing_change (generation, station_id, airing_id, old_start, old_stop, new_start, new_stop)", airings
        )
    }
}
