package import EPGHTTP
package import EPGModel
import EPGRender
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1

/// A middleware that converts errors to responses: pages for browsers, problem documents (RFC 9457) for other clients.
struct ErrorMiddleware: RouterMiddleware {
    let site: Site

    /// The known HTTP methods, including `QUERY` (draft-ietf-httpbis-safe-method-w-body).
    static let knownMethods: [HTTPRequest.Method] =
        [.get, .head, .options, .post, .put, .patch, .delete, .trace, .connect]
        + ["QUERY"].compactMap(HTTPRequest.Method.init(rawValue:))

    func handle(
        _ request: Request, context: ServiceRequestContext,
        next: (Request, ServiceRequestContext) async throws -> Response
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
        } catch
            where error as? ReadingError == .cancelled || error is CancellationError || error is IOError
            || error is ChannelError
        {
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
        let texts = texts(of: request)
        var frame = PageFrame(
            title: status.reasonPhrase, site: site.title(in: texts), files: PageFrame.Files.common(in: texts))
        frame.kind = "error"
        frame.texts = texts
        frame.direction = texts.direction.layoutDirection
        // The parameters may be invalid, so only short ones are kept.
        let kept = ["zone", "lang", "ui", "dir", "tv"] + ParameterReader.limitNames
        frame.shared = request.uri.queryParameters.compactMap { name, value in
            kept.contains(String(name)) && value.utf8.count <= 200 ? (String(name), String(value)) : nil
        }
        let given = request.uri.queryParameters["tv"].map(String.init)
        frame.isForTelevision =
            given.map { $0 == "1" } ?? request.headers[.userAgent].map(TelevisionAgent.isNamed) ?? false
        let page = Document(
            page: ErrorHTML(status: status.code, reason: status.reasonPhrase, detail: problem.detail, frame: frame)
                .bytes)
        var headers = problem.headers
        for header in SecurityHeaders.headers(for: page.mediaType, pictures: site.artwork.origin) {
            headers[header.name] = header.value
        }
        headers[.vary] = "Accept, Accept-Language, User-Agent"
        return page.response(status, to: request, headers: headers)
    }
}

extension ErrorMiddleware {
    /// Returns the texts of a page as ``ParameterReader/pageTexts()`` does, but ignores an unknown language.
    private func texts(of request: Request) -> PageTexts {
        let named = request.uri.queryParameters["ui"].flatMap { PageTexts.texts(in: $0) }
        return named ?? site.language.flatMap { PageTexts.texts(in: $0) }
            ?? PageTexts.preferred(by: request.headers[.acceptLanguage]) ?? .english
    }
}

extension String {
    /// Whether a path has an empty segment, such as `//metrics` or `/metrics/`. The root has none.
    fileprivate var hasEmptySegment: Bool { self != "/" && (hasSuffix("/") || contains("//")) }
}

extension ArtworkLinks {
    /// Where the pictures of pages come from.
    var origin: PictureOrigin { self == .direct ? .everywhere : .service }
}

extension HTTPField.Name {
    /// The generation of the guide.
    static let guideGeneration: HTTPField.Name = {
        guard let name = HTTPField.Name("Guide-Generation") else { preconditionFailure("the name is a token") }
        return name
    }()
}

extension Problem {
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
            "This service is at generation \(current) and does not have \(generation) yet. Try again, or ask another service.",
            retryAfter: 1)
    }

    /// The client closed its side of the connection before the response: 499, as nginx counts it.
    fileprivate static let clientClosedRequest = Problem(
        HTTPResponse.Status(code: 499, reasonPhrase: "Client Closed Request"),
        "The client closed its side of the connection before the response was ready.")

    /// The problem for an error that no controller handles: 503 for one of the store, otherwise 500. ``ErrorMiddleware`` logs the
    /// error, which may contain paths.
    package init(unhandled error: any Error) {
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

    /// The problem for an error of the store during a change.
    package init(_ error: StoreError) {
        switch error {
        case .busy, .refreshing:
            self.init(
                .serviceUnavailable, "Another process is writing to the guide. Try again in a moment.", retryAfter: 10)
        default: self.init(.serviceUnavailable, "\(error)", retryAfter: 60)
        }
    }
}
