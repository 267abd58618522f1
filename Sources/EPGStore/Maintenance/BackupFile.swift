import EPGFiles
public import EPGModel
import EPGSQL
import EPGSearch
import FoundationEssentials
import GRDB
import GRDBSQLite
import Glibc

extension GuideStore {
    /// Writes a copy of the guide to one file without a log beside it; see ``GuideStorage/backUp(to:target:)``.
    package func backUp(to path: String, target: BackupTarget) throws -> StoreCheck {
        if DatabaseFile.isFile(path, ofGuide: self.path) { throw BackupError.isGuide(path: path) }
        if target == .new, FileStatus.exists(path) { throw BackupError.exists(path: path) }
        let file = try BackupFile(at: path, for: "backup")
        do {
            let check = try file.copy(guide: self.path)
            if let problem = check.problems.first { throw BackupError.damaged(path: self.path, detail: problem) }
            try file.finish(replacing: target == .replaced)
            return check
        } catch StoreError.full {
            // The guide is only read.
            throw StoreError.full(path: path)
        }
    }
}

/// A file that is written under a temporary name in the same folder and renamed after it is complete and synchronized.
///
/// Without ``finish(replacing:)`` it is deleted with this object.
final class BackupFile {
    /// The path of the temporary file, which is initially empty.
    let temporary: String
    private let path: String
    private let file: OpenFile
    private var isFinished = false

    /// Creates the temporary file, and removes files of killed processes for the same name.
    ///
    /// - Parameter purpose: A part of the temporary name, as in `.epg-backup.guide.sqlite.c3Xb1Z`.
    init(at path: String, for purpose: String) throws(BackupError) {
        self.path = path
        let name = path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...]
        // Leave room for suffixes in a name of 255 bytes.
        let prefix = ".epg-\(purpose).\(String(decoding: name.utf8.prefix(200), as: UTF8.self))."
        Self.removeLeftovers(withPrefix: prefix, in: FilePath.folder(of: path))
        do throws(SystemFault) {
            while true {
                // The file has mode 0600, because URLs of sources may contain credentials.
                let (file, name) = try OpenFile.temporary(withPrefix: FilePath.sibling(of: path, named: prefix))
                // The lock shows that this process is alive. Another process may have removed the file before it was
                // locked.
                flock(file.descriptor, LOCK_EX)
                guard try file.status.nameCount > 0 else { continue }
                self.file = file
                temporary = name
                return
            }
        } catch {
            throw .cannotWrite(path: path, detail: "\(error)")
        }
    }

    /// Writes a copy of a guide without the search index, migrates it if it is older, and checks it.
    ///
    /// - Parameter examine: A closure that examines the guide, unless it is older, and the copy.
    func copy(guide: String, examine: (Database) throws -> Void = { _ in }) throws -> StoreCheck {
        try StoreError.translating(path: guide) {
            let queue = try Connections.copier(path: guide)
            let version = try queue.inDatabase { database in
                let version = try Schema.version(of: database, path: guide)
                if version == GuideSchema.version { try examine(database) }
                try database.execute(sql: "VACUUM INTO ?", arguments: [temporary])
                return version
            }
            try queue.close()
            // Opening the copy for writing migrates it.
            if version < GuideSchema.version { try GuideStore(writingTo: temporary).close() }
        }
        let copy = try GuideStore(readingFrom: temporary)
        try copy.read(examine)
        let check = try copy.checkGuide()
        try copy.close()
        return check
    }

    deinit {
        removeCompanions()
        if !isFinished { unlink(temporary) }
    }

    /// Removes the other files of the temporary file: the journal of an incomplete copy, or files of a store.
    fileprivate func removeCompanions() {
        for suffix in DatabaseFile.companions { unlink(temporary + suffix) }
    }

    /// Removes the temporary files of killed processes, including their other files.
    private static func removeLeftovers(withPrefix prefix: String, in folder: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names where name.hasPrefix(prefix) {
            // The prefix is followed by the characters of `mkstemp` and possibly a suffix.
            let rest = name.dropFirst(prefix.count)
            let suffix = String(rest.dropFirst(6))
            guard rest.prefix(6).count == 6, suffix.isEmpty || DatabaseFile.companions.contains(suffix) else {
                continue
            }
            let file = open(folder + "/" + prefix + rest.prefix(6), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            // The main file may be missing. A file that cannot be opened belongs to another user.
            guard file >= 0 || errno == ENOENT else { continue }
            defer { if file >= 0 { close(file) } }
            guard file < 0 || flock(file, LOCK_EX | LOCK_NB) == 0 else { continue }
            unlink(folder + "/" + name)
        }
    }

    /// Synchronizes the file and renames it.
    func finish(replacing: Bool) throws(BackupError) {
        guard fsync(file.descriptor) == 0 else { throw failure }
        if !replacing, link(temporary, path) == 0 {
            // `link` succeeds only if the name does not exist.
            unlink(temporary)
        } else {
            // Some file systems do not support hard links.
            if !replacing, errno == EEXIST || FileStatus.exists(path) { throw .exists(path: path) }
            guard rename(temporary, path) == 0 else { throw failure }
        }
        isFinished = true
        FilePath.synchronizeFolder(of: path)
    }

    private var failure: BackupError { .cannotWrite(path: path, detail: "\(SystemFault.last)") }
}

