import Logging
import NIOCore
import NIOPosix
import Testing

@testable import EPGServer

@Suite("Connections that nobody handles")
struct AcceptedConnectionTests {
    private struct NoAnswer: Error {}

    /// A listening socket that closes drops what it has just accepted; once that ended the whole process.
    @Test func theyAreHandledWhenTheyAreLetGo() async throws {
        let limits = ConnectionLimits()
        let guarded = GuardedChannel(
            limits: limits, peers: PeerTable(limits: limits, proxies: []), refusals: RefusalCounts(),
            draining: Draining(), responder: { _, _, _ in throw NoAnswer() })
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelOption(ChannelOptions.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in guarded.setup(channel: channel, logger: logger).map { _ in } }
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(listener.localAddress?.port)
        let rest = try await RawClient.onThread {
            let client = try RawClient(port: port, patience: 20)
            try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            return try client.readToEnd()
        }
        #expect(rest.isEmpty)
        try await listener.close()
    }
}
