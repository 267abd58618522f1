/// Why a store failed, and what to do.
public enum StoreError: Error, Hashable, Sendable {
    case notFound(path: String)
    case notAGuide(path: String)
    case newerSchema(path: String, found: Int, known: Int)
    /// An older version of this program wrote the guide; migrate it before reading.
    case olderSchema(path: String, found: Int, known: Int)
    /// A version of this program that is too old for a migration wrote the guide.
    case tooOldSchema(path: String, found: Int, known: Int)
    /// A migration needs more disk space than is available, in bytes; nothing was written.
    case noSpaceToMigrate(path: String, needed: Int64, available: Int64)
    /// The disk was full or failed during a migration; nothing was changed.
    case migrationFailed(path: String, detail: String)
    case busy(path: String)
    case refreshing(path: String)
    case full(path: String)
    case damaged(path: String, detail: String)
    /// The changes are committed, but could not be moved from the log into the database; the next writer does it.
    case unfinished(path: String, detail: String)
    case notWritable(path: String, detail: String)
    case inaccessible(path: String, detail: String)
}

extension StoreError: CustomStringConvertible {
    /// What happened, in sentences; what to do about it depends on the program and is its to say.
    public var description: String {
        switch self {
        case .notFound(let path): "There is no guide at \(path)."
        case .notAGuide(let path): "\(path) is not a guide of this program, or its beginning is damaged."
        case .newerSchema(let path, let found, let known):
            "A newer version of this program wrote \(path) (schema \(found); this version reads schema \(known))."
        case .olderSchema(let path, let found, let known), .tooOldSchema(let path, let found, let known):
            "An older version of this program wrote \(path) (schema \(found); this version reads schema \(known))."
        case .noSpaceToMigrate(let path, let needed, let available):
            "Migrating \(path) needs \(needed >> 20) MiB of free space on its disk; \(available >> 20) MiB are free. "
                + "Nothing was changed."
        case .migrationFailed(let path, let detail): "\(path) cannot be migrated: \(detail). Nothing was changed."
        case .busy(let path): "Another process is writing to \(path)."
        case .refreshing(let path): "Another refresh of \(path) is running."
        case .full(let path): "There is no room left on the disk for \(path). What was not committed is undone."
        case .damaged(let path, let detail): "\(path) is damaged (\(detail))."
        case .unfinished(let path, let detail):
            "What was written to \(path) is safe in \(path)-wal, but could not be moved into the database: \(detail). The next "
                + "writer moves it."
        case .notWritable(let path, let detail): "\(path) cannot be created or opened for writing: \(detail)."
        case .inaccessible(let path, let detail): "\(path) cannot be used: \(detail)."
        }
    }
}

/// Why no backup was made; nothing was overwritten.
public enum BackupError: Error, Hashable, Sendable {
    case exists(path: String)
    /// It is the guide itself, or one of its files.
    case isGuide(path: String)
    case cannotWrite(path: String, detail: String)
    /// The guide is damaged, so a copy would be, too; the detail is the first problem of the copy.
    case damaged(path: String, detail: String)
}

/// Why a guide was not restored; the guide is unchanged.
public enum RestoreError: Error, Hashable, Sendable {
    case notFound(path: String)
    /// The backup cannot be used: it is damaged, of another program, or of a schema that this program cannot read.
    case badBackup(path: String, detail: String)
    /// The backup is the guide itself, or one of its files.
    case isGuide(path: String)
    /// The file at the path of the guide is a folder or another program's database.
    case notReplaceable(path: String, detail: String)
    /// Other processes read an old state of the guide, so its log cannot be emptied.
    case inUse(path: String)
    case cannotWrite(path: String, detail: String)
}
