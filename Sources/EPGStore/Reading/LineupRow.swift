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
            (id: columns.integer(0), attributes: try attributes(columns, 1))
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
                    logo: columns.textIfPresent(4), groups: try texts(columns, 6), address: columns.text(5),
                    attributes: try attributes(columns, 7), directives: try texts(columns, 8)))
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

    static func tokens(_ attributes: [ContentAttribute]) -> [UInt8] {
        var encoder = ContentEncoder()
        for attribute in attributes { encoder.attribute(attribute.name, attribute.value) }
        return encoder.bytes
    }

    static func tokens(_ texts: [String]) -> [UInt8] {
        var encoder = ContentEncoder()
        for text in texts { encoder.text(text) }
        return encoder.bytes
    }

    /// All that a lineup says, to compare byte for byte: `String` takes two spellings of one character for the same.
    static func bytes(of lineup: Lineup) -> [UInt8] {
        var encoder = ContentEncoder()
        encoder.bytes = tokens(lineup.attributes)
        for channel in lineup.channels {
            encoder.begin(element: "channel")
            let texts = [channel.number?.description, channel.guideID, channel.guideName, channel.logo]
            for (index, text) in texts.enumerated() {
                if let text { encoder.attribute("\(index)", text) }
            }
            encoder.text(channel.name)
            encoder.text(channel.address)
            for list in [tokens(channel.groups), tokens(channel.attributes), tokens(channel.directives)] {
                encoder.bytes.appendLength(list.count)
                encoder.bytes += list
            }
            encoder.end()
        }
        return encoder.bytes
    }

    private static func attributes(_ columns: Columns, _ index: Int32) throws -> [ContentAttribute] {
        var decoder = ContentDecoder(columns.blob(index))
        return try decoder.attributes()
    }

    /// The texts of a column of tokens.
    static func texts(_ columns: Columns, _ index: Int32) throws -> [String] {
        var decoder = ContentDecoder(columns.blob(index))
        return try decoder.nodes().compactMap { node in
            if case .text(let text) = node { text } else { nil }
        }
    }
}
