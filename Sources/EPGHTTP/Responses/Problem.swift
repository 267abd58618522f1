package import EPGJSON
package import HTTPTypes
package import Hummingbird

/// An error response with a problem document (RFC 9457).
package struct Problem: Error, Hashable, Sendable {
    /// The status of the response.
    package var status: HTTPResponse.Status
    /// One or two sentences that say what failed and what to do.
    package var detail: String
    /// The invalid parameter; `nil` for none.
    package var parameter: String?
    /// Seconds after which the client may retry; `nil` if retrying does not help.
    package var retryAfter: Int?
    /// Seconds for which clients and caches may keep the response; `nil` if they must not.
    package var maximumAge: Int?
    /// The methods that the resource supports, for status 405.
    private var allowedMethods: [HTTPRequest.Method] = []
    /// The header `WWW-Authenticate`, for status 401.
    var challenge: String?

    /// Creates a problem that must not be cached.
    package init(_ status: HTTPResponse.Status, _ detail: String, parameter: String? = nil, retryAfter: Int? = nil) {
        self.status = status
        self.detail = detail
        self.parameter = parameter
        self.retryAfter = retryAfter
    }

    /// An invalid parameter: 400.
    package static func badParameter(_ name: String, _ detail: String) -> Problem {
        Problem(.badRequest, "\(name): \(detail)", parameter: name)
    }

    /// A missing resource: 404.
    package static func notFound(_ detail: String) -> Problem {
        Problem(.notFound, detail)
    }

    /// A method that the resource does not support: 405.
    package static func methodNotAllowed(allowed methods: [HTTPRequest.Method]) -> Problem {
        let names = methods.filter { $0 != .options && $0 != .head }.map(\.rawValue).joined(separator: " or ")
        var problem = Problem(.methodNotAllowed, "This URL does not support the method. Use \(names).")
        problem.allowedMethods = methods
        return problem
    }

    /// A condition of the request that is false: 412.
    static let preconditionFailed = Problem(
        .preconditionFailed,
        "The resource does not match If-Match or If-Unmodified-Since. Request it without these headers.")

    /// The problem document.
    var document: Document { Document(.problem, json: self) }

    /// The problem document as a response.
    package func response(to request: Request) -> Response { document.response(status, to: request, headers: headers) }

    /// The headers of the response, without its length.
    package var headers: HTTPFields {
        var headers = SecurityHeaders.headers(for: .problem, pictures: .everywhere)
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
    package func writeMembers(to json: inout JSONWriter) {
        json.member("type", "about:blank")
        json.member("title", status.reasonPhrase)
        json.member("status", status.code)
        json.member("detail", detail)
        json.member("parameter", parameter)
    }
}
