import EPGJSON
package import EPGModel
import GRDB

extension GuideStore {
    package func lineups() throws -> [String] {
        try read { try LineupRows.names(in: $0) }
    }

    package func lineup(named name: String) throws -> (lineup: Lineup, matches: [ChannelMatch?])? {
        try read { try LineupRows.lineup(named: name, in: $0).map { ($0.lineup, $0.matches) } }
    }

    package func lineups(containing station: StationID) throws -> [Lineup] {
        try read { try LineupRows.lineups(containing: station, in: $0) }
    }

    package func mappings() throws -> [String: StationID] {
        try read { try LineupRows.mappings(in: $0) }
    }

    package func mappingShifts() throws -> [String: Int] {
        try read { try LineupRows.mappingShifts(in: $0) }
    }

    package func setShift(
        ofMapping key: String, to shift: Int?, matcher: any ChannelMatching, now: Instant
    ) throws {
        _ = try changeLineups(now) { database in
            try database.execute(
                sql: "UPDATE mapping SET shift = ?1 WHERE channel_key = ?2 AND shift IS NOT ?1",
                arguments: [shift, key])
            let isWritten = database.changesCount > 0
            let rematched = try LineupRows.rematch(matcher, in: database)
            return isWritten || rematched > 0
        }
    }

    package func saveLineup(_ lineup: Lineup, matcher: any ChannelMatching, now: Instant) throws -> LineupOutcome {
        var matches: [ChannelMatch?] = []
        let changesGuide = try changeLineups(now) { database in
            let isWritten = try LineupRows.write(lineup, in: database)
            let rematched = try LineupRows.rematch(matcher, lineups: [lineup.name], in: database)
            matches = try LineupRows.lineup(named: lineup.name, in: database)?.matches ?? []
            return isWritten || rematched > 0
        }
        return LineupOutcome(matches: matches, changedGuide: changesGuide)
    }

    package func removeLineup(named name: String, now: Instant) throws -> Bool {
        try changeLineups(now) { database in
            try database.execute(sql: "DELETE FROM lineup WHERE name = ?", arguments: [name])
            return database.changesCount > 0
        }
    }

    package func setMappings(
        _ mappings: [String: StationID?], matcher: any ChannelMatching, now: Instant
    ) throws {
        _ = try changeLineups(now) { database in
            var isWritten = false
            for (key, station) in mappings.sorted(by: { $0.key < $1.key }) {
                if let station {
                    try database.execute(
                        sql: """
                            INSERT INTO mapping (channel_key, feed_id) VALUES (?, ?)
                            ON CONFLICT DO UPDATE SET feed_id = excluded.feed_id WHERE feed_id <> excluded.feed_id
                            """, arguments: [key, station.rawValue])
                } else {
                    try database.execute(sql: "DELETE FROM mapping WHERE channel_key = ?", arguments: [key])
                }
                isWritten = isWritten || database.changesCount > 0
            }
            let rematched = try LineupRows.rematch(matcher, in: database)
            return isWritten || rematched > 0
        }
    }

    /// Changes lineups in one transaction and renumbers the rows.
    ///
    /// - Parameter body: Returns whether it wrote anything; only then the generation increases.
    private func changeLineups(_ now: Instant, _ body: (Database) throws -> Bool) throws -> Bool {
        try write { database in
            guard try body(database) else { return false }
            _ = try RowArrangement.arrange(in: database)
            try GuideState.raiseGeneration(database, for: ChangeLogEntry(at: now, changesStations: true))
            return true
        }
    }
}

