import EPGJSON
import GRDB

/// What a store can't do, and what helps.
public enum StoreError: Error, Hashable, Sendable {
    /// There is no database at this path.
    case notFound(path: String)
    /// The file is no guide of this program.
    case notAGuide(path: String)
    /// The guide was written by a newer version of this program.
    case newerSchema(path: String, found: Int, known: Int)
    /// An older version of this program wrote the guide: it has to be migrated before it can be read. Guides before version 5
    /// cannot be migrated.
    case olderSchema(path: String, found: Int, known: Int)
    /// A migration needs more space on the disk than there is, in bytes; nothing was written.
    case noSpaceToMigrate(path: String, needed: Int64, available: Int64)
    /// The disk is full or fails in a migration; nothing was changed.
    case migrationFailed(path: String, detail: String)
    /// Another process is writing.
    case busy(path: String)
    /// Another process is refreshing the guide.
    case refreshing(path: String)
    /// There is no room on the disk.
    case full(path: String)
    /// The database is damaged.
    case damaged(path: String, detail: String)
    /// What was written is committed, but could not be moved from the log into the database; the next writer does it.
    case unfinished(path: String, detail: String)
    /// The system refuses to open, read or write.
    case inaccessible(path: String, detail: String)
}

extension StoreError: CustomStringConvertible {
    /// A sentence that says what to do.
    public var description: String {
        switch self {
        case .notFound(let path):
            "There is no guide at \(path). Import one first: epg import FILE --database \(path)"
        case .notAGuide(let path):
            """
            \(path) is not a guide of this program, or its beginning is damaged. Name another file with --database, or \
            restore a backup: epg restore FILE --database \(path)
            """
        case .newerSchema(let path, let found, let known):
            "\(path) was written by a newer version of epg (schema \(found), this one knows \(known)). Update epg."
        case .olderSchema(let path, let found, let known) where found >= Schema.oldestVersion:
            """
            \(path) was written by an older version of epg (schema \(found); this version reads schema \(known)). Migrate it: \
            epg migrate --database \(path)
            """
        case .olderSchema(let path, let found, let known):
            """
            \(path) was written by an older version of epg (schema \(found), this one knows \(known)). Move it away and \
            import the guide anew: epg import FILE --database \(path)
            """
        case .noSpaceToMigrate(let path, let needed, let available):
            """
            Migrating \(path) needs \(needed >> 20) MiB of free space on its disk; \(available >> 20) MiB are free. Make room and \
            try again. Nothing was changed.
            """
        case .migrationFailed(let path, let detail):
            "\(path) cannot be migrated: \(detail). Nothing was changed. Make room on its disk, or repair it, and try again."
        case .busy(let path):
            "Another process is writing to \(path). Try again later, or let it wait with --wait."
        case .refreshing(let path):
            "Another refresh of \(path) is running. Try again later, or let it wait with --wait."
        case .full(let path):
            "There is no room left on the disk for \(path). What was not committed is undone; make room and try again."
        case .damaged(let path, let detail):
            "\(path) is damaged (\(detail)). epg check says what to do."
        case .unfinished(let path, let detail):
            """
            What was written to \(path) is safe in \(path)-wal, but could not be moved into the database: \(detail). The next \
            command that writes does that.
            """
        case .inaccessible(let path, let detail):
            "\(path) can't be used: \(detail)."
        }
    }
}

extension StoreError {
    /// The error of the store that an error of SQLite or of stored content means, or `nil` for any other error.
    init?(_ error: any Error, path: String) {
        if let damage = error as? StoredDocument.Damage {
            self = .damaged(path: path, detail: "a document that cannot be read: \(damage.detail)")
            return
        }
        guard let error = error as? DatabaseError else { return nil }
        var detail = error.message ?? error.resultCode.description
        if FilePresence.isFolder(path) { detail = "it is a folder; name a file in it, such as \(path)/guide.sqlite" }
        switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED: self = .busy(path: path)
        case .SQLITE_FULL: self = .full(path: path)
        // The statements of this program are right, so it is the schema where one can't be understood.
        // A row that breaks a constraint is copied from a damaged file, for this program writes none.
        case .SQLITE_CORRUPT, .SQLITE_ERROR, .SQLITE_FORMAT, .SQLITE_CONSTRAINT:
            self = .damaged(path: path, detail: detail)
        case .SQLITE_IOERR where error.extendedResultCode == .SQLITE_IOERR_SHORT_READ:
            self = .damaged(path: path, detail: "it ends too early")
        case .SQLITE_NOTADB: self = .notAGuide(path: path)
        case .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH:
            let advice = FilePresence.isFolder(path) ? "" : "; the account that runs this has to be able to read it"
            self = .inaccessible(path: path, detail: detail + advice)
        default: self = .inaccessible(path: path, detail: detail)
        }
    }

    /// Does something with a database, and makes errors of the store from those of SQLite.
    static func translating<Result>(path: String, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            throw StoreError(error, path: path) ?? error
        }
    }
}
