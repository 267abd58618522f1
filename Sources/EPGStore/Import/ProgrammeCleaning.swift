import EPGModel
import GRDB

/// Removes programmes and transmissions that nothing points to any more.
enum ProgrammeCleaning {
    static let programmeSQL = """
        DELETE FROM programme WHERE id = :id
            AND NOT EXISTS (SELECT 1 FROM airing WHERE programme_id = :id)
            AND NOT EXISTS (SELECT 1 FROM diagnostic WHERE programme_id = :id)
            AND NOT EXISTS (SELECT 1 FROM diagnostic WHERE other_programme_id = :id)
        """

    static let transmissionSQL = """
        DELETE FROM transmission WHERE NOT EXISTS
            (SELECT 1 FROM airing WHERE transmission_id = transmission.id AND transmission_id IS NOT NULL)
        """

    /// - Complexity: O(candidates + transmissions) seeks; nothing where there are no candidates.
    static func removeUnused(_ candidates: Set<Int64>, in database: Database) throws {
        guard !candidates.isEmpty else { return }
        var digests = DigestEditor(database)
        let delete = try database.makeStatement(sql: programmeSQL)
        for number in candidates.sorted() {
            try delete.execute(arguments: ["id": number])
            if database.changesCount > 0 { try digests.remove(number) }
        }
        try digests.finish()
        try database.execute(sql: transmissionSQL)
    }
}
