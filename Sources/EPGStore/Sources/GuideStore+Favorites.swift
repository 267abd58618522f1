package import EPGModel
import GRDB

extension GuideStore {
    package func favorites() throws -> [StationID] {
        try read { try Self.favorites(in: $0) }
    }

    package func setFavorite(_ station: StationID, to place: Int?) throws {
        try write { database in
            let old = try Self.favorites(in: database)
            var new = old.filter { $0 != station }
            if let place { new.insert(station, at: min(max(place, 0), new.count)) }
            guard new != old else { return }
            // Moving rows one by one would break the uniqueness of positions for a moment, which SQLite refuses.
            try database.execute(sql: "DELETE FROM favorite")
            let insert = try database.makeStatement(sql: "INSERT INTO favorite (feed_id, position) VALUES (?, ?)")
            for (position, favorite) in new.enumerated() {
                try insert.execute(arguments: [favorite.rawValue, position])
            }
        }
    }

    private static func favorites(in database: Database) throws -> [StationID] {
        try String.fetchAll(database, sql: "SELECT feed_id FROM favorite ORDER BY position").map(StationID.init)
    }
}
