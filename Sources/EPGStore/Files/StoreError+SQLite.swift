import EPGJSON
import EPGModel
import GRDB

extension StoreError {
    /// The error of the store that an error of SQLite or of stored content means, or `nil` for any other error.
    init?(_ error: any Error, path: String) {
        if let damage = error as? StoredDocument.Damage {
            self = .damaged(path: path, detail: "a document that cannot be read: \(damage.detail)")
            return
        }
        guard let error = error as? DatabaseError else { return nil }
        let isFolder = FileStatus(path: path)?.isFolder == true
        let detail =
            isFolder
            ? "it is a folder; name a file in it, such as \(path)/guide.sqlite"
            : error.message ?? error.resultCode.description
        switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED: self = .busy(path: path)
        case .SQLITE_FULL: self = .full(path: path)
        // The statements of this program are right, so it is the schema where one can't be understood.
        // A row that breaks a constraint is copied from a damaged file, for this program writes none.
        case .SQLITE_CORRUPT, .SQLITE_ERROR, .SQLITE_FORMAT, .SQLITE_CONSTRAINT:
            self = .damaged(path: path, detail: detail)
        case .SQLITE_IOERR where error.extendedResultCode == .SQLITE_IOERR_SHORT_READ:
            self = .damaged(path: path, detail: "it ends too early")
        // Only a new guide is filled without a log: its first import was killed, and the next writer takes back what it wrote.
        case .SQLITE_READONLY where error.extendedResultCode == .SQLITE_READONLY_ROLLBACK: self = .notFound(path: path)
        case .SQLITE_NOTADB: self = .notAGuide(path: path)
        case .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH:
            let advice = isFolder ? "" : "; the account that runs this has to be able to read it"
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
