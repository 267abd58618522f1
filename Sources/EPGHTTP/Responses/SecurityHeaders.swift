package import HTTPTypes
package import Hummingbird

/// A middleware that adds missing security headers.
package struct SecurityHeadersMiddleware: RouterMiddleware {
    /// Creates a middleware.
    package init() {}

    package func handle(
        _ request: Request, context: ServiceRequestContext,
        next: (Request, ServiceRequestContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        if response.status != .notModified, response.headers[.xContentTypeOptions] == nil {
            response.headers.append(contentsOf: SecurityHeaders.ofOthers)
        }
        return response
    }
}

/// Headers that restrict how browsers use a response.
package enum SecurityHeaders {
    /// Returns the headers of a response.
    ///
    /// - Parameter pictures: Where the pictures of pages and of a grid in SVG come from.
    package static func headers(for type: MediaType, pictures: PictureOrigin) -> HTTPFields {
        if type.value.hasPrefix("text/html") { return pictures == .everywhere ? ofPagesWithOtherPictures : ofPages }
        if type == .svg { return pictures == .everywhere ? ofGridsWithOtherPictures : ofGrids }
        return type == .script ? ofScripts : ofOthers
    }

    /// Returns the policy of pages: everything from this service only, except for pictures of other sites. `style` attributes hold
    /// positions, and must have nothing else.
    static func pagePolicy(pictures: PictureOrigin) -> String {
        "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; "
            + "img-src \(sources(of: pictures)) data:; connect-src 'self'; manifest-src 'self'; "
            + "worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    }

    private static func sources(of pictures: PictureOrigin) -> String {
        pictures == .everywhere ? "http: https:" : "'self'"
    }

    private static let ofGrids = gridHeaders(.service)
    private static let ofGridsWithOtherPictures = gridHeaders(.everywhere)

    /// The headers of a grid in SVG, whose thumbnails are pictures.
    private static func gridHeaders(_ pictures: PictureOrigin) -> HTTPFields {
        var headers = ofOthers
        headers[.contentSecurityPolicy] =
            "default-src 'none'; style-src 'unsafe-inline'; img-src \(sources(of: pictures)); frame-ancestors 'none'"
        return headers
    }

    private static let ofPages = pageHeaders(.service)
    private static let ofPagesWithOtherPictures = pageHeaders(.everywhere)

    private static func pageHeaders(_ pictures: PictureOrigin) -> HTTPFields {
        var headers = common
        headers[.contentSecurityPolicy] = pagePolicy(pictures: pictures)
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

/// Where the pictures of a page come from.
package enum PictureOrigin: Hashable, Sendable {
    /// Only this service.
    case service
    /// Any site.
    case everywhere
}

extension HTTPFields {
    /// The value of a header without a constant.
    package subscript(named name: StaticString) -> String? {
        get { HTTPField.Name("\(name)").flatMap { self[$0] } }
        set { if let name = HTTPField.Name("\(name)") { self[name] = newValue } }
    }
}

/// A middleware for CORS, which allows pages of other sites to read responses (Fetch standard).
///
/// If all origins are allowed, all clients get the same headers, so that caches can share responses. Hummingbird's
/// `CORSMiddleware` adds headers only to requests with an origin, so a shared response could lack them.
package struct CrossOriginMiddleware: RouterMiddleware {
    private let origins: Set<String>
    private let allowsAll: Bool
    /// The names of headers that pages may read.
    private let exposed: String
    private let isPrivate: @Sendable (_ path: String) -> Bool

    /// - Parameters:
    ///   - origins: Origins such as `https://tv.example`; `*` for all; none to send no headers.
    ///   - exposed: A header that pages may read, besides `ETag` and `Retry-After`.
    ///   - isPrivate: Returns whether no page of another site may read the responses at a path.
    package init(
        origins: [String], exposing exposed: HTTPField.Name, except isPrivate: @escaping @Sendable (String) -> Bool
    ) {
        self.origins = Set(origins)
        allowsAll = origins.contains("*")
        self.exposed = "ETag, \(exposed.rawName), Retry-After"
        self.isPrivate = isPrivate
    }

    /// Whether responses have headers for other sites.
    var isOn: Bool { !origins.isEmpty }

    package func handle(
        _ request: Request, context: ServiceRequestContext,
        next: (Request, ServiceRequestContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        guard isOn, !isPrivate(request.uri.path) else { return response }
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
    package func headers(for origin: String?) -> HTTPFields {
        guard isOn else { return [:] }
        var headers = HTTPFields()
        // Caches must keep responses for different origins apart.
        if !allowsAll { headers[.vary] = "Origin" }
        guard let allowed = allowsAll ? "*" : origin.flatMap({ origins.contains($0) ? $0 : nil }) else {
            return headers
        }
        headers[.accessControlAllowOrigin] = allowed
        headers[.accessControlExposeHeaders] = exposed
        return headers
    }
}
