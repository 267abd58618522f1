import Glibc
package import HummingbirdCore
package import Logging
package import NIOCore
import NIOHTTP1
import NIOPosix

/// Hummingbird's HTTP/1.1 connections, with limits for hostile clients. NIO's handlers limit headers, detect idle and stalled
/// connections, and do not read from clients that do not read. ``RequestHandler`` does the rest.
package struct GuardedChannel: ServerChildChannel {
    let limits: ConnectionLimits
    let clients: ClientTable
    let draining: Flag
    private let preparedHandler: (@Sendable (ClientConnection) -> any ChannelHandler)?
    private let responder: HTTPChannelHandler.Responder

    /// - Parameters:
    ///   - draining: Set when the service shuts down. It responds to requests that were sent before.
    ///   - preparedHandler: Creates a handler of a connection that receives the `HTTPServerRequestPart`s of one request at a time,
    ///     and may respond; `nil` for none.
    package init(
        limits: ConnectionLimits, clients: ClientTable, draining: Flag,
        preparedHandler: (@Sendable (ClientConnection) -> any ChannelHandler)? = nil,
        responder: @escaping HTTPChannelHandler.Responder
    ) {
        self.limits = limits
        self.clients = clients
        self.draining = draining
        self.preparedHandler = preparedHandler
        self.responder = responder
    }

    private var http: HTTP1Channel {
        let decoder = HTTP1Channel.Configuration.DecoderConfiguration(
            maxHeaderFieldSize: limits.headerBytes, maxHeaderListSize: limits.headerBytes,
            maxHeaderFieldCount: limits.headerFields)
        return HTTP1Channel(responder: responder, configuration: .init(httpDecoderConfiguration: decoder))
    }

    package func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<AcceptedConnection> {
        do {
            let address = ClientAddress(channel.remoteAddress)
            guard let admission = clients.admit(address) else { throw ChannelError.ioOnClosedChannel }
            let requests = RequestHandler(self, admission)
            let client = requests.connection
            channel.closeFuture.whenComplete { _ in
                clients.release(admission)
                client.disconnectSignal.signal()
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

    package func handle(value: AcceptedConnection, logger: Logger) async {
        await ClientConnection.$current.withValue(value.client) {
            await http.handle(value: value.http, logger: logger)
        }
        withExtendedLifetime(value) {}
    }
}

/// An accepted connection, which closes when it is released, for example if the server shuts down before handling it.
package final class AcceptedConnection: ServerChildChannelValue {
    fileprivate let http: HTTP1Channel.Value, client: ClientConnection
    package var channel: any Channel { http.channel }

    fileprivate init(_ http: HTTP1Channel.Value, _ client: ClientConnection) {
        (self.http, self.client) = (http, client)
        // NIO traps if an open asynchronous channel is released.
        channel.closeFuture.whenComplete { _ in withExtendedLifetime(http) {} }
    }

    deinit { channel.close(promise: nil) }
}

/// The limits of connections and requests. An IPv6 network (/64) counts as one address.
package struct ConnectionLimits: Hashable, Sendable {
    /// Maximum number of connections. Further ones get status 503.
    package var connections = 4096
    /// Maximum number of connections per address. Further ones get status 503.
    package var connectionsPerAddress = 256
    /// Maximum number of requests per minute and address, a sixth of them at once; 0 for no limit. Further ones get 429.
    package var requestsPerMinute = 6000
    /// Maximum length of a request line in bytes. A longer one gets 414.
    package var requestLineBytes = 8 << 10
    /// Maximum length of the target and all headers of a request in bytes. Longer ones get 431.
    package var headerBytes = 16 << 10
    /// Maximum number of headers of a request. More get 431.
    package var headerFields = 100
    /// Maximum length of a request body in bytes. A longer one gets 413.
    package var bodyBytes = 512 << 20
    /// Maximum time from the first byte of a request to the end of its headers (plus at most 1 s). A slower one gets 408.
    package var headerTimeout = Duration.seconds(10)
    /// How long a connection without a request stays open after the last byte from the client.
    package var idleTimeout = Duration.seconds(60)
    /// The time in which ``bodyBytesPerPeriod`` of a body must arrive while they are awaited. A slower body gets 408.
    package var bodyPeriod = Duration.seconds(10)
    /// Minimum number of bytes of a body in each ``bodyPeriod``.
    package var bodyBytesPerPeriod = 10 << 10
    /// The time after which a connection is closed if its client reads nothing of a response; up to twice as long for a long
    /// response.
    package var writeTimeout = Duration.seconds(30)
    /// The time to keep reading a connection after its last response, so that the client receives it (RFC 9112, 9.6).
    package var lingerTimeout = Duration.seconds(2)
    /// On shutdown, the time during which new connections are accepted, and then the time for which idle ones stay open.
    package var drainPause = Duration.milliseconds(500)
    /// On shutdown, the time after ``drainPause`` in which responses must end. Connections that remain are closed.
    package var drainTimeout = Duration.seconds(2)

    /// Creates the default settings.
    package init() {}
}
