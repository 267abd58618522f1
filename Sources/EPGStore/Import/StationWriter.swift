import EPGModel
import EPGSearch
import GRDB

/// The stations of an SQLite guide, as an import writes them.
enum StationWriter {
    /// Inserts or updates stations that a source describes.
    static func write(
        _ stations: [StationRegistry.Stored], describedBy source: Int64, in database: Database
    ) throws {
        let store = try InsertStatement(
            database,
            """
            INSERT INTO station (id, feed_id, name, number, document, described_by, ordinal, position, source_id)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7, ?6)
            ON CONFLICT (id) DO UPDATE SET name = excluded.name, number = excluded.number,
                document = excluded.document, described_by = excluded.described_by, ordinal = excluded.ordinal
            """)
        for station in stations {
            try station.document.withUnsafeBytes { document in
                try store.run { binder in
                    binder.integer(1, station.key)
                    binder.text(2, station.id.rawValue)
                    binder.text(3, station.name)
                    binder.text(4, station.number)
                    binder.text(5, bytes: document)
                    binder.integer(6, source)
                    binder.integer(7, station.ordinal)
                }
            }
        }
    }
}
