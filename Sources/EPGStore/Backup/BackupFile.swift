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
    ///   - prefix: The beginning of the name that it has until then.
    /// - Throws: ``BackupError/cannotWrite(path:detail:)``.
    init(at path: String, prefix: String = ".epg-backup-") throws(BackupError) {
        self.path = path
        // The file has mode 0600: URLs of sources may hold credentials.
        var template = (Self.folder(of: path) + "/\(prefix)XXXXXX").utf8CString.map { $0 }
        let file = mkstemp(&template)
        guard file >= 0, let name = template.withUnsafeBufferPointer({ $0.baseAddress.map { String(cString: $0) } })
        else { throw .cannotWrite(path: path, detail: String(cString: strerror(errno))) }
        descriptor = file
        temporary = name
    }

    deinit {
        close(descriptor)
        removeCompanions()
        if !isFinished { unlink(temporary) }
    }

    /// Removes what stands beside the temporary file: a journal of a copy that SQLite couldn't end, or what a store made.
    func removeCompanions() {
        for suffix in Self.companions { unlink(temporary + suffix) }
    }

    /// Removes the temporary files of processes that were killed, with what stands beside them.
    ///
    /// - Parameter path: A file in the same folder.
    static func removeLeftovers(withPrefix prefix: String, besides path: String) {
        let folder = folder(of: path)
        guard let stream = opendir(folder) else { return }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name.hasPrefix(prefix) else { continue }
            // What `mkstemp` chose, and a companion.
            let rest = name.dropFirst(prefix.count)
            let isTemporary = rest.prefix(6).count == 6 && rest.prefix(6).allSatisfy { $0.isLetter || $0.isNumber }
            if isTemporary, rest.count == 6 || companions.contains(String(rest.dropFirst(6))) {
                unlink(folder + "/" + name)
            }
        }
    }

    private static let companions = [
        "-journal", "-wal", "-shm", "-search", "-search-journal", "-search-wal", "-search-shm", ".lock",
    ]

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
        Self.synchronizeFolder(of: path)
    }

    /// Brings the names in the folder of a file to the disk; not every file system lets folders be synchronized.
    static func synchronizeFolder(of path: String) {
        let folder = open(Self.folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return }
        fsync(folder)
        close(folder)
    }

    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// What `errno` tells.
    private var failure: BackupError { .cannotWrite(path: path, detail: String(cString: strerror(errno))) }
}
