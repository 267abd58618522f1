import Glibc
import TestSupport
import Testing

@testable import EPGHTTP
@testable import EPGServer
@testable import ServiceTestSupport

@Suite("Shutdown")
struct ShutdownTests {
    @Test func requestInProgressGetsItsResponseAndNewConnectionsAreRefused() async throws {
        let gate = Gate()
        try await GuardedServer.run(gate: gate) {
            // The gate holds the request for as long as the test needs.
            $0.queryDeadline = TestScope.unreachedTimeLimit
        } _: { server in
            defer { gate.open() }
            let idle = try RawClient(port: server.port)
            async let response = RawClient.onThread {
                let client = try RawClient(port: server.port)
                try client.send("GET /api/v1/sources HTTP/1.1\r\nHost: a\r\n\r\n")
                let response = try client.readResponse()
                return try client.readToEnd().isEmpty ? response : nil
            }
            #expect(try await gate.isReached())
            await server.shutDown()
            // This can take a long time while all other tests run.
            let isRefused = try await RawClient.onThread {
                waitUntil {
                    guard let client = try? RawClient(port: server.port) else { return true }
                    client.close()
                    return false
                }
            }
            #expect(isRefused)
            gate.open()
            let received = try await response
            expectEqual(received?.status, 200)
            expectText(received?.text ?? "", contains: ["\"sources\""])
            let rest = try await RawClient.onThread { [idle = TransferableClient(client: idle)] in
                try idle.client.readToEnd()
            }
            expectEqual(rest, [])
        }
    }

    /// A slow client or a slow read would otherwise delay the end of the service.
    @Test func connectionIsClosedAfterTheDrainTimeout() async throws {
        let gate = Gate()
        try await GuardedServer.run(gate: gate) {
            $0.queryDeadline = TestScope.unreachedTimeLimit
            $0.limits.drainTimeout = .milliseconds(200)
        } _: { server in
            defer { gate.open() }
            async let rest = RawClient.onThread {
                let client = try RawClient(port: server.port)
                try client.send("GET /api/v1/sources HTTP/1.1\r\nHost: a\r\n\r\n")
                return try client.readToEnd()
            }
            #expect(try await gate.isReached())
            await server.shutDown()
            expectEqual(try await rest, [])
        }
    }

    @Test func staleSocketFileIsReplaced() async throws {
        let path = "/tmp/epgd-test-\(getpid()).sock"
        defer { unlink(path) }
        // Creates a stale socket file: the socket is bound and then closed.
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        expectEqual(bound, 0)
        close(descriptor)
        try await GuardedServer.run {
            $0.address = .socket(path: path)
        } _: { _ in
            let status = try await RawClient.onThread {
                let client = try RawClient(socketPath: path)
                try client.send("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
                return try client.readResponse().status
            }
            expectEqual(status, 200)
            // Two processes cannot listen on one socket.
            await #expect(throws: ListeningFailure.self) {
                try await GuardedServer.run {
                    $0.address = .socket(path: path)
                } _: { _ in
                }
            }
        }
        #expect(access(path, F_OK) != 0, "the service removes the file")
    }

    @Test func fileThatIsNotASocketIsKept() async throws {
        let path = "/tmp/epgd-test-\(getpid()).txt"
        defer { unlink(path) }
        close(open(path, O_CREAT | O_WRONLY, 0o600))
        await #expect(throws: ListeningFailure.self) {
            try await GuardedServer.run {
                $0.address = .socket(path: path)
            } _: { _ in
            }
        }
        expectEqual(access(path, F_OK), 0)
    }

    @Test func portInUseIsReported() async throws {
        try await GuardedServer.run { server in
            let error = await #expect(throws: ListeningFailure.self) {
                try await GuardedServer.run {
                    $0.address = .port(server.port, host: "127.0.0.1")
                } _: { _ in
                }
            }
            expectEqual(error?.place, "http://127.0.0.1:\(server.port)")
        }
    }
}
