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
        try database.run(
            """
            INSERT INTO lineup (name, attributes) VALUES (?1, ?2)
            ON CONFLICT (name) DO UPDATE SET attributes = ?2
            """, .text(lineup.name), .json(StoredDocument.attributes(lineup.attributes)))
        guard let id = try LineupRow.id(ofLineup: lineup.name, in: database) else { return true }
        try database.run("DELETE FROM channel WHERE lineup_id = ?", .integer(id))
        for (ordinal, channel) in lineup.channels.enumerated() {
            try database.run(
                """
                INSERT INTO channel (lineup_id, ordinal, name, number, guide_id, guide_name, logo, address, groups,
                    attributes, directives)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """, .integer(id), .integer(Int64(ordinal)), .text(channel.name), .text(channel.number?.description),
                .text(channel.guideID), .text(channel.guideName), .text(channel.logo), .text(channel.address),
                .json(StoredDocument.texts(channel.groups)), .json(StoredDocument.attributes(channel.attributes)),
                .json(StoredDocument.texts(channel.directives)))
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
                let id = try LineupRow.id(ofLineup: name, in: database)
            else { continue }
            let old = try LineupRow.matches(ofLineup: name, in: database)
            let new = matcher.matches(of: lineup.channels, among: stations, mappings: mappings)
            for ordinal in lineup.channels.indices {
                // A station that isn't there, and a matcher that answers less than it was asked, match nothing.
                let match = ordinal < new.count ? new[ordinal].flatMap { keys[$0.station] == nil ? nil : $0 } : nil
                guard match != old[ordinal] else { continue }
                try database.run(
                    "UPDATE channel SET station_id = ?, rule = ? WHERE lineup_id = ? AND ordinal = ?",
                    .integer(match.flatMap { keys[$0.station] }), .text(match?.rule.rawValue), .integer(id),
                    .integer(Int64(ordinal)))
                changes += 1
            }
        }
        return changes
    }

    /// All stations, in the order in which they came, and their keys.
    private func stations() throws -> ([Station], [StationID: Int64]) {
        var stations: [Station] = []
        var keys: [StationID: Int64] = [:]
        try database.rows("SELECT feed_id, document, id FROM station ORDER BY id") { columns in
            let id = StationID(columns.text(0))
            stations.append(Station(id: id, nodes: try GuideStore.stationNodes(columns)))
            keys[id] = columns.integer(2)
            return true
        }
        return (stations, keys)
    }
}