extension GuideDatabase {
    public func restore(from backup: String, now: Instant, waiting wait: LockWait) throws -> RestoreReport {
        try restore(from: backup, now: now, waiting: wait, minimumWait: .seconds(10))
    }

    /// Restores a backup.
    ///
    /// The new guide is a complete, checked copy in the same folder, which is renamed to replace the old one. It inherits mode
    /// and owner. If the process is killed, either the old or the new guide remains, possibly without a search index.
    ///
    /// - Parameter minimumWait: The minimum time to wait for readers of an old state.
    package func restore(
        from backup: String, now: Instant, waiting wait: LockWait, minimumWait: Duration
    ) throws -> RestoreReport {
        let path = location
        guard let status = FileStatus(path: backup) else { throw RestoreError.notFound(path: backup) }
        // Opening a pipe would block.
        guard status.isRegular else {
            throw RestoreError.badBackup(path: backup, detail: "it is not a regular file")
        }
        if owns(file: backup) { throw RestoreError.isGuide(path: backup) }
        if FileStatus(path: path)?.isFolder == true {
            throw RestoreError.notReplaceable(path: path, detail: "it is a folder")
        }

        // Like every refresh: first the refresh lock, then the writer lock.
        let refreshLock = try FileLock(.refreshing, of: path, wait: wait)
        defer { refreshLock.release() }
        let lock = try FileLock(.writing, of: path, wait: wait)
        let report: RestoreReport
        do {
            defer { lock.release() }
            let replacement = GuideReplacement(path: path)
            let copy = try replacement.copy(of: backup)
            let old = try replacement.checkpointOldGuide(waiting: wait, minimumWait: minimumWait)
            let check = try replacement.prepare(copy, after: old.state, now: now)
            try replacement.replace(with: copy)
            report = RestoreReport(restored: check, replaced: old.replaced)
        } catch BackupError.cannotWrite(_, let detail) {
            throw RestoreError.cannotWrite(path: path, detail: detail)
        }
        // The restore succeeds even without the search index, which the next import or refresh builds.
        try change(waiting: .always) { store in _ = Result { try store.refreshSearchIndex() } }
        return report
    }
}

/// The steps of a restore, each of which leaves a complete guide. The caller holds the writer lock.
///
/// SQLite applies a log (`-wal`) to any file with the name of the database, and trusts the index of the log (`-shm`) while any
/// process has it open. Neither may exist when the new file gets its name:
///
/// 1. Checkpoint and truncate the log of the old guide, waiting for readers of an old state.
/// 2. Remove the old search index, which does not belong to the restored guide.
/// 3. Remove `-shm`, then the empty `-wal`. Open readers keep both and read the old file to the end of their transaction. A
///    process that opens the old guide now creates new ones for an empty log, which are also valid for the new file. In the
///    opposite order, a writer after a crash could write a log that open readers do not have.
/// 4. Rename the new file.
/// 5. Rename the new search index.
///
/// If the process is killed before step 4, the old guide remains, complete without a log; afterwards, the new one. Step 1 is
/// skipped for a damaged guide.
struct GuideReplacement {
    /// The replaced content and, if readable, its counters.
    typealias OldGuide = (replaced: RestoreReport.Replaced, state: GuideState?)

    /// The path given by the caller.
    private let path: String
    /// The file after resolving symbolic links.
    private let resolvedPath: String

    init(path: String) {
        self.path = path
        resolvedPath = DatabaseFile.target(of: path)
    }

