import EPGJSON
import EPGModel
import GRDB

/// Writes lineups, and which stations their channels show.
struct LineupWriter {
    private let database: Database

    init(_ database: Database) {
        self.database = database
    }

    /// Stores a lineup in the place of the one of that name, without its stations.
    ///
    /// - Returns: Whether anything was written.
    func write(_ lineup: Lineup) throws -> Bool {
        let stored = try LineupRow.lineup(named: lineup.name, in: database)
        if let stored, LineupRow.bytes(of: stored) == LineupRow.bytes(of: lineup) { return false }
        try database.execute(
            sql: """
                INSERT INTO lineup (name, attributes) VALUES (?, ?)
                ON CONFLICT (name) DO UPDATE SET attributes = excluded.attributes
                """, arguments: [lineup.name, String(json: StoredDocument.attributes(lineup.attributes))])
        guard let id = try LineupRow.named(lineup.name, in: database)?.id else { return true }
        try database.execute(sql: "DELETE FROM channel WHERE lineup_id = ?", arguments: [id])
        let insert = try database.makeStatement(
            sql: """
                INSERT INTO channel (lineup_id, ordinal, name, number, guide_id, guide_name, logo, address, groups,
                    attributes, directives)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        for (ordinal, channel) in lineup.channels.enumerated() {
            try insert.execute(arguments: [
                id, ordinal, channel.name, channel.number?.description, channel.guideID, channel.guideName,
                channel.logo,
                channel.address, String(json: StoredDocument.texts(channel.groups)),
                String(json: StoredDocument.attributes(channel.attributes)),
                String(json: StoredDocument.texts(channel.directives)),
            ])
        }
        return true
    }

    /// Finds the stations of lineups anew.
    ///
    /// - Parameter names: The lineups; `nil` for all.
    /// - Returns: The number of channels that show another station now, or by another rule.
    func rematch(_ matcher: any ChannelMatching, lineups names: [String]? = nil) throws -> Int {
        let names = try names ?? LineupRow.names(in: database)
        guard !names.isEmpty else { return 0 }
        let (stations, keys) = try stations()
        let mappings = try LineupRow.mappings(in: database)
        var changes = 0
        for name in names {
            guard let lineup = try LineupRow.lineup(named: name, in: database),
                let id = try LineupRow.named(name, in: database)?.id
            else { continue }
            let old = try LineupRow.matches(ofLineup: name, in: database)
            let new = matcher.matches(of: lineup.channels, among: stations, mappings: mappings)
            for ordinal in lineup.channels.indices {
                // A station that isn't there, and a matcher that answers less than it was asked, match nothing.
                let match = ordinal < new.count ? new[ordinal].flatMap { keys[$0.station] == nil ? nil : $0 } : nil
                guard match != old[ordinal] else { continue }
                try database.execute(
                    sql: "UPDATE channel SET station_id = ?, rule = ? WHERE lineup_id = ? AND ordinal = ?",
                    arguments: [match.flatMap { keys[$0.station] }, match?.rule.rawValue, id, ordinal])
                changes += 1
            }
        }
        return changes
    }

    /// All stations, in the order in which they came, and their keys.
    private func stations() throws -> ([Station], [StationID: Int64]) {
        var stations: [Station] = []
        var keys: [StationID: Int64] = [:]
        for row in try Row.fetchAll(database, sql: "SELECT feed_id, document, id FROM station ORDER BY id") {
            let id = StationID(row["feed_id"])
            stations.append(Station(id: id, nodes: try row.nodes("document")))
            keys[id] = row["id"]
        }
        return (stations, keys)
    }
}
