import EPGImport
import EPGModel
import EPGSQL
import EPGStore
import Foundation
import GRDB
import StoreConformance
import TestSupport
import Testing
import XMLTV

/// Every query of `Documentation/queries.md` returns rows of a sample guide.
@Suite struct QueryPageTests {
    private static func text(_ path: String) throws -> String {
        try String(contentsOf: PackageFiles.root.appending(path: path), encoding: .utf8)
    }

    /// Returns the SQL code blocks of the page.
    private static func queries() throws -> [String] {
        try text("Documentation/queries.md").components(separatedBy: "```sql\n").dropFirst().map { block in
            block.components(separatedBy: "```")[0]
        }
    }

    /// Creates the sample guide with its playlist and the update of the next day.
    private func guide() throws -> ScratchGuide {
        let scratch = try ScratchGuide()
        let importer = GuideImporter(store: try scratch.store)
        func file(_ name: String) throws -> ChunkSource {
            ChunkSource(Array(try Self.text("sample-data/" + name).utf8))
        }
        _ = try importer.importGuide(file("evening.xml"), as: Source(name: "evening"), now: Day.now)
        _ = try importer.importLineup(GuideFile(file("evening.m3u")), named: "evening", now: Day.now)
        _ = try importer.importGuide(file("evening-next.xml"), as: Source(name: "evening"), now: Day.now)
        // An airing that is on now. The sample guide has none.
        let start = try Self.xmltv(secondsFromNow: -3600)
        let stop = try Self.xmltv(secondsFromNow: 3600)
        _ = try importer.importGuide(
            ChunkSource(
                Array(
                    "<tv><programme start=\"\(start)\" stop=\"\(stop)\" channel=\"now.test\"><title>Now</title></programme></tv>"
                        .utf8)), as: Source(name: "now"), now: Day.now)
        try scratch.store.setFavorite(StationID("now.test"), to: 0)
        try scratch.close()
        return scratch
    }

    private static func xmltv(secondsFromNow seconds: Double) throws -> String {
        let time = Int64(Date(timeIntervalSinceNow: seconds).timeIntervalSince1970)
        return try #require(XMLTVTime.format(secondsSince1970: time))
    }

    @Test func everyDocumentedQueryReturnsRows() throws {
        let scratch = try guide()
        let queries = try Self.queries()
        #expect(queries.count > 10)
        for query in queries {
            let rows = try RawDatabase.read(scratch.path) { try Row.fetchAll($0, sql: query) }
            expectEqual(rows.isEmpty, false, "\(query)")
        }
    }

    /// The expected values are from sample-data/evening.xml, read by hand.
    @Test func viewsShowFeedContent() throws {
        let scratch = try guide()
        let (listing, now, actor) = try RawDatabase.read(scratch.path) { database in
            (
                try String.fetchAll(
                    database,
                    sql: "SELECT station || ' ' || start || ' ' || stop || ' ' || title FROM listing LIMIT 1"),
                try String.fetchAll(database, sql: "SELECT title FROM now"),
                try String.fetchOne(
                    database,
                    sql: """
                        SELECT json_extract(document, '$.credits[0].actor[0].text') FROM programme
                        WHERE json_extract(document, '$.credits[0].actor[0].text') LIKE '%الحكيم'
                        """)
            )
        }
        expectEqual(listing, ["Harbour One 2026-10-24 05:00:00 2026-10-24 08:00:00 Wake Up, Harbour"])
        expectEqual(now, ["Now"])
        expectEqual(actor, "ليلى الحكيم")
    }
}
