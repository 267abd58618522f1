@testable import EPGStore
import EPGModel
import EPGSQL
import GRDB
import StoreConformance
import TestSupport
import Testing

/// Frequent queries use indexes, without table scans and temporary B-trees.
@Suite struct QueryPlanTests {
    private func plan(_ sql: String) throws -> [String] {
        let sql = sql.replacing("$", with: "?")
        let scratch = try ScratchGuide(["one 20:00-21:00 A", "two 20:00-21:00 A"])
        return try RawDatabase.read(scratch.path) { database in
            let count =
                sql.contains("?3") ? 3 : sql.contains("?2") ? 2 : sql.contains("?1") ? 1 : sql.count { $0 == "?" }
            let arguments: StatementArguments =
                sql.contains(":id") ? ["id": 1] : StatementArguments([Int64](repeating: 1, count: count))
            return try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN " + sql, arguments: arguments)
                .map { $0["detail"] as String }
        }
    }

    private static let (earlierAirings, laterAirings, programme) = (
        "SEARCH a USING PRIMARY KEY (source_id=? AND station_id=? AND start<?)",
        "SEARCH a USING PRIMARY KEY (source_id=? AND station_id=? AND start>?)",
        "SEARCH p USING INTEGER PRIMARY KEY (rowid=?)"
    )
    private static let airingByKey = [
        "SEARCH a USING PRIMARY KEY (source_id=? AND station_id=? AND start=?)", programme,
    ]

    private static let plans: [(rule: String, sql: String, steps: [String])] = [
        ("The viewport uses the clustered key", AiringQuery.brief.before, [earlierAirings, programme]),
        ("Outlines use only the clustered key", AiringQuery.outline.before, [earlierAirings]),
        ("Contents use only the clustered key", AiringQuery.content.before, [earlierAirings]),
        ("The next airing takes one seek", AiringQuery.brief.after, [laterAirings, programme]),
        ("An airing is read by its key", AiringQuery.brief.at, airingByKey),
        ("A complete airing is read by its key", AiringQuery.full.at, airingByKey),
        (
            "An export reads stations in the order of the key", AiringQuery.exported.before,
            [earlierAirings, programme, "SEARCH t USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN"]
        ),
        (
            "Rows use an index", GuideStore.rowsSQL,
            ["SEARCH s USING INDEX station_by_position (position>? AND position<?)"]
        ),
        (
            "The latest airing takes one seek", SQLiteSeeker.latestSQL,
            ["SEARCH airing USING PRIMARY KEY (source_id=? AND station_id=? AND start<?)"]
        ),
        (
            "The earliest airing takes one seek", SQLiteSeeker.earliestSQL,
            ["SEARCH airing USING PRIMARY KEY (source_id=? AND station_id=? AND start>?)"]
        ),
        (
            "The sources of a station are found by index and sorted", SQLiteSeeker.rankingSQL,
            [
                "SEARCH c USING PRIMARY KEY (station_id=?)", "SEARCH o USING INTEGER PRIMARY KEY (rowid=?)",
                "USE TEMP B-TREE FOR ORDER BY",
            ]
        ),
        (
            "Later changes are read in the order of the key", ChangeSQL.stations,
            ["SEARCH change USING PRIMARY KEY (generation>?)"]
        ),
        (
            "Later changes of airings are read in the order of the key", ChangeSQL.airings,
            ["SEARCH airing_change USING PRIMARY KEY (generation>?)"]
        ),
        (
            "The version takes two seeks", ChangeSQL.version,
            ["SCAN g", "SEARCH n USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN"]
        ),
        (
            "The last import of a source uses an index", SourceSQL.lastImport,
            ["SEARCH import USING INDEX import_by_source (source_id=?)"]
        ),
    ]

    @Test(arguments: plans) func queryHasThePlan(rule: String, sql: String, steps: [String]) throws {
        try expectEqual(plan(sql), steps)
    }

    /// A list that comes as JSON is read once.
    @Test func changedChannelsAreFoundByTheirKey() throws {
        let table = try DatabaseQueue().read { database in
            SQLiteConnection(database: database).table(
                "m", ["ordinal": .integers([1]), "station": .integers([1]), "rule": .texts(["name"])], from: 2)
        }
        let steps = try plan(LineupSQL.rematch(table.sql))
        expectEqual(steps.first, "MATERIALIZE m", "\(steps)")
        expectEqual(Array(steps.suffix(2)), ["SCAN m", "SEARCH c USING PRIMARY KEY (lineup_id=? AND ordinal=?)"])
    }

