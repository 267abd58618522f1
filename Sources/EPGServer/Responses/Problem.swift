import EPGJSON
import EPGModel
import EPGRender
import HTTPTypes
import Hummingbird

/// Why a request fails, as a problem document (RFC 9457).
struct Problem: Error, Hashable, Sendable {
    var status: HTTPResponse.Status
    /// What failed and what to do, in a sentence or two.
    var detail: String
    /// The parameter at fault; `nil` if none is.
    var parameter: String?
    /// Seconds after which the client may retry; `nil` if retrying does not help.
    var retryAfter: Int?
    /// The methods that the resource supports, for status 405.
    var allowedMethods: [HTTPRequest.Method] = []
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

    /// A URL that names a generation other than the current one: 409.
    static func otherGeneration(_ name: GenerationName, current: GenerationName) -> Problem {
        Problem(
            .conflict,
            """
            The guide is at generation \(current), not \(name). Omit the parameter generation, or name the current \
            generation.
            """, parameter: "generation")
    }

    /// A condition of the request that does not hold: 412.
    static let preconditionFailed = Problem(
        .preconditionFailed,
        "The resource does not match If-Match or If-Unmodified-Since. Request it without these headers.")

    /// The client closed its side of the connection before the response: 499, as nginx counts it.
    static let clientClosedRequest = Problem(
        HTTPResponse.Status(code: 499, reasonPhrase: "Client Closed Request"),
        "The client closed its side of the connection before the response was ready.")

    /// The guide can't be read: 503.
    static let guideUnavailable = Problem(
        .serviceUnavailable, "The guide is unavailable. Try again later.", retryAfter: 10)

    /// The problem document.
    var document: Document { Document(.problem, json: self) }

    /// The problem document as a response.
    func response(to request: Request) -> Response { document.response(status, to: request, headers: headers) }

    /// The headers of the response, without its length.
    var headers: HTTPFields {
        var headers = SecurityHeaders.headers(for: .problem)
        headers[.contentType] = MediaType.problem.value
        headers[.cacheControl] = Freshness.uncacheable.cacheControl
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
