import EPGJSON
import EPGModel
import GRDB

/// The one place where columns become lineups and channels.
enum LineupRow {
    static func names(in database: Database) throws -> [String] {
        var names: [String] = []
        try database.rows("SELECT name FROM lineup ORDER BY name") { columns in
            names.append(columns.text(0))
            return true
        }
        return names
    }

    static func id(ofLineup name: String, in database: Database) throws -> Int64? {
        try database.firstRow("SELECT id FROM lineup WHERE name = ?", .text(name)) { $0.integer(0) }
    }

    static func lineup(named name: String, in database: Database) throws -> Lineup? {
        let found = try database.firstRow("SELECT id, attributes FROM lineup WHERE name = ?", .text(name)) { columns in
            (id: columns.integer(0), attributes: try columns.attributes(1))
        }
        guard let found else { return nil }
        var lineup = Lineup(name: name, attributes: found.attributes)
        try database.rows(
            """
            SELECT name, number, guide_id, guide_name, logo, address, groups, attributes, directives FROM channel
            WHERE lineup_id = ? ORDER BY ordinal
            """, .integer(found.id)
        ) { columns in
            lineup.channels.append(
                Channel(
                    name: columns.text(0), number: columns.textIfPresent(1).flatMap { ChannelNumber($0) },
                    guideID: columns.textIfPresent(2), guideName: columns.textIfPresent(3),
                    logo: columns.textIfPresent(4), groups: try columns.texts(6), address: columns.text(5),
                    attributes: try columns.attributes(7), directives: try columns.texts(8)))
            return true
        }
        return lineup
    }

    /// The station of each channel, in their order.
    static func matches(ofLineup name: String, in database: Database) throws -> [ChannelMatch?] {
        var matches: [ChannelMatch?] = []
        try database.rows(
            """
            SELECT s.feed_id, c.rule FROM lineup l CROSS JOIN channel c ON c.lineup_id = l.id
            LEFT JOIN station s ON s.id = c.station_id WHERE l.name = ? ORDER BY c.ordinal
            """, .text(name)
        ) { columns in
            let rule = columns.textIfPresent(1).flatMap { ChannelMatchRule(rawValue: $0) }
            matches.append(
                rule.flatMap { rule in
                    columns.textIfPresent(0).map { ChannelMatch(station: StationID($0), rule: rule) }
                })
            return true
        }
        return matches
    }

    static func mappings(in database: Database) throws -> [String: StationID] {
        var mappings: [String: StationID] = [:]
        try database.rows("SELECT channel_key, feed_id FROM mapping") { columns in
            mappings[columns.text(0)] = StationID(columns.text(1))
            return true
        }
        return mappings
    }

    /// All that a lineup says, to compare byte for byte: `String` takes two spellings of one character for the same.
    static func bytes(of lineup: Lineup) -> [UInt8] {
        var bytes = StoredDocument.attributes(lineup.attributes)
        for channel in lineup.channels {
            let texts = [
                channel.name, channel.address, channel.number?.description, channel.guideID, channel.guideName,
                channel.logo,
            ]
            for text in texts { bytes += StoredDocument.texts(text.map { [$0] } ?? []) }
            bytes += StoredDocument.texts(channel.groups)
            bytes += StoredDocument.attributes(channel.attributes)
            bytes += StoredDocument.texts(channel.directives)
        }
        return bytes
    }
}
