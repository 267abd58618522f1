import EPGJSON
import EPGModel
import EPGRender
import HTTPTypes
import Hummingbird
import Logging
import NIOHTTP1

/// Answers requests: finds the route, reads the parameters, and gives what is asked for in the form that is asked for.
struct GuideResponder: HTTPResponder {
    typealias Context = GuideRequestContext

    let routes: [Route]
    let streaming: StreamingResponder
    let service: AnswerService
    let operations: OperationsResponder
    let requests: RequestMetrics
    let crossOrigin: CrossOrigin
    let peers: PeerTable
    let accessLog: AccessLog
    let logger: Logger

    func respond(to request: Request, context: Context) async throws -> Response {
        let began = ContinuousClock.now
        let id = RequestID()
        requests.inFlight.add(1)
        defer { requests.inFlight.add(-1) }
        var route: String?
        var response: Response
        do {
            response = try await self.response(to: request, id: id, from: context.peer, at: began, route: &route)
        } catch let problem as Problem {
            response = self.response(of: problem, to: request)
        } catch  where error as? ReadingError == .cancelled || error is CancellationError {
            response = self.response(of: .clientClosedRequest, to: request)
        } catch let error as HTTPParserError {
            // The body isn't HTTP: Hummingbird answers, and closes.
            throw error
        } catch {
            logger.error(
                "a request failed", metadata: ["id": "\(id)", "path": "\(request.uri.path)", "reason": "\(error)"])
            response = self.response(
                of: Problem(.serviceUnavailable, "The guide can't be read just now.", retryAfter: 10), to: request)
            response.headers[named: "X-Request-Id"] = id.description
        }
        if response.status != .notModified, response.headers[.xContentTypeOptions] == nil {
            for field in SecurityFields.fields(for: .plain) { response.headers.append(field) }
        }
        if crossOrigin.isOn, request.method != .options {
            crossOrigin.add(to: &response.headers, for: request.headers[.origin])
        }
        let duration = ContinuousClock.now - began
        requests.figures(of: route).record(status: response.status.code, duration: duration)
        if accessLog.isOn {
            accessLog.record(
                request.head, id: id,
                peer: peers.client(at: context.peer, forwardedFor: request.headers[named: "X-Forwarded-For"])
                    .description,
                status: response.status.code, duration: duration)
        }
        return response
    }

    /// - Parameter route: Set to the path of the route, as soon as it is found.
    private func response(
        to request: Request, id: RequestID, from peer: PeerAddress, at arrival: ContinuousClock.Instant,
        route found: inout String?
    ) async throws -> Response {
        let path = request.uri.path
        guard request.method != .options else { return options(for: request) }
        if OperationsResponder.paths.contains(path) {
            found = path
            try requireReading(request)
            let response = try await operations.response(
                at: path, authorization: request.headers[.authorization],
                from: peers.asker(peer, forwardedFor: request.headers[named: "X-Forwarded-For"]))
            if let response { return withoutBody(response, ifHead: request) }
        }
        let hops = request.headers[named: "X-Forwarded-For"]
        let requester = Requester(
            id: id, client: peers.client(at: peer, forwardedFor: hops), asker: peers.asker(peer, forwardedFor: hops))
        if let response = try await streaming.response(to: request, from: requester, route: &found) { return response }
        let (route, captures) = try match(path)
        found = route.path
        try requireReading(request)
        var reader = try RequestReader(
            query: request.uri.query, captures: captures, clock: service.now(), defaultZone: service.site.zone,
            host: request.head.authority)
        let question = try route.question(&reader)
        let acceptsGzip = AcceptedEncodings(request.headers[.acceptEncoding]).acceptsGzip
        let epoch = service.watch.epoch
        let client = RequestingClient(asker: requester.asker, arrival: arrival, departure: .current)
        let (variant, isKept) = try await service.answer(to: question, for: client, acceptsGzip: acceptsGzip)
        // What is asked for a second time is likely to be asked for again.
        if isKept, question.isFast, let target = request.head.path {
            var variant = variant
            if crossOrigin.isOn {
                crossOrigin.add(to: &variant.fields, for: nil)
                crossOrigin.add(to: &variant.fieldsUnmodified, for: nil)
            }
            service.fastTable.insert(
                ReadyAnswer(variant, figures: requests.figures(of: route.path)), for: target, acceptsGzip: acceptsGzip,
                epoch: epoch, minute: question.followsClock ? reader.clock.minute : nil)
        }
        switch Preconditions(request.headers).outcome(for: variant.tag, lastModified: variant.lastModified) {
        case .failed: throw Problem.preconditionFailed
        case .unmodified: return Response(status: .notModified, headers: variant.fieldsUnmodified)
        case .proceed: break
        }
        return withoutBody(
            Response(status: .ok, headers: variant.fields, body: ResponseBody(byteBuffer: variant.bytes)),
            ifHead: request)
    }

    private func requireReading(_ request: Request) throws(Problem) {
        guard request.method != .get, request.method != .head else { return }
        var problem = Problem(.methodNotAllowed, "This address can only be read: use GET.")
        problem.allowed = [.get, .head, .options]
        throw problem
    }

    /// The answer to `HEAD` has the fields of the answer to `GET`.
    private func withoutBody(_ response: Response, ifHead request: Request) -> Response {
        guard request.method == .head else { return response }
        var headers = response.headers
        if headers[.contentLength] == nil, let length = response.body.contentLength {
            headers[.contentLength] = String(length)
        }
        return Response(status: response.status, headers: headers)
    }

    private func options(for request: Request) -> Response {
        Response(status: .noContent, headers: crossOrigin.preflightFields(for: request.head))
    }

    /// The route of a path, and what stands in its braces.
    private func match(_ path: String) throws(Problem) -> (Route, captures: [String: String]) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: true)
        for route in routes {
            guard let encoded = route.captures(of: parts) else { continue }
            var captures: [String: String] = [:]
            for (name, value) in encoded {
                guard let value = PercentEncoding.decoded(value.utf8), value.utf8.count <= 1000 else {
                    throw Problem(.badRequest, "The path isn't percent-encoded UTF-8.")
                }
                captures[name] = value
            }
            return (route, captures)
        }
        throw .notFound("There is nothing at \(path.prefix(100)); /openapi.yaml lists what there is.")
    }

    /// A page for people, a problem document for programs.
    private func response(of problem: Problem, to request: Request) -> Response {
        let isForPeople =
            AcceptedTypes(request.headers[.accept]).namesHTML && !request.uri.path.hasPrefix("/api/")
        let document =
            isForPeople ? Document(page: problem, site: service.site) : Document(.problem) { $0.write(problem) }
        var fields = problem.fields
        if isForPeople {
            fields[.contentType] = document.mediaType.value
            for field in SecurityFields.fields(for: document.mediaType) { fields[field.name] = field.value }
            fields[.vary] = "Accept"
        }
        return withoutBody(
            Response(status: problem.status, headers: fields, body: ResponseBody(byteBuffer: document.bytes)),
            ifHead: request)
    }
}
