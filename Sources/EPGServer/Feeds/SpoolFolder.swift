import Glibc
import Synchronization

/// A folder for spooled files, and how much may be in it.
final class SpoolFolder: Sendable {
    private let path: String
    /// In bytes of all files that are open.
    private let capacity: Int
    private let used = Mutex(0)

    init(path: String, capacity: Int) {
        self.path = path
        self.capacity = capacity
    }

    /// The bytes of all files that are open.
    var size: Int { used.withLock { $0 } }

    /// An empty file, which has no name any more.
    ///
    /// - Throws: ``SpoolError``.
    func makeFile() throws(SpoolError) -> SpoolFile {
        var name = Array((path + "/epgd-XXXXXX").utf8CString)
        let descriptor = mkstemp(&name)
        guard descriptor >= 0 else { throw SpoolError(errno) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        unlink(name)
        return SpoolFile(descriptor, in: self)
    }

    func reserve(_ count: Int) throws(SpoolError) {
        let isThere = used.withLock { used in
            guard used + count <= capacity else { return false }
            used += count
            return true
        }
        guard isThere else { throw .noRoom }
    }

    func release(_ count: Int) {
        used.withLock { $0 -= count }
    }
}
