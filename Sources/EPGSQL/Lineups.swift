import EPGJSON
package import EPGModel
import EPGOutput

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

    package func channelChanges(ofLineup name: String, limit: Int) throws -> [LoggedChannelChange] {
        try reading { connection in
            try connection.values(
                """
                SELECT g.at, c.old_name, c.new_name, c.generation FROM channel_change c JOIN generation g ON g.generation = c.generation
                WHERE c.lineup_id = (SELECT id FROM lineup WHERE name = $1)
                ORDER BY c.generation DESC, c.ordinal LIMIT $2
                """, [.text(name), .number(max(0, limit))]
            ) { row in
                LoggedChannelChange(
                    at: Instant(secondsSince1970: row.integer(0)), generation: Generation(row.integer(3)),
                    change: ChannelChange(from: row.textIfPresent(1), to: row.textIfPresent(2)))
            }
        }
    }

    package func mappings() throws -> [String: StationID] { try reading { try $0.mappings() } }

    package func mappingShifts() throws -> [String: Int] { try reading { try $0.mappingShifts() } }
}

/// Changes of lineups and mappings. ``GuideWriting`` documents the members.
extension SQLWriting {
    package func replaceLineup(
        _ lineup: Lineup, from refresh: LineupRefresh?, matcher: any ChannelMatching, now: Instant
    ) throws -> LineupOutcome {
        try writing { connection in
            let stored = try connection.lineup(named: lineup.name)
            let isNew = stored == nil
            if let refresh, let share = refresh.minimumShare, let count = stored?.lineup.channels.count,
                lineup.channels.count * 100 < count * share
            {
                throw RefusedImport.fewChannels(found: lineup.channels.count, stored: count, share: share)
            }
            let former = try stored.map { try connection.formerChannels(ofLineup: $0.id) } ?? []
            let update = LineupUpdate(
                of: lineup, replacing: stored?.lineup ?? Lineup(name: lineup.name), former: former, now: now)
            var changesGuide = try connection.write(update.lineup)
            guard let id = try connection.integer("SELECT id FROM lineup WHERE name = $1", [.text(lineup.name)]) else {
                preconditionFailure("the lineup was written")
            }
            if update.former != former { try connection.write(update.former, ofLineup: id) }
            let movesMappings = try connection.moveMappings(update.newKeys)
            let rematched = try connection.rematch(matcher, lineups: movesMappings ? nil : [lineup.name])
            changesGuide = changesGuide || movesMappings || rematched > 0
            let matches = try connection.lineup(named: lineup.name)?.matches ?? []
            var outcome = LineupOutcome(matches: matches, changedGuide: changesGuide)
            outcome.changes = isNew ? [] : update.changes
            if changesGuide {
                try connection.logLineupChange(at: now)
                try connection.log(outcome.changes, ofLineup: id)
            }
            try connection.finish(refresh, of: id, outcome, now: now)
            return outcome
        }
    }

    package func saveLineup(_ lineup: Lineup, matcher: any ChannelMatching, now: Instant) throws -> LineupOutcome {
        var matches: [ChannelMatch?] = []
        let changesGuide = try changeLineups(now) { connection in
            let isWritten = try connection.write(lineup)
            if !lineup.isReordered, !lineup.channels.contains(where: \.isEdited) {
                try connection.execute(
                    "DELETE FROM former_channel WHERE lineup_id = (SELECT id FROM lineup WHERE name = $1)",
                    [.text(lineup.name)])
            }
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
            try connection.logLineupChange(at: now)
            return true
        }
    }
}

// MARK: - New versions of playlists

extension SQLConnection {
    /// Renumbers the rows and increments the generation.
    fileprivate func logLineupChange(at now: Instant) throws {
        _ = try arrangeRows()
        try raiseGeneration(for: ChangeLogEntry(at: now, changesStations: true))
    }

    /// Logs the changes of a lineup's channels in the current generation.
    fileprivate func log(_ changes: [ChannelChange], ofLineup id: Int64) throws {
        let generation = try state().generation
        try insert(
            into: "channel_change (generation, lineup_id, ordinal, old_name, new_name)",
            changes.enumerated().map { ordinal, change in
                [.integer(generation), .integer(id), .number(ordinal), .text(change.before), .text(change.after)]
            })
    }

    fileprivate func formerChannels(ofLineup id: Int64) throws -> [FormerChannel] {
        try values(
            """
            SELECT name, number, guide_id, address, groups, attributes, place, removed_at FROM former_channel
            WHERE lineup_id = $1 ORDER BY ordinal
            """, [.integer(id)]
        ) { row in
            FormerChannel(
                channel: Channel(
                    name: row.text(0), number: row.channelNumber(1), guideID: row.textIfPresent(2),
                    groups: try StoredDocument.texts(row.blob(4)), url: row.text(3), attributes: try row.attributes(5)),
                place: row.integerIfPresent(6).map { Int($0) }, removed: Instant(secondsSince1970: row.integer(7)))
        }
    }

    /// Replaces the former channels of a lineup.
    fileprivate func write(_ former: [FormerChannel], ofLineup id: Int64) throws {
        try execute("DELETE FROM former_channel WHERE lineup_id = $1", [.integer(id)])
        try insert(
            into: """
                former_channel (lineup_id, ordinal, name, number, guide_id, address, groups, attributes, place, removed_at)
                """,
            former.enumerated().map { ordinal, former in
                let channel = former.channel
                return [
                    .integer(id), .number(ordinal), .text(channel.name), .text(channel.number?.description),
                    .text(channel.guideID), .text(channel.url), .json(StoredDocument.texts(channel.groups)),
                    .json(StoredDocument.attributes(channel.attributes)), .number(former.place),
                    .instant(former.removed),
                ]
            })
    }

