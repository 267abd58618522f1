@testable import EPGStore
import EPGModel
import GRDB
import Testing

/// The hot queries seek: no table is scanned, nothing is sorted in a temporary tree.
@Suite struct QueryPlanTests {
    private func plan(_ sql: String) throws -> [String] {
        let scratch = try ScratchGuide(["one 20:00-21:00 A", "two 20:00-21:00 A"])
        return try RawDatabase.read(scratch.path) { database in
            let arguments = StatementArguments([Int64](repeating: 1, count: sql.count { $0 == "?" }))
            return try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN " + sql, arguments: arguments)
                .map { $0["detail"] as String }
        }
    }

    @Test func theViewportQuerySeeksInTheClusteredKey() throws {
        #expect(
            try plan(GuideStore.viewportSQL) == [
                "SEARCH a USING PRIMARY KEY (source_id=? AND station_id=? AND start<?)",
                "SEARCH p USING INTEGER PRIMARY KEY (rowid=?)",
            ])
    }

    @Test func whatIsNextIsFoundByOneSeek() throws {
        #expect(
            try plan(GuideStore.nextSQL) == [
                "SEARCH a USING PRIMARY KEY (source_id=? AND station_id=? AND start>?)",
                "SEARCH p USING INTEGER PRIMARY KEY (rowid=?)",
            ])
    }

    @Test func rowsAreFoundByTheirIndex() throws {
        #expect(
            try plan(GuideStore.rowsSQL) == [
                "SEARCH station USING INDEX station_by_position (position>? AND position<?)"
            ])
    }

    @Test(arguments: [GuideStore.showingsSQL, GuideStore.timesSQL]) func whatASearchFoundIsLookedUp(sql: String) throws
    {
        let steps = try plan(sql)
        #expect(!steps.isEmpty)
        #expect(steps.allSatisfy { $0.hasPrefix("SEARCH ") })
    }
}
