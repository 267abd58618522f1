import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import TestSupport
import Testing

@testable import EPGHTTP
@testable import ServiceTestSupport

@Suite("Accepted connections")
struct AcceptedConnectionTests {
    private struct NoResponse: Error {}

    private static func channel(
        preparedHandler: (@Sendable (ClientConnection) -> any ChannelHandler)? = nil,
        responder: @escaping HTTPChannelHandler.Responder = { _, _, _ in throw NoResponse() }
    ) -> GuardedChannel {
        var limits = ConnectionLimits()
        limits.requestsPerMinute = 0
        return GuardedChannel(
            limits: limits, clients: ClientTable(limits: limits, proxies: []),
            draining: Flag(), preparedHandler: preparedHandler, responder: responder)
    }

    private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    /// A server that shuts down releases connections that it has just accepted. NIO crashes if such a connection is still
    /// open.
    @Test func unhandledConnectionIsClosedOnRelease() async throws {
        let guarded = Self.channel()
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelOption(ChannelOptions.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in guarded.setup(channel: channel, logger: Self.logger).map { _ in } }
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(listener.localAddress?.port)
        let rest = try await RawClient.onThread {
            let client = try RawClient(port: port, timeout: 20)
            try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            return try client.readToEnd()
        }
        expectEqual(rest, [])
        try await listener.close()
    }

    /// The connection was already opened, as when a running server shuts down.
    @Test func openUnhandledConnectionIsClosedOnRelease() async throws {
        let guarded = Self.channel()
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelOption(ChannelOptions.allowRemoteHalfClosure, value: true)
            .bind(host: "127.0.0.1", port: 0) { channel in guarded.setup(channel: channel, logger: Self.logger) }
        let port = try #require(listener.channel.localAddress?.port)
        let rest = try await listener.executeThenClose { connections in
            async let rest = RawClient.onThread {
                let client = try RawClient(port: port, timeout: 20)
                try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                return try client.readToEnd()
            }
            for try await _ in connections { break }
            return try await rest
        }
        expectEqual(rest, [])
    }

    /// The server responds to all waiting requests at once, which must not overflow the stack.
    @Test func thousandsOfRequestsBehindASlowOneGetResponsesInOrder() async throws {
        let (sent, continuation) = AsyncStream.makeStream(of: Void.self)
        let guarded = Self.channel(preparedHandler: { _ in PreparedHandler() }) { _, writer, _ in
            for await _ in sent { break }
            var body = try await writer.writeHead(HTTPResponse(status: .accepted, headerFields: [.contentLength: "4"]))
            try await body.write(ByteBuffer(string: "slow"))
            try await body.finish(nil)
        }
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelOption(ChannelOptions.allowRemoteHalfClosure, value: true)
            .bind(host: "127.0.0.1", port: 0) { channel in guarded.setup(channel: channel, logger: Self.logger) }
        let port = try #require(listener.channel.localAddress?.port)
        let statuses = try await listener.executeThenClose { connections in
            async let statuses = RawClient.onThread {
                let client = try RawClient(port: port, timeout: 20)
                let ready = String(repeating: "GET /ready HTTP/1.1\r\nHost: a\r\n\r\n", count: 4_000)
                try client.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n" + ready)
                continuation.yield()
                client.finishSending()
                let statuses = try (0...4_000).map { _ in try client.readResponse().status }
                return try client.readToEnd().isEmpty ? statuses : []
            }
            for try await connection in connections {
                await guarded.handle(value: connection, logger: Self.logger)
                break
            }
            return try await statuses
        }
        expectEqual(statuses, [202] + Array(repeating: 200, count: 4_000))
    }
}

/// Responds to requests for `/ready` on the event loop.
private final class PreparedHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private var isReady = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        if case .head(let head) = part { isReady = head.uri == "/ready" }
        guard isReady else { return context.fireChannelRead(data) }
        guard case .end = part else { return }
        let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: ["content-length": "5"])
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: "ready")))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}
