package import EPGModel
import Foundation
import GRDB
import Glibc

extension GuideStore {
    /// Writes a copy of the guide to one file without a log beside it; see ``GuideStorage/backUp(to:target:)``.
    package func backUp(to path: String, target: BackupTarget) throws -> StoreCheck {
        if GuideFile.isOwn(path, ofGuide: self.path) { throw BackupError.isGuide(path: path) }
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

/// A file that gets its name when it is complete and on the disk, and not before.
///
/// It is written under another name in the same folder; without ``finish(replacing:)`` it goes with this value.
final class BackupFile {
    /// Where the copy is written: an empty file.
    let temporary: String
    private let path: String
    private let descriptor: Int32
    private var isFinished = false

    /// Begins a file. Removes what killed processes left that wrote to the same name.
    ///
    /// - Parameter purpose: Stands in its name until it is finished, as in `.epg-backup.guide.sqlite.c3Xb1Z`.
    init(at path: String, for purpose: String) throws(BackupError) {
        self.path = path
        let name = path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...]
        // Leaves room for companions in a name of 255 bytes.
        let prefix = ".epg-\(purpose).\(String(decoding: name.utf8.prefix(200), as: UTF8.self))."
        Self.removeLeftovers(withPrefix: prefix, in: Self.folder(of: path))
        while true {
            // The file has mode 0600: URLs of sources may hold credentials.
            var template = (Self.folder(of: path) + "/\(prefix)XXXXXX").utf8CString.map { $0 }
            let file = mkstemp(&template)
            guard file >= 0, let name = template.withUnsafeBufferPointer({ $0.baseAddress.map { String(cString: $0) } })
            else { throw .cannotWrite(path: path, detail: GuideFile.systemError) }
            _ = fcntl(file, F_SETFD, FD_CLOEXEC)
            // The lock shows that this process lives. Another process may have removed the file before it was locked.
            flock(file, LOCK_EX)
            var status = stat()
            if fstat(file, &status) == 0, status.st_nlink > 0 {
                descriptor = file
                temporary = name
                return
            }
            close(file)
        }
    }

    /// Writes a copy of a guide, migrates it if it is older, and checks it.
    ///
    /// Searches have an index of their own, which a guide makes anew.
    /// - Parameter examine: Looks at the guide, if it isn't older, and at the copy.
    func copy(guide: String, examine: (Database) throws -> Void = { _ in }) throws -> StoreCheck {
        try StoreError.translating(path: guide) {
            let queue = try Connections.copier(path: guide)
            let version = try queue.inDatabase { database in
                let version = try Schema.version(of: database, path: guide)
                if version == Schema.version { try examine(database) }
                try database.execute(sql: "VACUUM INTO ?", arguments: [temporary])
                return version
            }
            try queue.close()
            // Opening the copy for writing migrates it.
            if version < Schema.version { try GuideStore(writingTo: temporary).close() }
        }
        let copy = try GuideStore(readingFrom: temporary)
        try copy.read(examine)
        let check = try copy.checkGuide()
        try copy.close()
        return check
    }

    deinit {
        close(descriptor)
        removeCompanions()
        if !isFinished { unlink(temporary) }
    }

    /// Removes what stands beside the temporary file: a journal of a copy that SQLite couldn't end, or what a store made.
    func removeCompanions() {
        for suffix in GuideFile.companions { unlink(temporary + suffix) }
    }

    /// Removes the temporary files of processes that were killed, with what stands beside them.
    private static func removeLeftovers(withPrefix prefix: String, in folder: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names where name.hasPrefix(prefix) {
            // Behind the prefix, what `mkstemp` chose, and maybe a companion's suffix.
            let rest = name.dropFirst(prefix.count)
            let suffix = String(rest.dropFirst(6))
            guard rest.prefix(6).count == 6, suffix.isEmpty || GuideFile.companions.contains(suffix) else { continue }
            let file = open(folder + "/" + prefix + rest.prefix(6), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            // A companion may be left alone. A file that can't be opened belongs to somebody else.
            guard file >= 0 || errno == ENOENT else { continue }
            defer { if file >= 0 { close(file) } }
            guard file < 0 || flock(file, LOCK_EX | LOCK_NB) == 0 else { continue }
            unlink(folder + "/" + name)
        }
    }

    /// Brings the file to the disk and gives it its name.
    func finish(replacing: Bool) throws(BackupError) {
        guard fsync(descriptor) == 0 else { throw failure }
        if !replacing, link(temporary, path) == 0 {
            // The second name came only because nothing had it.
            unlink(temporary)
        } else {
            // Some file systems know no second names.
            if !replacing, errno == EEXIST || FileStatus.exists(path) { throw .exists(path: path) }
            guard rename(temporary, path) == 0 else { throw failure }
        }
        isFinished = true
        Self.synchronizeFolder(of: path)
    }

    /// Brings the names in the folder of a file to the disk; not every file system lets folders be synchronized.
    static func synchronizeFolder(of path: String) {
        let folder = open(Self.folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        fsync(folder)
        close(folder)
    }

    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private var failure: BackupError { .cannotWrite(path: path, detail: GuideFile.systemError) }
}
