import Glibc
import NIOCore
import NIOPosix

/// The file of a Unix socket.
struct SocketFile: Sendable {
    let path: String

    /// Removes the file if no process listens on it.
    func removeStale() async throws(ListeningFailure) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else { throw ListeningFailure(place: path, reason: "not a socket") }
        do {
            let bootstrap = ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            try await bootstrap.connect(unixDomainSocketPath: path).get().close()
        } catch let error as IOError where error.errnoCode == ECONNREFUSED {
            unlink(path)
            return
        } catch {}  // A full queue or a missing permission means that a process listens, too.
        throw ListeningFailure(place: path, reason: "in use by another process")
    }
}

/// The service cannot listen on a URL, or on the path of a Unix socket.
package struct ListeningFailure: Error, Hashable, Sendable, CustomStringConvertible {
    package let place, reason: String

    package var description: String { "cannot listen on \(place): \(reason)" }
}
