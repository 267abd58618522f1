import EPGJSON
import EPGRender
import HTTPTypes
import Hummingbird
import NIOCore

extension StreamingRoute {
    /// `/api/v1/import`: takes a guide in.
    static let imports = StreamingRoute(path: "/api/v1/import", methods: [.post]) { request, reader, services in
        let desk = services.imports
        let upload = UploadReader(request.body, settings: desk.settings)
        var audit = ImportAudit(services.requester)
        do {
            try desk.admit(request.headers[.authorization], from: services.requester.asker)
            let order = try ImportOrder(&reader, now: services.answers.now())
            audit.order = order
            _ = try reader.finish()
            let announced = request.headers[.contentLength].flatMap { Int($0) }
            let reply = try await desk.take(upload, announced: announced, as: order)
            audit.record(reply, bytes: upload.count, to: desk.logger)
            services.answers.watch.look()
            let document = Document(json: reply)
            var response = Response(
                status: .ok, headers: [.contentType: document.mediaType.value, .cacheControl: "no-store"],
                body: ResponseBody(byteBuffer: document.bytes))
            response.headers[named: "X-Request-Id"] = audit.requester.id.description
            return response
        } catch let error as TokenRefusal {
            if case .wrong(let seconds) = error { audit.lockoutSeconds = seconds }
            audit.record(error.problem, bytes: upload.count, to: desk.logger)
            return Response(refusing: error.problem, of: audit.requester.id, upload)
        } catch let problem as Problem {
            audit.record(problem, bytes: upload.count, to: desk.logger)
            return Response(refusing: problem, of: audit.requester.id, upload)
        } catch {
            // The responder logs the reason and answers with this status.
            audit.record(Problem(.serviceUnavailable, ""), bytes: upload.count, to: desk.logger)
            throw error
        }
    }
}

extension Response {
    /// Answers before all of the body was read: the connection ends, so that the rest needn't be.
    fileprivate init(refusing problem: Problem, of id: RequestID, _ upload: UploadReader) {
        let document = Document(.problem) { $0.write(problem) }
        var fields = problem.fields
        fields[.connection] = "close"
        fields[named: "X-Request-Id"] = id.description
        self.init(
            status: problem.status, headers: fields,
            body: ResponseBody(contentLength: document.bytes.readableBytes) { writer in
                try await writer.write(document.bytes)
                try await writer.finish(nil)
                await upload.passOverRest()
                throw ConnectionEnds()
            })
    }
}
