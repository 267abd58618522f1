import EPGModel
import HTTPTypes
package import Hummingbird
package import Logging

/// A middleware that checks the requests of a group of routes.
struct AccessMiddleware: RouterMiddleware {
    let group: AccessGroup
    let control: AccessControl
    let logger: Logger

    func handle(
        _ request: Request, context: ServiceRequestContext,
        next: (Request, ServiceRequestContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        do {
            context.admission = try await control.admit(request, from: context.client, to: group)
        } catch let refusal as AccessRefusal {
            log(refusal, of: request, context)
            if refusal.suggestsLogin, isPage(request) { return .seeOther(control.loginPath(for: request)) }
            throw refusal.problem
        }
        let requiresLogin = control.settings?.requiresLogin ?? false
        // A URL with a token stays valid if readers need none any more.
        let request = group == .reading ? request.withoutToken(control.useOfToken(in: request), requiresLogin) : request
        guard context.admission?.isStillValid != nil else { return try await next(request, context) }
        var response: Response
        do {
            response = try await next(request, context)
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

    /// Whether a browser shows the response to a request, so that the log-in can come first.
    private func isPage(_ request: Request) -> Bool {
        guard request.method == .get || request.method == .head else { return false }
        return [.session, .administration].contains(group)
            || AcceptedValues(request.headers[.accept]).namesHTML && !request.uri.path.hasPrefix("/api/")
    }

    /// Writes a line to the log, except for readers, whose sessions end all the time. Only wrong tokens, imports, and forms are logged
    /// at level notice: others could fill the log.
    private func log(_ refusal: AccessRefusal, of request: Request, _ context: ServiceRequestContext) {
        guard group != .reading, !refusal.suggestsLogin || request.method == .post else { return }
        var metadata: Logger.Metadata = [
            "client": "\(context.client.address)", "id": "\(context.requestID)", "method": "\(request.method)",
            "path": "\(request.uri.path.withoutTokens)", "status": "\(refusal.problem.status.code)",
        ]
        if let seconds = refusal.lockoutSeconds { metadata["lockout-seconds"] = "\(seconds)" }
        let isLockedOut = refusal.problem.status == .tooManyRequests
        let isNotable = refusal.isOfWrongToken || group == .imports || refusal.suggestsLogin
        let level: Logger.Level = isNotable && !isLockedOut ? .notice : .debug
        logger.log(level: level, "access refused", metadata: metadata)
    }
}

/// A router whose routes belong to groups.
package struct AccessRouter {
    private let router: Router<ServiceRequestContext>
    private let control: AccessControl
    private let logger: Logger

    /// Creates a router whose requests a control admits.
    package init(router: Router<ServiceRequestContext>, control: AccessControl, logger: Logger) {
        self.router = router
        self.control = control
        self.logger = logger
    }

    /// The routes of a group.
    package subscript(group: AccessGroup) -> RouterGroup<ServiceRequestContext> {
        let routes = router.group()
        guard group != .everybody else { return routes }
        return routes.add(middleware: AccessMiddleware(group: group, control: control, logger: logger))
    }
}

/// What a token in the URL of a path is: `?token=`.
package enum TokenUse: Hashable, Sendable {
    /// A parameter like others, which is no credential.
    case parameter
    /// A credential.
    case credential
    /// A credential, which the URLs in the response repeat if readers need it.
    case repeatedCredential
    /// A credential, which is also a parameter.
    case credentialAndParameter
}

extension Request {
    /// The token in the URL; `nil` without one.
    var queryToken: String? { (try? Form(urlEncoded: Array((uri.query ?? "").utf8)))?["token"] }

    /// Returns the request without the token in its URL, unless the response repeats it.
    fileprivate func withoutToken(_ use: TokenUse, _ requiresLogin: Bool) -> Request {
        guard use == .credential || use == .repeatedCredential && !requiresLogin, let query = uri.query else {
            return self
        }
        let parts = query.split(separator: "&")
        let kept = parts.filter {
            String(percentDecoding: $0.prefix { $0 != "=" }.utf8, decodesPlus: true) != "token"
        }
        guard kept.count < parts.count else { return self }
        var head = head
        head.path = uri.path + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&"))
        return Request(head: head, body: body)
    }
}

extension String {
    /// The target of a request without the values of tokens, for logs.
    package var withoutTokens: String {
        replacingTokens { part in
            let name = part.prefix { $0.isASCII && $0.isLetter }
            return part.dropFirst(name.count).first == "=" ? "\(name)=…" : "…"
        }
    }

    /// The target of a request without the parts that have a token.
    package var withoutTokenParameters: String { replacingTokens { _ in nil } }

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
