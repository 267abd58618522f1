import EPGModel
import GRDB

/// Removes programmes that nothing points to any more.
enum ProgrammeCleaning {
    /// Removes those of some programmes that have no airing and stand in no diagnostic.
    ///
    /// - Complexity: A few seeks for each candidate.
    static func removeUnused(_ candidates: Set<Int64>, in database: Database) throws {
        for candidate in candidates.sorted() {
            try database.run(
                """
                DELETE FROM programme WHERE id = ?1
                    AND NOT EXISTS (SELECT 1 FROM airing WHERE programme_id = ?1)
                    AND NOT EXISTS (SELECT 1 FROM diagnostic WHERE programme_id = ?1)
                    AND NOT EXISTS (SELECT 1 FROM diagnostic WHERE other_programme_id = ?1)
                """, .integer(candidate))
        }
    }
}
