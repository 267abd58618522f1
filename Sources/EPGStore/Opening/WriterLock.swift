import Glibc

/// The exclusive lock that every writing process holds, from before it opens the database for writing until after it has
/// checkpointed and closed.
///
/// SQLite before 3.51.3 can corrupt a database in WAL mode when one connection checkpoints while another commits; with
/// one writer that can't be.
final class WriterLock: Sendable {
    private let descriptor: Int32

    /// Takes the lock of a database.
    ///
    /// The lock is a `flock` on a file beside the database; the system releases it however the process ends.
    /// - Parameter waits: Whether to wait for another process; else ``StoreError/busy(path:)`` is thrown at once.
    init(databasePath: String, waits: Bool) throws(StoreError) {
        let path = databasePath + ".lock"
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard file >= 0 else {
            throw .inaccessible(path: path, detail: String(cString: strerror(errno)))
        }
        while flock(file, LOCK_EX | (waits ? 0 : LOCK_NB)) != 0 {
            let number = errno
            if number == EINTR { continue }
            close(file)
            if number == EWOULDBLOCK { throw .busy(path: databasePath) }
            throw .inaccessible(path: path, detail: String(cString: strerror(number)))
        }
        // Only now: an initialiser that throws after its properties are set runs `deinit` too.
        descriptor = file
    }

    /// Gives the lock back before the object goes.
    func release() {
        flock(descriptor, LOCK_UN)
    }

    deinit {
        close(descriptor)
    }
}
