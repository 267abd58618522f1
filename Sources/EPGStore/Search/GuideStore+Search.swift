public import EPGModel
import GRDB

extension GuideStore {
    static let showingsSQL = """
        SELECT \(AiringColumns.full), s.feed_id, s.name
        FROM airing a CROSS JOIN programme p ON p.id = a.programme_id CROSS JOIN station s ON s.id = a.station_id
        WHERE a.id = ?
        """

    static let timesSQL = """
        SELECT a.id, a.start, a.stop FROM airing a CROSS JOIN station s ON s.id = a.station_id
        WHERE a.programme_id = ? AND s.source_id = a.source_id
        """

    /// - Complexity: O(m log m) seeks for m programmes that have the words.
    public func search(_ query: SearchQuery) throws -> [SearchMatch] {
        guard let expression = SearchExpression(query.words).text else { return [] }
        let programmes = try searchedProgrammes(expression)
        return try read { database in
            var showings = Showings(now: query.now, limit: query.limit)
            for programme in programmes {
                try database.rows(Self.timesSQL, .integer(programme)) { columns in
                    showings.consider(
                        Showing(id: columns.integer(0), start: columns.integer(1), stop: columns.integer(2)))
                    return true
                }
            }
            return try showings.best().compactMap { showing in
                try database.firstRow(Self.showingsSQL, .integer(showing.id)) { columns in
                    SearchMatch(
                        airing: try AiringColumns.full(columns, station: StationID(columns.text(13))),
                        stationName: columns.text(14))
                }
            }
        }
    }

    /// The programmes whose texts match, by number.
    private func searchedProgrammes(_ expression: String) throws -> [Int64] {
        let indexPath = SearchIndex.path(ofGuide: path)
        guard FilePresence.exists(indexPath) else { return [] }
        return try StoreError.translating(path: indexPath) {
            let queue = try Connections.reader(path: indexPath)
            return try queue.read { database in
                var programmes: [Int64] = []
                try database.rows("SELECT rowid FROM text WHERE text MATCH ?", .text(expression)) { columns in
                    programmes.append(columns.integer(0))
                    return true
                }
                return programmes
            }
        }
    }
}

/// When a programme that was found is on.
private struct Showing {
    let id: Int64
    let start: Int64
    let stop: Int64
}

/// Chooses the airings to show: those that are on or to come in their order, then those that are over, the latest first.
private struct Showings {
    private let now: Int64
    private let limit: Int
    private var kept: [Showing] = []

    init(now: Instant, limit: Int) {
        self.now = now.secondsSince1970
        self.limit = max(1, limit)
    }

    mutating func consider(_ showing: Showing) {
        kept.append(showing)
        // Sorting now and then keeps memory to a multiple of the limit.
        if kept.count >= limit * 4 + 1024 { kept = best() }
    }

    func best() -> [Showing] {
        Array(kept.sorted { rank($0) < rank($1) }.prefix(limit))
    }

    private func rank(_ showing: Showing) -> (Int, Int64, Int64) {
        let isOver = showing.stop <= now
        return (isOver ? 1 : 0, isOver ? -showing.start : showing.start, showing.id)
    }
}
