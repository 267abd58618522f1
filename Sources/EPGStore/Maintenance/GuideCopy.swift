import EPGFiles
package import EPGModel
public import EPGSQL
import EPGSearch
import FoundationEssentials
import GRDB

/// The tables of an SQLite guide, in one read transaction.
package struct StoredTables: GuideTables {
    fileprivate let database: Database

    package func visitRows(of table: GuideTable, _ body: ([GuideValue]) throws -> Void) throws {
        let columns = table.columns.map(\.name).joined(separator: ", ")
        try database.rows("SELECT \(columns) FROM \(table.name) ORDER BY \(table.key)") { row in
            try body(
                table.columns.indices.map { index in
                    let index = Int32(index)
                    switch table.columns[Int(index)].kind {
                    case .integer, .flag: return row.integerIfPresent(index).map { .integer($0) } ?? .null
                    case .text, .document: return row.bytes(index).map { .bytes(Array($0)) } ?? .null
                    case .blob: return row.isNull(index) ? .null : .bytes(row.blob(index))
                    }
                })
            return true
        }
    }
}

extension GuideDatabase {
    /// Calls a closure with the tables of the guide.
    ///
    /// - Throws: ``StoreError``, such as ``StoreError/olderSchema(path:found:known:)``, and errors of the closure.
    package func readTables<Value>(_ body: (StoredTables) throws -> Value) throws -> Value {
        let store = try GuideStore(readingFrom: location)
        let value = try store.read { try body(StoredTables(database: $0)) }
        try store.close()
        return value
    }

    /// Writes a guide with the given tables to a file; see ``GuideStorage/backUp(to:target:)``.
    ///
    /// - Parameter notes: Receives the number of rows that were written so far.
    package static func write(
        _ tables: some GuideTables, to path: String, target: BackupTarget, notes: (Int) -> Void
    ) throws -> GuideCopy {
        if target == .new, FileStatus.exists(path) { throw BackupError.exists(path: path) }
        let file = try BackupFile(at: path, for: "backup")
        let written = GuideDatabase(path: file.temporary)
        do {
            let store = try GuideStore(writingTo: file.temporary)
            let digest = Result {
                try StoreError.translating(path: path) {
                    try store.queue.write { database in
                        // Each table follows those that it refers to, except that imports may refer to later ones.
                        try database.execute(sql: "PRAGMA defer_foreign_keys = ON; DELETE FROM guide")
                        return try insert(tables, into: database, notes)
                    }
                }
            }
            try store.close()
            let copied = try digest.get()
            guard try written.readTables({ try GuideDigest(of: $0) }) == copied else {
                throw BackupError.damaged(path: path, detail: "the copy differs from the guide")
            }
            let copy = try GuideStore(readingFrom: file.temporary)
            let check = try copy.checkGuide()
            try copy.close()
            if let problem = check.problems.first { throw BackupError.damaged(path: path, detail: problem) }
            // Reading a copy must not create files beside it.
            try StoreError.translating(path: path) {
                let queue = try DatabaseQueue(path: file.temporary)
                try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
                try queue.close()
            }
            try file.finish(replacing: target == .replaced)
            return GuideCopy(check: check, digest: copied)
        } catch StoreError.full {
            throw StoreError.full(path: path)
        }
    }

    private static func insert(
        _ tables: some GuideTables, into database: Database, _ notes: (Int) -> Void
    ) throws -> GuideDigest {
        var digest = GuideDigest()
        for table in GuideSchema.tables {
            let columns = table.columns.map(\.name).joined(separator: ", ")
            let places = table.columns.map { _ in "?" }.joined(separator: ", ")
            let insert = try InsertStatement(database, "INSERT INTO \(table.name) (\(columns)) VALUES (\(places))")
            try tables.visitRows(of: table) { row in
                try insert.run { binder in
                    for (index, value) in row.enumerated() {
                        let parameter = Int32(index + 1)
                        switch value {
                        case .null: binder.integer(parameter, nil)
                        case .integer(let number): binder.integer(parameter, number)
                        case .bytes(let bytes) where table.columns[index].kind == .blob:
                            binder.blob(parameter, bytes)
                        case .bytes(let bytes): binder.text(parameter, String(decoding: bytes, as: UTF8.self))
                        }
                    }
                }
                digest.add(row)
                if digest.count % 50_000 == 0 { notes(digest.count) }
            }
        }
        return digest
    }
}

extension BackupFormat {
    /// An SQLite database, which ``GuideDatabase`` opens.
    public static let sqlite = BackupFormat(
        write: { tables, path, target in
            try GuideDatabase.write(tables, to: path, target: target, notes: { _ in }).check
        },
        read: { backup, path, body in
            guard let status = FileStatus(path: backup) else { throw RestoreError.notFound(path: backup) }
            // Opening a pipe would block.
            guard status.isRegular else {
                throw RestoreError.badBackup(path: backup, detail: "it is not a regular file")
            }
            // The copy has the current version of the schema.
            let copy = try GuideReplacement(path: path).copy(of: backup)
            return try withExtendedLifetime(copy) {
                try GuideDatabase(path: copy.temporary).readTables { try body($0) }
            }
        })
}
