import HTTPTypes
import Hummingbird

/// Lets pages of other sites read responses (the CORS protocol of the Fetch standard).
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
        guard isOn else { return response }
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
