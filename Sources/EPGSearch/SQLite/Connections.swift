import CSQLite
import EPGFiles
package import EPGModel
package import GRDB
import GRDBSQLite
import Glibc

/// The configuration of connections to a guide or a search index.
package enum Connections {
    /// Opens a connection for reading with a page cache of at most `cacheKiB` KiB.
    ///
    /// It does not map the file into memory: if a mapped file is truncated or overwritten in place (`cp backup guide.sqlite`),
    /// the process dies of SIGBUS, whereas SQLite reports an invalid page in the cache as damage. Measured on a guide of 77 MB
    /// with random viewports, a cache of 64 MiB is as fast as a mapping, and one of 8 MiB is 18% slower.
    package static func reader(path: String, cacheKiB: Int) throws -> DatabaseQueue {
        var configuration = configuration(
            "PRAGMA query_only = ON; PRAGMA mmap_size = 0; PRAGMA cache_size = -\(cacheKiB)")
        configuration.readonly = true
        // A guide without a write-ahead log is locked during its first import, which may take too long to wait.
        configuration.busyMode = .callback { tries in
            guard tries < (DatabaseFile.usesWriteAheadLog(path) ? 500 : 20) else { return false }
            usleep(10_000)
            return true
        }
        return try DatabaseQueue(path: ReadOnlyDatabase.name(for: path), configuration: configuration)
    }

    /// Opens a connection that copies the guide to another file.
    package static func copier(path: String) throws -> DatabaseQueue {
        var configuration = configuration()
        configuration.readonly = true
        return try DatabaseQueue(path: ReadOnlyDatabase.name(for: path), configuration: configuration)
    }

    /// Opens the writing connection with a page cache of `cacheKiB` KiB. Only ``checkpoint(_:path:)`` checkpoints its log.
    package static func writer(path: String, cacheKiB: Int) throws -> DatabaseQueue {
        var configuration = configuration(
            """
            PRAGMA secure_delete = OFF;
            PRAGMA wal_autocheckpoint = 0;
            PRAGMA synchronous = FULL;
            PRAGMA temp_store = MEMORY;
            PRAGMA cache_size = -\(cacheKiB);
            """)
        configuration.prepareDatabase { database in
            var persistsLog: Int32 = 1
            sqlite3_file_control(database.sqliteConnection, nil, SQLITE_FCNTL_PERSIST_WAL, &persistsLog)
        }
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Switches a database to a write-ahead log, so that others can read it during writes.
    ///
    /// The first import uses a rollback journal instead, which contains only the pages that a transaction overwrites: almost
    /// none in a new guide. Measured: a first import of 147 MB takes 15% less CPU time.
    package static func enableWriteAheadLog(_ database: Database) throws {
        if try String.fetchOne(database, sql: "PRAGMA journal_mode") != "wal" {
            try database.execute(sql: "PRAGMA journal_mode = WAL")
        }
        // With a write-ahead log, NORMAL is safe against corruption by power loss; a rollback journal requires FULL.
        try database.execute(sql: "PRAGMA synchronous = NORMAL")
    }

    /// Checkpoints the write-ahead log as far as readers allow, and truncates it after a complete checkpoint.
    ///
    /// - Throws: ``StoreError/unfinished(path:detail:)`` if the disk is full or fails; `DatabaseError`.
    package static func checkpoint(_ queue: DatabaseQueue, path: String) throws {
        do {
            try queue.writeWithoutTransaction { database in
                // A reader with an old snapshot must not delay a finished import for long.
                sqlite3_busy_timeout(database.sqliteConnection, 200)
                // If a reader prevents a new guide from switching to a write-ahead log, the next writer does it.
                _ = Result { try enableWriteAheadLog(database) }
                _ = try Row.fetchOne(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
            }
        } catch let error as DatabaseError where [.SQLITE_FULL, .SQLITE_IOERR].contains(error.resultCode) {
            throw StoreError.unfinished(path: path, detail: error.message ?? "\(error.resultCode)")
        }
    }

    private static let prepareLibrary: Void = csqlite_skip_memory_statistics()

    /// Returns the common configuration of all connections with additional pragmas.
    private static func configuration(_ pragmas: String = "") -> Configuration {
        _ = prepareLibrary
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        // A transaction may span several accesses.
        configuration.allowsUnsafeTransactions = true
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA trusted_schema = OFF;" + pragmas)
            csqlite_set_defensive(database.sqliteConnection)
            csqlite_skip_checkpoint_on_close(database.sqliteConnection)
        }
        return configuration
    }
}

/// A database in a read-only folder, for example on a read-only medium.
///
/// In WAL mode, SQLite needs the log and its index (`-wal`, `-shm`) even for reading. If they are missing, the database is
/// opened as immutable (sqlite.org/uri.html): a writer would have created them, and leaves them there.
enum ReadOnlyDatabase {
    /// Returns the name to open for reading: the path, or for a database in a read-only folder a URI with `immutable=1`.
    ///
    /// - Parameter isWritable: Returns whether files can be created in a folder.
    /// - Throws: ``StoreError/inaccessible(path:detail:)`` if the log has changes that are not yet in the database,
    ///   ``StoreError/notFound(path:)`` during the first import.
    static func name(
        for path: String, isWritable: (_ folder: String) -> Bool = { access($0, W_OK) == 0 }
    ) throws(StoreError) -> String {
        let target = DatabaseFile.target(of: path)
        let log = FileStatus(path: target + "-wal")?.size
        guard log == nil || !FileStatus.exists(target + "-shm"), !isWritable(FilePath.folder(of: target)) else {
            return path
        }
        guard (log ?? 0) == 0 else {
            throw .inaccessible(
                path: path,
                detail:
                    "the last changes are in \(target)-wal, which cannot be read in a read-only folder; copy the files of "
                    + "the guide to a writable folder")
        }
        if FileStatus(path: target + "-journal")?.size ?? 0 > 0 { throw .notFound(path: path) }
        // Without this option, SQLite interprets a URI as a file name.
        guard sqlite3_compileoption_used("USE_URI") != 0 else { return path }
        return "file:\(path.percentEncoded)?immutable=1"
    }
}

extension StoreError {
    /// Converts an error of SQLite.
    package init(_ error: DatabaseError, path: String) {
        let isFolder = FileStatus(path: path)?.isFolder == true
        let detail =
            isFolder
            ? "it is a folder; specify a file in it, such as \(path)/guide.sqlite"
            : error.message ?? error.resultCode.description
        switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED: self = .busy(path: path)
        case .SQLITE_FULL: self = .full(path: path)
        // The program's statements are valid, so an error in one indicates a wrong schema. A violated constraint indicates a
        // copied row of a damaged file, because the program writes no such rows.
        case .SQLITE_CORRUPT, .SQLITE_ERROR, .SQLITE_FORMAT, .SQLITE_CONSTRAINT:
            self = .damaged(path: path, detail: detail)
        case .SQLITE_IOERR where error.extendedResultCode == .SQLITE_IOERR_SHORT_READ:
            self = .damaged(path: path, detail: "the file is truncated")
        // Only the first import uses a rollback journal: it was killed, and the next writer will roll it back.
        case .SQLITE_READONLY where error.extendedResultCode == .SQLITE_READONLY_ROLLBACK: self = .notFound(path: path)
        case .SQLITE_NOTADB: self = .notAGuide(path: path)
        case .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH:
            let advice = isFolder ? "" : "; make sure that the current user can read it"
            self = .inaccessible(path: path, detail: detail + advice)
        default: self = .inaccessible(path: path, detail: detail)
        }
    }
}