/// The lineups of an SQLite guide.
enum LineupRows {
    static func lineup(named name: String, in database: Database) throws -> StoredLineup? {
        let row = try Row.fetchOne(database, sql: "SELECT id, attributes FROM lineup WHERE name = ?", arguments: [name])
        guard let row else { return nil }
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT c.*, s.feed_id FROM channel c LEFT JOIN station s ON s.id = c.station_id
                WHERE c.lineup_id = ? ORDER BY c.ordinal
                """, arguments: [row["id"] as Int64])
        return StoredLineup(
            id: row["id"],
            lineup: Lineup(
                name: name, attributes: try row.attributes("attributes"),
                channels: try rows.map { try Channel(stored: $0) }),
            matches: rows.map { row in
                guard let station = row["feed_id"] as String?, let rule = row["rule"] as String? else { return nil }
                return ChannelMatchRule(rawValue: rule).map { ChannelMatch(station: StationID(station), rule: $0) }
            })
    }

    static func names(in database: Database) throws -> [String] {
        try String.fetchAll(database, sql: "SELECT name FROM lineup ORDER BY name")
    }

    /// Returns the lineups that contain a station, each with the channels of that station only.
    static func lineups(containing station: StationID, in database: Database) throws -> [Lineup] {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT l.name AS lineup, l.attributes AS lineup_attributes, c.* FROM station s
                JOIN channel c ON c.station_id = s.id JOIN lineup l ON l.id = c.lineup_id
                WHERE s.feed_id = ? ORDER BY l.name, c.ordinal
                """, arguments: [station.rawValue])
        return try rows.reduce(into: []) { lineups, row in
            let name: String = row["lineup"]
            if lineups.last?.name.utf8.elementsEqual(name.utf8) != true {
                lineups.append(Lineup(name: name, attributes: try row.attributes("lineup_attributes")))
            }
            lineups[lineups.count - 1].channels.append(try Channel(stored: row))
        }
    }

    /// Stores a lineup without stations, replacing that with the same name.
    ///
    /// - Returns: Whether anything was written.
    static func write(_ lineup: Lineup, in database: Database) throws -> Bool {
        if try LineupRows.lineup(named: lineup.name, in: database)?.lineup.bytes == lineup.bytes { return false }
        let id = try Int64.fetchOne(
            database,
            sql: """
                INSERT INTO lineup (name, attributes) VALUES (?, ?)
                ON CONFLICT (name) DO UPDATE SET attributes = excluded.attributes RETURNING id
                """, arguments: [lineup.name, String(json: StoredDocument.attributes(lineup.attributes))])
        try database.execute(sql: "DELETE FROM channel WHERE lineup_id = ?", arguments: [id])
        let insert = try database.makeStatement(
            sql: """
                INSERT INTO channel (lineup_id, ordinal, name, number, guide_id, guide_name, logo, address, groups,
                    attributes, directives)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        for (ordinal, channel) in lineup.channels.enumerated() {
            try insert.execute(arguments: [id, ordinal] + StatementArguments(channel.columns))
        }
        return true
    }

    /// Matches the channels of lineups again.
    ///
    /// - Parameter names: The names of the lineups; `nil` for all.
    /// - Returns: The number of channels whose station or rule changed.
    static func rematch(
        _ matcher: any ChannelMatching, lineups names: [String]? = nil, in database: Database
    ) throws -> Int {
        let lineups = try (names ?? self.names(in: database)).compactMap { try lineup(named: $0, in: database) }
        guard !lineups.isEmpty else { return 0 }
        let rows = try Row.fetchAll(
            database, sql: "SELECT feed_id, document, id, \(GuideStore.isDerivedColumn) FROM station ORDER BY id")
        let matching = LineupMatching(
            matcher, try rows.map { ($0["id"], Station($0, nodes: try $0.nodes("document"))) },
            mappings: try mappings(in: database), shifts: try mappingShifts(in: database))
        var changes = 0
        for stored in lineups {
            for change in matching.changes(of: stored) {
                try database.execute(
                    sql: "UPDATE channel SET station_id = ?, rule = ? WHERE lineup_id = ? AND ordinal = ?",
                    arguments: [change.station, change.rule?.rawValue, stored.id, change.ordinal])
                changes += 1
            }
        }
        return changes
    }

    fileprivate static func mappingShifts(in database: Database) throws -> [String: Int] {
        let rows = try Row.fetchAll(
            database, sql: "SELECT channel_key, shift FROM mapping WHERE shift IS NOT NULL")
        return Dictionary(rows.map { ($0["channel_key"], $0["shift"]) }) { first, _ in first }
    }

    fileprivate static func mappings(in database: Database) throws -> [String: StationID] {
        let rows = try Row.fetchAll(database, sql: "SELECT channel_key, feed_id FROM mapping")
        return Dictionary(rows.map { ($0["channel_key"], StationID($0["feed_id"])) }) { first, _ in first }
    }
}

extension Lineup {
    /// The contents for a bytewise comparison, because `String` equality ignores Unicode normalization.
    fileprivate var bytes: [[UInt8]?] {
        [StoredDocument.attributes(attributes)] + channels.flatMap(\.columns).map { $0.map { Array($0.utf8) } }
    }
}

extension Channel {
    fileprivate init(stored row: Row) throws {
        self.init(
            name: row["name"], number: row.channelNumber("number"), guideID: row["guide_id"],
            guideName: row["guide_name"], logo: row["logo"], groups: try row.texts("groups"), url: row["address"],
            attributes: try row.attributes("attributes"), directives: try row.texts("directives"))
    }

    /// The values of the columns.
    fileprivate var columns: [String?] {
        [
            name, number?.description, guideID, guideName, logo, url, String(json: StoredDocument.texts(groups)),
            String(json: StoredDocument.attributes(attributes)), String(json: StoredDocument.texts(directives)),
        ]
    }
}
