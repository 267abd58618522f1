import EPGJSON
package import EPGModel

/// Statements whose plans the tests check.
package enum StationSQL {
    /// The columns of a station `s` for ``StoredStation``. The last ones are the number of its first channel and the first logo of its
    /// channels.
    static let columns = """
        s.feed_id, s.document, s.position, s.described_by = (SELECT id FROM source WHERE name = '\(Derivation.source.name)'),
        (SELECT c.number FROM channel c CROSS JOIN lineup l WHERE l.id = c.lineup_id AND c.station_id = s.id
            ORDER BY l.name, c.ordinal LIMIT 1),
        (SELECT c.logo FROM channel c CROSS JOIN lineup l WHERE l.id = c.lineup_id AND c.station_id = s.id AND c.logo <> ''
            ORDER BY l.name, c.ordinal LIMIT 1)
        """

    /// The stations in rows.
    package static let inRows =
        "SELECT \(columns) FROM station s WHERE s.position >= $1 AND s.position < $2 ORDER BY s.position"

    /// The names, identifiers and numbers of all stations.
    package static let texts = "SELECT position, id, feed_id, number, document FROM station ORDER BY position"

    /// The channels with a station, of all lineups or of one, in the order of the lineups.
    package static let members = """
        SELECT c.station_id, c.groups, c.number FROM lineup l CROSS JOIN channel c
        WHERE c.lineup_id = l.id AND c.station_id IS NOT NULL AND ($1 IS NULL OR l.name = $1) ORDER BY l.name, c.ordinal
        """

    /// The channels with a station in the order of their lineups.
    package static let channels = """
        SELECT c.station_id, c.lineup_id,
            CASE WHEN c.attributes -> '\(Channel.listPlaceName)' IS NULL THEN c.number END, c.ordinal
        FROM lineup l CROSS JOIN channel c WHERE c.lineup_id = l.id AND c.station_id IS NOT NULL
        ORDER BY l.name, c.ordinal
        """
}

/// The data of a station in queries of airings.
package struct VisibleStation {
    package let key: Int64
    package let id: StationID
    package let name: String
    /// The only source of the airings; `nil` for a station without one.
    package let source: Int64?
    package let position: Int
    /// Whether the airings of several sources are combined.
    package let isShared: Bool

    /// The columns of ``init(_:)`` of a station `s`.
    package static let columns = "s.id, s.feed_id, s.name, s.source_id, s.position, s.is_shared"

    /// Reads the columns ``columns``.
    package init(_ row: some StoredRow) {
        self.init(
            key: row.integer(0), id: StationID(row.text(1)), name: row.text(2), source: row.integerIfPresent(3),
            position: Int(row.integer(4)), isShared: row.flag(5))
    }

    init(key: Int64, id: StationID, name: String, source: Int64?, position: Int, isShared: Bool) {
        self.key = key
        self.id = id
        self.name = name
        self.source = source
        self.position = position
        self.isShared = isShared
    }
}

/// A station as readers and exports show it.
struct StoredStation {
    let nodes: [ContentNode]
    let row: StationRow

    /// Decodes the columns ``StationSQL/columns``.
    init(_ row: any StoredRow) throws {
        nodes = try StoredDocument.nodes(row.blob(1))
        self.row = StationRow(
            row: Int(row.integer(2)),
            station: Station(id: StationID(row.text(0)), nodes: nodes, isDerived: row.flag(3)),
            channelNumber: row.channelNumber(4), channelLogo: row.textIfPresent(5))
    }
}

/// Stations. ``GuideReading`` documents the members.
extension SQLReading {
    package func stationCount() throws -> Int {
        try reading { Int(try $0.integer("SELECT count(*) FROM station") ?? 0) }
    }

    package func stations(inRows rows: Range<Int>) throws -> [StationRow] {
        try reading { connection in
            try connection.values(StationSQL.inRows, [.number(rows.lowerBound), .number(rows.upperBound)]) {
                shown(try StoredStation($0).row)
            }
        }
    }

    package func station(_ id: StationID) throws -> StationRow? {
        try reading { connection in
            try connection.first(
                "SELECT \(StationSQL.columns) FROM station s WHERE s.feed_id = $1", [.text(id.rawValue)]
            ) { shown(try StoredStation($0).row) }
        }
    }

    package func stations(
        _ filter: StationFilter, offset: Int, limit: Int
    ) throws -> (total: Int, stations: [StationRow]) {
        try reading { connection in
            let rows = try filtering(by: filter.text) { try connection.rows(of: filter, $0) }
            let total = try rows?.count ?? stationCount()
            let start = min(max(0, offset), total)
            let page = start..<start + min(max(0, limit), total - start)
            guard let rows else { return (total, try stations(inRows: page)) }
            let stations = try connection.values(
                "SELECT \(StationSQL.columns) FROM station s WHERE \(connection.isIn("s.position", list: 1)) ORDER BY s.position",
                [.integers(rows[page].map { Int64($0) })]
            ) { shown(try StoredStation($0).row) }
            return (total, stations)
        }
    }

