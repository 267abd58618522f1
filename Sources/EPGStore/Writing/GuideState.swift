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
        let row = try database.firstRow(
            "SELECT generation, content_key, next_airing, next_programme, next_transmission FROM guide"
        ) { columns in
            (columns.integer(0), columns.blob(1), columns.integer(2), columns.integer(3), columns.integer(4))
        }
        guard let row, let key = ContentHash(blob: row.1) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the table guide has no row")
        }
        (generation, contentKey, nextAiring, nextProgramme, nextTransmission) = (row.0, key, row.2, row.3, row.4)
    }

    /// Notes the generation and which identifiers were used, where that differs from what stands.
    func advance(
        _ database: Database, generation: Int64, nextAiring: Int64, lastProgramme: Int64, lastTransmission: Int64
    ) throws {
        let programme = max(nextProgramme, lastProgramme + 1)
        let transmission = max(nextTransmission, lastTransmission + 1)
        guard
            (generation, nextAiring, programme, transmission)
                != (self.generation, self.nextAiring, nextProgramme, nextTransmission)
        else { return }
        try database.run(
            "UPDATE guide SET generation = ?, next_airing = ?, next_programme = ?, next_transmission = ?",
            .integer(generation), .integer(nextAiring), .integer(programme), .integer(transmission))
    }

    /// Raises the generation by one, and notes in the log what changed.
    static func raiseGeneration(_ database: Database, for entry: ChangeLog.Entry) throws {
        try database.run("UPDATE guide SET generation = generation + 1")
        try ChangeLog.write(entry, generation: try GuideState(database).generation, in: database)
    }
}
