package import EPGModel
import GRDB

extension GuideStore {
    /// The columns of ``StationRecord``, of the station `s`.
    ///
    /// The last column is the number of the first channel that shows it; only here is it asked for, never by a viewport.
    static let stationColumns = """
        s.feed_id, s.document, s.position, \
        (SELECT c.number FROM channel c CROSS JOIN lineup l ON l.id = c.lineup_id \
        WHERE c.station_id = s.id ORDER BY l.name, c.ordinal LIMIT 1) AS channel_number
        """

    static let stationsSQL = """
        SELECT \(stationColumns) FROM station s WHERE s.position >= ? AND s.position < ? ORDER BY s.position
        """

    static let versionSQL = """
        SELECT g.generation, n.nonce, n.at FROM guide g LEFT JOIN generation n ON n.generation = g.generation
        """

    package func version() throws -> GuideVersion {
        try read { database in
            guard let row = try Row.fetchOne(database.cachedStatement(sql: Self.versionSQL)) else {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the table guide has no row")
            }
            return Self.version(row)
        }
    }

    package func version(of generation: Generation) throws -> GuideVersion? {
        guard generation.rawValue > 0 else { return GuideVersion(generation: Generation(0), nonce: 0, since: nil) }
        return try read { database in
            try Row.fetchOne(
                database, sql: "SELECT generation, nonce, at FROM generation WHERE generation = ?",
                arguments: [generation.rawValue]
            ).map(Self.version)
        }
    }

    private static func version(_ row: Row) -> GuideVersion {
        GuideVersion(generation: Generation(row["generation"]), nonce: row["nonce"] ?? 0, since: row.instant("at"))
    }

    package func stationCount() throws -> Int {
        try read { try Int.fetchOne($0.cachedStatement(sql: "SELECT count(*) FROM station")) ?? 0 }
    }

    package func stations(inRows rows: Range<Int>) throws -> [StationRow] {
        try read { database in
            try StationRecord.fetchAll(
                database.cachedStatement(sql: Self.stationsSQL), arguments: [rows.lowerBound, rows.upperBound]
            ).map(\.row)
        }
    }

    package func station(_ id: StationID) throws -> StationRow? {
        try read { database in
            try StationRecord.fetchOne(
                database, sql: "SELECT \(Self.stationColumns) FROM station s WHERE s.feed_id = ?",
                arguments: [id.rawValue]
            )?.row
        }
    }

    package func stationSuggestions(for text: String, limit: Int) throws -> [StationID] {
        try read { database in
            var nearest = NearestNames(text)
            let rows = try Row.fetchCursor(database, sql: "SELECT feed_id, name FROM station ORDER BY position")
            while let row = try rows.next() { nearest.consider(id: row["feed_id"], name: row["name"]) }
            return nearest.best(limit).map { StationID($0) }
        }
    }
}

/// A station of ``GuideStore/stationColumns``.
struct StationRecord: FetchableRecord {
    /// Its description as it is stored.
    let nodes: [ContentNode]
    let row: StationRow

    init(row: Row) throws {
        nodes = try row.nodes("document")
        self.row = StationRow(
            row: row["position"], station: Station(id: StationID(row["feed_id"]), nodes: nodes),
            channelNumber: (row["channel_number"] as String?).flatMap { ChannelNumber($0) })
    }
}

extension GuideStore {
    package func stations(_ filter: StationFilter, offset: Int, limit: Int) throws -> StationPage {
        let offset = max(0, offset)
        let limit = max(0, limit)
        return try read { database in
            guard let rows = try StationSelection(database).rows(filter) else {
                let total = try stationCount()
                let start = min(offset, total)
                let page = start..<start + min(limit, total - start)
                return StationPage(total: total, stations: try stations(inRows: page))
            }
            return StationPage(
                total: rows.count, stations: try stations(inRows: rows.dropFirst(offset).prefix(limit)))
        }
    }

    package func stationGroups() throws -> [StationGroup] {
        try read { try StationSelection($0).groups() }
    }

    private func stations(inRows rows: some Sequence<Int>) throws -> [StationRow] {
        try NeighboringRows(rows).flatMap { try stations(inRows: $0) }
    }
}
