import Glibc

/// An exclusive lock: a `flock` on a file beside the database.
///
/// Every writing process holds one from before it opens the database for writing until after it has checkpointed and closed.
///
/// SQLite before 3.51.3 can corrupt a database in WAL mode when one connection checkpoints while another commits; with
/// one writer that can't be.
final class FileLock: Sendable {
    private let descriptor: Int32

    /// Takes the lock of a database.
    ///
    /// - Parameter waits: Whether to wait for another process; else ``StoreError/busy(path:)`` is thrown at once.
    convenience init(databasePath: String, waits: Bool) throws(StoreError) {
        try self.init(file: databasePath + ".lock", waits: waits, otherwise: .busy(path: databasePath))
    }

    /// Takes the lock of refreshes of a database: two never run at once.
    ///
    /// It is another one than the writer's, so that nobody who writes has to wait for a server that a refresh asks.
    /// - Parameter waits: Whether to wait for another process; else ``StoreError/refreshing(path:)`` is thrown at once.
    convenience init(refreshing databasePath: String, waits: Bool) throws(StoreError) {
        try self.init(file: databasePath + ".refresh", waits: waits, otherwise: .refreshing(path: databasePath))
    }

    /// Takes the lock of a file; the system releases it however the process ends.
    private init(file path: String, waits: Bool, otherwise refusal: StoreError) throws(StoreError) {
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard file >= 0 else {
            throw .inaccessible(path: path, detail: String(cString: strerror(errno)))
        }
        while flock(file, LOCK_EX | (waits ? 0 : LOCK_NB)) != 0 {
            let number = errno
            if number == EINTR { continue }
            close(file)
            if number == EWOULDBLOCK { throw refusal }
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
