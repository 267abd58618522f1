import EPGJSON
import EPGModel
package import EPGSQL

/// The tables of a guide on PostgreSQL.
package struct PostgresTables: GuideTables {
    let connection: PostgresConnection

    package func visitRows(of table: GuideTable, _ body: ([GuideValue]) throws -> Void) throws {
        let columns = table.columns.map(\.name).joined(separator: ", ")
        let sql = "SELECT \(columns) FROM \(table.name) ORDER BY \(table.key)"
        try connection.rows(sql, streams: true) { row in
            try body(
                table.columns.indices.map { index in
                    let index = Int32(index)
                    switch table.columns[Int(index)].kind {
                    case .integer: return row.integerIfPresent(index).map { .integer($0) } ?? .null
                    case .flag: return row.isNull(index) ? .null : .integer(row.flag(index) ? 1 : 0)
                    case .text, .document, .blob: return row.bytes(index).map { .bytes(Array($0)) } ?? .null
                    }
                })
            return true
        }
    }

    /// Replaces all rows and returns the digest of the new ones. The caller has opened a transaction.
    ///
    /// - Parameter notes: Receives the number of rows that were written so far.
    func replaceRows(with tables: some GuideTables, _ notes: (Int) -> Void) throws -> GuideDigest {
        // TRUNCATE would empty the tables for transactions that began earlier, too.
        for table in GuideSchema.tables.reversed() { try connection.execute("DELETE FROM \(table.name)") }
        var digest = GuideDigest()
        for table in GuideSchema.tables {
            let target = "\(table.name) (\(table.columns.map(\.name).joined(separator: ", ")))"
            var rows = BinaryRows()
            try tables.visitRows(of: table) { row in
                let row = row.enumerated().map { index, value in Self.storable(value, table.columns[index].kind) }
                rows.addRow { rows in
                    for (index, value) in row.enumerated() {
                        switch value {
                        case .null: rows.add(bytes: nil)
                        case .integer(let number) where table.columns[index].kind == .flag: rows.add(number != 0)
                        case .integer(let number): rows.add(number)
                        case .bytes(let bytes): rows.add(blob: bytes)
                        }
                    }
                }
                digest.add(row)
                if digest.count % 50_000 == 0 { notes(digest.count) }
                if rows.size > 4 << 20 {
                    try connection.copy(rows, into: target)
                    rows = BinaryRows()
                }
            }
            try connection.copy(rows, into: target)
        }
        return digest
    }

    /// Returns a value that PostgreSQL can store: texts have no U+0000.
    private static func storable(_ value: GuideValue, _ kind: GuideTable.Kind) -> GuideValue {
        guard kind == .text, case .bytes(let bytes) = value, bytes.contains(0) else { return value }
        return .bytes(SQLValue.bytes(of: String(decoding: bytes, as: UTF8.self)))
    }
}
