import Glibc

/// The file of a Unix socket.
struct SocketFile: Sendable {
    let path: String

    /// Removes the file where nobody listens on it any more.
    ///
    /// - Throws: ``ListeningFailure`` where somebody does, or where it is another kind of file.
    func removeStale() throws(ListeningFailure) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw ListeningFailure(place: path, reason: "there is a file that isn't a socket")
        }
        guard !hasListener else { throw ListeningFailure(place: path, reason: "another program listens there") }
        guard unlink(path) == 0 || errno == ENOENT else {
            throw ListeningFailure(place: path, reason: String(cString: strerror(errno)))
        }
    }

    /// Whether a connection is accepted, or waits to be.
    private var hasListener: Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let isLong = withUnsafeMutableBytes(of: &address.sun_path) { room in
            guard path.utf8.count < room.count else { return true }
            room.copyBytes(from: path.utf8)
            return false
        }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        guard !isLong, descriptor >= 0 else { return true }
        defer { Glibc.close(descriptor) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        // A full queue (EAGAIN) and a file without our rights (EACCES) have somebody behind them.
        return result == 0 || errno != ECONNREFUSED
    }
}

/// The service can't listen where it should.
package struct ListeningFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The address or the path.
    package let place: String
    package let reason: String

    package var description: String { "can't listen on \(place): \(reason)" }
}
