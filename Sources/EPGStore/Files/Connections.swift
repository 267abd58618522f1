import CSQLite
import EPGModel
import Foundation
import GRDB
import GRDBSQLite
import Glibc

/// How connections to a guide are set up.
enum Connections {
    /// A connection for reading, with a page cache of at most `cacheKiB` KiB.
    ///
    /// It doesn't map the file into memory: where something truncates or overwrites a mapped file in place
    /// (`cp backup guide.sqlite`), the process dies of SIGBUS. A page in the cache is at worst wrong, which SQLite reports as
    /// damage. Measured on a guide of 77 MB with random viewports: a cache of 64 MiB takes as long as a mapping, one of 8 MiB
    /// 18% longer.
    static func reader(path: String, cacheKiB: Int) throws -> DatabaseQueue {
        var configuration = configuration(
            "PRAGMA query_only = ON; PRAGMA mmap_size = 0; PRAGMA cache_size = -\(cacheKiB)")
        configuration.readonly = true
        // A guide without a log is locked while its first import runs, which may take long: there is nothing to wait for.
        configuration.busyMode = .callback { tries in
            guard tries < (GuideFile.keepsLog(path) ? 500 : 20) else { return false }
            usleep(10_000)
            return true
        }
        return try DatabaseQueue(path: SealedDatabase.name(for: path), configuration: configuration)
    }

    /// A connection that copies the guide to another file, and writes only that one.
    static func copier(path: String) throws -> DatabaseQueue {
        var configuration = configuration()
        configuration.readonly = true
        return try DatabaseQueue(path: SealedDatabase.name(for: path), configuration: configuration)
    }

    /// The writing connection, which keeps pages of `cacheKiB` KiB before it writes them. Only ``checkpoint(_:path:)``
    /// moves its log into the database.
    static func writer(path: String, cacheKiB: Int) throws -> DatabaseQueue {
        var configuration = configuration(
            """
            PRAGMA secure_delete = OFF;
            PRAGMA wal_autocheckpoint = 0;
            PRAGMA synchronous = FULL;
            PRAGMA temp_store = MEMORY;
            PRAGMA cache_size = -\(cacheKiB);
            """)
        configuration.prepareDatabase { database in
            var keepsLog: Int32 = 1
            sqlite3_file_control(database.sqliteConnection, nil, SQLITE_FCNTL_PERSIST_WAL, &keepsLog)
        }
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Has a database keep a write-ahead log, so that others read it while it is written.
    ///
    /// A new guide is filled without one: a rollback journal keeps only the pages that a transaction overwrites, and a new
    /// guide has hardly any. Measured: a first import of 147 MB takes 15% less CPU time.
    static func keepLog(_ database: Database) throws {
        if try String.fetchOne(database, sql: "PRAGMA journal_mode") != "wal" {
            try database.execute(sql: "PRAGMA journal_mode = WAL")
        }
        // A loss of power never damages a database with a log that is synchronized like this; one without a log needs FULL.
        try database.execute(sql: "PRAGMA synchronous = NORMAL")
    }

    /// Does something that may need as much temporary space as the database has, which is then a file rather than memory.
    static func sortingOnDisk(_ database: Database, _ body: (Database) throws -> Void) throws {
        try database.execute(sql: "PRAGMA temp_store = FILE")
        defer { _ = Result { try database.execute(sql: "PRAGMA temp_store = MEMORY") } }
        try body(database)
    }

    /// Moves the log into the database, as far as readers let it, and empties it when they let it wholly.
    ///
    /// - Throws: ``StoreError/unfinished(path:detail:)`` where the disk is full or fails; `DatabaseError`.
    static func checkpoint(_ queue: DatabaseQueue, path: String) throws {
        do {
            try queue.writeWithoutTransaction { database in
                // A reader that keeps an old snapshot must not hold a finished import up for long.
                sqlite3_busy_timeout(database.sqliteConnection, 200)
                // Where a reader keeps a guide that was just filled from getting a log, the next writer makes it.
                _ = Result { try keepLog(database) }
                _ = try Row.fetchOne(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
            }
        } catch let error as DatabaseError where [.SQLITE_FULL, .SQLITE_IOERR].contains(error.resultCode) {
            throw StoreError.unfinished(path: path, detail: error.message ?? "\(error.resultCode)")
        }
    }

    private static let prepareLibrary: Void = csqlite_skip_memory_statistics()

    /// What all connections have in common, and some more statements to set them up.
    private static func configuration(_ pragmas: String = "") -> Configuration {
        _ = prepareLibrary
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        // A transaction may last from one access to the next.
        configuration.allowsUnsafeTransactions = true
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA trusted_schema = OFF;" + pragmas)
            csqlite_set_defensive(database.sqliteConnection)
            csqlite_skip_checkpoint_on_close(database.sqliteConnection)
        }
        return configuration
    }
}

/// A database in a folder where nothing can be made, such as one on a read-only medium.
///
/// In WAL mode SQLite needs the log and its index (`-wal`, `-shm`) even to read. Without them a database is opened as one
/// that nobody changes (`immutable`, sqlite.org/uri.html): a writer would have made them, and leaves them there.
enum SealedDatabase {
    /// What SQLite is to open for reading: the path, or for a sealed database a URI that says so.
    ///
    /// - Parameter isWritable: Whether files can be made in a folder.
    /// - Throws: ``StoreError/inaccessible(path:detail:)`` where the log holds what isn't in the database yet,
    ///   ``StoreError/notFound(path:)`` where the guide is being filled for the first time.
    static func name(
        for path: String, isWritable: (_ folder: String) -> Bool = { access($0, W_OK) == 0 }
    ) throws(StoreError) -> String {
        let target = GuideFile.target(of: path)
        let log = FileStatus(path: target + "-wal")?.size
        guard log == nil || !FileStatus.exists(target + "-shm"), !isWritable(BackupFile.folder(of: target)) else {
            return path
        }
        guard (log ?? 0) == 0 else {
            throw .inaccessible(
                path: path,
                detail: "what was written last stands in \(target)-wal still, and that can't be read without writing "
                    + "beside it; copy all of them to a folder that can be written to")
        }
        if FileStatus(path: target + "-journal")?.size ?? 0 > 0 { throw .notFound(path: path) }
        // Without this option SQLite takes a URI for the name of a file.
        guard sqlite3_compileoption_used("USE_URI") != 0,
            let escaped = path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed)
        else { return path }
        // Two slashes at the beginning would name a computer.
        return (path.hasPrefix("/") ? "file://" : "file:") + escaped + "?immutable=1"
    }
}
