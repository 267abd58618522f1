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

/// The values that a client accepts in a header such as `Accept` or `Accept-Encoding` (RFC 9110, 12.5).
package struct AcceptedValues: Sendable {
    /// The values in lowercase without parameters, excluding those with `q=0` or `q=0.0`.
    private let values: [(name: String, isAccepted: Bool)]

    /// - Parameter header: `nil` for a missing header, which accepts nothing.
    package init(_ header: String?) {
        values = (header ?? "").split(separator: ",").map { part in
            let sides = part.filter { $0 != " " && $0 != "\t" }.lowercased()
                .split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
            let weight = sides.count > 1 ? sides[1] : ""
            return (String(sides[0]), !weight.hasPrefix("q=0") || weight.contains { ("1"..."9").contains($0) })
        }
    }

    /// Whether the client accepts the encoding gzip.
    package var acceptsGzip: Bool {
        let named = values.last { $0.name == "gzip" || $0.name == "x-gzip" }
        return (named ?? values.last { $0.name == "*" })?.isAccepted ?? false
    }

    /// Whether the header contains HTML, as sent by browsers but not by most programs.
    package var namesHTML: Bool { values.contains { ["text/html", "application/xhtml+xml"].contains($0.name) } }
}
