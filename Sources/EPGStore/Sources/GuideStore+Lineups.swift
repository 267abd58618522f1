package import EPGModel
import GRDB

extension GuideStore {
    package func lineups() throws -> [String] {
        try read { try LineupRow.names(in: $0) }
    }

    package func lineup(named name: String) throws -> Lineup? {
        try read { try LineupRow.lineup(named: name, in: $0) }
    }

    package func channelMatches(ofLineup name: String) throws -> [ChannelMatch?] {
        try read { try LineupRow.matches(ofLineup: name, in: $0) }
    }

    package func mappings() throws -> [String: StationID] {
        try read { try LineupRow.mappings(in: $0) }
    }
}

extension GuideStore {
    package func saveLineup(_ lineup: Lineup, matcher: any ChannelMatching, now: Instant) throws -> LineupOutcome {
        var matches: [ChannelMatch?] = []
        let changesGuide = try changeLineups(now) { database in
            let writer = LineupWriter(database)
            let isWritten = try writer.write(lineup)
            let rematched = try writer.rematch(matcher, lineups: [lineup.name])
            matches = try LineupRow.matches(ofLineup: lineup.name, in: database)
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

    package func setMapping(
        _ key: String, to station: StationID?, matcher: any ChannelMatching, now: Instant
    ) throws {
        _ = try changeLineups(now) { database in
            if let station {
                try database.execute(
                    sql: """
                        INSERT INTO mapping (channel_key, feed_id) VALUES (?, ?)
                        ON CONFLICT DO UPDATE SET feed_id = excluded.feed_id WHERE feed_id <> excluded.feed_id
                        """, arguments: [key, station.rawValue])
            } else {
                try database.execute(sql: "DELETE FROM mapping WHERE channel_key = ?", arguments: [key])
            }
            let isWritten = database.changesCount > 0
            let rematched = try LineupWriter(database).rematch(matcher)
            return isWritten || rematched > 0
        }
    }

    package func rematch(_ matcher: any ChannelMatching, now: Instant) throws {
        _ = try changeLineups(now) { try LineupWriter($0).rematch(matcher) > 0 }
    }

    /// Changes lineups in one transaction, and arranges the rows after it.
    ///
    /// - Parameter body: Says whether anything was written; the guide's generation grows only then.
    private func changeLineups(_ now: Instant, _ body: (Database) throws -> Bool) throws -> Bool {
        try write { database in
            guard try body(database) else { return false }
            _ = try RowArrangement.arrange(in: database)
            try GuideState.raiseGeneration(database, for: ChangeLog.Entry(at: now, changesStations: true))
            return true
        }
    }
}
