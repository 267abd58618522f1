import EPGModel
import EPGSQL
import EPGStore
import StoreConformance
import TestSupport
import Testing

/// The check finds damage that constraints cannot prevent.
@Suite struct CheckTests {
    private let evening = [
        "one 20:00-21:00 A", "one 21:00-22:00 B", "two 20:00-21:00 C", "three 20:00-21:00 D",
        "<programme start=\"20260328220000\" stop=\"20260328230000\" clumpidx=\"0/2\" channel=\"one\"><title>E</title></programme>",
        "<programme start=\"20260328220000\" stop=\"20260328230000\" clumpidx=\"1/2\" channel=\"one\"><title>F</title></programme>",
    ]

    @Test(arguments: [
        ("an overlap", "UPDATE airing SET stop = stop + 60 WHERE start = 1774728000 AND id = 1", "overlap"),
        ("an airing of a missing programme", "UPDATE airing SET programme_id = 999 WHERE id = 1", "programme"),
        ("an airing of a missing station", "DELETE FROM station WHERE feed_id = 'two'", "station"),
        ("an airing of a missing transmission", "UPDATE airing SET transmission_id = 999 WHERE id = 1", "transmission"),
        (
            "an airing that ends before it starts",
            "PRAGMA ignore_check_constraints = 1; UPDATE airing SET stop = start - 5 WHERE id = 4",
            "CHECK (stop > start)"
        ),
        (
            "a programme with invalid JSON", "UPDATE programme SET document = '{\"a\":' WHERE id = 1",
            "programme whose document"
        ),
        (
            "a station whose document is not an object", "UPDATE station SET document = '[]' WHERE id = 1",
            "station whose document"
        ),
        ("a programme without a digest", "DELETE FROM programme_digest", "programme"),
        ("a gap in the rows", "UPDATE station SET position = 9 WHERE feed_id = 'three'", "row"),
        ("a source without coverage", "DELETE FROM coverage WHERE station_id = 1", "does not cover"),
        (
            "a station with a wrong number of sources", "UPDATE station SET is_shared = 1 WHERE id = 1",
            "number of sources"
        ),
        (
            "a station whose source is not the best",
            "INSERT INTO source (id, name) VALUES (9, 'x'); UPDATE station SET source_id = 9 WHERE id = 1",
            "not the best"
        ),
        (
            "a gap in a lineup",
            "INSERT INTO channel VALUES (1, 1, 'x', NULL, NULL, NULL, NULL, '', '[]', '{}', '[]', NULL, NULL, NULL)",
            "after a gap"
        ),
        ("a gap in the favorites", "INSERT INTO favorite VALUES ('one', 1)", "favorites has gaps"),
        (
            "a favorite with a negative position",
            "PRAGMA ignore_check_constraints = 1; INSERT INTO favorite VALUES ('one', -1)", "CHECK (position >= 0)"
        ),
        (
            "a reminder of a missing rule",
            "INSERT INTO reminder VALUES ('k', 't', 1, 1, 'one', 0, 1, 'T', NULL, 1, '[]', 'sent', 0, 0, NULL, NULL)",
            "reminder"
        ),
        (
            "a channel of a missing station",
            "INSERT INTO channel VALUES (1, 0, 'x', NULL, NULL, NULL, NULL, '', '[]', '{}', '[]', 99, 'name', NULL)",
            "channel"
        ),
        ("an empty change log", "DELETE FROM generation", "log of changes"),
        (
            "a change log with a gap", "INSERT INTO generation VALUES (3, 7, 0, 0); UPDATE guide SET generation = 3",
            "has gaps"
        ),
        (
            "changes of a missing station", "INSERT INTO change VALUES (1, 99, 1)",
            "change references a missing row of station"
        ),
        (
            "changes of a missing generation", "INSERT INTO change VALUES (7, 1, 1)",
            "change references a missing row of generation"
        ),
        (
            "an airing change without a station change", "INSERT INTO airing_change VALUES (7, 1, 1, NULL, NULL, 1, 2)",
            "airing_change references"
        ),
        (
            "an airing change in a completely changed schedule",
            "INSERT INTO airing_change VALUES (1, 1, 1, NULL, NULL, 1, 2)",
            "whose whole schedule"
        ),
        ("a duplicate row", "UPDATE station SET position = 0 WHERE feed_id = 'two'", "row"),
    ])
    func damageIsFoundByCheck(kind: String, sql: String, word: String) throws {
        let scratch = try ScratchGuide(evening)
        try scratch.close()
        try RawDatabase.write(scratch.path, sql)
        let problems = try GuideStore(readingFrom: scratch.path).check().problems
        #expect(problems.contains { $0.contains(word) }, "\(kind): \(problems)")
    }

    /// Coverage without airings is not an error, and another source may have the station.
    @Test func removingAiringsKeepsCoverageOfOtherStations() throws {
        let scratch = try ScratchGuide(["one 20:00-21:00 A"])
        try scratch.importing(
            ["one 20:00-21:00 B", "two 20:00-21:00 C", "two 22:00-23:00 D"], as: Source(name: "other"))
        try scratch.close()
        try RawDatabase.write(
            scratch.path, "DELETE FROM airing WHERE source_id = 2 AND station_id = 1")
        let window = Day.window("20:00-21:30")
        try expectEqual(scratch.store.removeAirings(ofSource: "other", outside: window, now: Day.now), 1)
        try expectEqual(scratch.lines(of: "two"), ["20:00-21:00 C"])
        try expectEqual(scratch.store.check().problems, [])
    }

    /// A missing digest must not make a day of all stations unreadable.
    @Test func contentsWithoutDigestsDifferByProgramme() throws {
        let scratch = try ScratchGuide(["one 20:00-21:00 A", "one 21:00-22:00 B"])
        try scratch.close()
        func hashes(after sql: String) throws -> [ContentHash] {
            try RawDatabase.write(scratch.path, sql)
            return try GuideStore(readingFrom: scratch.path).contents(inRows: 0..<1, during: Day.allTime)[0]?
                .map(\.hash) ?? []
        }
        let stored = try hashes(after: "DELETE FROM programme_digest")
        let changed = try hashes(after: "UPDATE airing SET programme_id = 2 WHERE id = 1")
        #expect(stored.count == 2 && changed.count == 2 && stored[0] != changed[0] && stored[1] == changed[1])
    }

    @Test func overlapIsReportedAsDamage() throws {
        let scratch = try ScratchGuide(evening)
        try scratch.close()
        try RawDatabase.write(scratch.path, "UPDATE airing SET stop = stop + 60 WHERE start = 1774728000")
        #expect(throws: StoreError.self) {
            try GuideStore(readingFrom: scratch.path).schedules(inRows: 0..<3, during: Day.allTime)
        }
    }
}
