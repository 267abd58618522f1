import Foundation
import Glibc
import Testing

/// A client of a local server over a blocking POSIX socket. It sends bytes unchanged and parses responses.
///
/// The server under test runs on Swift's thread pool, which must not block: run blocking calls with ``onThread(_:)``.
///
/// ```swift
/// let response = try await RawClient.get("/healthz", port: port, headers: ["Accept-Encoding: gzip"])
/// #expect(response.status == 200 && response["content-type"] == "application/json")
///
/// try await RawClient.onThread {
///     let client = try RawClient(port: port)
///     try client.send("GET /api/v1/events HTTP/1.1\r\nHost: a\r\n\r\n")
///     let head = try client.readHead()
///     let chunk = try client.readChunk()          // nil after the last one
/// }
/// ```
final class RawClient {
    /// A system error or a malformed response.
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    private let descriptor: Int32
    /// Received bytes that have not been read yet.
    private var buffer: [UInt8] = []
    private var isOpen = true
    /// Whether the server reset the connection.
    private(set) var wasReset = false

    /// Connects to a port of 127.0.0.1.
    ///
    /// - Parameters:
    ///   - timeout: Seconds after which a blocked read or write throws.
    ///   - receiveBufferSize: Size of the receive buffer in bytes; `nil` for the system default.
    convenience init(port: Int, timeout: Int = 120, receiveBufferSize: Int32? = nil) throws {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        try self.init(AF_INET, &address, timeout: timeout, receiveBufferSize: receiveBufferSize)
    }

    /// Connects to a Unix socket.
    convenience init(socketPath path: String, timeout: Int = 120) throws {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else { throw Failure(description: "path") }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        try self.init(AF_UNIX, &address, timeout: timeout)
    }

