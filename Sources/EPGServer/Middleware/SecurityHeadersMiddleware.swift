import HTTPTypes
import Hummingbird

/// Adds security headers to responses that lack them.
struct SecurityHeadersMiddleware: RouterMiddleware {
    func handle(
        _ request: Request, context: GuideRequestContext, next: (Request, GuideRequestContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        if response.status != .notModified, response.headers[.xContentTypeOptions] == nil {
            response.headers.append(contentsOf: SecurityHeaders.ofOthers)
        }
        return response
    }
}

/// The headers that keep browsers from using a response for anything else than it is meant for.
enum SecurityHeaders {
    static func headers(for type: MediaType) -> HTTPFields {
        type.value.hasPrefix("text/html") ? ofPages : ofOthers
    }

    /// The policy of pages: scripts and styles of this service only, pictures from anywhere. `style` attributes hold the
    /// positions of cells, and `HTMLAttribute` writes only numbers there.
    static let pagePolicy =
        "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; "
        + "img-src http: https: data:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; "
        + "form-action 'self'; frame-ancestors 'none'"

    private static let ofPages: HTTPFields = {
        var headers = common
        headers[.contentSecurityPolicy] = pagePolicy
        headers[named: "Cross-Origin-Opener-Policy"] = "same-origin"
        headers[named: "Permissions-Policy"] = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"
        return headers
    }()

    /// The headers of everything but pages. Feeds and pictures are made for other sites, so their resource policy is open.
    static let ofOthers: HTTPFields = {
        var headers = common
        // A picture or a document that a browser opens by itself runs nothing; an SVG keeps its own style.
        headers[.contentSecurityPolicy] = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
        headers[named: "Cross-Origin-Resource-Policy"] = "cross-origin"
        return headers
    }()

    private static let common: HTTPFields = {
        var headers: HTTPFields = [.xContentTypeOptions: "nosniff"]
        headers[named: "Referrer-Policy"] = "no-referrer"
        headers[named: "X-Frame-Options"] = "DENY"
        return headers
    }()
}

extension HTTPFields {
    /// The value of a header without a constant.
    subscript(named name: StaticString) -> String? {
        get { HTTPField.Name("\(name)").flatMap { self[$0] } }
        set { if let name = HTTPField.Name("\(name)") { self[name] = newValue } }
    }
}
