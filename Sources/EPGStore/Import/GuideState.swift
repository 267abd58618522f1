import EPGModel
import GRDB

/// The one row that holds for the whole guide.
struct GuideState {
    let contentKey: ContentHash
    var generation: Int64
    var nextAiring: Int64
    var nextProgramme: Int64
    var nextTransmission: Int64

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

    /// Writes the row, where it differs.
    func write(to database: Database) throws {
        let numbers = "(generation, next_airing, next_programme, next_transmission)"
        try database.execute(
            sql: "UPDATE guide SET \(numbers) = (?1, ?2, ?3, ?4) WHERE \(numbers) <> (?1, ?2, ?3, ?4)",
            arguments: [generation, nextAiring, nextProgramme, nextTransmission])
    }

    /// Raises the generation by one, and notes in the log what changed.
    static func raiseGeneration(_ database: Database, for entry: ChangeLog.Entry) throws {
        var state = try GuideState(database)
        // An overflow violates a constraint.
        state.generation &+= 1
        try state.write(to: database)
        try ChangeLog.write(entry, generation: state.generation, in: database)
    }
}