    private init<Address>(
        _ family: Int32, _ address: inout Address, timeout: Int, receiveBufferSize: Int32? = nil
    ) throws {
        descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(description: "socket: \(errno)") }
        var limit = timeval(tv_sec: timeout, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        if var receiveBufferSize {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBufferSize, socklen_t(MemoryLayout<Int32>.size))
        }
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
            }
        }
        guard code == 0 else { throw Failure(description: "connect: \(errno)") }
    }

    deinit {
        close()
    }

    func close() {
        guard isOpen else { return }
        isOpen = false
        Glibc.close(descriptor)
    }

    /// Closes the sending side; responses can still be read.
    func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Closes the connection with a TCP reset.
    func reset() {
        var now = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
        close()
    }

    // MARK: - Sending

    func send(_ text: String) throws { try send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if sent < 0, errno == EINTR { continue }
            guard sent > 0 else {
                if errno == ECONNRESET { wasReset = true }
                throw Failure(description: "send: \(errno)")
            }
            rest = rest.dropFirst(sent)
        }
    }

    // MARK: - Reading

    /// Reads the next available bytes, at most 64 KiB; empty if the server closed the connection.
    func readAvailable() throws -> [UInt8] {
        if !buffer.isEmpty {
            defer { buffer = [] }
            return buffer
        }
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let received = recv(descriptor, &bytes, bytes.count, 0)
            if received < 0, errno == EINTR { continue }
            if received < 0, errno == ECONNRESET {
                wasReset = true
                return []
            }
            guard received >= 0 else { throw Failure(description: "recv: \(errno)") }
            return Array(bytes[0..<received])
        }
    }

    /// Reads a line and returns it without the line feed and the carriage return before it.
    func readLine() throws -> String {
        while true {
            if let end = buffer.firstIndex(of: 0x0A) {
                var line = buffer[..<end]
                if line.last == 0x0D { line = line.dropLast() }
                defer { buffer.removeFirst(end + 1) }
                return String(decoding: line, as: UTF8.self)
            }
            let partial = buffer
            buffer = []
            let more = try readAvailable()
            guard !more.isEmpty else { throw Failure(description: "closed within a line after \(partial.count) bytes") }
            buffer = partial + more
        }
    }

    /// Reads `count` bytes.
    func read(_ count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let more = try readAvailable()
            guard !more.isEmpty else { throw Failure(description: "closed after \(bytes.count) of \(count) bytes") }
            bytes += more
        }
        buffer = Array(bytes[count...])
        return Array(bytes[..<count])
    }

    /// Reads until the server closes the connection.
    func readToEnd() throws -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let more = try readAvailable()
            if more.isEmpty { return bytes }
            bytes += more
        }
    }

    /// Reads the head of a response. The body has to be read separately.
    func readHead() throws -> RawResponse {
        let line = try readLine()
        guard let status = Int(line.split(separator: " ").dropFirst().first ?? "") else {
            throw Failure(description: "no status in “\(line)”")
        }
        var response = RawResponse(status: status)
        while true {
            let line = try readLine()
            if line.isEmpty { return response }
            guard let colon = line.firstIndex(of: ":") else { throw Failure(description: "invalid header “\(line)”") }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            response.headers.append((line[..<colon].lowercased(), String(value)))
        }
    }

    /// Reads the next chunk of a chunked body; `nil` after the last one.
    func readChunk() throws -> [UInt8]? {
        guard let count = Int(try readLine().prefix { $0 != ";" }, radix: 16) else {
            throw Failure(description: "invalid chunk size")
        }
        guard count > 0 else {
            while try !readLine().isEmpty {}
            return nil
        }
        let bytes = try read(count)
        _ = try readLine()
        return bytes
    }

    /// Reads a response with its body.
    ///
    /// - Parameter isHead: Whether the request was HEAD, whose response has no body.
    func readResponse(toHead isHead: Bool = false) throws -> RawResponse {
        var response = try readHead()
        if isHead || response.status == 304 || response.status == 204 || response.status < 200 { return response }
        if response["transfer-encoding"]?.lowercased() == "chunked" {
            while let chunk = try readChunk() { response.body += chunk }
        } else if let length = response["content-length"].flatMap({ Int($0) }) {
            response.body = try read(length)
        } else {
            response.body = try readToEnd()
        }
        return response
    }

    // MARK: - Requests

    /// Sends a request on a new connection and returns the response.
    ///
    /// - Parameters:
    ///   - headers: Header lines, such as `Range: bytes=0-9`. `Host` and, with a body, `Content-Length` are added.
    static func request(
        _ method: String, _ target: String, port: Int, headers: [String] = [], body: [UInt8]? = nil
    ) async throws -> RawResponse {
        try await onThread {
            let client = try RawClient(port: port)
            var lines = ["\(method) \(target) HTTP/1.1"] + headers
            if !headers.contains(where: { $0.lowercased().hasPrefix("host:") }) {
                lines.append("Host: 127.0.0.1:\(port)")
            }
            if let body { lines.append("Content-Length: \(body.count)") }
            try client.send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + (body ?? []))
            return try client.readResponse(toHead: method == "HEAD")
        }
    }

    static func get(_ target: String, port: Int, headers: [String] = []) async throws -> RawResponse {
        try await request("GET", target, port: port, headers: headers)
    }

    /// Runs a blocking closure on a new thread and returns its result.
    static func onThread<Outcome: Sendable>(_ body: @escaping @Sendable () throws -> Outcome) async throws -> Outcome {
        try await withCheckedThrowingContinuation { continuation in
            let work = Work { continuation.resume(with: Result(catching: body)) }
            var thread = pthread_t()
            let code = pthread_create(
                &thread, nil,
                { context in
                    if let context { Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body() }
                    return nil
                }, Unmanaged.passRetained(work).toOpaque())
            precondition(code == 0, "cannot create a thread")
            pthread_detach(thread)
        }
    }

    /// The closure that a thread runs.
    private final class Work: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }
}

/// A client that several threads use in turn.
struct TransferableClient: @unchecked Sendable {
    let client: RawClient
}

/// A response as the server sent it.
struct RawResponse: Sendable {
    var status: Int
    /// Headers in the order of the response, with names in lower case.
    var headers: [(name: String, value: String)] = []
    /// The body without chunk framing. A compressed body stays compressed.
    var body: [UInt8] = []

    var text: String { String(decoding: body, as: UTF8.self) }

    /// The value of the first header with a name in lower case.
    subscript(name: String) -> String? { headers.first { $0.name == name }?.value }

    /// Returns the body, decompressed by gzip(1).
    func decompressedBody() throws -> [UInt8] {
        let file = FileManager.default.temporaryDirectory.appending(path: "epgd-gzip-\(UUID().uuidString)")
        try Data(body).write(to: file)
        defer { _ = Result { try FileManager.default.removeItem(at: file) } }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["gzip", "-dc"]
        process.standardInput = try FileHandle(forReadingFrom: file)
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return Array(data)
    }
}
