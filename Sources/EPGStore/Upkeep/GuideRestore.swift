public import EPGModel
import GRDB
import GRDBSQLite
import Glibc

extension GuideDatabase {
    public func restore(from backup: String, now: Instant, waiting wait: LockWait) throws -> RestoreReport {
        try restore(from: backup, now: now, waiting: wait, patience: .seconds(10))
    }

    /// Replaces the guide with the content of a backup, while others read it.
    ///
    /// The new guide is a complete, checked copy in the same folder that gets the guide's name by a rename. Mode and owner of
    /// the old file are kept. A kill at any instant leaves the old guide or the new one, at worst without a search index. See
    /// ``GuideStorage/restore(from:now:waiting:)`` for what the restored guide is.
    ///
    /// - Parameters:
    ///   - now: When the new generation began.
    ///   - patience: How long to wait for readers of an old state where `wait` is ``LockWait/never``.
    /// - Throws: ``RestoreError``; ``StoreError/busy(path:)``, ``StoreError/refreshing(path:)``, ``StoreError/full(path:)``.
    /// - Complexity: O(size of the backup).
    package func restore(
        from backup: String, now: Instant, waiting wait: LockWait, patience: Duration
    ) throws -> RestoreReport {
        let path = location
        guard FileStatus.exists(backup) else { throw RestoreError.notFound(path: backup) }
        // Opening a pipe would wait for its writer.
        guard FileStatus(path: backup)?.isRegular == true else {
            throw RestoreError.badBackup(path: backup, detail: "it is not a regular file")
        }
        if owns(file: backup) { throw RestoreError.isGuide(path: backup) }
        if FileStatus(path: path)?.isFolder == true {
            throw RestoreError.notReplaceable(path: path, detail: "it is a folder")
        }

        // The order of every refresh: its own lock first, then that of the writer.
        let refreshLock = try FileLock(.refreshing, of: path, wait: wait)
        defer { refreshLock.release() }
        let lock = try FileLock(.writing, of: path, wait: wait)
        let report: RestoreReport
        do {
            defer { lock.release() }
            let swap = GuideSwap(path: path)
            let copy = try swap.copy(of: backup)
            let old = try swap.settleOldGuide(waiting: wait, patience: patience)
            let check = try swap.prepare(copy, after: old.state, now: now)
            try swap.replace(with: copy)
            report = RestoreReport(restored: check, replaced: old.replaced)
        }
        // The guide is restored whether or not its index is: the next import or refresh builds it.
        if let store = try? GuideStore(writingTo: path, waiting: .always) {
            try? store.refreshSearchIndex()
            try? store.close()
        }
        return report
    }
}

/// The steps of a restore, each of which leaves a whole guide behind. The caller holds the writer's lock.
///
/// SQLite applies a log (`-wal`) to whichever file has the name of the database, and trusts the index of the log
/// (`-shm`) as long as any process has it open. So neither may be there when the new file gets the name:
///
/// 1. The log of the old guide is moved into it and truncated to nothing. Readers of an old state are waited for.
/// 2. The old search index is removed: it must not be taken for that of the restored guide.
/// 3. `-shm` is removed, then the empty `-wal`. Open readers keep both, and read the old file to the end of their
///    transaction. Whoever opens the old guide now makes new ones for an empty log, which fit the new file, too.
///    The other order would let a writer that comes after a crash write a log that open readers don't have.
/// 4. The new file gets the name.
/// 5. The new search index gets its name.
///
/// A kill before step 4 leaves the old guide, complete without a log; after it, the new one. Step 1 is left out for a damaged
/// guide.
private struct GuideSwap {
    struct OldGuide {
        var replaced: RestoreReport.Replaced
        /// Its counters, as far as they can be read.
        var state: GuideState?
    }

    /// The path that the caller named.
    private let path: String
    /// The file that it leads to.
    private let place: String

    init(path: String) {
        self.path = path
        place = GuideFile.target(of: path)
    }

