import Foundation
import Glibc
import Testing

/// A connection to a server of this machine, by blocking POSIX sockets: it sends bytes as they are and reads answers.
///
/// The server under test runs on Swift's threads, which must never block: whatever waits goes through ``onThread(_:)``.
///
/// ```swift
/// let answer = try await RawClient.get("/healthz", port: port, headers: ["Accept-Encoding: gzip"])
/// #expect(answer.status == 200 && answer["content-type"] == "application/json")
///
/// try await RawClient.onThread {
///     let client = try RawClient(port: port)
///     try client.send("GET /api/v1/events HTTP/1.1\r\nHost: a\r\n\r\n")
///     let head = try client.readHead()
///     let piece = try client.readChunk()          // nil behind the last one
/// }
/// ```
final class RawClient {
    /// What the system or the server did that no answer can be read after.
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    private let descriptor: Int32
    /// Bytes that came and weren't read yet.
    private var held: [UInt8] = []
    private var isOpen = true
    /// Whether the server closed the connection without the handshake.
    private(set) var wasReset = false

    /// Connects to a port of 127.0.0.1.
    ///
    /// - Parameters:
    ///   - patience: Seconds that a read or write may wait; then it throws.
    ///   - room: Bytes that may wait to be read; `nil` for what the system gives.
    convenience init(port: Int, patience: Int = 120, room: Int32? = nil) throws {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        try self.init(AF_INET, &address, patience: patience, room: room)
    }

    /// Connects to a Unix socket.
    convenience init(socketPath path: String, patience: Int = 120) throws {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else { throw Failure(description: "path") }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        try self.init(AF_UNIX, &address, patience: patience)
    }

    private init<Address>(
        _ family: Int32, _ address: inout Address, patience: Int, room: Int32? = nil
    ) throws {
        descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(description: "socket: \(errno)") }
        var limit = timeval(tv_sec: patience, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        if var room { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &room, socklen_t(MemoryLayout<Int32>.size)) }
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

    /// Says that nothing more is sent; answers can still be read.
    func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Closes without the handshake, so that the other side sees a reset.
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

    /// The next bytes that come, at most 64 KiB; empty where the server closed the connection.
    func readSome() throws -> [UInt8] {
        if !held.isEmpty {
            defer { held = [] }
            return held
        }
        var room = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let got = recv(descriptor, &room, room.count, 0)
            if got < 0, errno == EINTR { continue }
            if got < 0, errno == ECONNRESET {
                wasReset = true
                return []
            }
            guard got >= 0 else { throw Failure(description: "recv: \(errno)") }
            return Array(room[0..<got])
        }
    }

    /// Bytes to the next line feed, without it and the carriage return before it.
    func readLine() throws -> String {
        while true {
            if let end = held.firstIndex(of: 0x0A) {
                var line = held[..<end]
                if line.last == 0x0D { line = line.dropLast() }
                defer { held.removeFirst(end + 1) }
                return String(decoding: line, as: UTF8.self)
            }
            let waiting = held
            held = []
            let more = try readSome()
            guard !more.isEmpty else { throw Failure(description: "closed in a line: \(waiting.count) bytes") }
            held = waiting + more
        }
    }

    /// So many bytes.
    func read(_ count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let more = try readSome()
            guard !more.isEmpty else { throw Failure(description: "closed after \(bytes.count) of \(count) bytes") }
            bytes += more
        }
        held = Array(bytes[count...])
        return Array(bytes[..<count])
    }

    /// Whatever comes until the server closes the connection.
    func readToEnd() throws -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let more = try readSome()
            if more.isEmpty { return bytes }
            bytes += more
        }
    }

    /// The head of an answer, whose body is still to be read.
    func readHead() throws -> RawAnswer {
        let line = try readLine()
        guard let status = Int(line.split(separator: " ").dropFirst().first ?? "") else {
            throw Failure(description: "no status in “\(line)”")
        }
        var answer = RawAnswer(status: status)
        while true {
            let line = try readLine()
            if line.isEmpty { return answer }
            guard let colon = line.firstIndex(of: ":") else { throw Failure(description: "no header: “\(line)”") }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            answer.headers.append((line[..<colon].lowercased(), String(value)))
        }
    }

    /// The next chunk of a chunked body; `nil` behind the last.
    func readChunk() throws -> [UInt8]? {
        guard let count = Int(try readLine().prefix { $0 != ";" }, radix: 16) else {
            throw Failure(description: "no length of a chunk")
        }
        guard count > 0 else {
            while try !readLine().isEmpty {}
            return nil
        }
        let bytes = try read(count)
        _ = try readLine()
        return bytes
    }

    /// An answer with its body.
    ///
    /// - Parameter isHead: Whether a HEAD was asked, whose answer has none.
    func readAnswer(toHead isHead: Bool = false) throws -> RawAnswer {
        var answer = try readHead()
        if isHead || answer.status == 304 || answer.status == 204 || answer.status < 200 { return answer }
        if answer["transfer-encoding"]?.lowercased() == "chunked" {
            while let chunk = try readChunk() { answer.body += chunk }
        } else if let length = answer["content-length"].flatMap({ Int($0) }) {
            answer.body = try read(length)
        } else {
            answer.body = try readToEnd()
        }
        return answer
    }

    // MARK: - Whole exchanges

    /// One request on a connection of its own, and its answer.
    ///
    /// - Parameters:
    ///   - headers: Whole lines, such as `Range: bytes=0-9`; `Host` and, for a body, `Content-Length` are added.
    static func ask(
        _ method: String, _ target: String, port: Int, headers: [String] = [], body: [UInt8]? = nil
    ) async throws -> RawAnswer {
        try await onThread {
            let client = try RawClient(port: port)
            var lines = ["\(method) \(target) HTTP/1.1"] + headers
            if !headers.contains(where: { $0.lowercased().hasPrefix("host:") }) {
                lines.append("Host: 127.0.0.1:\(port)")
            }
            if let body { lines.append("Content-Length: \(body.count)") }
            try client.send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + (body ?? []))
            return try client.readAnswer(toHead: method == "HEAD")
        }
    }

    static func get(_ target: String, port: Int, headers: [String] = []) async throws -> RawAnswer {
        try await ask("GET", target, port: port, headers: headers)
    }

    /// Runs what blocks on a thread of its own.
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
            precondition(code == 0, "no thread")
            pthread_detach(thread)
        }
    }

    /// What a thread is made for.
    private final class Work: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }
}

/// An answer as it came.
struct RawAnswer: Sendable {
    var status: Int
    /// Names in lower case, in the order in which they came.
    var headers: [(name: String, value: String)] = []
    /// Without the framing of chunks; still compressed where it came so.
    var body: [UInt8] = []

    var text: String { String(decoding: body, as: UTF8.self) }

    /// The first header of that name, in lower case.
    subscript(name: String) -> String? { headers.first { $0.name == name }?.value }

    /// The body that gzip(1) decompresses.
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
