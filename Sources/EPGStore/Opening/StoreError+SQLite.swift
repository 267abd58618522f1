import GRDB

extension StoreError {
    /// The error of the store that an error of SQLite means, or `nil` for any other error.
    init?(_ error: any Error, path: String) {
        guard let error = error as? DatabaseError else { return nil }
        var detail = error.message ?? error.resultCode.description
        if FilePresence.isFolder(path) { detail = "it is a folder; name a file in it, such as \(path)/guide.sqlite" }
        switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED: self = .busy(path: path)
        case .SQLITE_FULL: self = .full(path: path)
        case .SQLITE_CORRUPT: self = .damaged(path: path, detail: detail)
        case .SQLITE_NOTADB: self = .notAGuide(path: path)
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
