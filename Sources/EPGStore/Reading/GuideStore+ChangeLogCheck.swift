import EPGModel
import GRDB

extension GuideStore {
    /// What is wrong with the log of changes: numbers that are missing, and changes that can't be read.
    static func changeLog(_ database: Database) throws -> [String] {
        var problems: [String] = []
        let isWhole = try database.firstRow(
            """
            SELECT ifnull(max(generation), 0) = (SELECT generation FROM guide)
                AND ifnull(max(generation) - min(generation) + 1, 0) = count(*)
            FROM generation
            """
        ) { $0.integer(0) != 0 }
        if isWhole == false {
            problems.append("the log of changes has holes, or doesn't end at the guide's generation")
        }
        try database.rows(
            """
            SELECT generation, station_id, iif(length(airings) <= \(LoggedChanges.longest), airings, NULL)
            FROM change WHERE airings IS NOT NULL
            """
        ) { columns in
            var decoder = ChangeDecoder(columns.blob(2))
            do throws(ChangeDamage) {
                // What is too long to be right comes as nothing.
                if try decoder.changes().isEmpty { throw ChangeDamage(offset: 0) }
            } catch {
                problems.append(
                    """
                    the changes of station \(columns.integer(1)) in generation \(columns.integer(0)) can't be read at \
                    byte \(error.offset)
                    """)
            }
            return problems.count < 100
        }
        return problems
    }
}