    /// Copies the backup to the folder of the guide and checks the copy.
    func copy(of backup: String) throws -> BackupFile {
        let file = try BackupFile(at: resolvedPath, for: "restore")
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

    /// Checkpoints the old guide, so that the file alone is complete.
    func checkpointOldGuide(waiting wait: LockWait, minimumWait: Duration) throws -> OldGuide {
        guard let status = FileStatus(path: resolvedPath), status.size > 0 else { return (.nothing, nil) }
        do {
            return try StoreError.translating(path: path) {
                let queue = try Connections.writer(path: resolvedPath, cacheKiB: 2 << 10)
                let old = try queue.inDatabase { database in
                    let milliseconds = Int32(clamping: Int64(minimumWait / .milliseconds(1)))
                    sqlite3_busy_timeout(database.sqliteConnection, milliseconds)
                    return try oldGuide(in: database)
                }
                let emptyLog = "PRAGMA wal_checkpoint(TRUNCATE)"
                while try queue.writeWithoutTransaction({ try Int.fetchOne($0, sql: emptyLog) }) != 0 {
                    switch wait {
                    case .always: continue
                    case .until(let isOver) where !isOver(): continue
                    case .never, .until: throw RestoreError.inUse(path: path)
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

    /// Sets the generation, the search index, the owner and the mode of the copy.
    func prepare(_ copy: BackupFile, after old: GuideState?, now: Instant) throws -> StoreCheck {
        do {
            let store = try GuideStore(writingTo: copy.temporary)
            let check = Result {
                try store.writing { try $0.renew(after: old, now: now) }
                // The copy of an empty guide was opened without a write-ahead log, but is no longer empty.
                try store.queue.writeWithoutTransaction { try Connections.enableWriteAheadLog($0) }
                try store.refreshSearchIndex()
                return try store.check()
            }
            // Closing truncates the logs of both files.
            try store.close()
            if let problem = try check.get().problems.first {
                throw RestoreError.cannotWrite(path: path, detail: "the copy is damaged: \(problem)")
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

    /// Replaces the old guide with the copy.
    func replace(with copy: BackupFile) throws {
        let index = SearchIndex.path(ofGuide: path)
        for suffix in ["", "-shm", "-wal", "-journal"] { unlink(index + suffix) }
        for suffix in ["-shm", "-wal", "-journal"] { unlink(resolvedPath + suffix) }
        FilePath.synchronizeFolder(of: resolvedPath)
        try copy.finish(replacing: true)
        if rename(SearchIndex.path(ofGuide: copy.temporary), index) == 0 { FilePath.synchronizeFolder(of: index) }
        copy.removeCompanions()
    }

    private func oldGuide(in database: Database) throws -> OldGuide {
        let application = try Int32.fetchOne(database, sql: "PRAGMA application_id")
        guard application == Schema.applicationID else {
            let tables = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
            guard tables == 0 else {
                throw RestoreError.notReplaceable(path: path, detail: "it is another program's database")
            }
            return (.nothing, nil)
        }
        // A guide of another version may lack the counted tables.
        guard let state = try? GuideState(database) else { return (.unreadable(detail: "it cannot be counted"), nil) }
        return (.guide(try StoreCheck(counting: database)), state)
    }

    /// Gives a file the mode and the owner of the old guide. Without an old guide, the file is private, and belongs
    /// to the owner of its folder if root restores it.
    private func inherit(_ file: String) throws {
        let old = FileStatus(path: resolvedPath)
        let descriptor = open(file, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw RestoreError.cannotWrite(path: path, detail: "\(SystemFault.last)") }
        defer { close(descriptor) }
        let owner = old ?? (geteuid() == 0 ? FileStatus(path: FilePath.folder(of: resolvedPath)) : nil)
        if let owner, let own = FileStatus(path: file), (own.user, own.group) != (owner.user, owner.group) {
            guard fchown(descriptor, owner.user, owner.group) == 0 else {
                let detail = "its owner cannot be kept (\(SystemFault.last)); run this as root or as its owner"
                throw RestoreError.cannotWrite(path: path, detail: detail)
            }
        }
        guard fchmod(descriptor, old?.mode ?? DatabaseFile.mode) == 0, fsync(descriptor) == 0 else {
            throw RestoreError.cannotWrite(path: path, detail: "\(SystemFault.last)")
        }
    }

    /// Converts an error of the backup's store.
    private static func refusal(of error: StoreError, backup: String, guide: String) -> any Error {
        let detail: String
        switch error {
        case .notAGuide: detail = "it is not a guide database, or its header is damaged"
        case .newerSchema(_, let found, let known):
            detail = "a newer version wrote it (schema \(found); this version reads schema \(known))"
        // A damaged file may claim an older version.
        case .olderSchema(_, let found, let known), .tooOldSchema(_, let found, let known):
            detail = "an older version wrote it (schema \(found); this version reads schema \(known))"
        case .damaged(_, let damage): detail = "it is damaged (\(damage))"
        // The backup is only read.
        case .full: return StoreError.full(path: guide)
        default: return error
        }
        return RestoreError.badBackup(path: backup, detail: detail)
    }
}
