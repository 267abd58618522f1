import EPGJSON
import EPGModel
import EPGRender
import HTTPTypes
import Hummingbird
import Logging
import NIOHTTP1

/// An error response with a problem document (RFC 9457).
struct Problem: Error, Hashable, Sendable {
    var status: HTTPResponse.Status
    /// One or two sentences that say what failed and what to do.
    var detail: String
    /// The invalid parameter; `nil` for none.
    var parameter: String?
    /// Seconds after which the client may retry; `nil` if retrying does not help.
    var retryAfter: Int?
    /// Seconds for which clients and caches may keep the response; `nil` if they must not.
    var maximumAge: Int?
    /// The methods that the resource supports, for status 405.
    private var allowedMethods: [HTTPRequest.Method] = []
    /// The header `WWW-Authenticate`, for status 401.
    var challenge: String?

    init(_ status: HTTPResponse.Status, _ detail: String, parameter: String? = nil, retryAfter: Int? = nil) {
        self.status = status
        self.detail = detail
        self.parameter = parameter
        self.retryAfter = retryAfter
    }

    /// An invalid parameter: 400.
    static func badParameter(_ name: String, _ detail: String) -> Problem {
        Problem(.badRequest, "\(name): \(detail)", parameter: name)
    }

    /// A missing resource: 404.
    static func notFound(_ detail: String) -> Problem {
        Problem(.notFound, detail)
    }

    /// A method that the resource does not support: 405.
    static func methodNotAllowed(allowed methods: [HTTPRequest.Method]) -> Problem {
        let names = methods.filter { $0 != .options && $0 != .head }.map(\.rawValue).joined(separator: " or ")
        var problem = Problem(.methodNotAllowed, "This URL does not support the method. Use \(names).")
        problem.allowedMethods = methods
        return problem
    }

    /// A generation in the URL that is not the current one: 409.
    static func otherGeneration(_ name: GenerationName, current: GenerationName) -> Problem {
        Problem(
            .conflict,
            """
            The guide is at generation \(current), not \(name). Omit the parameter generation, or name the current \
            generation.
            """, parameter: "generation")
    }

    /// A generation in the URL that the standby of this service does not have yet: 503.
    static func behind(_ generation: Generation, current: GenerationName) -> Problem {
        Problem(
            .serviceUnavailable,
            "This service is at generation \(current) and does not have \(generation) yet. Try again, or ask another one.",
            retryAfter: 1)
    }

    /// A condition of the request that is false: 412.
    static let preconditionFailed = Problem(
        .preconditionFailed,
        "The resource does not match If-Match or If-Unmodified-Since. Request it without these headers.")

    /// The client closed its side of the connection before the response: 499, as nginx counts it.
    fileprivate static let clientClosedRequest = Problem(
        HTTPResponse.Status(code: 499, reasonPhrase: "Client Closed Request"),
        "The client closed its side of the connection before the response was ready.")

    /// The problem for an error that no controller handles: 503 for one of the store, otherwise 500. ``ErrorMiddleware`` logs the
    /// error, which may contain paths.
    init(unhandled error: any Error) {
        switch error {
        case StoreError.full:
            self.init(
                .serviceUnavailable,
                "The disk of the guide is full, so nothing was changed. Free some space, and try again.",
                retryAfter: 60)
        case StoreError.notWritable:
            self.init(
                .serviceUnavailable, "The guide cannot be written, so nothing was changed. The log has the reason.",
                retryAfter: 60)
        case StoreError.noPrimary:
            self.init(
                .serviceUnavailable,
                "No server of the database accepts changes, so nothing was changed. Try again later.",
                retryAfter: 10)
        case is StoreError, is ReadingError, is SearchIndexMissing:
            self.init(.serviceUnavailable, "The guide is unavailable. Try again later.", retryAfter: 10)
        default:
            self.init(
                .internalServerError,
                "The service failed. The log has the reason, under the identifier in the header X-Request-Id.")
        }
    }

    /// The problem document.
    var document: Document { Document(.problem, json: self) }

    /// The problem document as a response.
    func response(to request: Request) -> Response { document.response(status, to: request, headers: headers) }

