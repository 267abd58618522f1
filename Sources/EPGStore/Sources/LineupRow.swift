import EPGJSON
import EPGModel
import GRDB

/// Rows of lineups and channels, and of mappings.
struct LineupRow: FetchableRecord {
    let id: Int64
    let name: String
    let attributes: [ContentAttribute]

    init(row: Row) throws {
        id = row["id"]
        name = row["name"]
        attributes = try row.attributes("attributes")
    }

    /// The names of all lineups, in their order.
    static func names(in database: Database) throws -> [String] {
        try String.fetchAll(database, sql: "SELECT name FROM lineup ORDER BY name")
    }

    static func named(_ name: String, in database: Database) throws -> LineupRow? {
        try fetchOne(database, sql: "SELECT * FROM lineup WHERE name = ?", arguments: [name])
    }

    static func lineup(named name: String, in database: Database) throws -> Lineup? {
        guard let found = try named(name, in: database) else { return nil }
        var lineup = Lineup(name: name, attributes: found.attributes)
        lineup.channels = try ChannelRow.fetchAll(
            database, sql: "SELECT * FROM channel WHERE lineup_id = ? ORDER BY ordinal", arguments: [found.id]
        ).map(\.channel)
        return lineup
    }

    /// The station of each channel, in their order.
    static func matches(ofLineup name: String, in database: Database) throws -> [ChannelMatch?] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT s.feed_id, c.rule FROM lineup l CROSS JOIN channel c ON c.lineup_id = l.id
                LEFT JOIN station s ON s.id = c.station_id WHERE l.name = ? ORDER BY c.ordinal
                """, arguments: [name]
        ).map { row in
            guard let station = row["feed_id"] as String?, let rule = row["rule"] as String? else { return nil }
            return ChannelMatchRule(rawValue: rule).map { ChannelMatch(station: StationID(station), rule: $0) }
        }
    }

    static func mappings(in database: Database) throws -> [String: StationID] {
        let rows = try Row.fetchAll(database, sql: "SELECT channel_key, feed_id FROM mapping")
        return Dictionary(
            rows.map { ($0["channel_key"], StationID($0["feed_id"])) }, uniquingKeysWith: { first, _ in first })
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

/// A row of `channel`.
private struct ChannelRow: FetchableRecord {
    let channel: Channel

    init(row: Row) throws {
        channel = Channel(
            name: row["name"], number: (row["number"] as String?).flatMap { ChannelNumber($0) },
            guideID: row["guide_id"], guideName: row["guide_name"], logo: row["logo"],
            groups: try row.texts("groups"), address: row["address"], attributes: try row.attributes("attributes"),
            directives: try row.texts("directives"))
    }
}
