import EPGCalendar
import EPGModel
import HTTPTypes
import Hummingbird

/// Answers conditional requests with 304 or 412 (RFC 9110, 13) if the response they would get allows it.
struct ConditionalMiddleware: RouterMiddleware {
    /// The headers of the response 304 (RFC 9110, 15.4.5).
    static let headersWithoutContent: [HTTPField.Name] = [
        .cacheControl, .vary, .eTag, .lastModified, HTTPField.Name("Guide-Generation"),
    ].compactMap(\.self)

    func handle(
        _ request: Request, context: GuideRequestContext, next: (Request, GuideRequestContext) async throws -> Response
    ) async throws -> Response {
        let response = try await next(request, context)
        let preconditions = Preconditions(request.headers)
        guard response.status == .ok, request.method == .get || request.method == .head, !preconditions.isEmpty else {
            return response
        }
        let outcome = preconditions.outcome(
            for: response.headers[.eTag].map(EntityTag.init(value:)),
            lastModified: response.headers[.lastModified].flatMap(Instant.init(httpDate:)))
        switch outcome {
        case .proceed: return response
        case .failed: throw Problem.preconditionFailed
        case .notModified:
            var headers = HTTPFields()
            for name in ConditionalMiddleware.headersWithoutContent { headers[name] = response.headers[name] }
            return Response(status: .notModified, headers: headers)
        }
    }
}
