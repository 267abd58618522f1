import EPGCalendar
import EPGStore
import HTTPTypes
import Logging
import TestSupport
import Testing

@testable import EPGHTTP
@testable import EPGServer
@testable import ServiceTestSupport

@Suite("Malformed requests")
struct MalformedRequestTests {
    /// Malformed requests with the status of the response.
    private static let requests: [(name: String, bytes: String, status: Int)] = [
        ("no request at all", "GARBAGE\r\n\r\n", 400),
        ("a blank line alone, then nonsense", "\r\n\r\nx\r\n\r\n", 400),
        ("HTTP/0.9", "GET /\r\n\r\n", 400),
        ("HTTP/2 by name", "GET / HTTP/2.0\r\nHost: a\r\n\r\n", 400),
        ("HTTP/2 by its preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400),
        ("an unknown method", "FETCH / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("a negative length", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", 400),
        ("a length that is not a number", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1x\r\n\r\n", 400),
        (
            "a length that overflows", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n",
            400
        ),
        ("two lengths", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", 400),
        (
            "a length and chunks",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400
        ),
        ("a coding other than chunked", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n", 400),
        (
            "chunks within a coding", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
            400
        ),
        ("chunks in HTTP/1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        ("NUL in a header", "GET / HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n", 400),
        ("NUL in the target", "GET /a\0b HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("a space in the target", "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("a space before the colon", "GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400),
        ("a header without a name", "GET / HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n", 400),
        ("a carriage return alone", "GET / HTTP/1.1\r\nHost: a\rX: b\r\n\r\n", 400),
        ("no host", "GET / HTTP/1.1\r\n\r\n", 400),
        ("two hosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
        ("a host with a path", "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", 400),
        ("a host with a user", "GET / HTTP/1.1\r\nHost: u@a\r\n\r\n", 400),
        ("a host with quotation marks", "GET / HTTP/1.1\r\nHost: a\"><script>\r\n\r\n", 400),
        ("a target without a slash", "GET foo HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("a target of another scheme", "GET ftp://a/b HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("a target without a host", "GET http:///b HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("an asterisk that isn't for OPTIONS", "GET * HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("CONNECT", "CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n", 405),
        ("TRACE", "TRACE /healthz HTTP/1.1\r\nHost: a\r\n\r\n", 405),
        ("QUERY", "QUERY /healthz HTTP/1.1\r\nHost: a\r\n\r\n", 405),
        ("two hundred headers", "GET / HTTP/1.1\r\nHost: a\r\n\(String(repeating: "a: b\r\n", count: 200))\r\n", 431),
        ("a long header", "GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "x", count: 20_000))\r\n\r\n", 431),
        (
            "long headers together",
            "GET / HTTP/1.1\r\nHost: a\r\n\(String(repeating: "X: \(String(repeating: "x", count: 900))\r\n", count: 20))\r\n",
            431
        ),
        ("a long target", "GET /\(String(repeating: "x", count: 9000)) HTTP/1.1\r\nHost: a\r\n\r\n", 414),
        ("a longer target", "GET /\(String(repeating: "x", count: 60_000)) HTTP/1.1\r\nHost: a\r\n\r\n", 414),
        ("a line without an end", "GET /\(String(repeating: "x", count: 200_000))", 414),
        ("a body that is too long", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2000000000\r\n\r\n", 413),
        ("a long body for GET", "GET /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n", 413),
    ]

    @Test func malformedRequestGetsAProblemDocument() async throws {
        try await GuardedServer.run { server in
            for request in Self.requests {
                let response = try await server.exchange(request.bytes)
                expectEqual(response?.status, request.status, "\(request.name)")
                // Every error is a problem document (RFC 9457) that a browser does not run.
                expectEqual(response?["content-type"], "application/problem+json", "\(request.name)")
                expectEqual(response?["x-content-type-options"], "nosniff", "\(request.name)")
                expectText(response?.text ?? "", contains: ["\"status\":\(request.status)"], "\(request.name)")
            }
            #expect(try await server.isHealthy())
        }
    }

    /// Rules of proxies name paths without empty segments, so no other form of a path leads to its resource (RFC 3986, 3.3).
    @Test func noOtherFormOfAPathLeadsToItsResource() async throws {
        let described = try GuideServer(
            GuideDatabase(path: SharedGuides.sample.get().path), settings: ServerSettings(site: Site(zone: .utc)),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, now: { RunningServer.now })
        let paths = described.routes.filter { $0.value.contains(.get) && $0.key != "/" }.keys
            .map { $0.replacing(/\{[a-z]+\}/, with: "x") }
        #expect(paths.contains("/metrics"))
        let targets = paths.sorted().flatMap { ["\($0)/", "/\($0)", "\($0)//?x=1", "/.\($0)"] }
        // Except the root and queries.
        let others = ["/?hours=2", "/api/v1/search?q=//news/"]
        try await GuardedServer.run(change: { $0.limits.requestsPerMinute = 0 }) { server in
            let statuses = try await RawClient.onThread {
                let client = try RawClient(port: server.port)
                return try (targets + others).map { target in
                    try client.send("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
                    return try client.readResponse().status
                }
            }
            expectEqual(zip(targets, statuses).filter { $0.1 != 404 }.map(\.0), [])
            expectEqual(Array(statuses.suffix(others.count)), [200, 200])
        }
    }

    @Test func clientsThatDisconnectEarlyDoNotAffectOthers() async throws {
        try await GuardedServer.run { server in
            for bytes in [
                "G", "GET / HT", "GET / HTTP/1.1\r\nHost: a\r\n",
                "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nab",
            ] {
                try await RawClient.onThread {
                    for round in 0..<20 {
                        let client = try RawClient(port: server.port)
                        try client.send(bytes)
                        if round.isMultiple(of: 2) { client.reset() } else { client.close() }
                    }
                }
                #expect(try await server.isHealthy(), "\(bytes)")
            }
        }
    }

    @Test func randomBytesGetAResponseOrAClosedConnection() async throws {
        try await GuardedServer.run { server in
            var generator = Xorshift(state: 0x2545_F491_4F6C_DD1D)
            for _ in 0..<200 {
                let count = Int(generator.next() % 300)
                var bytes = Array("GET /healthz HTTP/1.1\r\nHost: a\r\nX: y\r\n\r\n".utf8)
                for _ in 0..<3 { bytes[Int(generator.next() % UInt64(bytes.count))] = UInt8(generator.next() & 0xFF) }
                if count > 150 { bytes = (0..<count).map { _ in UInt8(generator.next() & 0xFF) } + [13, 10, 13, 10] }
                let sent = bytes
                let status = try await RawClient.onThread {
                    let client = try RawClient(port: server.port)
                    _ = Result { try client.send(sent) }
                    client.finishSending()
                    return try? client.readHead().status
                }
                // A change may leave a valid request, or a body that never arrives.
                #expect(status.map { $0 < 500 } ?? true)
            }
            #expect(try await server.isHealthy())
        }
    }

    @Test func malformedRequestAfterAValidOneGets400InOrder() async throws {
        try await GuardedServer.run(delay: .milliseconds(50)) { server in
            let statuses = try await RawClient.onThread {
                let client = try RawClient(port: server.port)
                try client.send("GET /api/v1/sources HTTP/1.1\r\nHost: a\r\n\r\nNONSENSE\r\n\r\n")
                let statuses = [try client.readResponse().status, try client.readResponse().status]
                return try client.readToEnd().isEmpty ? statuses : []
            }
            expectEqual(statuses, [200, 400])
        }
    }

    @Test func absoluteTargetsAndTheAsteriskOfOPTIONSAreAccepted() async throws {
        try await GuardedServer.run { server in
            // RFC 9112, 3.2.2: a server must accept the absolute form.
            expectEqual(
                try await server.exchange("GET http://b.example/healthz HTTP/1.1\r\nHost: a\r\n\r\n")?.status, 200)
            expectEqual(
                try await server.exchange("GET http://b.example?hours=2 HTTP/1.1\r\nHost: a\r\n\r\n")?.status, 200)
            let options = try await server.exchange("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n")
            expectEqual(options?.status, 204)
            expectEqual(options?["allow"], "GET, HEAD, OPTIONS")
        }
    }
}

/// A random number generator with the same numbers in every run (xorshift64).
private struct Xorshift: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