    /// The headers of the response, without its length.
    var headers: HTTPFields {
        var headers = SecurityHeaders.headers(for: .problem, artwork: .direct)
        headers[.contentType] = MediaType.problem.value
        headers[.cacheControl] = maximumAge.map { "public, max-age=\($0)" } ?? Freshness.uncacheable.cacheControl
        // Browsers get a page instead; see ErrorMiddleware.
        if maximumAge != nil { headers[.vary] = "Accept" }
        if let retryAfter { headers[.retryAfter] = String(retryAfter) }
        if !allowedMethods.isEmpty {
            headers[.allow] = allowedMethods.map(\.rawValue).joined(separator: ", ")
        }
        headers[.wwwAuthenticate] = challenge
        return headers
    }
}

extension Problem: JSONObject {
    /// Writes `type`, `title`, `status`, `detail` and `parameter`. The type is `about:blank`, whose title is the reason phrase
    /// of the status (RFC 9457, 4.2.1).
    func writeMembers(to json: inout JSONWriter) {
        json.member("type", "about:blank")
        json.member("title", status.reasonPhrase)
        json.member("status", status.code)
        json.member("detail", detail)
        json.member("parameter", parameter)
    }
}

/// A middleware that converts errors to responses: pages for browsers, problem documents (RFC 9457) for other clients.
struct ErrorMiddleware: RouterMiddleware {
    let site: Site

    /// The known HTTP methods, including `QUERY` (draft-ietf-httpbis-safe-method-w-body).
    static let knownMethods: [HTTPRequest.Method] =
        [.get, .head, .options, .post, .put, .patch, .delete, .trace, .connect]
        + ["QUERY"].compactMap(HTTPRequest.Method.init(rawValue:))

    func handle(
        _ request: Request, context: GuideRequestContext, next: (Request, GuideRequestContext) async throws -> Response
    ) async throws -> Response {
        do {
            // The router ignores empty segments, but rules of proxies and of this service name paths without them.
            guard !request.uri.path.hasEmptySegment else { throw ErrorMiddleware.problem(unmatched: request) }
            return try await next(request, context)
        } catch let problem as Problem {
            return response(of: problem, to: request)
        } catch let error as HTTPParserError {
            // Hummingbird responds to a malformed body and closes the connection.
            throw error
        } catch  where error as? ReadingError == .cancelled || error is CancellationError {
            return response(of: .clientClosedRequest, to: request)
        } catch let error as HTTPError where error.status == .notFound {
            return response(of: ErrorMiddleware.problem(unmatched: request), to: request)
        } catch {
            context.logger.error(
                "request failed",
                metadata: [
                    "id": "\(context.requestID)", "path": "\(request.uri.path.withoutTokens)",
                    "type": "\(type(of: error))", "reason": "\(error)",
                ])
            var response = response(of: Problem(unhandled: error), to: request)
            response.headers[named: "X-Request-Id"] = context.requestID
            return response
        }
    }

    private static func problem(unmatched request: Request) -> Problem {
        guard knownMethods.contains(request.method) else {
            return Problem(
                .notImplemented, "The service does not support the method \(request.method.rawValue.prefix(40)).")
        }
        let path = request.uri.path
        return .notFound(
            "There is no resource at \(path.withoutTokens.prefix(100)). "
                + (path.hasEmptySegment
                    ? "Remove the extra slash." : "/openapi.yaml lists all of them."))
    }

    /// Returns a page if the header `Accept` contains `text/html`; otherwise a problem document.
    private func response(of problem: Problem, to request: Request) -> Response {
        guard AcceptedValues(request.headers[.accept]).namesHTML, !request.uri.path.hasPrefix("/api/") else {
            return problem.response(to: request)
        }
        let status = problem.status
        var frame = PageFrame(title: status.reasonPhrase, site: site.title, files: .common)
        frame.kind = "error"
        let page = Document(
            page: ErrorHTML(status: status.code, reason: status.reasonPhrase, detail: problem.detail, frame: frame)
                .bytes)
        var headers = problem.headers
        for header in SecurityHeaders.headers(for: page.mediaType, artwork: site.artwork) {
            headers[header.name] = header.value
        }
        headers[.vary] = "Accept"
        return page.response(status, to: request, headers: headers)
    }
}

extension String {
    /// Whether a path has an empty segment, such as `//metrics` or `/metrics/`. The root has none.
    fileprivate var hasEmptySegment: Bool { self != "/" && (hasSuffix("/") || contains("//")) }
}
