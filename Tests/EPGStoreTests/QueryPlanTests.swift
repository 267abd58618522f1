@testable import EPGStore
import EPGModel
import GRDB
import StoreConformance
import Testing

/// Frequent queries use indexes, without table scans and temporary B-trees.
@Suite struct QueryPlanTests {
    private func plan(_ sql: String) throws -> [String] {
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

    @Test func viewportQueryUsesClusteredKey() throws {
        #expect(
            try plan(AiringQuery.brief.before) == [
                "SEARCH a USING PRIMARY KEY (source_id=? AND station_id=? AND start<?)",
                "SEARCH p USING INTEGER PRIMARY KEY (rowid=?)",
            ])
    }

    @Test func outlinesUseOnlyClusteredKey() throws {
        #expect(
            try plan(AiringQuery.outline.before) == [
                "SEARCH a USING PRIMARY KEY (source_id=? AND station_id=? AND start<?)"
            ])
    }

    @Test func nextAiringTakesOneSeek() throws {
        #expect(
            try plan(AiringQuery.brief.after) == [
                "SEARCH a USING PRIMARY KEY (source_id=? AND station_id=? AND start>?)",
                "SEARCH p USING INTEGER PRIMARY KEY (rowid=?)",
            ])
    }

    @Test func oldAiringsCheckTakesOneSeekPerStation() throws {
        let steps = try plan(GuideStore.firstStopsSQL)
        #expect(steps.contains("SEARCH a USING PRIMARY KEY (source_id=? AND station_id=?)"))
        #expect(steps.allSatisfy { !$0.contains("SCAN a") && !$0.contains("TEMP B-TREE") })
    }

    @Test func rowsUseIndex() throws {
        #expect(
            try plan(GuideStore.rowsSQL) == [
                "SEARCH station USING INDEX station_by_position (position>? AND position<?)"
            ])
    }

    @Test(arguments: [GuideStore.matchSQL, ProgrammeCleaning.programmeSQL])
    func searchMatchesAndUnusedRowsAreLookedUpByKey(sql: String) throws {
        let steps = try plan(sql)
        #expect(!steps.isEmpty)
        #expect(steps.allSatisfy { $0.hasPrefix("SEARCH ") || $0.contains("SUBQUERY") }, "\(steps)")
    }

    @Test func airingsOfProgrammeUseIndex() throws {
        let steps = try plan(SearchedRows.showingsSQL)
        #expect(steps.first == "SEARCH a USING INDEX airing_by_programme (programme_id=?)", "\(steps)")
    }

    @Test func unusedTransmissionsTakeOneSeekEach() throws {
        let steps = try plan(ProgrammeCleaning.transmissionSQL)
        #expect(steps.contains { $0.contains("airing_by_transmission (transmission_id=?)") }, "\(steps)")
    }

    /// SQLite searches for rows that refer to a deleted row.
    @Test(arguments: ["programme_id = 1", "transmission_id = 1", "station_id = 1 AND source_id = 1"])
    func referencingAiringsUseIndex(condition: String) throws {
        let steps = try plan("SELECT 1 FROM airing WHERE \(condition)")
        #expect(steps.count == 1 && steps[0].hasPrefix("SEARCH airing USING"), "\(steps)")
    }

    @Test(arguments: [
        (OverlayRows.latestSQL, "SEARCH airing USING PRIMARY KEY (source_id=? AND station_id=? AND start<?)"),
        (OverlayRows.earliestSQL, "SEARCH airing USING PRIMARY KEY (source_id=? AND station_id=? AND start>?)"),
    ])
    func adjacentAiringsAreFoundByOneSeek(sql: String, step: String) throws {
        #expect(try plan(sql) == [step])
    }

    @Test(arguments: [AiringQuery.brief.at, AiringQuery.full.at]) func airingIsReadByKey(sql: String) throws {
        #expect(
            try plan(sql) == [
                "SEARCH a USING PRIMARY KEY (source_id=? AND station_id=? AND start=?)",
                "SEARCH p USING INTEGER PRIMARY KEY (rowid=?)",
            ])
    }

    @Test func sourcesOfStationAreFoundByIndexAndSorted() throws {
        #expect(
            try plan(OverlayRows.rankingSQL) == [
                "SEARCH c USING PRIMARY KEY (station_id=?)", "SEARCH o USING INTEGER PRIMARY KEY (rowid=?)",
                "USE TEMP B-TREE FOR ORDER BY",
            ])
    }

    @Test func stationsAndChannelsUseIndexes() throws {
        let steps = try plan(GuideStore.stationsSQL)
        #expect(steps.contains("SEARCH s USING INDEX station_by_position (position>? AND position<?)"))
        #expect(steps.contains { $0.hasPrefix("SEARCH c USING INDEX channel_by_station (station_id=?)") }, "\(steps)")
        #expect(!steps.contains { $0.hasPrefix("SCAN") }, "\(steps)")
    }

    @Test func exportReadsStationsInKeyOrder() throws {
        #expect(
            try plan(AiringQuery.exported.before) == [
                "SEARCH a USING PRIMARY KEY (source_id=? AND station_id=? AND start<?)",
                "SEARCH p USING INTEGER PRIMARY KEY (rowid=?)",
                "SEARCH t USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN",
            ])
    }

    @Test func laterChangesAreReadInKeyOrder() throws {
        #expect(try plan(GuideStore.changesSQL) == ["SEARCH change USING PRIMARY KEY (generation>?)"])
        #expect(try plan(GuideStore.airingChangesSQL) == ["SEARCH airing_change USING PRIMARY KEY (generation>?)"])
    }

    @Test func rowsFollowLineupOrder() throws {
        let steps = try plan(RowArrangement.channelsSQL)
        #expect(steps.last == "SEARCH c USING PRIMARY KEY (lineup_id=?)", "\(steps)")
    }

    @Test func versionTakesTwoSeeks() throws {
        #expect(
            try plan(GuideStore.versionSQL) == [
                "SCAN g", "SEARCH n USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN",
            ])
    }

    @Test(arguments: [GuideStore.matchSQL, GuideStore.programmeSQL]) func airingIsLookedUpByIndex(sql: String) throws {
        let steps = try plan(sql)
        #expect(steps.contains { $0.contains("USING INDEX airing_by_id (id=?)") || $0.contains("airing_by_id") })
        #expect(steps.allSatisfy { $0.hasPrefix("SEARCH ") }, "\(steps)")
    }

    @Test(arguments: [SearchedRows.onSQL, SearchedRows.laterSQL])
    func upcomingAiringsUseIndexOfEachStation(sql: String) throws {
        let steps = try plan(sql)
        #expect(steps.first == "SCAN s", "\(steps)")
        #expect(steps.contains { $0.hasPrefix("SEARCH c USING PRIMARY KEY (station_id=?") }, "\(steps)")
        #expect(
            steps.contains { $0.hasPrefix("SEARCH a USING PRIMARY KEY (source_id=? AND station_id=? AND start") },
            "\(steps)")
        #expect(steps.contains("SEARCH p USING INTEGER PRIMARY KEY (rowid=?)"), "\(steps)")
        #expect(!steps.contains { $0.contains("TEMP B-TREE") || $0.hasPrefix("SCAN a") }, "\(steps)")
    }

    @Test func lastImportOfSourceUsesIndex() throws {
        #expect(try plan(ImportLog.lastSQL) == ["SEARCH import USING INDEX import_by_source (source_id=?)"])
    }

    @Test func channelsAreReadInLineupOrder() throws {
        let steps = try plan(StationSelection.channelsSQL)
        #expect(steps.last == "SEARCH c USING PRIMARY KEY (lineup_id=?)", "\(steps)")
        #expect(!steps.contains { $0.contains("TEMP B-TREE") }, "\(steps)")
    }

    @Test(arguments: [StationSelection.textsSQL, StationSelection.positionsSQL])
    func stationsAreReadInRowOrder(sql: String) throws {
        let steps = try plan(sql)
        #expect(steps.count == 1)
        #expect(steps.first?.contains("station_by_position") ?? false, "\(steps)")
    }
}
