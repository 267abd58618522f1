import EPGAccess
import EPGModel
import EPGOutput
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

    /// The feeds whose URLs of logos have the token of the request.
    private static let feeds: Set<String> = ["/xmltv.xml", "/xmltv.xml.gz", "/guide.json"]

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
        guard settings.requiresLogin else { return try await next(withoutToken(request), context) }
        guard !openPaths.contains(path), !path.hasPrefix("/assets/"), !AdminRoute.paths.contains(path),
            !WatchController.isChange(request)
        else { return try await next(request, context) }
        guard let isStillAdmitted = try await admission(of: request) else { return try refusal(of: request) }
        var context = context
        context.isStillAdmitted = isStillAdmitted
        var response: Response
        do {
            response = try await next(withoutToken(request), context)
        } catch var problem as Problem {
            problem.maximumAge = nil
            throw problem
        }
        // Shared caches must not keep it, and browsers ask again, because the session may have ended.
        let freshness = response.headers[.cacheControl] ?? ""
        if freshness.hasPrefix("public") || freshness == Freshness.checked.cacheControl {
            response.headers[.cacheControl] = "private, no-cache"
        }
        return response
    }

    /// Returns a check whether the log-in or the token of a request is still valid; `nil` if it has none.
    private func admission(of request: Request) async throws -> (@Sendable () async -> Bool)? {
        let records = try await controller.records(settings)
        for usesTLS in [true, false] {
            if let id = AdminRequest.sessionID(in: request.headers, usesTLS: usesTLS),
                controller.sessions.session(id, records) != nil
            {
                return { await isValid { controller.sessions.isValid(id, $0) } }
            }
        }
        guard let token = BearerToken.text(in: request.headers[.authorization]) ?? Self.queryToken(request),
            let isDue = settings.access.use(token: token, of: records, at: controller.service.now())
        else { return nil }
        if isDue {
            let (access, logger) = (settings.access, logger)
            NIOThreadPool.singleton.submit { _ in
                do {
                    try access.storeUses()
                } catch {
                    logger.warning("the use of a token cannot be stored", metadata: ["reason": "\(error)"])
                }
            }
        }
        return { await isValid { $0.index(ofToken: token) != nil } }
    }

    /// Returns whether the current passwords and tokens fulfill a condition; `false` if they cannot be read.
    private func isValid(_ condition: (AccessRecords) -> Bool) async -> Bool {
        do {
            return condition(try await controller.records(settings))
        } catch {
            return false
        }
    }

    private func refusal(of request: Request) throws -> Response {
        let isPage = request.method == .get || request.method == .head
        if isPage, AcceptedValues(request.headers[.accept]).namesHTML, !request.uri.path.hasPrefix("/api/") {
            return AdminController.redirect(toLoginFrom: request)
        }
        var problem = Problem(
            .unauthorized, "This guide requires a log-in (/login) or a token: Authorization: Bearer TOKEN.")
        problem.challenge = "Bearer realm=\"epg\""
        throw problem
    }

    private static func queryToken(_ request: Request) -> String? {
        isFeed(request.uri.path) ? (try? Form(urlEncoded: Array((request.uri.query ?? "").utf8)))?["token"] : nil
    }

    /// Whether a path accepts a token in the URL: `?token=`. Players also load the logos that a feed or a playlist names.
    private static func isFeed(_ path: String) -> Bool {
        feeds.contains(path) || path == PlaylistEndpoint.path || path.hasPrefix(Logos.path) || path.hasSuffix(".ics")
            || path.hasSuffix(".atom")
    }

    /// Returns a request for a feed without the token in its URL, which is not one of the parameters of the feed. A playlist, and
    /// a feed that needs it for the URLs of its logos, keep it.
    private func withoutToken(_ request: Request) -> Request {
        let path = request.uri.path
        guard Self.isFeed(path), path != PlaylistEndpoint.path, !(settings.requiresLogin && Self.feeds.contains(path)),
            let query = request.uri.query
        else { return request }
        let parts = query.split(separator: "&")
        let kept = parts.filter {
            String(percentDecoding: $0.prefix { $0 != "=" }.utf8, decodesPlus: true) != "token"
        }
        guard kept.count < parts.count else { return request }
        var head = request.head
        head.path = path + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&"))
        return Request(head: head, body: request.body)
    }
}

extension String {
    /// The target of a request without the values of tokens, for logs.
    var withoutTokens: String {
        replacingTokens { part in
            let name = part.prefix { $0.isASCII && $0.isLetter }
            return part.dropFirst(name.count).first == "=" ? "\(name)=…" : "…"
        }
    }

    /// The target of a request without the parts that have a token.
    var withoutTokenParameters: String { replacingTokens { _ in nil } }

    /// Replaces each parameter with a token, also in the URL of another parameter, and the path from a segment or parameter
    /// with a token on.
    private func replacingTokens(_ replacement: (Substring) -> String?) -> String {
        let mark = unicodeScalars.firstIndex(of: "?") ?? endIndex
        var path = self[..<mark]
        var start = path.startIndex
        while start < path.endIndex {
            let segment = path.unicodeScalars.index(after: start)
            let end = path.unicodeScalars[segment...].firstIndex { "/;".unicodeScalars.contains($0) } ?? path.endIndex
            if path[segment..<end].namesToken {
                path = path[..<start] + (replacement(path[segment..<end]).map { path[start..<segment] + $0 } ?? "")
                break
            }
            start = end
        }
        guard mark < endIndex else { return String(path) }
        let parts = self[mark...].dropFirst().split(separator: "&", omittingEmptySubsequences: false)
        let kept = parts.compactMap { $0.namesToken ? replacement($0) : String($0) }
        return String(path) + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&"))
    }
}

extension Substring {
    /// Whether the text contains the word `token` and later an equals sign or a colon, however often they are percent-encoded,
    /// and whatever else is malformed.
    fileprivate var namesToken: Bool {
        var bytes: [UInt8] = []
        for byte in utf8 {
            bytes.append((0x41...0x5A).contains(byte) ? byte | 0x20 : byte)
            while bytes.count >= 3, bytes[bytes.count - 3] == UInt8(ascii: "%"),
                let high = bytes[bytes.count - 2].hexDigit, let low = bytes[bytes.count - 1].hexDigit
            {
                let decoded = high << 4 | low
                bytes.removeLast(3)
                bytes.append((0x41...0x5A).contains(decoded) ? decoded | 0x20 : decoded)
            }
        }
        guard let name = bytes.firstRange(of: Array("token".utf8)) else { return false }
        return bytes[name.upperBound...].contains { "=:".utf8.contains($0) }
    }
}
