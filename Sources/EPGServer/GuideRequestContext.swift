import Hummingbird
import NIOCore

/// The state of a request.
struct GuideRequestContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    var client: RequestClient

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        let connection = ClientConnection.current
        client = RequestClient(
            address: connection?.client.address ?? ClientAddress(source.channel.remoteAddress),
            limitedAddress: connection?.client.limitedAddress, arrival: .now, departure: connection?.departure)
    }
}

/// The client of a request.
struct RequestClient: Sendable {
    /// The address that logs show; see ``ForwardedClient``.
    let address: ClientAddress
    /// The address that limits count; `nil` for a client that is not limited.
    let limitedAddress: ClientAddress?
    /// When the request arrived. Its deadline counts from then, including the time in queues.
    let arrival: ContinuousClock.Instant
    /// Announces that the client has gone; `nil` for one that stays.
    let departure: ClientDeparture?
}
