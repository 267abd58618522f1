package import EPGModel
import GRDB

extension GuideStore {
    package func lineups() throws -> [String] {
        try read { try StoredLineup.names(in: $0) }
    }

    package func lineup(named name: String) throws -> Lineup? {
        try read { try StoredLineup(named: name, in: $0)?.lineup }
    }

    package func channelMatches(ofLineup name: String) throws -> [ChannelMatch?] {
        try read { try StoredLineup(named: name, in: $0)?.matches ?? [] }
    }

    package func mappings() throws -> [String: StationID] {
        try read { try StoredLineup.mappings(in: $0) }
    }

    package func saveLineup(_ lineup: Lineup, matcher: any ChannelMatching, now: Instant) throws -> LineupOutcome {
        var matches: [ChannelMatch?] = []
        let changesGuide = try changeLineups(now) { database in
            let isWritten = try StoredLineup.write(lineup, in: database)
            let rematched = try StoredLineup.rematch(matcher, lineups: [lineup.name], in: database)
            matches = try StoredLineup(named: lineup.name, in: database)?.matches ?? []
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
            let rematched = try StoredLineup.rematch(matcher, in: database)
            return isWritten || rematched > 0
        }
    }

    package func rematch(_ matcher: any ChannelMatching, now: Instant) throws {
        _ = try changeLineups(now) { try StoredLineup.rematch(matcher, in: $0) > 0 }
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
