import EPGJSON
public import EPGModel
import GRDB

extension GuideStore {
    /// What ``stationRow(_:nodes:)`` reads of the station `s`.
    ///
    /// The last column is the number of the first channel that shows it; only here is it asked for, never by a viewport.
    static let stationColumns = """
        s.feed_id, s.document, s.position, \
        (SELECT c.number FROM channel c CROSS JOIN lineup l ON l.id = c.lineup_id \
        WHERE c.station_id = s.id ORDER BY l.name, c.ordinal LIMIT 1)
        """

    static let stationsSQL = """
        SELECT \(stationColumns) FROM station s WHERE s.position >= ? AND s.position < ? ORDER BY s.position
        """

    public func generation() throws -> Generation {
        try read { database in
            Generation(try database.firstRow("SELECT generation FROM guide") { $0.integer(0) } ?? 0)
        }
    }

    static let versionSQL = """
        SELECT g.generation, n.nonce, n.at FROM guide g LEFT JOIN generation n ON n.generation = g.generation
        """

    public func version() throws -> GuideVersion {
        try read { database in
            let version = try database.firstRow(Self.versionSQL) { Self.version($0) }
            guard let version else {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the table guide has no row")
            }
            return version
        }
    }

    public func version(of generation: Generation) throws -> GuideVersion? {
        guard generation.rawValue > 0 else { return GuideVersion(generation: Generation(0), nonce: 0, since: nil) }
        return try read { database in
            try database.firstRow(
                "SELECT generation, nonce, at FROM generation WHERE generation = ?", .integer(generation.rawValue)
            ) { Self.version($0) }
        }
    }

    private static func version(_ columns: Columns) -> GuideVersion {
        GuideVersion(
            generation: Generation(columns.integer(0)), nonce: columns.integer(1),
            since: columns.integerIfPresent(2).map(Instant.init(secondsSince1970:)))
    }

    public func stationCount() throws -> Int {
        try read { database in
            Int(try database.firstRow("SELECT count(*) FROM station") { $0.integer(0) } ?? 0)
        }
    }

    public func stations(inRows rows: Range<Int>) throws -> [StationRow] {
        try read { database in
            var stations: [StationRow] = []
            try database.rows(
                Self.stationsSQL, .integer(Int64(rows.lowerBound)), .integer(Int64(rows.upperBound))
            ) { columns in
                stations.append(Self.stationRow(columns, nodes: try Self.stationNodes(columns)))
                return true
            }
            return stations
        }
    }

    public func station(_ id: StationID) throws -> StationRow? {
        try read { database in
            try database.firstRow(
                "SELECT \(Self.stationColumns) FROM station s WHERE s.feed_id = ?", .text(id.rawValue)
            ) { Self.stationRow($0, nodes: try Self.stationNodes($0)) }
        }
    }

    public func stationSuggestions(for text: String, limit: Int) throws -> [StationID] {
        try read { database in
            var nearest = NearestNames(text)
            try database.rows("SELECT feed_id, name FROM station ORDER BY position") { columns in
                nearest.consider(id: columns.text(0), name: columns.text(1))
                return true
            }
            return nearest.best(limit).map { StationID($0) }
        }
    }

    /// The description of a station as it is stored.
    static func stationNodes(_ columns: Columns) throws -> [ContentNode] {
        try StoredDocument.nodes(columns.blob(1))
    }

    /// A station of ``stationColumns``.
    static func stationRow(_ columns: Columns, nodes: [ContentNode]) -> StationRow {
        StationRow(
            row: Int(columns.integer(2)), station: Station(id: StationID(columns.text(0)), nodes: nodes),
            channelNumber: columns.textIfPresent(3).flatMap { ChannelNumber($0) })
    }
}
