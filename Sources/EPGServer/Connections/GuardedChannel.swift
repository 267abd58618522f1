import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// Hummingbird's HTTP/1.1 connections, with limits for hostile clients. NIO's handlers limit headers, detect idle and stalled
/// connections, and do not read from clients that do not read. ``RequestHandler`` does the rest.
struct GuardedChannel: ServerChildChannel {
    let limits: ConnectionLimits
    let clients: ClientTable
    /// Set when the service shuts down. It responds to requests that were sent before.
    let draining: Flag
    /// Makes a handler of a connection that gets `HTTPServerRequestPart`s of one request at a time, and may write the response.
    var preparedHandler: (@Sendable (ClientConnection) -> any ChannelHandler)?
    let responder: HTTPChannelHandler.Responder

    private var http: HTTP1Channel {
        let decoder = HTTP1Channel.Configuration.DecoderConfiguration(
            maxHeaderFieldSize: limits.headerBytes, maxHeaderListSize: limits.headerBytes,
            maxHeaderFieldCount: limits.headerFields)
        return HTTP1Channel(responder: responder, configuration: .init(httpDecoderConfiguration: decoder))
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<AcceptedConnection> {
        do {
            let address = ClientAddress(channel.remoteAddress)
            guard let admission = clients.admit(address) else { throw ChannelError.ioOnClosedChannel }
            let requests = RequestHandler(self, admission)
            let client = requests.connection
            channel.closeFuture.whenComplete { _ in
                clients.leave(admission)
                client.departure.announce()
            }
            let pipeline = channel.pipeline.syncOperations
            let (read, write) = (TimeAmount(limits.idleTimeout), TimeAmount(limits.writeTimeout))
            try pipeline.addHandlers(IdleStateHandler(readTimeout: read, writeTimeout: write), requests.headLength)
            let connection = http.setup(channel: channel, logger: logger)
            try pipeline.addHandlers(
                [requests, BackPressureHandler()] + (preparedHandler.map { [$0(client)] } ?? []),
                position: .after(pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)))
            return connection.map { AcceptedConnection($0, client) }
        } catch {
            channel.close(promise: nil)
            return channel.eventLoop.makeFailedFuture(error)
        }
    }

    func handle(value: AcceptedConnection, logger: Logger) async {
        await ClientConnection.$current.withValue(value.client) {
            await http.handle(value: value.http, logger: logger)
        }
        withExtendedLifetime(value) {}
    }
}

/// A connection to handle. It closes when it is released, as when the server shuts down before it handles it.
final class AcceptedConnection: ServerChildChannelValue {
    fileprivate let http: HTTP1Channel.Value, client: ClientConnection
    var channel: any Channel { http.channel }

    fileprivate init(_ http: HTTP1Channel.Value, _ client: ClientConnection) {
        (self.http, self.client) = (http, client)
        // NIO stops the process when an asynchronous channel is released that is still open.
        channel.closeFuture.whenComplete { _ in withExtendedLifetime(http) {} }
    }

    deinit { channel.close(promise: nil) }
}
