import EPGRender
import HTTPTypes
import Hummingbird

/// A middleware that adds missing security headers.
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

/// Headers that restrict how browsers use a response.
enum SecurityHeaders {
    /// - Parameter artwork: The URLs of pictures in pages.
    static func headers(for type: MediaType, artwork: ArtworkLinks) -> HTTPFields {
        guard type.value.hasPrefix("text/html") else { return type == .script ? ofScripts : ofOthers }
        return artwork == .direct ? ofPagesWithDirectPictures : ofPages
    }

    /// Returns the policy of pages: everything from this service only, except for direct pictures. `style` attributes hold the
    /// positions of cells, and `HTMLAttribute` writes only numbers there.
    static func pagePolicy(artwork: ArtworkLinks) -> String {
        "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; "
            + "img-src \(artwork == .direct ? "http: https:" : "'self'") data:; connect-src 'self'; manifest-src 'self'; "
            + "worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    }

    private static let ofPages = pageHeaders(.kept(publicURL: nil))
    private static let ofPagesWithDirectPictures = pageHeaders(.direct)

    private static func pageHeaders(_ artwork: ArtworkLinks) -> HTTPFields {
        var headers = common
        headers[.contentSecurityPolicy] = pagePolicy(artwork: artwork)
        headers[named: "Cross-Origin-Opener-Policy"] = "same-origin"
        headers[named: "Permissions-Policy"] = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"
        return headers
    }

    /// The headers of all responses except pages. Other sites may embed feeds and pictures, so their resource policy is open.
    fileprivate static let ofOthers: HTTPFields = {
        var headers = common
        // A picture or document opened on its own must not run scripts; an SVG keeps its styles.
        headers[.contentSecurityPolicy] = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
        headers[named: "Cross-Origin-Resource-Policy"] = "cross-origin"
        return headers
    }()

    /// The headers of scripts: the policy of its script applies to a service worker, which requests everything that it stores.
    private static let ofScripts: HTTPFields = {
        var headers = ofOthers
        headers[.contentSecurityPolicy] = "default-src 'none'; connect-src 'self'; frame-ancestors 'none'"
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

/// A middleware for CORS, which allows pages of other sites to read responses (Fetch standard).
///
/// If all origins are allowed, all clients get the same headers, so that caches can share responses. Hummingbird's
/// `CORSMiddleware` adds headers only to requests with an origin, so a shared response could lack them.
struct CrossOriginMiddleware: RouterMiddleware {
    private let origins: Set<String>
    private let allowsAll: Bool

    /// - Parameter origins: Origins such as `https://tv.example`; `*` for all; none to send no headers.
    init(origins: [String]) {
        self.origins = Set(origins)
        allowsAll = origins.contains("*")
    }

    /// Whether responses have headers for other sites.
    var isOn: Bool { !origins.isEmpty }

    func handle(
        _ request: Request, context: GuideRequestContext, next: (Request, GuideRequestContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        // Pages of other sites must not read administration.
        guard isOn, !AdminRoute.owns(request.uri.path) else { return response }
        let origin = request.headers[.origin]
        for header in headers(for: origin) { response.headers.append(header) }
        if request.method == .options, response.headers[.accessControlAllowOrigin] != nil,
            request.headers[.accessControlRequestMethod] != nil
        {
            response.headers[.accessControlAllowMethods] = response.headers[.allow]
            response.headers[.accessControlAllowHeaders] =
                "Accept, If-None-Match, If-Modified-Since, Range, Last-Event-ID"
            response.headers[.accessControlMaxAge] = "86400"
        }
        return response
    }

    /// The headers for a page of an origin; `nil` for a request without one.
    func headers(for origin: String?) -> HTTPFields {
        guard isOn else { return [:] }
        var headers = HTTPFields()
        // Caches must keep responses for different origins apart.
        if !allowsAll { headers[.vary] = "Origin" }
        guard let allowed = allowsAll ? "*" : origin.flatMap({ origins.contains($0) ? $0 : nil }) else {
            return headers
        }
        headers[.accessControlAllowOrigin] = allowed
        headers[.accessControlExposeHeaders] = "ETag, Guide-Generation, Retry-After"
        return headers
    }
}
