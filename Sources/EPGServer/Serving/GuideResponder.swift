import EPGModel
import EPGRender
import HTTPTypes
import Hummingbird
import Logging

/// Answers requests: finds the route, reads the parameters, and gives what is asked for in the form that is asked for.
struct GuideResponder: HTTPResponder {
    typealias Context = BasicRequestContext

    let routes: [Route]
    let streaming: StreamingResponder
    let service: AnswerService
    let logger: Logger

    func respond(to request: Request, context: Context) async throws -> Response {
        do {
            return try await response(to: request)
        } catch let problem as Problem {
            return response(of: problem)
        } catch {
            logger.error("a request failed", metadata: ["path": "\(request.uri.path)", "reason": "\(error)"])
            return response(of: Problem(.internalServerError, "The guide can't be read just now.", retryAfter: 10))
        }
    }

    private func response(to request: Request) async throws -> Response {
        if let response = try await streaming.response(to: request) { return response }
        let (route, captures) = try match(request.uri.path)
        guard request.method == .get || request.method == .head else {
            var problem = Problem(.methodNotAllowed, "This address can only be read: use GET.")
            problem.allowed = [.get, .head]
            throw problem
        }
        var reader = try RequestReader(
            query: request.uri.query, captures: captures, clock: service.now(), defaultZone: service.site.zone,
            host: request.head.authority)
        let question = try route.question(&reader)
        let acceptsGzip = AcceptedEncodings(request.headers[.acceptEncoding]).acceptsGzip
        let epoch = service.watch.epoch
        let (variant, isKept) = try await service.answer(to: question, acceptsGzip: acceptsGzip)
        // What is asked for a second time is likely to be asked for again.
        if isKept, question.isFast, let target = request.head.path {
            service.fastTable.insert(
                ReadyAnswer(variant, route: route.path), for: target, acceptsGzip: acceptsGzip, epoch: epoch,
                minute: question.followsClock ? reader.clock.minute : nil)
        }
        if let condition = request.headers[.ifNoneMatch], variant.tag.isNamed(in: condition) {
            return Response(status: .notModified, headers: variant.fieldsUnmodified)
        }
        let isHead = request.method == .head
        return Response(
            status: .ok, headers: variant.fields,
            body: isHead ? ResponseBody() : ResponseBody(byteBuffer: variant.bytes))
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

    private func response(of problem: Problem) -> Response {
        let document = Document(.problem) { $0.write(problem) }
        return Response(status: problem.status, headers: problem.fields, body: ResponseBody(byteBuffer: document.bytes))
    }
}