    struct Partial: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let sql: String
        /// Steps that the plan must contain.
        var steps: [String] = []
        /// Texts that a step must contain.
        var parts: [String] = []
        /// Texts that no step may contain.
        var forbidden: [String] = []
    }

    private static let upcoming = [
        "SEARCH c USING PRIMARY KEY (station_id=?",
        "SEARCH a USING PRIMARY KEY (source_id=? AND station_id=? AND start",
    ]
    private static let partialPlans = [
        Partial(
            testDescription: "A check for old airings takes one seek per station",
            sql: SourceSQL.hasOldAirings,
            steps: ["SEARCH a USING PRIMARY KEY (source_id=? AND station_id=?)"], forbidden: ["SCAN a", "TEMP B-TREE"]),
        Partial(
            testDescription: "Unused transmissions take one seek each", sql: RemovalSQL.unusedTransmissions,
            parts: ["airing_by_transmission (transmission_id=?)"]),
        Partial(
            testDescription: "Stations and channels use indexes", sql: StationSQL.inRows,
            steps: ["SEARCH s USING INDEX station_by_position (position>? AND position<?)"],
            parts: ["SEARCH c USING INDEX channel_by_station (station_id=?)"], forbidden: ["SCAN"]),
        Partial(
            testDescription: "Matches of a search look up airings by index", sql: AiringSQL.details + " AND a.id = $1",
            parts: ["airing_by_id"]),
        Partial(
            testDescription: "Programmes look up airings by index", sql: AiringSQL.programmes,
            parts: ["airing_by_id", "airing_by_listed_programme (listed_programme_id=?)"], forbidden: ["SCAN"]),
        Partial(
            testDescription: "Current airings use the index of each station", sql: SearchedRows.onSQL,
            steps: [programme],
            parts: upcoming, forbidden: ["TEMP B-TREE", "SCAN a"]),
        Partial(
            testDescription: "Later airings use the index of each station", sql: SearchedRows.laterSQL,
            steps: [programme], parts: upcoming, forbidden: ["TEMP B-TREE", "SCAN a"]),
        Partial(
            testDescription: "Channels are read in the order of the lineup", sql: StationSQL.members,
            forbidden: ["TEMP B-TREE"]),
    ]

    @Test(arguments: partialPlans) func planContainsSteps(_ partial: Partial) throws {
        let steps = try plan(partial.sql)
        let missing =
            partial.steps.filter { !steps.contains($0) }
            + partial.parts.filter { part in !steps.contains { $0.contains(part) } }
        let wrong = partial.forbidden.filter { text in steps.contains { $0.contains(text) } }
        expectEqual((missing, wrong), ([], []), "\(steps)")
    }

    /// The first or the last step of plans whose other steps SQLite may choose.
    @Test(
        arguments: [
            (
                "The airings of a programme use an index", SearchedRows.showingsSQL, true,
                "SEARCH a USING INDEX airing_by_programme (programme_id=?)"
            ),
            ("Current airings begin with a station", SearchedRows.onSQL, true, "SCAN s"),
            ("Later airings begin with a station", SearchedRows.laterSQL, true, "SCAN s"),
            (
                "Rows follow the order of the lineup", StationSQL.channels, false,
                "SEARCH c USING PRIMARY KEY (lineup_id=?)"
            ),
            (
                "Channels follow the order of the lineup", StationSQL.members, false,
                "SEARCH c USING PRIMARY KEY (lineup_id=?)"
            ),
        ] as [(String, String, Bool, String)])
    func planBeginsOrEndsWithStep(rule: String, sql: String, isFirst: Bool, step: String) throws {
        let steps = try plan(sql)
        expectEqual(isFirst ? steps.first : steps.last, step, "\(steps)")
    }

    @Test(arguments: [
        ("Matches of a search are looked up by key", AiringSQL.details + " AND a.id = $1", false),
        (
            "Unused rows are looked up by key", "SELECT 1 FROM programme p WHERE p.id = $1 AND \(RemovalSQL.isUnused)",
            true
        ),
    ])
    func everyStepIsASearch(rule: String, sql: String, allowsSubqueries: Bool) throws {
        let steps = try plan(sql)
        expectEqual(steps.isEmpty, false)
        let others = steps.filter { !$0.hasPrefix("SEARCH ") && !(allowsSubqueries && $0.contains("SUBQUERY")) }
        expectEqual(others, [])
    }

    /// SQLite searches for rows that refer to a deleted row.
    @Test(arguments: [
        ("SELECT 1 FROM airing WHERE programme_id = 1", "SEARCH airing USING"),
        ("SELECT 1 FROM airing WHERE listed_programme_id = 1", "SEARCH airing USING"),
        ("SELECT 1 FROM airing WHERE transmission_id = 1", "SEARCH airing USING"),
        ("SELECT 1 FROM airing WHERE station_id = 1 AND source_id = 1", "SEARCH airing USING"),
        (StationSQL.texts, "station_by_position"),
    ])
    func onlyStepUsesIndex(sql: String, index: String) throws {
        let steps = try plan(sql)
        expectEqual(steps.map { $0.contains(index) }, [true], "\(steps)")
    }
}
