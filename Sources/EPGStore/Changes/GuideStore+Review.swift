package import EPGModel
import GRDB

extension GuideStore {
    /// What happened since a generation or an instant, as far as the log reaches.
    ///
    /// Where the log doesn't reach that far, what it has is told, as incomplete.
    /// - Parameter station: The station that is told of; `nil` for all.
    /// - Returns: `nil` for a generation to which the guide hasn't come.
    package func review(since start: ChangeReview.Start, of station: StationID? = nil) throws -> ChangeReview? {
        try read { database in
            let current = Generation(try GuideState(database).generation)
            guard let reach = try Self.reach(of: start, to: current, database) else { return nil }
            var review = ChangeReview(
                since: reach.since, generation: current, from: nil, isComplete: reach.isComplete)
            guard let changes = try changes(since: reach.since) else {
                // A log with a hole, which ``check()`` finds.
                review.isComplete = false
                return review
            }
            review.from = try Int64.fetchOne(
                database, sql: "SELECT at FROM generation WHERE generation = ?", arguments: [reach.since.rawValue + 1]
            ).map(Instant.init(secondsSince1970:))
            review.changesStations = changes.changesStations
            for change in changes.stations where station == nil || change.station == station {
                review.stations.append(try Self.told(change, database))
            }
            return review
        }
    }

    /// From which generation on the log can tell what was asked for, and whether that is all of it.
    private static func reach(
        of start: ChangeReview.Start, to current: Generation, _ database: Database
    ) throws -> (since: Generation, isComplete: Bool)? {
        let first = try Row.fetchOne(database, sql: "SELECT generation, at FROM generation ORDER BY generation LIMIT 1")
            .map { (generation: $0["generation"] as Int64, at: $0["at"] as Int64) }
        // What lies before the first entry isn't known any more.
        let floor = first.map { $0.generation - 1 } ?? current.rawValue
        switch start {
        case .generation(let generation):
            guard (0...current.rawValue).contains(generation.rawValue) else { return nil }
            return (Generation(max(generation.rawValue, floor)), generation.rawValue >= floor)
        case .instant(let instant):
            let later = try Int64.fetchOne(
                database, sql: "SELECT generation FROM generation WHERE at > ? ORDER BY generation LIMIT 1",
                arguments: [instant.secondsSince1970])
            let reachesBack = first.map { $0.at <= instant.secondsSince1970 } ?? true
            return (later.map { Generation($0 - 1) } ?? current, reachesBack || floor == 0)
        }
    }

    private static func told(_ changes: StationChanges, _ database: Database) throws -> StationReview {
        let name = try String.fetchOne(
            database, sql: "SELECT name FROM station WHERE feed_id = ?", arguments: [changes.station.rawValue])
        var review = StationReview(row: changes.row, station: changes.station, name: name ?? "", airings: nil)
        if case .airings(let airings) = changes.extent {
            let title = try database.makeStatement(
                sql: "SELECT p.title FROM airing a CROSS JOIN programme p ON p.id = a.programme_id WHERE a.id = ?")
            review.airings = try airings.map { change in
                AiringReview(change: change, title: try String.fetchOne(title, arguments: [change.id.rawValue]))
            }
        }
        return review
    }
}
