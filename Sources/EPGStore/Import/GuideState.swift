import EPGModel
import GRDB

/// The one row that holds for the whole guide.
struct GuideState {
    let generation: Int64
    let contentKey: ContentHash
    let nextAiring: Int64
    let nextProgramme: Int64
    let nextTransmission: Int64

    init(_ database: Database) throws {
        let row = try Row.fetchOne(database.cachedStatement(sql: "SELECT * FROM guide"))
        guard let row, let key = ContentHash(blob: row.bytes("content_key")) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the table guide has no row")
        }
        contentKey = key
        generation = row["generation"]
        nextAiring = row["next_airing"]
        nextProgramme = row["next_programme"]
        nextTransmission = row["next_transmission"]
    }

    /// Notes the generation and which identifiers were used; writes nothing where that is noted already.
    func advance(
        _ database: Database, generation: Int64, nextAiring: Int64, lastProgramme: Int64, lastTransmission: Int64
    ) throws {
        let numbers = "(generation, next_airing, next_programme, next_transmission)"
        try database.execute(
            sql: "UPDATE guide SET \(numbers) = (?1, ?2, ?3, ?4) WHERE \(numbers) <> (?1, ?2, ?3, ?4)",
            arguments: [
                generation, nextAiring, max(nextProgramme, lastProgramme + 1),
                max(nextTransmission, lastTransmission + 1),
            ])
    }

    /// Raises the generation by one, and notes in the log what changed.
    static func raiseGeneration(_ database: Database, for entry: ChangeLog.Entry) throws {
        try database.execute(sql: "UPDATE guide SET generation = generation + 1")
        try ChangeLog.write(entry, generation: try GuideState(database).generation, in: database)
    }
}
