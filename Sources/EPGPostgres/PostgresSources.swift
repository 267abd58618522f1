import EPGJSON
import EPGModel
import EPGSQL

/// Lineups and mappings.
extension PostgresReader {
    func lineups() throws -> [String] { try connection.values("SELECT name FROM lineup ORDER BY name") { $0.text(0) } }

    func lineup(named name: String) throws -> (lineup: Lineup, matches: [ChannelMatch?])? {
        try storedLineup(named: name).map { ($0.lineup, $0.matches) }
    }

    private static let channelColumns = """
        c.name, c.number, c.guide_id, c.guide_name, c.logo, c.address, c.groups, c.attributes, c.directives
        """

    private static func channel(_ row: PostgresRow) throws -> Channel {
        Channel(
            name: row.text(0), number: row.textIfPresent(1).flatMap { ChannelNumber($0) },
            guideID: row.textIfPresent(2),
            guideName: row.textIfPresent(3), logo: row.textIfPresent(4), groups: try StoredDocument.texts(row.blob(6)),
            url: row.text(5), attributes: try StoredDocument.attributes(row.blob(7)),
            directives: try StoredDocument.texts(row.blob(8)))
    }

    func storedLineup(named name: String) throws -> StoredLineup? {
        try read {
            let found = try connection.first("SELECT id, attributes FROM lineup WHERE name = $1", [.text(name)]) {
                row in
                (id: row.integer(0), attributes: try StoredDocument.attributes(row.blob(1)))
            }
            guard let found else { return nil }
            let channels = try connection.values(
                """
                SELECT \(Self.channelColumns), s.feed_id, c.rule FROM channel c LEFT JOIN station s ON s.id = c.station_id
                WHERE c.lineup_id = $1 ORDER BY c.ordinal
                """, [.integer(found.id)]
            ) { row -> (Channel, ChannelMatch?) in
                var match: ChannelMatch?
                if let station = row.textIfPresent(9), let rule = row.textIfPresent(10) {
                    match = ChannelMatchRule(rawValue: rule).map { ChannelMatch(station: StationID(station), rule: $0) }
                }
                return (try Self.channel(row), match)
            }
            let lineup = Lineup(name: name, attributes: found.attributes, channels: channels.map(\.0))
            return StoredLineup(id: found.id, lineup: lineup, matches: channels.map(\.1))
        }
    }

    func lineups(containing station: StationID) throws -> [Lineup] {
        try read {
            var lineups: [Lineup] = []
            var last: Int64?
            try connection.rows(
                """
                SELECT \(Self.channelColumns), l.id, l.name, l.attributes FROM station s
                JOIN channel c ON c.station_id = s.id JOIN lineup l ON l.id = c.lineup_id
                WHERE s.feed_id = $1 ORDER BY l.name, c.ordinal
                """, [.text(station.rawValue)]
            ) { row in
                if row.integer(9) != last {
                    last = row.integer(9)
                    lineups.append(Lineup(name: row.text(10), attributes: try StoredDocument.attributes(row.blob(11))))
                }
                lineups[lineups.count - 1].channels.append(try Self.channel(row))
                return true
            }
            return lineups
        }
    }

    func mappings() throws -> [String: StationID] {
        let rows = try connection.values("SELECT channel_key, feed_id FROM mapping ORDER BY channel_key") {
            ($0.text(0), StationID($0.text(1)))
        }
        return Dictionary(rows) { first, _ in first }
    }

    func mappingShifts() throws -> [String: Int] {
        let rows = try connection.values(
            "SELECT channel_key, shift FROM mapping WHERE shift IS NOT NULL ORDER BY channel_key"
        ) {
            ($0.text(0), Int($0.integer(1)))
        }
        return Dictionary(rows) { first, _ in first }
    }

    func stationsWithAirings(during window: TimeWindow, ofSources names: Set<String>) throws -> Set<StationID> {
        // Airings of one source do not overlap, so the last one that starts before the end also stops last.
        Set(
            try connection.values(
                """
                SELECT s.feed_id FROM coverage c JOIN source o ON o.id = c.source_id JOIN station s ON s.id = c.station_id
                WHERE o.name = ANY($3) AND (
                    SELECT a.stop FROM airing a WHERE a.source_id = c.source_id AND a.station_id = c.station_id
                        AND a.start < $2
                    ORDER BY a.start DESC LIMIT 1) > $1
                """,
                [
                    .integer(window.start.secondsSince1970), .integer(window.end.secondsSince1970),
                    .texts(names.sorted()),
                ]
            ) { StationID($0.text(0)) })
    }
}