    /// Copies the backup into the folder of the guide, and checks the copy.
    func copy(of backup: String) throws -> BackupFile {
        let file = try writing { () throws(BackupError) in try BackupFile(at: place, for: "restore") }
        do {
            try StoreError.translating(path: backup) {
                let queue = try Connections.copier(path: backup)
                let version = try queue.inDatabase { database in
                    let version = try Schema.version(of: database, path: backup)
                    if version == Schema.version { try Self.checkSchema(of: database, from: backup) }
                    try database.execute(sql: "VACUUM INTO ?", arguments: [file.temporary])
                    return version
                }
                try queue.close()
                // Opening the copy for writing migrates it.
                if version < Schema.version { try GuideStore(writingTo: file.temporary).close() }
            }
            let copy = try GuideStore(readingFrom: file.temporary)
            try copy.read { try Self.checkSchema(of: $0, from: backup) }
            let check = try copy.checkGuide()
            try copy.close()
            if let problem = check.problems.first { throw RestoreError.badBackup(path: backup, detail: problem) }
        } catch let error as StoreError {
            throw Self.refusal(of: error, backup: backup, guide: path)
        }
        return file
    }

    private static func checkSchema(of database: Database, from backup: String) throws {
        if let foreign = try Schema.difference(of: database) {
            throw RestoreError.badBackup(path: backup, detail: foreign)
        }
    }

    /// Moves the log of the old guide into it, so that the file alone is the guide.
    func settleOldGuide(waiting wait: LockWait, patience: Duration) throws -> OldGuide {
        guard let status = FileStatus(path: place), status.size > 0 else { return OldGuide(replaced: .nothing) }
        do {
            return try StoreError.translating(path: path) {
                let queue = try Connections.writer(path: place, cacheKiB: 2 << 10)
                let old = try queue.inDatabase { try look(at: $0) }
                while try !queue.writeWithoutTransaction({ try Self.emptyLog($0, within: patience) }) {
                    switch wait {
                    case .always: continue
                    case .unless(let isOver) where !isOver(): continue
                    case .never, .unless: throw RestoreError.inUse(path: path)
                    }
                }
                try queue.close()
                return old
            }
        } catch StoreError.damaged(_, let detail) {
            return OldGuide(replaced: .unreadable(detail: detail))
        } catch StoreError.notAGuide {
            return OldGuide(replaced: .unreadable(detail: "not a database"))
        }
    }

    /// Gives the copy its new identity, its search index, and the owner and mode of the old guide.
    ///
    /// - Returns: What the copy holds.
    func prepare(_ copy: BackupFile, after old: GuideState?, now: Instant) throws -> StoreCheck {
        do {
            let store = try GuideStore(writingTo: copy.temporary)
            let check = Result {
                try store.write { try Self.renew($0, after: old, now: now) }
                // The copy of an empty guide was opened without a log, and is none any more.
                try store.queue.writeWithoutTransaction { try Connections.keepLog($0) }
                try store.refreshSearchIndex()
                return try store.check()
            }
            // Closing empties the logs of both files.
            try store.close()
            if let problem = try check.get().problems.first {
                throw RestoreError.cannotWrite(path: path, detail: "the copy is damaged, \(problem)")
            }
            try inherit(copy.temporary)
            try inherit(SearchIndex.path(ofGuide: copy.temporary))
            return try check.get()
        } catch let error as StoreError {
            switch error {
            case .full: throw StoreError.full(path: path)
            case .damaged(_, let detail), .inaccessible(_, let detail), .unfinished(_, let detail):
                throw RestoreError.cannotWrite(path: path, detail: detail)
            default: throw error
            }
        }
    }

    /// Puts the copy in the place of the old guide.
    func replace(with copy: BackupFile) throws {
        let index = SearchIndex.path(ofGuide: path)
        for suffix in ["", "-shm", "-wal", "-journal"] { unlink(index + suffix) }
        for suffix in ["-shm", "-wal", "-journal"] { unlink(place + suffix) }
        BackupFile.synchronizeFolder(of: place)
        try writing { () throws(BackupError) in try copy.finish(replacing: true) }
        if rename(SearchIndex.path(ofGuide: copy.temporary), index) == 0 { BackupFile.synchronizeFolder(of: index) }
        copy.removeCompanions()
    }

