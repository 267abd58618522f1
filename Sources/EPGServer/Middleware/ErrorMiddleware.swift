import EPGModel
import EPGRender
import HTTPTypes
import Hummingbird
import Logging
import NIOHTTP1

/// Turns errors into responses: pages for browsers, problem documents (RFC 9457) for other clients.
struct ErrorMiddleware: RouterMiddleware {
    let site: Site

    /// The methods of HTTP that the service knows. `QUERY` is that of the IETF's draft-ietf-httpbis-safe-method-w-body.
    static let knownMethods: [HTTPRequest.Method] =
        [.get, .head, .options, .post, .put, .patch, .delete, .trace, .connect]
        + ["QUERY"].compactMap(HTTPRequest.Method.init(rawValue:))

    func handle(
        _ request: Request, context: GuideRequestContext, next: (Request, GuideRequestContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let problem as Problem {
            return response(of: problem, to: request)
        } catch let error as HTTPParserError {
            // Hummingbird answers a malformed body, and closes the connection.
            throw error
        } catch  where error as? ReadingError == .cancelled || error is CancellationError {
            return response(of: .clientClosedRequest, to: request)
        } catch let error as HTTPError where error.status == .notFound {
            return response(of: ErrorMiddleware.problem(unmatched: request), to: request)
        } catch {
            context.logger.error(
                "request failed",
                metadata: ["id": "\(context.id)", "path": "\(request.uri.path)", "reason": "\(error)"])
            var response = response(of: .guideUnavailable, to: request)
            response.headers[named: "X-Request-Id"] = context.id
            return response
        }
    }

    private static func problem(unmatched request: Request) -> Problem {
        guard knownMethods.contains(request.method) else {
            return Problem(
                .notImplemented, "The service does not support the method \(request.method.rawValue.prefix(40)).")
        }
        return .notFound("There is no resource at \(request.uri.path.prefix(100)). /openapi.yaml lists all of them.")
    }

    /// A page if the header `Accept` names `text/html`, a problem document otherwise.
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
        for header in SecurityHeaders.headers(for: page.mediaType) { headers[header.name] = header.value }
        headers[.vary] = "Accept"
        return page.response(status, to: request, headers: headers)
    }
}
