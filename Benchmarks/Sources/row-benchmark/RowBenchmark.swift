import GRDB
import GRDBSQLite
import Glibc

/// `row-benchmark insert|read grdb|raw`: measures the cost of a row with GRDB and with SQLite's C functions.
///
/// Inserts 200,000 rows of the table `airing` into an in-memory database, or reads them 20 times with the statement of
/// a viewport: by name through GRDB's records, or by position. Prints microseconds per row and a checksum. The result
/// justifies that the store bypasses GRDB where an import writes rows (InsertStatement.swift) and a viewport reads them
/// (Columns.swift).
@main
enum RowBenchmark {
    private static let rowCount: Int64 = 200_000
    private static let passes = 20

    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let task = arguments.first, let mode = arguments.last, arguments.count == 2,
            ["insert", "read"].contains(task), ["grdb", "raw"].contains(mode)
        else {
            print("usage: row-benchmark insert|read grdb|raw")
            exit(EX_USAGE)
        }
        let queue = try DatabaseQueue()
        try queue.writeWithoutTransaction { database in
            try database.execute(
                sql: """
                    CREATE TABLE airing (
                        station_id INTEGER NOT NULL, start INTEGER NOT NULL, stop INTEGER NOT NULL, id INTEGER NOT NULL,
                        programme_id INTEGER NOT NULL, inferred INTEGER NOT NULL, published_start INTEGER, title TEXT NOT NULL,
                        PRIMARY KEY (station_id, start)) STRICT, WITHOUT ROWID
                    """)
            let clock = ContinuousClock()
            var begin = clock.now
            try database.beginTransaction()
            if task == "insert", mode == "grdb" { try insertRecords(database) } else { try insertRaw(database) }
            try database.commit()
            var rows = rowCount
            var checksum = try Int64.fetchOne(database, sql: "SELECT sum(id + start + length(title)) FROM airing") ?? 0
            var duration = clock.now - begin
            if task == "read" {
                begin = clock.now
                checksum = 0
                for _ in 0..<passes {
                    checksum &+= mode == "grdb" ? try readRecords(database) : try readRaw(database)
                }
                duration = clock.now - begin
                rows *= Int64(passes)
            }
            print(duration / .microseconds(1) / Double(rows), checksum)
        }
    }

    private static let insertSQL = "INSERT INTO airing VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
    private static let readSQL = "SELECT * FROM airing ORDER BY station_id, start"

    /// Returns the row with a number; each station has 1,000 airings.
    private static func row(_ number: Int64) -> AiringRow {
        AiringRow(
            station: number / 1000, start: number % 1000 * 1800, stop: (number % 1000 + 1) * 1800, id: number,
            programme: number * 7 % rowCount, inferred: 0, publishedStart: nil, title: "The programme number \(number)")
    }

    private static func insertRecords(_ database: Database) throws {
        let statement = try database.makeStatement(sql: insertSQL)
        for number in 0..<rowCount {
            let row = row(number)
            try statement.execute(arguments: [
                row.station, row.start, row.stop, row.id, row.programme, row.inferred, row.publishedStart, row.title,
            ])
        }
    }

    private static func insertRaw(_ database: Database) throws {
        let prepared = try database.makeStatement(sql: insertSQL)
        let statement = prepared.sqliteStatement
        for number in 0..<rowCount {
            let row = row(number)
            var title = row.title
            let integers = [row.station, row.start, row.stop, row.id, row.programme, row.inferred]
            for (index, value) in integers.enumerated() { sqlite3_bind_int64(statement, Int32(index + 1), value) }
            sqlite3_bind_null(statement, 7)
            let code = title.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) { text in
                    sqlite3_bind_text(statement, 8, text.baseAddress, Int32(text.count), nil)
                    return sqlite3_step(statement)
                }
            }
            guard code == SQLITE_DONE else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
            sqlite3_reset(statement)
        }
    }

    private static func readRecords(_ database: Database) throws -> Int64 {
        var sum: Int64 = 0
        let rows = try AiringRow.fetchCursor(database, sql: readSQL)
        while let row = try rows.next() { sum &+= row.checksum }
        return sum
    }

    private static func readRaw(_ database: Database) throws -> Int64 {
        var sum: Int64 = 0
        let prepared = try database.makeStatement(sql: readSQL)
        let statement = prepared.sqliteStatement
        while sqlite3_step(statement) == SQLITE_ROW {
            let isPublished = sqlite3_column_type(statement, 6) != SQLITE_NULL
            let title = UnsafeBufferPointer(
                start: sqlite3_column_text(statement, 7), count: Int(sqlite3_column_bytes(statement, 7)))
            sum &+=
                AiringRow(
                    station: sqlite3_column_int64(statement, 0), start: sqlite3_column_int64(statement, 1),
                    stop: sqlite3_column_int64(statement, 2), id: sqlite3_column_int64(statement, 3),
                    programme: sqlite3_column_int64(statement, 4), inferred: sqlite3_column_int64(statement, 5),
                    publishedStart: isPublished ? sqlite3_column_int64(statement, 6) : nil,
                    title: String(decoding: title, as: UTF8.self)
                ).checksum
        }
        sqlite3_reset(statement)
        return sum
    }
}

/// An airing as a GRDB record.
private struct AiringRow: FetchableRecord {
    let station: Int64
    let start: Int64
    let stop: Int64
    let id: Int64
    let programme: Int64
    let inferred: Int64
    let publishedStart: Int64?
    let title: String

    var checksum: Int64 {
        id &+ start &+ stop &+ programme &+ inferred &+ (publishedStart ?? 0) &+ Int64(title.utf8.count)
    }
}

extension AiringRow {
    init(row: Row) {
        self.init(
            station: row["station_id"], start: row["start"], stop: row["stop"], id: row["id"],
            programme: row["programme_id"], inferred: row["inferred"], publishedStart: row["published_start"],
            title: row["title"])
    }
}