    /// Gives mappings of former keys the new keys. A former key keeps its mapping, too, if a channel of any lineup still has it.
    ///
    /// - Returns: Whether anything was written.
    fileprivate func moveMappings(_ newKeys: [(former: String, new: String)]) throws -> Bool {
        var mappings = try newKeys.isEmpty ? [:] : mappings()
        var hasMoved = false
        for (former, new) in newKeys where mappings[new] == nil {
            guard let station = mappings[former] else { continue }
            try execute(
                """
                INSERT INTO mapping (channel_key, feed_id, shift)
                SELECT $2, feed_id, shift FROM mapping WHERE channel_key = $1
                """, [.text(former), .text(new)])
            (mappings[new], hasMoved) = (station, true)
            let isUsed = try flag(
                "SELECT EXISTS (SELECT 1 FROM channel WHERE coalesce(nullif(guide_id, ''), name) = $1)", [.text(former)]
            )
            if !isUsed { try execute("DELETE FROM mapping WHERE channel_key = $1", [.text(former)]) }
        }
        return hasMoved
    }

    /// Ends the refresh of a lineup's source: links both, logs the import and stores the state. After an import by hand, makes the
    /// next refresh fetch the playlist again.
    fileprivate func finish(_ refresh: LineupRefresh?, of lineup: Int64, _ outcome: LineupOutcome, now: Instant) throws
    {
        guard let refresh else {
            guard outcome.changedGuide else { return }
            try execute(
                """
                UPDATE source_state SET entity_tag = NULL, last_modified = NULL, body_hash = NULL
                WHERE source_id = (SELECT source_id FROM lineup WHERE id = $1)
                """, [.integer(lineup)])
            return
        }
        guard let source = try sourceKey(refresh.source) else { return }
        try execute(
            "UPDATE lineup SET source_id = $1 WHERE id = $2 AND source_id IS DISTINCT FROM $1",
            [.integer(source), .integer(lineup)])
        let id = try nextImport()
        try execute(
            "DELETE FROM diagnostic WHERE import_id IN (SELECT id FROM import WHERE source_id = $1)", [.integer(source)]
        )
        var digest = DiagnosticDigest(key: try state().contentKey)
        for diagnostic in refresh.diagnostics { digest.add(diagnostic) }
        try log(
            ImportLogEntry(
                id: id, source: source, at: now, generation: Generation(try state().generation), outcome,
                digest: digest.value))
        try insert(
            into: "diagnostic (import_id, ordinal, severity, keyword, action, line, quote)",
            refresh.diagnostics.enumerated().map { ordinal, found in
                [
                    .integer(id), .number(ordinal + 1), .text(found.severity.rawValue), .text(found.keyword.rawValue),
                    .text(found.action.rawValue), .number(found.line), .text(found.quote),
                ]
            })
        try saveState(refresh.state, of: source)
    }
}

extension SQLConnection {
    func lineupNames() throws -> [String] {
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
                channel (lineup_id, ordinal, name, number, guide_id, guide_name, logo, address, groups, attributes, directives,
                    catchup_days)
                """,
            lineup.channels.enumerated().map { ordinal, channel in
                [.integer(id), .number(ordinal)] + channel.texts.map { .text($0) } + channel.documents.map { .json($0) }
                    + [.number(channel.catchupDays(in: lineup))]
            })
        return true
    }

    /// Stores the days of catch-up of a lineup's channels, for the migration of older guides.
    func saveCatchupDays(ofLineup name: String) throws {
        guard let stored = try lineup(named: name) else { return }
        for (ordinal, channel) in stored.lineup.channels.enumerated() {
            guard let days = channel.catchupDays(in: stored.lineup) else { continue }
            try execute(
                "UPDATE channel SET catchup_days = $1 WHERE lineup_id = $2 AND ordinal = $3",
                [.number(days), .integer(stored.id), .number(ordinal)])
        }
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
        let matching = LineupMatching(
            matcher, stations, mappings: try mappings(), shifts: try mappingShifts(), groups: try groupsOfStations())
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

extension SQLConnection {
    /// Returns the patterns of the groups to which all sources of a station are limited.
    private func groupsOfStations() throws -> [StationID: [String]] {
        guard try limitsGroups() else { return [:] }
        let rows = try values(
            """
            SELECT s.feed_id, o.group_patterns FROM coverage c JOIN source o ON o.id = c.source_id
            JOIN station s ON s.id = c.station_id
            UNION SELECT s.feed_id, o.group_patterns FROM station s JOIN source o ON o.id = s.described_by
            """
        ) { (StationID($0.text(0)), $0.text(1)) }
        var patterns: [StationID: [String]] = [:]
        for (station, lines) in rows { patterns[station, default: []].append(lines) }
        return patterns.filter { !$0.value.contains("") }.mapValues { lines in
            Set(lines.flatMap { $0.split(separator: "\n").map(String.init) }).sorted()
        }
    }
}

extension Channel {
    /// Maximum number of days for which a playlist can keep past airings: a year.
    private static let maximumCatchupDays = 366

    /// The days for which past airings can be watched; `nil` without catch-up or limit.
    fileprivate func catchupDays(in lineup: Lineup) -> Int? {
        CatchupTemplate(self, in: lineup)?.days.map { min($0, Self.maximumCatchupDays) }
    }

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
