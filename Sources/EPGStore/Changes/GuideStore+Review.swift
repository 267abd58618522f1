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
            review.from = try database.firstRow(
                "SELECT at FROM generation WHERE generation = ?", .integer(reach.since.rawValue + 1)
            ) { Instant(secondsSince1970: $0.integer(0)) }
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
        let first = try database.firstRow("SELECT generation, at FROM generation ORDER BY generation LIMIT 1") {
            (generation: $0.integer(0), at: $0.integer(1))
        }
        // What lies before the first entry isn't known any more.
        let floor = first.map { $0.generation - 1 } ?? current.rawValue
        switch start {
        case .generation(let generation):
            guard (0...current.rawValue).contains(generation.rawValue) else { return nil }
            return (Generation(max(generation.rawValue, floor)), generation.rawValue >= floor)
        case .instant(let instant):
            let later = try database.firstRow(
                "SELECT generation FROM generation WHERE at > ? ORDER BY generation LIMIT 1",
                .integer(instant.secondsSince1970)
            ) { $0.integer(0) }
            let reachesBack = first.map { $0.at <= instant.secondsSince1970 } ?? true
            return (later.map { Generation($0 - 1) } ?? current, reachesBack || floor == 0)
        }
    }

    private static func told(_ changes: StationChanges, _ database: Database) throws -> StationReview {
        let name = try database.firstRow(
            "SELECT name FROM station WHERE feed_id = ?", .text(changes.station.rawValue)
        ) { $0.text(0) }
        var review = StationReview(row: changes.row, station: changes.station, name: name ?? "", airings: nil)
        if case .airings(let airings) = changes.extent {
            review.airings = try airings.map { change in
                let title = try database.firstRow(
                    "SELECT p.title FROM airing a CROSS JOIN programme p ON p.id = a.programme_id WHERE a.id = ?",
                    .integer(change.id.rawValue)
                ) { $0.text(0) }
                return AiringReview(change: change, title: title)
            }
        }
        return review
    }
}
