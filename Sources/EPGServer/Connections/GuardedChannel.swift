import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// HTTP/1.1 connections behind their guards.
///
/// Hummingbird's own channel has an idle timeout, but none for writes, for heads or for slow bodies, and no limit by
/// address.
struct GuardedChannel: ServerChildChannel {
    typealias Value = AcceptedConnection

    let http: HTTP1Channel
    let limits: ConnectionLimits
    let peers: PeerTable
    let refusals: RefusalCounts
    let draining: Draining
    /// Handlers that see `HTTPServerRequestPart`s of one request at a time, before they become Hummingbird's.
    let wireHandlers: @Sendable () -> [any ChannelHandler]

    /// - Parameter additionalHandlers: Handlers that see Hummingbird's parts of one request at a time, before Hummingbird.
    init(
        limits: ConnectionLimits, peers: PeerTable, refusals: RefusalCounts, draining: Draining,
        wireHandlers: @escaping @Sendable () -> [any ChannelHandler] = { [] },
        additionalHandlers: @escaping @Sendable () -> [any RemovableChannelHandler] = { [] },
        responder: @escaping HTTPChannelHandler.Responder
    ) {
        self.limits = limits
        self.peers = peers
        self.refusals = refusals
        self.draining = draining
        self.wireHandlers = wireHandlers
        http = HTTP1Channel(
            responder: responder,
            configuration: HTTP1Channel.Configuration(
                additionalChannelHandlers: additionalHandlers(),
                httpDecoderConfiguration: HTTP1Channel.Configuration.DecoderConfiguration(
                    maxHeaderFieldSize: max(limits.headerBytes, limits.requestLineBytes),
                    maxHeaderListSize: limits.headerBytes, maxHeaderFieldCount: limits.headerFields)))
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        let peers = peers
        let departure = ClientDeparture()
        switch peers.admit(PeerAddress(channel.remoteAddress)) {
        case .admitted(let peer):
            channel.closeFuture.whenComplete { _ in peers.leave(peer) }
            return setUp(channel, departure, logger) { pipeline in
                let connection = ConnectionGuard(limits: limits, refusals: refusals)
                try pipeline.addHandler(connection)
                return RequestGuard(
                    connection: connection, peers: peers, peer: peer, departure: departure, refusals: refusals,
                    draining: draining)
            }
        case .refused(let refusal):
            refusals.add(refusal)
            channel.closeFuture.whenComplete { _ in peers.refusalEnded() }
            // Its pipeline is that of every other connection: NIO lets no channel come to life whose set-up failed.
            return setUp(channel, departure, logger) { pipeline in
                try pipeline.addHandler(ClosingHandler(saying: refusal.bytes))
                return nil
            }
        case .dropped:
            channel.close(promise: nil)
            return channel.eventLoop.makeFailedFuture(ConnectionRefused())
        }
    }

    /// - Parameter addGuards: Adds what stands before the decoder, and gives what stands behind it.
    private func setUp(
        _ channel: any Channel, _ departure: ClientDeparture, _ logger: Logger,
        addGuards: (ChannelPipeline.SynchronousOperations) throws -> (any ChannelHandler)?
    ) -> EventLoopFuture<Value> {
        let pipeline = channel.pipeline.syncOperations
        do {
            let requests = try addGuards(pipeline)
            let value = http.setup(channel: channel, logger: logger)
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            try pipeline.addHandlers(wireHandlers(), position: .after(decoder))
            if let requests { try pipeline.addHandler(requests, position: .after(decoder)) }
            return value.map { [http] in AcceptedConnection($0, http: http, departure: departure, logger: logger) }
        } catch {
            channel.close(promise: nil)
            return channel.eventLoop.makeFailedFuture(error)
        }
    }

    func handle(value: Value, logger: Logger) async {
        await value.handle(logger: logger)
    }
}

/// A connection was refused, and its client isn't told.
private struct ConnectionRefused: Error {}

/// Says one thing, waits a moment for the client to read it, and closes.
private final class ClosingHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let words: ByteBuffer

    init(saying words: ByteBuffer) {
        self.words = words
    }

    func channelActive(context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(words), promise: nil)
        context.close(mode: .output, promise: nil)
        let channel = context.channel
        context.eventLoop.scheduleTask(in: .milliseconds(500)) { channel.close(promise: nil) }
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {}

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed { context.close(promise: nil) }
    }
}
