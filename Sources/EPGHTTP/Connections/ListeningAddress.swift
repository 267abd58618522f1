import Glibc
package import HummingbirdCore
package import NIOCore
import NIOPosix

/// The address on which the service listens.
package enum ListeningAddress: Hashable, Sendable {
    /// A port of an address of this machine; 0 for any free port.
    case port(Int, host: String)
    /// A Unix socket.
    case socket(path: String)

    /// A URL for browsers on this machine. A wildcard address becomes 127.0.0.1.
    package var localURL: String {
        guard case .port(let port, let host) = self else { return description }
        let isAny = ["0.0.0.0", "::", "0:0:0:0:0:0:0:0"].contains(host)
        return ListeningAddress.port(port, host: isAny ? "127.0.0.1" : host).description
    }

    /// The port; `nil` for a Unix socket.
    package var port: Int? { if case .port(let port, _) = self { port } else { nil } }

    /// The address with the port that the system chose.
    package func bound(to address: SocketAddress?) -> ListeningAddress {
        if case .port(_, let host) = self, let port = address?.port { .port(port, host: host) } else { self }
    }

    /// The address for Hummingbird.
    package var bindAddress: BindAddress {
        switch self {
        case .port(let port, let host): .hostname(host, port: port)
        case .socket(let path): .unixDomainSocket(path: path)
        }
    }
}

extension ListeningAddress: CustomStringConvertible {
    /// `http://127.0.0.1:8080`, `unix:/run/epg/http.sock`.
    package var description: String {
        switch self {
        case .port(let port, let host): "http://\(host.contains(":") ? "[\(host)]" : host):\(port)"
        case .socket(let path): "unix:\(path)"
        }
    }
}

/// The file of a Unix socket.
package struct SocketFile: Sendable {
    private let path: String

    /// - Parameter path: The path of the socket, whose file may exist.
    package init(path: String) { self.path = path }

    /// Removes the file if no process listens on it.
    package func removeStale() async throws(ListeningFailure) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else { throw ListeningFailure(place: path, reason: "not a socket") }
        do {
            let bootstrap = ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            try await bootstrap.connect(unixDomainSocketPath: path).get().close()
        } catch let error as IOError where error.errnoCode == ECONNREFUSED {
            unsafe unlink(path)
            return
        } catch {}  // A full queue or a missing permission means that a process listens, too.
        throw ListeningFailure(place: path, reason: "in use by another process")
    }
}

/// The service cannot listen on an address, or on the path of a Unix socket.
package struct ListeningFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The address or path, and the reason without a period.
    package let place, reason: String

    /// Creates an error.
    package init(place: String, reason: String) {
        self.place = place
        self.reason = reason
    }

    package var description: String { "cannot listen on \(place): \(reason)" }
}
