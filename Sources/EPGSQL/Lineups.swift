import EPGJSON
package import EPGModel

/// Statements whose plans the tests check.
package enum LineupSQL {
    /// Changes the stations of channels of a lineup to those in a table `m`.
    package static func rematch(_ table: String) -> String {
        """
        UPDATE channel AS c SET station_id = m.station, rule = m.rule FROM \(table)
        WHERE c.lineup_id = $1 AND c.ordinal = m.ordinal
        """
    }
}

/// Lineups and mappings. ``GuideReading`` documents the members.
extension SQLReading {
    package func lineups() throws -> [String] { try reading { try $0.lineupNames() } }

    package func lineup(named name: String) throws -> (lineup: Lineup, matches: [ChannelMatch?])? {
        try reading { try $0.lineup(named: name).map { ($0.lineup, $0.matches) } }
    }

    package func lineups(containing station: StationID) throws -> [Lineup] {
        try reading { connection in
            var lineups: [Lineup] = []
            var last: Int64?
            try connection.rows(
                """
                SELECT \(Channel.columns), l.id, l.name, l.attributes FROM station s
                JOIN channel c ON c.station_id = s.id JOIN lineup l ON l.id = c.lineup_id
                WHERE s.feed_id = $1 ORDER BY l.name, c.ordinal
                """, [.text(station.rawValue)], streams: false
            ) { row in
                if row.integer(9) != last {
                    last = row.integer(9)
                    lineups.append(Lineup(name: row.text(10), attributes: try row.attributes(11)))
                }
                lineups[lineups.count - 1].channels.append(try Channel(row))
                return true
            }
            return lineups
        }
    }

    package func mappings() throws -> [String: StationID] { try reading { try $0.mappings() } }

    package func mappingShifts() throws -> [String: Int] { try reading { try $0.mappingShifts() } }
}

/// Changes of lineups and mappings. ``GuideWriting`` documents the members.
extension SQLWriting {
    package func saveLineup(_ lineup: Lineup, matcher: any ChannelMatching, now: Instant) throws -> LineupOutcome {
        var matches: [ChannelMatch?] = []
        let changesGuide = try changeLineups(now) { connection in
            let isWritten = try connection.write(lineup)
            let rematched = try connection.rematch(matcher, lineups: [lineup.name])
            matches = try connection.lineup(named: lineup.name)?.matches ?? []
            return isWritten || rematched > 0
        }
        return LineupOutcome(matches: matches, changedGuide: changesGuide)
    }

    package func removeLineup(named name: String, now: Instant) throws -> Bool {
        try changeLineups(now) { try $0.execute("DELETE FROM lineup WHERE name = $1", [.text(name)]) > 0 }
    }

    package func setMappings(
        _ mappings: [String: StationID?], matcher: any ChannelMatching, now: Instant
    ) throws {
        _ = try changeLineups(now) { connection in
            var count = 0
            for (key, station) in mappings.sorted(by: { $0.key < $1.key }) {
                let written =
                    if let station {
                        try connection.execute(
                            """
                            INSERT INTO mapping (channel_key, feed_id) VALUES ($1, $2)
                            ON CONFLICT (\(connection.unique("channel_key")))
                            DO UPDATE SET feed_id = excluded.feed_id WHERE mapping.feed_id <> excluded.feed_id
                            """, [.text(key), .text(station.rawValue)])
                    } else {
                        try connection.execute("DELETE FROM mapping WHERE channel_key = $1", [.text(key)])
                    }
                count += written
            }
            return try connection.rematch(matcher) > 0 || count > 0
        }
    }

    package func setShift(
        ofMapping key: String, to shift: Int?, matcher: any ChannelMatching, now: Instant
    ) throws {
        _ = try changeLineups(now) { connection in
            let count = try connection.execute(
                "UPDATE mapping SET shift = $1 WHERE channel_key = $2 AND shift IS DISTINCT FROM $1",
                [.number(shift), .text(key)])
            return try connection.rematch(matcher) > 0 || count > 0
        }
    }

    /// Changes lineups in one transaction and renumbers the rows.
    ///
    /// - Parameter body: Returns whether it wrote anything; only then the generation increases.
    private func changeLineups(_ now: Instant, _ body: (any SQLConnection) throws -> Bool) throws -> Bool {
        try writing { connection in
            guard try body(connection) else { return false }
            _ = try connection.arrangeRows()
            try connection.raiseGeneration(for: ChangeLogEntry(at: now, changesStations: true))
            return true
        }
    }
}

extension SQLConnection {
    fileprivate func lineupNames() throws -> [String] {
        try values("SELECT name FROM lineup ORDER BY name") { $0.text(0) }
    }

