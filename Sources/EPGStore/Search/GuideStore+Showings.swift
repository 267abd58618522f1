package import EPGModel
import GRDB

extension GuideStore {
    static let programmeSQL = "SELECT programme_id FROM airing WHERE id = ?"

    package func showings(of airing: AiringID, after instant: Instant, limit: Int) throws -> [SearchMatch] {
        guard limit > 0 else { return [] }
        return try read { database in
            let programme = try Int64.fetchOne(database, sql: Self.programmeSQL, arguments: [airing.rawValue])
            guard let programme else { return [] }
            var times = ShownTimes(database)
            let limit = min(limit, RankedSearch.most)
            let showings = try showings(ofProgramme: programme, after: instant, limit: limit, database)
            let found = try showings.compactMap { showing -> Candidate? in
                guard showing.airing != airing.rawValue, let span = try times.span(of: showing),
                    span.stop > instant.secondsSince1970
                else { return nil }
                return Candidate(id: showing.airing, span: span)
            }
            return try found.sorted { ($0.span.start, $0.id) < ($1.span.start, $1.id) }.prefix(limit)
                .compactMap { try match($0, database) }
        }
    }

    /// All airings of a programme; where they are many, the next ones.
    private func showings(
        ofProgramme programme: Int64, after instant: Instant, limit: Int, _ database: Database
    ) throws -> [Showing] {
        let showings = try database.showings(ofProgramme: programme, limit: RankedSearch.most + 1)
        guard showings.count > RankedSearch.most else { return showings }
        var airings = UpcomingAirings(database)
        // The airing itself is found, too.
        return try airings.first(limit + 1, from: instant) { $0.programme == programme }
    }
}
