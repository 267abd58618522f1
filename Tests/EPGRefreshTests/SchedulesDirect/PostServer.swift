import Glibc
import Synchronization

/// An HTTP server on an address of this machine that takes bodies, for one test; it answers one connection at a time.
final class PostServer: Sendable {
    struct Request: Sendable {
        var method: String
        var path: String
        /// By name in lower case.
        var headers: [String: String]
        var body: String
    }

    struct Reply: Sendable {
        var status = 200
        var headers: [String] = []
        var body: String
        /// Sends the body compressed with gzip.
        var isPacked = false
        /// Ends the connection before the answer.
        var isCut = false
    }

    struct CannotListen: Error {
        let code: Int32
    }

    let port: UInt16
    private let descriptor: Int32
    private let answer: @Sendable (Request) -> Reply
    private let received = Mutex<[Request]>([])

    init(answer: @escaping @Sendable (Request) -> Reply) throws {
        (descriptor, port) = try PostServer.listen()
        self.answer = answer
        PostServer.avoidProxy
        let context = Unmanaged.passRetained(self).toOpaque()
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { context in
                if let context { Unmanaged<PostServer>.fromOpaque(context).takeRetainedValue().serve() }
                return nil
            }, context)
        guard code == 0 else { throw CannotListen(code: code) }
        pthread_detach(thread)
    }

    /// Keeps a proxy of the environment from coming between; changes the environment once, and only where it must.
    private static let avoidProxy: Void = {
        if getenv("http_proxy") != nil || getenv("all_proxy") != nil || getenv("ALL_PROXY") != nil {
            setenv("no_proxy", "127.0.0.1", 1)
        }
    }()

    var requests: [Request] { received.withLock { $0 } }

    func forgetRequests() { received.withLock { $0 = [] } }

    func address(_ path: String = "") -> String { "http://127.0.0.1:\(port)\(path)" }

    /// Takes no more connections; its thread ends.
    func stop() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    private static func listen() throws -> (Int32, UInt16) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw CannotListen(code: errno) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic -> Int32 in
                guard bind(descriptor, generic, size) == 0, Glibc.listen(descriptor, 8) == 0,
                    getsockname(descriptor, generic, &size) == 0
                else { return errno }
                return 0
            }
        }
        guard code == 0 else { throw CannotListen(code: code) }
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }

    private func serve() {
        while true {
            let connection = accept(descriptor, nil, nil)
            if connection < 0 {
                if errno == EINTR { continue }
                break
            }
            if let request = PostServer.readRequest(connection) {
                received.withLock { $0.append(request) }
                PostServer.send(answer(request), to: connection)
            }
            close(connection)
        }
        close(descriptor)
    }

    private static func send(_ reply: Reply, to connection: Int32) {
        guard !reply.isCut else { return }
        let body = reply.isPacked ? GzipStore.packed(Array(reply.body.utf8)) : Array(reply.body.utf8)
        var lines = ["HTTP/1.1 \(reply.status) Made up", "Content-Length: \(body.count)", "Connection: close"]
        if reply.isPacked { lines.append("Content-Encoding: gzip") }
        let bytes = Array(((lines + reply.headers).joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            sent += count
        }
    }

    private static func readRequest(_ connection: Int32) -> Request? {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            guard recv(connection, &byte, 1, 0) == 1 else { return nil }
            bytes.append(byte)
        }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n").map(String.init)
        let words = lines.first?.split(separator: " ").map(String.init) ?? []
        guard words.count == 3 else { return nil }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ": ", maxSplits: 1).map(String.init)
            if parts.count == 2 { headers[parts[0].lowercased()] = parts[1] }
        }
        var body = [UInt8](repeating: 0, count: headers["content-length"].flatMap { Int($0) } ?? 0)
        var got = 0
        while got < body.count {
            let count = body.withUnsafeMutableBytes {
                recv(connection, $0.baseAddress.map { $0 + got }, $0.count - got, 0)
            }
            guard count > 0 else { return nil }
            got += count
        }
        return Request(
            method: words[0], path: words[1], headers: headers, body: String(decoding: body, as: UTF8.self))
    }
}

/// Packs bytes by gzip (RFC 1952) without making them fewer: in stored blocks (RFC 1951, 3.2.4).
enum GzipStore {
    static func packed(_ bytes: [UInt8]) -> [UInt8] {
        var packed: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
        let starts = Array(stride(from: 0, to: max(bytes.count, 1), by: 65_535))
        for start in starts {
            let chunk = bytes[min(start, bytes.count)..<min(start + 65_535, bytes.count)]
            let count = UInt16(chunk.count)
            packed.append(start == starts.last ? 1 : 0)
            packed += little(UInt32(count) | UInt32(~count) << 16) + chunk
        }
        return packed + little(crc(bytes)) + little(UInt32(bytes.count))
    }

    private static func little(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static func crc(_ bytes: [UInt8]) -> UInt32 {
        var crc: UInt32 = .max
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
        }
        return ~crc
    }
}