    fileprivate func lineup(named name: String) throws -> StoredLineup? {
        let found = try first("SELECT id, attributes FROM lineup WHERE name = $1", [.text(name)]) { row in
            (id: row.integer(0), attributes: try row.attributes(1))
        }
        guard let found else { return nil }
        let channels = try values(
            """
            SELECT \(Channel.columns), s.feed_id, c.rule FROM channel c LEFT JOIN station s ON s.id = c.station_id
            WHERE c.lineup_id = $1 ORDER BY c.ordinal
            """, [.integer(found.id)]
        ) { row -> (Channel, ChannelMatch?) in
            var match: ChannelMatch?
            if let station = row.textIfPresent(9), let rule = row.textIfPresent(10) {
                match = ChannelMatchRule(rawValue: rule).map { ChannelMatch(station: StationID(station), rule: $0) }
            }
            return (try Channel(row), match)
        }
        return StoredLineup(
            id: found.id, lineup: Lineup(name: name, attributes: found.attributes, channels: channels.map(\.0)),
            matches: channels.map(\.1))
    }

    fileprivate func mappings() throws -> [String: StationID] {
        let rows = try values("SELECT channel_key, feed_id FROM mapping") { ($0.text(0), StationID($0.text(1))) }
        return Dictionary(rows) { first, _ in first }
    }

    fileprivate func mappingShifts() throws -> [String: Int] {
        let rows = try values("SELECT channel_key, shift FROM mapping WHERE shift IS NOT NULL") {
            ($0.text(0), Int($0.integer(1)))
        }
        return Dictionary(rows) { first, _ in first }
    }

    /// Stores a lineup without stations, replacing that with the same name; returns whether anything was written.
    fileprivate func write(_ lineup: Lineup) throws -> Bool {
        if try self.lineup(named: lineup.name)?.lineup.bytes == lineup.bytes { return false }
        let id = try integer(
            """
            INSERT INTO lineup (id, name, attributes) VALUES ((SELECT coalesce(max(id), 0) + 1 FROM lineup), $1, $2)
            ON CONFLICT (\(unique("name"))) DO UPDATE SET attributes = excluded.attributes RETURNING id
            """, [.text(lineup.name), .json(StoredDocument.attributes(lineup.attributes))])
        try execute("DELETE FROM channel WHERE lineup_id = $1", [.integer(id)])
        try insert(
            into: """
                channel (lineup_id, ordinal, name, number, guide_id, guide_name, logo, address, groups, attributes, directives)
                """,
            lineup.channels.enumerated().map { ordinal, channel in
                [.integer(id), .number(ordinal)] + channel.texts.map { .text($0) } + channel.documents.map { .json($0) }
            })
        return true
    }

    /// Matches the channels of lineups again; returns the number of channels whose station or rule changed.
    ///
    /// - Parameter names: The names of the lineups; `nil` for all.
    package func rematch(_ matcher: any ChannelMatching, lineups names: [String]? = nil) throws -> Int {
        let lineups = try (names ?? lineupNames()).compactMap { try lineup(named: $0) }
        guard !lineups.isEmpty else { return 0 }
        let derivedSource = try sourceKey(Derivation.source.name)
        let stations = try values("SELECT id, feed_id, document, described_by FROM station ORDER BY id") { row in
            let isDerived = derivedSource != nil && row.integerIfPresent(3) == derivedSource
            return (
                key: row.integer(0),
                station: Station(
                    id: StationID(row.text(1)), nodes: try StoredDocument.nodes(row.blob(2)), isDerived: isDerived)
            )
        }
        let matching = LineupMatching(matcher, stations, mappings: try mappings(), shifts: try mappingShifts())
        var count = 0
        for stored in lineups {
            let changes = matching.changes(of: stored)
            guard !changes.isEmpty else { continue }
            let table = table(
                "m",
                [
                    "ordinal": .integers(changes.map { Int64($0.ordinal) }),
                    "station": .integers(changes.map(\.station)), "rule": .texts(changes.map { $0.rule?.rawValue }),
                ], from: 2)
            count += try execute(LineupSQL.rematch(table.sql), [.integer(stored.id)] + table.values)
        }
        return count
    }
}

extension Channel {
    /// The columns of ``init(_:)``, of the channel `c`: ``texts``, then ``documents``.
    fileprivate static let columns =
        "c.name, c.number, c.guide_id, c.guide_name, c.logo, c.address, c.groups, c.attributes, c.directives"

    fileprivate init(_ row: any StoredRow) throws {
        self.init(
            name: row.text(0), number: row.channelNumber(1), guideID: row.textIfPresent(2),
            guideName: row.textIfPresent(3), logo: row.textIfPresent(4), groups: try StoredDocument.texts(row.blob(6)),
            url: row.text(5), attributes: try row.attributes(7), directives: try StoredDocument.texts(row.blob(8)))
    }

    fileprivate var texts: [String?] { [name, number?.description, guideID, guideName, logo, url] }

    fileprivate var documents: [[UInt8]] {
        [StoredDocument.texts(groups), StoredDocument.attributes(attributes), StoredDocument.texts(directives)]
    }
}

extension Lineup {
    /// The contents for a bytewise comparison, because `String` equality ignores Unicode normalization. PostgreSQL stores U+0000 as
    /// U+FFFD.
    fileprivate var bytes: [[UInt8]?] {
        [StoredDocument.attributes(attributes)]
            + channels.flatMap { channel in
                channel.texts.map { $0.map { Array($0.replacing("\0", with: "\u{FFFD}").utf8) } } + channel.documents
            }
    }
}
