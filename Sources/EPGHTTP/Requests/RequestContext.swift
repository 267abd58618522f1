import HTTPTypes
package import Hummingbird
import Logging

/// The state of a request.
package struct ServiceRequestContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// The client that sent the request.
    package var client: RequestClient
    /// What ``AccessMiddleware`` admits the client to; `nil` for routes that are for everybody.
    package var admission: Admission?

    /// The number of the request in logs; empty if the log handler keeps no metadata, for which Hummingbird's `id` traps.
    package var requestID: String { logger[metadataKey: "hb.request.id"]?.description ?? "" }

    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        let connection = ClientConnection.current
        client = RequestClient(
            address: connection?.client.address ?? ClientAddress(source.channel.remoteAddress),
            limitedAddress: connection?.client.limitedAddress, arrival: .now,
            disconnectSignal: connection?.disconnectSignal)
    }
}

/// The client of a request.
package struct RequestClient: Sendable {
    /// The address that logs show; see ``ForwardedClient``.
    package let address: ClientAddress
    /// The address that limits count; `nil` for a client that is not limited.
    package let limitedAddress: ClientAddress?
    /// When the request arrived. Its deadline counts from then, including the time in queues.
    package let arrival: ContinuousClock.Instant
    /// Notifies of the disconnection of the client; `nil` to ignore it.
    package let disconnectSignal: DisconnectSignal?
}

extension Request {
    /// Whether the client, as a proxy reports, sent the request by HTTPS. A client that claims it only affects its own response
    /// and cookie.
    package var usesTLS: Bool { headers[named: "X-Forwarded-Proto"]?.lowercased() == "https" }
}

extension Response {
    /// Returns a redirection to a path, which a browser follows with GET (RFC 9110, 15.4.4).
    package static func seeOther(_ path: String) -> Response {
        Response(status: .seeOther, headers: [.location: path, .cacheControl: Freshness.uncacheable.cacheControl])
    }
}

extension RouterMethods where Context == ServiceRequestContext {
    /// Responds to GET and HEAD at a path.
    package func onRead(
        _ path: RouterPath, _ respond: @escaping @Sendable (Request, ServiceRequestContext) async throws -> Response
    ) {
        for method in [HTTPRequest.Method.get, .head] { on(path, method: method, use: respond) }
    }
}
