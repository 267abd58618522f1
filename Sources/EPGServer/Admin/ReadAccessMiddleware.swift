import EPGAccess
import EPGModel
import EPGRender
import HTTPTypes
import Hummingbird
import Logging
import NIOPosix

/// A middleware that requires a log-in or a token for reading (`require-login`).
///
/// Administration and the log-in check their requests themselves, and so do `/metrics` with a token, imports, and changes of the
/// watchlist.
struct ReadAccessMiddleware: RouterMiddleware {
    private let controller: AdminController
    private let settings: AdministrationSettings
    /// The paths that need no log-in, besides those of ``AdminRoute``.
    private let openPaths: Set<String>
    private let logger: Logger

    /// The feeds, which accept a token in the URL: `?token=`.
    private static let feeds: Set<String> = ["/xmltv.xml", "/xmltv.xml.gz", "/guide.json", "/playlist.m3u"]

    /// - Parameter hasMetricsToken: Whether `/metrics` requires its own token.
    init(_ controller: AdminController, _ settings: AdministrationSettings, hasMetricsToken: Bool, logger: Logger) {
        self.controller = controller
        self.settings = settings
        self.logger = logger
        var paths: Set<String> = [
            "/healthz", "/readyz", "/favicon.ico", "/manifest.webmanifest", "/robots.txt", ImportController.path,
        ]
        if hasMetricsToken { paths.insert("/metrics") }
        openPaths = paths
    }

    func handle(
        _ request: Request, context: GuideRequestContext, next: (Request, GuideRequestContext) async throws -> Response
    ) async throws -> Response {
        let path = request.uri.path
        // A URL with a token stays valid if readers need none any more.
        guard settings.requiresLogin else { return try await next(Self.withoutToken(request), context) }
        guard !openPaths.contains(path), !path.hasPrefix("/assets/"),
            !AdminRoute.paths.contains(path), !WatchController.isChange(request)
        else { return try await next(request, context) }
        guard try isAdmitted(request) else { return try refusal(of: request) }
        var response = try await next(Self.withoutToken(request), context)
        // Shared caches must not keep it, and browsers ask again, because the session may have ended.
        let freshness = response.headers[.cacheControl] ?? ""
        if freshness.hasPrefix("public") || freshness == Freshness.checked.cacheControl {
            response.headers[.cacheControl] = "private, no-cache"
        }
        return response
    }

    private func isAdmitted(_ request: Request) throws -> Bool {
        if try controller.session(of: request) != nil { return true }
        guard let token = Self.bearerToken(request) ?? Self.queryToken(request) else { return false }
        guard let isOld = try settings.access.use(token: token, at: controller.service.now()) else { return false }
        if isOld {
            let (access, logger) = (settings.access, logger)
            NIOThreadPool.singleton.submit { _ in
                do {
                    try access.storeUses()
                } catch {
                    logger.warning("the use of a token cannot be stored", metadata: ["reason": "\(error)"])
                }
            }
        }
        return true
    }

    private func refusal(of request: Request) throws -> Response {
        let isPage = request.method == .get || request.method == .head
        if isPage, AcceptedValues(request.headers[.accept]).namesHTML, !request.uri.path.hasPrefix("/api/") {
            return AdminController.redirect(to: "/login?next=\((request.head.path ?? "/").percentEncoded)")
        }
        var problem = Problem(
            .unauthorized, "This guide requires a log-in (/login) or a token: Authorization: Bearer TOKEN.")
        problem.challenge = "Bearer realm=\"epg\""
        throw problem
    }

    private static func bearerToken(_ request: Request) -> String? {
        guard let header = request.headers[.authorization], header.utf8.count <= 1024 else { return nil }
        let parts = header.split(separator: " ")
        return parts.count == 2 && parts[0].lowercased() == "bearer" ? String(parts[1]) : nil
    }

    private static func queryToken(_ request: Request) -> String? {
        isFeed(request.uri.path) ? (try? Form(urlEncoded: Array((request.uri.query ?? "").utf8)))?["token"] : nil
    }

    private static func isFeed(_ path: String) -> Bool {
        feeds.contains(path) || path.hasSuffix(".ics") || path.hasSuffix(".atom")
    }

    /// Returns a request for a feed without the token in its URL, which is not one of the parameters of the feed. A playlist
    /// keeps it for the URL of its guide.
    private static func withoutToken(_ request: Request) -> Request {
        guard isFeed(request.uri.path), request.uri.path != PlaylistEndpoint.path, let query = request.uri.query,
            query.contains("token")
        else { return request }
        let kept = query.split(separator: "&").filter { !$0.hasPrefix("token=") && $0 != "token" }
        var head = request.head
        head.path = request.uri.path + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&"))
        return Request(head: head, body: request.body)
    }
}

extension String {
    /// The target of a request without the values of tokens, for logs.
    var withoutTokens: String {
        guard contains("token=") else { return self }
        return replacing(/(?<name>[?&][A-Za-z-]*token=)[^&#]*/) { "\($0.output.name)…" }
    }
}
