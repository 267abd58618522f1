import HTTPTypes
import Hummingbird

/// An address whose answer isn't a document that is kept: it is sent in pieces, goes on without an end, or takes a body.
struct StreamingRoute: Sendable {
    /// The path, without braces.
    let path: String
    let methods: [HTTPRequest.Method]
    /// Answers; every parameter must be read, see ``RequestReader/finish()``.
    ///
    /// - Throws: ``Problem``, or an error of the store.
    let respond: @Sendable (Request, inout RequestReader, StreamingServices) async throws -> Response
}

/// What streaming answers are made with.
struct StreamingServices: Sendable {
    let answers: AnswerService
    let feeds: FeedLibrary
    let listeners: Listeners
    let imports: ImportDesk
    /// Who sent the request; ``StreamingResponder`` sets it for each.
    fileprivate(set) var requester = Requester(id: RequestID(), client: .local, asker: nil)

    /// Who asks, as limits count; `nil` for who isn't limited.
    var asker: PeerAddress? { requester.asker }
}

/// Answers the addresses that stream.
struct StreamingResponder: Sendable {
    private let routes: [String: StreamingRoute]
    private let services: StreamingServices

    init(_ routes: [StreamingRoute] = StreamingRoute.all, services: StreamingServices) {
        self.routes = Dictionary(uniqueKeysWithValues: routes.map { ($0.path, $0) })
        self.services = services
    }

    /// The answer, or `nil` where the path is none of these.
    ///
    /// - Parameters:
    ///   - requester: Who sent the request.
    ///   - route: Set to the path of the route, as soon as it is found.
    func response(
        to request: Request, from requester: Requester, route found: inout String?
    ) async throws -> Response? {
        let parts = request.uri.path.split(separator: "/", omittingEmptySubsequences: true)
        guard let route = routes["/" + parts.joined(separator: "/")] else { return nil }
        found = route.path
        guard route.methods.contains(request.method) else {
            let names = route.methods.map(\.rawValue).joined(separator: " or ")
            var problem = Problem(.methodNotAllowed, "This address takes other methods: use \(names).")
            problem.allowed = route.methods
            throw problem
        }
        var reader = try RequestReader(
            query: request.uri.query, captures: [:], clock: services.answers.now(),
            defaultZone: services.answers.site.zone, host: request.head.authority)
        var services = services
        services.requester = requester
        return try await route.respond(request, &reader, services)
    }
}

extension StreamingRoute {
    /// All of them.
    static let all: [StreamingRoute] = [.xmltv, .packedXMLTV, .guideJSON, .live, .imports]
}
