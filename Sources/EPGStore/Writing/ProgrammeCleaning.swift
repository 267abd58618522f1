import EPGModel
import GRDB

/// Removes programmes and transmissions that nothing points to any more.
enum ProgrammeCleaning {
    /// Removes those of some programmes that have no airing and stand in no diagnostic.
    ///
    /// - Complexity: O(airings), once; nothing where there are no candidates.
    static func removeUnused(_ candidates: Set<Int64>, in database: Database) throws {
        guard !candidates.isEmpty else { return }
        var unused = candidates
        try database.rows("SELECT programme_id FROM airing") { columns in
            unused.remove(columns.integer(0))
            return !unused.isEmpty
        }
        try database.rows("SELECT programme_id, other_programme_id FROM diagnostic") { columns in
            unused.remove(columns.integer(0))
            unused.remove(columns.integer(1))
            return !unused.isEmpty
        }
        let numbers = unused.sorted()
        for number in numbers { try database.run("DELETE FROM programme WHERE id = ?", .integer(number)) }
        try DigestPiece.remove(numbers, in: database)
        try database.run(
            """
            DELETE FROM transmission WHERE id NOT IN
                (SELECT transmission_id FROM airing WHERE transmission_id IS NOT NULL)
            """)
    }
}
