import EPGModel
import Glibc

/// An exclusive lock: a `flock` on a file beside the database.
///
/// Every writing process holds one from before it opens the database until after it has checkpointed and closed it: SQLite
/// before 3.51.3 can corrupt a database in WAL mode when one connection checkpoints while another commits.
final class FileLock: Sendable {
    /// What only one process does at a time, and the suffix of the file of its lock.
    enum Purpose: String {
        case writing = ".lock"
        /// Its lock is another one, so that no writer has to wait for a server that a refresh asks.
        case refreshing = ".refresh"
    }

    private let descriptor: Int32

    /// Takes a lock of a database; the system releases it however the process ends.
    ///
    /// - Throws: ``StoreError/busy(path:)`` or ``StoreError/refreshing(path:)`` where another process holds it and isn't waited
    ///   for any more.
    init(_ purpose: Purpose, of guide: String, wait: LockWait) throws(StoreError) {
        let path = GuideFile.target(of: guide) + purpose.rawValue
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw FileLock.failure(path) }
        // As SQLite does with its log: root leaves no file that the owner of the guide can't open.
        if geteuid() == 0, let guide = FileStatus(path: guide) ?? FileStatus(path: BackupFile.folder(of: guide)) {
            _ = fchown(file, guide.user, guide.group)
        }
        let polls = if case .always = wait { false } else { true }
        while flock(file, LOCK_EX | (polls ? LOCK_NB : 0)) != 0 {
            let number = errno
            if number == EINTR { continue }
            if number == EWOULDBLOCK, case .unless(let isOver) = wait, !isOver() {
                usleep(50_000)
                continue
            }
            let failure = FileLock.failure(path)
            close(file)
            guard number == EWOULDBLOCK else { throw failure }
            throw purpose == .writing ? .busy(path: guide) : .refreshing(path: guide)
        }
        // Only now: an initializer that throws after its properties are set runs `deinit` too.
        descriptor = file
    }

    /// What `errno` means, and what to do where it is a matter of permissions.
    private static func failure(_ path: String) -> StoreError {
        let number = errno
        let isRefusal = [EACCES, EPERM, EROFS].contains(number)
        let advice = isRefusal ? "; the account that runs this has to be able to write in that folder" : ""
        return .inaccessible(path: path, detail: String(cString: strerror(number)) + advice)
    }

    /// Gives the lock back before the object goes.
    func release() { flock(descriptor, LOCK_UN) }

    deinit {
        // A child process that another thread is starting shares the lock until it executes its program.
        release()
        close(descriptor)
    }
}
