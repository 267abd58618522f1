package import EPGFiles
package import EPGModel
package import Glibc

/// The files of a guide.
package enum DatabaseFile {
    /// The mode of a new guide, because URLs of sources and streams may contain credentials. A later `chmod` is kept, and the other
    /// files follow it.
    package static let mode: mode_t = 0o600

    /// Returns the target of a path after resolving symbolic links, whether or not it exists.
    ///
    /// SQLite puts its log next to the target, so the locks and the search index are there, too.
    package static func target(of path: String) -> String {
        var path = path
        // The kernel also follows at most 40 links.
        for _ in 0..<40 {
            guard let link = FilePath.target(ofLink: path) else { break }
            path = link.hasPrefix("/") ? link : FilePath.sibling(of: path, named: link)
        }
        return path
    }

    /// The suffixes of the other files of a guide.
    package static let companions = [
        "-wal", "-shm", "-journal", "-search", "-search-wal", "-search-shm", "-search-journal", ".lock", ".refresh",
        ".reminders",
    ]

    /// Returns whether a path leads to the guide or one of its other files.
    package static func isFile(_ other: String, ofGuide path: String) -> Bool {
        let (other, guide) = (target(of: other), target(of: path))
        let identity = FileStatus(path: other)?.identity
        return ([""] + companions).contains { suffix in
            other == guide + suffix || identity != nil && FileStatus(path: guide + suffix)?.identity == identity
        }
    }

    /// Returns whether the header of a database specifies a write-ahead log (sqlite.org/fileformat.html, 1.3.3). A guide has
    /// none during its first import.
    package static func usesWriteAheadLog(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        defer { close(descriptor) }
        var version: UInt8 = 0
        return pread(descriptor, &version, 1, 19) == 1 && version == 2
    }

    /// Creates an empty file if there is none. Errors occur again, with a reason, when SQLite opens the file.
    ///
    /// - Parameter other: The file whose mode and owner it gets; `nil` for ``mode`` and the current user.
    package static func create(at path: String, like other: FileStatus? = nil) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        guard let other else { return }
        _ = fchmod(descriptor, other.mode | mode)
        inherit(other, descriptor)
    }

    /// Gives a file that root has created to the owner of the guide, like SQLite its log.
    fileprivate static func inherit(_ owner: FileStatus, _ descriptor: Int32) {
        if geteuid() == 0 { _ = fchown(descriptor, owner.user, owner.group) }
    }

    /// Gives the other files of a guide its mode. Earlier versions created some of them readable for all.
    package static func alignModes(ofGuide path: String) {
        let path = target(of: path)
        guard let wanted = FileStatus(path: path).map({ $0.mode | mode }) else { return }
        for suffix in companions {
            guard let status = FileStatus(path: path + suffix), status.isRegular, status.mode != wanted else {
                continue
            }
            // Another user's file stays as it is.
            _ = chmod(path + suffix, wanted)
        }
    }
}

/// An exclusive `flock` on a file next to the database.
///
/// A writing process holds it from before it opens the database until after it has checkpointed and closed it: SQLite before
/// 3.51.3 can corrupt a database in WAL mode if one connection checkpoints while another commits.
package final class FileLock: Sendable {
    /// The purpose of a lock, with the suffix of its file.
    package enum Purpose: String {
        case writing = ".lock"
        /// A separate lock, so that writers need not wait for the servers of a refresh.
        case refreshing = ".refresh"
        /// A separate lock, so that neither waits for the targets of reminders.
        case reminding = ".reminders"
    }

    private let descriptor: Int32

    /// Acquires a lock of a database, which the system releases when the process ends.
    ///
    /// - Throws: ``StoreError/busy(path:)`` or ``StoreError/refreshing(path:)`` if another process holds it after the wait.
    package init(_ purpose: Purpose, of guide: String, wait: LockWait) throws(StoreError) {
        let path = DatabaseFile.target(of: guide) + purpose.rawValue
        let status = FileStatus(path: guide)
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, (status?.mode ?? 0) | DatabaseFile.mode)
        guard file >= 0 else { throw FileLock.failure(path) }
        if let owner = status ?? FileStatus(path: FilePath.folder(of: guide)) { DatabaseFile.inherit(owner, file) }
        let polls = if case .always = wait { false } else { true }
        while flock(file, LOCK_EX | (polls ? LOCK_NB : 0)) != 0 {
            let number = errno
            if number == EINTR { continue }
            if number == EWOULDBLOCK, case .until(let isOver) = wait, !isOver() {
                usleep(50_000)
                continue
            }
            let failure = FileLock.failure(path)
            close(file)
            guard number == EWOULDBLOCK else { throw failure }
            throw purpose == .writing ? .busy(path: guide) : .refreshing(path: guide)
        }
        // Set the property last, because an initializer that throws after setting all properties runs `deinit`.
        descriptor = file
    }

    /// Creates an error from `errno`, with advice if permissions are missing.
    private static func failure(_ path: String) -> StoreError {
        let fault = SystemFault.last
        let isRefusal = [EACCES, EPERM, EROFS].contains(fault.number)
        let advice = isRefusal ? "; make sure that the current user can write in that folder" : ""
        return .inaccessible(path: path, detail: "\(fault)" + advice)
    }

    /// Releases the lock before the object is deallocated.
    package func release() { flock(descriptor, LOCK_UN) }

    deinit {
        // A child process that another thread is starting shares the lock until it executes its program.
        release()
        close(descriptor)
    }
}
