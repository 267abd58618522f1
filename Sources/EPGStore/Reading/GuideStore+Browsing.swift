package import EPGModel
import GRDB

extension GuideStore {
    static let spanSQL = "SELECT min(start), max(stop) FROM coverage"

    static let categoriesSQL = """
        SELECT category, count(*) FROM programme WHERE category <> '' GROUP BY category
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
            try database.firstRow(Self.spanSQL) { $0.isNull(0) ? nil : AiringColumns.window($0, 0, 1) } ?? nil
        }
    }

    package func categories() throws -> [CategoryCount] {
        try read { database in
            var categories: [CategoryCount] = []
            try database.rows(Self.categoriesSQL) { columns in
                categories.append(CategoryCount(name: columns.text(0), count: Int(columns.integer(1))))
                return true
            }
            return categories
        }
    }

    package func importSummaries() throws -> [ImportSummary] {
        try read { database in
            var summaries: [ImportSummary] = []
            try database.rows(Self.importSummariesSQL) { columns in
                summaries.append(
                    ImportSummary(
                        source: columns.text(0), at: Instant(secondsSince1970: columns.integer(1)),
                        generation: Generation(columns.integer(2)), read: Int(columns.integer(3)),
                        stored: Int(columns.integer(4)), dropped: Int(columns.integer(5)),
                        inserted: Int(columns.integer(6)), changed: Int(columns.integer(7)),
                        removed: Int(columns.integer(8))))
                return true
            }
            return summaries
        }
    }
}