    // MARK: - Private

    private func look(at database: Database) throws -> OldGuide {
        let application = try Int32.fetchOne(database, sql: "PRAGMA application_id")
        guard application == Schema.applicationID else {
            let tables = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
            guard tables == 0 else {
                throw RestoreError.notReplaceable(path: path, detail: "it is another program's database")
            }
            return OldGuide(replaced: .nothing)
        }
        // A guide of another version may lack what is counted.
        guard let state = try? GuideState(database) else {
            return OldGuide(replaced: .unreadable(detail: "it cannot be counted"))
        }
        return OldGuide(replaced: .guide(StoreCheck(counting: database)), state: state)
    }

    /// Whether the log is empty now.
    private static func emptyLog(_ database: Database, within patience: Duration) throws -> Bool {
        sqlite3_busy_timeout(database.sqliteConnection, Int32(clamping: Int64(patience / .milliseconds(1))))
        let row = try Row.fetchOne(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        return row?[0] == 0
    }

    /// Gives a guide a generation and airing identifiers that neither it nor the one before it has used.
    private static func renew(_ database: Database, after old: GuideState?, now: Instant) throws {
        let state = try GuideState(database)
        let generation = max(state.generation, old?.generation ?? 0) + 1
        try database.execute(sql: "DELETE FROM generation")
        try database.execute(
            sql: "UPDATE guide SET generation = ?, next_airing = ?",
            arguments: [generation, max(state.nextAiring, old?.nextAiring ?? 0)])
        try ChangeLog.write(ChangeLog.Entry(at: now, changesStations: true), generation: generation, in: database)
    }

    /// Gives a file the mode and the owner of the old guide. A guide that was missing belongs to the owner of its folder
    /// where root restores it, and is private.
    private func inherit(_ file: String) throws {
        let old = FileStatus(path: place)
        let descriptor = open(file, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw RestoreError.cannotWrite(path: path, detail: GuideFile.systemError) }
        defer { close(descriptor) }
        let owner = old ?? (geteuid() == 0 ? FileStatus(path: BackupFile.folder(of: place)) : nil)
        if let owner, let own = FileStatus(path: file), (own.user, own.group) != (owner.user, owner.group) {
            guard fchown(descriptor, owner.user, owner.group) == 0 else {
                let detail = "its owner cannot be kept (\(GuideFile.systemError)); run this as root or as its owner"
                throw RestoreError.cannotWrite(path: path, detail: detail)
            }
        }
        guard fchmod(descriptor, old?.mode ?? GuideFile.mode) == 0, fsync(descriptor) == 0 else {
            throw RestoreError.cannotWrite(path: path, detail: GuideFile.systemError)
        }
    }

    /// Writes to the copy, and makes the error of a restore from that of a backup.
    private func writing<Value>(_ body: () throws(BackupError) -> Value) throws -> Value {
        do {
            return try body()
        } catch .cannotWrite(_, let detail) {
            throw RestoreError.cannotWrite(path: path, detail: detail)
        }
    }

    /// The error of the backup that an error of its store means.
    private static func refusal(of error: StoreError, backup: String, guide: String) -> any Error {
        let detail: String
        switch error {
        case .notAGuide: detail = "it is not a guide, or its beginning is damaged"
        case .newerSchema(_, let found, let known):
            detail = "a newer version of epg wrote it (schema \(found), this one knows \(known))"
        // A damaged file may call itself older than it is.
        case .olderSchema(_, let found, let known), .tooOldSchema(_, let found, let known):
            detail = "an older version of epg wrote it (schema \(found), this one knows \(known))"
        case .damaged(_, let damage): detail = "it is damaged (\(damage))"
        // The backup is only read.
        case .full: return StoreError.full(path: guide)
        default: return error
        }
        return RestoreError.badBackup(path: backup, detail: detail)
    }
}
