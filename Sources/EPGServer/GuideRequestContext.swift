import Hummingbird
import NIOCore

/// The state of a request.
struct GuideRequestContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The client, which ``ClientMiddleware`` completes.
    var client: RequestClient

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        client = RequestClient(
            address: ClientAddress(source.channel.remoteAddress), arrival: .now, departure: .current)
    }
}

/// The client of a request.
struct RequestClient: Sendable {
    /// The address that logs show: that of the connection, or the one that a trusted proxy names.
    var address: ClientAddress
    /// The address that limits count; `nil` for a client that is not limited.
    var limitedAddress: ClientAddress?
    /// When the request arrived. Its deadline counts from then, including the time in queues.
    let arrival: ContinuousClock.Instant
    /// Announces that the client has gone; `nil` for one that stays.
    let departure: ClientDeparture?
}

/// Finds out which client a trusted proxy forwards a request for.
struct ClientMiddleware: RouterMiddleware {
    let clients: ClientTable

    func handle(
        _ request: Request, context: GuideRequestContext, next: (Request, GuideRequestContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        let connection = context.client.address
        let forwardedFor = request.headers[named: "X-Forwarded-For"]
        context.client.address = clients.address(of: connection, forwardedFor: forwardedFor)
        context.client.limitedAddress = clients.limitedAddress(of: connection, forwardedFor: forwardedFor)
        return try await next(request, context)
    }
}
