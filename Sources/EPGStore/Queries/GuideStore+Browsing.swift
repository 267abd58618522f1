package import EPGModel
import GRDB

extension GuideStore {
    static let categoriesSQL = """
        SELECT category AS name, count(*) AS count FROM programme WHERE category <> '' GROUP BY category
        ORDER BY count(*) DESC, category LIMIT 500
        """

    /// The last import of each source, by two seeks.
    static let importSummariesSQL = """
        SELECT o.name, i.at, i.generation, i.read, i.stored, i.dropped, i.inserted, i.changed, i.removed
        FROM source o CROSS JOIN import i ON i.id = (SELECT max(l.id) FROM import l WHERE l.source_id = o.id)
        ORDER BY o.name
        """

    package func guideSpan() throws -> TimeWindow? {
        try read { database in
            try Row.fetchOne(database, sql: "SELECT min(start) AS start, max(stop) AS stop FROM coverage")?
                .window("start", "stop")
        }
    }

    package func categories() throws -> [CategoryCount] {
        try read { database in
            try Row.fetchAll(database, sql: Self.categoriesSQL).map {
                CategoryCount(name: $0["name"], count: $0["count"])
            }
        }
    }

    package func importSummaries() throws -> [ImportSummary] {
        try read { database in
            try Row.fetchAll(database, sql: Self.importSummariesSQL).map { row in
                ImportSummary(
                    source: row["name"], at: Instant(secondsSince1970: row["at"]),
                    generation: Generation(row["generation"]), read: row["read"], stored: row["stored"],
                    dropped: row["dropped"], inserted: row["inserted"], changed: row["changed"], removed: row["removed"]
                )
            }
        }
    }
}