    package func stationGroups() throws -> [NameCount] {
        try reading { connection in
            var counter = GroupCounter()
            try connection.channels(ofLineup: nil) { station, groups, _ in counter.add(station, to: groups) }
            return counter.counts
        }
    }

    package func groups(inLineup lineup: String?) throws -> [Int: String] {
        try reading { connection in
            var names: [Int64: String] = [:]
            try connection.channels(ofLineup: lineup) { station, groups, _ in
                if names[station] == nil, let first = groups.first(where: { !$0.isEmpty }) { names[station] = first }
            }
            var byRow: [Int: String] = [:]
            guard !names.isEmpty else { return byRow }
            try connection.rows("SELECT id, position FROM station", [], streams: false) { row in
                byRow[Int(row.integer(1))] = names[row.integer(0)]
                return true
            }
            return byRow
        }
    }
}

extension SQLConnection {
    /// Returns the rows of the stations that a filter selects, ascending; `nil` for all.
    fileprivate func rows(of filter: StationFilter, _ matches: (([String]) throws -> Bool)?) throws -> [Int]? {
        var members: Set<Int64>?
        if filter.group != nil || filter.lineup != nil {
            members = []
            try channels(ofLineup: filter.lineup) { station, groups, _ in
                if filter.group.map(groups.contains) ?? true { members?.insert(station) }
            }
        }
        guard matches != nil || members != nil else { return nil }
        var numbers: [Int64: [String]] = [:]
        if matches != nil {
            try channels(ofLineup: nil) { station, _, number in
                if let number { numbers[station, default: []].append(number) }
            }
        }
        var selected: [Int] = []
        try rows(StationSQL.texts, [], streams: false) { row in
            let key = row.integer(1)
            guard members?.contains(key) ?? true else { return true }
            if let matches {
                let station = Station(id: StationID(row.text(2)), nodes: try StoredDocument.nodes(row.blob(4)))
                let texts =
                    station.displayNames.map(\.text) + [station.id.rawValue, row.textIfPresent(3)].compactMap(\.self)
                guard try matches(texts + (numbers[key] ?? [])) else { return true }
            }
            selected.append(Int(row.integer(0)))
            return true
        }
        return selected
    }

    /// Visits the channels with a station, of all lineups or of one, in the order of the lineups.
    fileprivate func channels(
        ofLineup lineup: String?, _ body: (_ station: Int64, _ groups: [String], _ number: String?) -> Void
    ) throws {
        try rows(StationSQL.members, [.text(lineup)], streams: false) { row in
            body(row.integer(0), try StoredDocument.texts(row.blob(1)), row.textIfPresent(2))
            return true
        }
    }
}

extension SQLConnection {
    /// Updates the best source of stations, and whether there are others. Returns the number of changed stations.
    package func resolveSources(of stations: [Int64]) throws -> Int {
        guard !stations.isEmpty else { return 0 }
        // Without coverage, it stays with the source that described it.
        return try execute(
            """
            UPDATE station AS s SET source_id = coalesce(r.best, s.source_id), is_shared = r.count > 1
            FROM (
                SELECT t.id,
                    (SELECT c.source_id FROM coverage c JOIN source o ON o.id = c.source_id WHERE c.station_id = t.id
                        ORDER BY o.priority DESC, c.stop DESC, c.source_id LIMIT 1) AS best,
                    (SELECT count(*) FROM coverage c WHERE c.station_id = t.id) AS count
                FROM station t WHERE \(isIn("t.id", list: 1))
            ) r
            WHERE s.id = r.id
                AND (s.source_id IS DISTINCT FROM coalesce(r.best, s.source_id) OR s.is_shared <> (r.count > 1))
            """, [.integers(stations)])
    }

    /// Renumbers the rows and returns the number of moved stations; see ``RowPlace``.
    ///
    /// - Complexity: O(n log n) for n stations and channels; writes only moved rows.
    package func arrangeRows() throws -> Int {
        let channels = try values(StationSQL.channels) { row in
            RowPlace.Channel(
                station: row.integer(0), lineup: row.integer(1), number: row.channelNumber(2), ordinal: row.integer(3))
        }
        let places = try values("SELECT id, number, described_by, ordinal, position FROM station") { row in
            RowPlace(
                station: row.integer(0), number: row.channelNumber(1), source: row.integerIfPresent(2),
                ordinal: row.integer(3), position: Int(row.integer(4)))
        }
        let moves = RowPlace.moves(of: places, channels: channels)
        guard !moves.isEmpty else { return 0 }
        let table = table(
            "m",
            ["id": .integers(moves.map(\.station)), "position": .integers(moves.map { Int64($0.position) })], from: 1)
        return try execute(
            "UPDATE station AS s SET position = m.position FROM \(table.sql) WHERE s.id = m.id", table.values)
    }
}

extension StoredRow {
    /// Returns a channel number; `nil` for NULL and invalid text.
    package func channelNumber(_ index: Int32) -> ChannelNumber? { textIfPresent(index).flatMap { ChannelNumber($0) } }
}
