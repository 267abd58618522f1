import EPGModel
import Glibc

/// An exclusive lock: a `flock` on a file beside the database.
///
/// Every writing process holds one from before it opens the database for writing until after it has checkpointed and closed.
/// SQLite before 3.51.3 can corrupt a database in WAL mode when one connection checkpoints while another commits; with
/// one writer that can't be.
final class FileLock: Sendable {
    private let descriptor: Int32

    /// Takes the lock of a database.
    ///
    /// - Throws: ``StoreError/busy(path:)`` where another process holds it and isn't waited for any more.
    convenience init(databasePath: String, wait: LockWait) throws(StoreError) {
        try self.init(".lock", of: databasePath, wait, otherwise: .busy(path: databasePath))
    }

    /// Takes the lock of refreshes of a database: two never run at once.
    ///
    /// It is another one than the writer's, so that nobody who writes has to wait for a server that a refresh asks.
    /// - Throws: ``StoreError/refreshing(path:)`` where another process holds it and isn't waited for any more.
    convenience init(refreshing databasePath: String, wait: LockWait) throws(StoreError) {
        try self.init(".refresh", of: databasePath, wait, otherwise: .refreshing(path: databasePath))
    }

    /// Takes the lock of a file; the system releases it however the process ends.
    private init(
        _ suffix: String, of guide: String, _ wait: LockWait, otherwise refusal: StoreError
    ) throws(StoreError) {
        let path = GuideFile.target(of: guide) + suffix
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
            let error = number == EWOULDBLOCK ? refusal : FileLock.failure(path)
            close(file)
            throw error
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
    func release() {
        flock(descriptor, LOCK_UN)
    }

    deinit {
        close(descriptor)
    }
}
