public import EPGModel
import GRDB
import GRDBSQLite
import Glibc

extension GuideDatabase {
    public func restore(from backup: String, now: Instant, waiting wait: LockWait) throws -> RestoreReport {
        try restore(from: backup, now: now, waiting: wait, patience: .seconds(10))
    }

    /// The new guide is a complete, checked copy in the same folder that gets the guide's name by a rename. Mode and owner of
    /// the old file are kept. A kill at any instant leaves the old guide or the new one, at worst without an index.
    ///
    /// - Parameter patience: How long to wait for readers of an old state, at least.
    package func restore(
        from backup: String, now: Instant, waiting wait: LockWait, patience: Duration
    ) throws -> RestoreReport {
        let path = location
        guard let status = FileStatus(path: backup) else { throw RestoreError.notFound(path: backup) }
        // Opening a pipe would wait for its writer.
        guard status.isRegular else {
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
        } catch BackupError.cannotWrite(_, let detail) {
            throw RestoreError.cannotWrite(path: path, detail: detail)
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
    /// What the guide is replaced with, and its counters, as far as they can be read.
    typealias OldGuide = (replaced: RestoreReport.Replaced, state: GuideState?)

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
        let file = try BackupFile(at: place, for: "restore")
        do {
            let check = try file.copy(guide: backup) { database in
                if let foreign = try Schema.difference(of: database) {
                    throw RestoreError.badBackup(path: backup, detail: foreign)
                }
            }
            if let problem = check.problems.first { throw RestoreError.badBackup(path: backup, detail: problem) }
        } catch let error as StoreError {
            throw Self.refusal(of: error, backup: backup, guide: path)
        }
        return file
    }

    /// Moves the log of the old guide into it, so that the file alone is the guide.
    func settleOldGuide(waiting wait: LockWait, patience: Duration) throws -> OldGuide {
        guard let status = FileStatus(path: place), status.size > 0 else { return (.nothing, nil) }
        do {
            return try StoreError.translating(path: path) {
                let queue = try Connections.writer(path: place, cacheKiB: 2 << 10)
                let old = try queue.inDatabase { database in
                    let milliseconds = Int32(clamping: Int64(patience / .milliseconds(1)))
                    sqlite3_busy_timeout(database.sqliteConnection, milliseconds)
                    return try look(at: database)
                }
                let emptyLog = "PRAGMA wal_checkpoint(TRUNCATE)"
                while try queue.writeWithoutTransaction({ try Int.fetchOne($0, sql: emptyLog) }) != 0 {
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
            return (.unreadable(detail: detail), nil)
        } catch StoreError.notAGuide {
            return (.unreadable(detail: "not a database"), nil)
        }
    }

    /// Gives the copy its new identity, its search index, and the owner and mode of the old guide.
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
        try copy.finish(replacing: true)
        if rename(SearchIndex.path(ofGuide: copy.temporary), index) == 0 { BackupFile.synchronizeFolder(of: index) }
        copy.removeCompanions()
    }

    private func look(at database: Database) throws -> OldGuide {
        let application = try Int32.fetchOne(database, sql: "PRAGMA application_id")
        guard application == Schema.applicationID else {
            let tables = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
            guard tables == 0 else {
                throw RestoreError.notReplaceable(path: path, detail: "it is another program's database")
            }
            return (.nothing, nil)
        }
        // A guide of another version may lack what is counted.
        guard let state = try? GuideState(database) else { return (.unreadable(detail: "it cannot be counted"), nil) }
        return (.guide(StoreCheck(counting: database)), state)
    }

    /// Gives a guide a generation and airing identifiers that neither it nor the one before it has used.
    private static func renew(_ database: Database, after old: GuideState?, now: Instant) throws {
        var state = try GuideState(database)
        state.generation = max(state.generation, old?.generation ?? 0)
        state.nextAiring = max(state.nextAiring, old?.nextAiring ?? 0)
        try state.write(to: database)
        try database.execute(sql: "DELETE FROM generation")
        try GuideState.raiseGeneration(database, for: ChangeLog.Entry(at: now, changesStations: true))
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
