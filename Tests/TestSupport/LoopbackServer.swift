import Glibc
import Synchronization

/// An HTTP server on a loopback address for one test. It serves one connection at a time.
package final class LoopbackServer: Sendable {
    /// A received request.
    package struct Request: Sendable {
        /// The request line, such as `GET /guide.xml HTTP/1.1`.
        package var line: String
        /// Headers by lowercase name.
        package var headers: [String: String]
        package var body = ""

        package var method: String { word(0) }
        package var path: String { word(1) }

        private func word(_ index: Int) -> String {
            let words = line.split(separator: " ")
            return index < words.count ? String(words[index]) : ""
        }
    }

    /// The bytes of a response, and how the connection ends.
    package struct Reply: Sendable {
        package var bytes: [UInt8]
        /// Whether to keep the connection open until the client gives up.
        package var stalls = false
        /// Microseconds before each byte; 0 sends all bytes at once.
        package var pause: UInt32 = 0
        /// Whether to reset the connection instead of closing it.
        package var resets = false

        package init(bytes: [UInt8], stalls: Bool = false, pause: UInt32 = 0, resets: Bool = false) {
            (self.bytes, self.stalls, self.pause, self.resets) = (bytes, stalls, pause, resets)
        }

        /// Returns a response with its length.
        package static func status(_ status: String, headers: [String] = [], body: [UInt8] = []) -> Reply {
            let lines = ["HTTP/1.1 \(status)", "Content-Length: \(body.count)", "Connection: close"] + headers
            return Reply(bytes: Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
        }

        package static func status(_ status: String, headers: [String] = [], body: String) -> Reply {
            .status(status, headers: headers, body: Array(body.utf8))
        }

        /// Returns bytes to send verbatim.
        package static func raw(_ text: String, stalls: Bool = false) -> Reply {
            Reply(bytes: Array(text.utf8), stalls: stalls)
        }
    }

    package struct ListenError: Error {
        package let code: Int32
    }

    package let port: UInt16
    private let host: String
    private let descriptor: Int32
    private let respond: @Sendable (Request) -> Reply
    private let receivedRequests = Mutex<[Request]>([])

    /// Starts a server on a host, such as 127.0.0.1 or 127.0.0.2.
    package init(host: String = "127.0.0.1", respond: @escaping @Sendable (Request) -> Reply) throws {
        (descriptor, port) = try LoopbackServer.listen(host)
        self.respond = respond
        self.host = host
        LoopbackServer.disableProxies
        let context = Unmanaged.passRetained(self).toOpaque()
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { context in
                if let context { Unmanaged<LoopbackServer>.fromOpaque(context).takeRetainedValue().serve() }
                return nil
            }, context)
        guard code == 0 else { throw ListenError(code: code) }
        pthread_detach(thread)
    }

    /// Starts a server that sends its replies in order and repeats the last one.
    package convenience init(host: String = "127.0.0.1", replies: [Reply]) throws {
        let next = Mutex(0)
        try self.init(host: host) { _ in
            let index = next.withLock { next in
                defer { next += 1 }
                return next
            }
            return replies[min(index, replies.count - 1)]
        }
    }

    /// Disables proxies of the environment. Changes the environment at most once, and only if necessary.
    private static let disableProxies: Void = {
        if getenv("http_proxy") != nil || getenv("all_proxy") != nil || getenv("ALL_PROXY") != nil {
            setenv("no_proxy", "127.0.0.1", 1)
        }
    }()

    /// All received requests.
    package var requests: [Request] { receivedRequests.withLock { $0 } }

    package func forgetRequests() { receivedRequests.withLock { $0 = [] } }

    package func url(_ path: String = "/guide.xml", scheme: String = "http") -> String {
        "\(scheme)://\(host):\(port)\(path)"
    }

    /// Stops the server and its thread.
    package func stop() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Returns an unused port of 127.0.0.1.
    package static func unusedPort() throws -> UInt16 {
        let (descriptor, port) = try listen("127.0.0.1")
        close(descriptor)
        return port
    }

    private static func listen(_ host: String) throws -> (Int32, UInt16) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw ListenError(code: errno) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr(host)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic -> Int32 in
                guard bind(descriptor, generic, size) == 0, Glibc.listen(descriptor, 8) == 0,
                    getsockname(descriptor, generic, &size) == 0
                else { return errno }
                return 0
            }
        }
        guard code == 0 else { throw ListenError(code: code) }
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }

    private func serve() {
        while true {
            let connection = accept(descriptor, nil, nil)
            if connection < 0 {
                if errno == EINTR { continue }
                break
            }
            serve(connection)
            close(connection)
        }
        close(descriptor)
    }

    private func serve(_ connection: Int32) {
        guard let request = LoopbackServer.readRequest(connection) else { return }
        receivedRequests.withLock { $0.append(request) }
        let reply = respond(request)
        var sent = 0
        while sent < reply.bytes.count {
            if reply.pause > 0 { usleep(reply.pause) }
            let rest = reply.pause > 0 ? reply.bytes[sent...sent] : reply.bytes[sent...]
            let count = rest.withUnsafeBytes {
                send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            sent += count
        }
        if reply.resets {
            var linger = linger(l_onoff: 1, l_linger: 0)
            setsockopt(connection, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
        }
        if reply.stalls {
            var byte: UInt8 = 0
            while recv(connection, &byte, 1, 0) > 0 {}
        }
    }

    private static func readRequest(_ connection: Int32) -> Request? {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            guard recv(connection, &byte, 1, 0) == 1 else { return nil }
            // Treat a TLS handshake (RFC 8446, 5.1) as a request.
            if bytes.isEmpty, byte == 0x16 { return Request(line: "TLS", headers: [:]) }
            bytes.append(byte)
        }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n").map(String.init)
        guard let first = lines.first else { return nil }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ": ", maxSplits: 1).map(String.init)
            if parts.count == 2 { headers[parts[0].lowercased()] = parts[1] }
        }
        let count = headers["content-length"].flatMap { Int($0) } ?? 0
        guard let body = readBody(connection, count: count) else { return nil }
        return Request(line: first, headers: headers, body: body)
    }

    private static func readBody(_ connection: Int32, count: Int) -> String? {
        var body = [UInt8](repeating: 0, count: count)
        var received = 0
        while received < body.count {
            let count = body.withUnsafeMutableBytes {
                recv(connection, $0.baseAddress.map { $0 + received }, $0.count - received, 0)
            }
            guard count > 0 else { return nil }
            received += count
        }
        return String(decoding: body, as: UTF8.self)
    }
}
