import Glibc

/// A file that gets its name when it is complete and on the disk, and not before.
///
/// It is written under another name in the same folder; without ``finish(replacing:)`` it goes with this value.
final class BackupFile {
    /// Where the copy is written: an empty file.
    let temporary: String
    private let path: String
    private let descriptor: Int32
    private var isFinished = false

    /// Begins a file.
    ///
    /// - Parameters:
    ///   - path: The name that it gets.
    ///   - mode: Its permissions.
    /// - Throws: ``BackupError/cannotWrite(path:detail:)``.
    init(at path: String, mode: UInt32) throws(BackupError) {
        self.path = path
        var template = (Self.folder(of: path) + "/.epg-backup-XXXXXX").utf8CString.map { $0 }
        let file = mkstemp(&template)
        guard file >= 0, let name = template.withUnsafeBufferPointer({ $0.baseAddress.map { String(cString: $0) } })
        else { throw .cannotWrite(path: path, detail: String(cString: strerror(errno))) }
        descriptor = file
        temporary = name
        guard fchmod(descriptor, mode) == 0 else { throw failure }
    }

    deinit {
        close(descriptor)
        guard !isFinished else { return }
        // SQLite leaves a journal beside a copy that it couldn't end.
        for suffix in ["", "-journal", "-wal", "-shm"] { unlink(temporary + suffix) }
    }

    /// Brings the file to the disk and gives it its name.
    ///
    /// - Throws: ``BackupError/exists(path:)`` where there is a file of that name that isn't to be replaced.
    func finish(replacing: Bool) throws(BackupError) {
        guard fsync(descriptor) == 0 else { throw failure }
        if replacing {
            guard rename(temporary, path) == 0 else { throw failure }
        } else if link(temporary, path) == 0 {
            // The second name came only because nothing had it.
            unlink(temporary)
        } else if errno == EEXIST {
            throw .exists(path: path)
        } else {
            // Some file systems know no second names.
            guard access(path, F_OK) != 0 else { throw .exists(path: path) }
            guard rename(temporary, path) == 0 else { throw failure }
        }
        isFinished = true
        // The new name reaches the disk with its folder; not every file system lets folders be synchronised.
        let folder = open(Self.folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return }
        fsync(folder)
        close(folder)
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// What `errno` tells.
    private var failure: BackupError { .cannotWrite(path: path, detail: String(cString: strerror(errno))) }
}
