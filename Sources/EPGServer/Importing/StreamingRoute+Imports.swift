import EPGRender
import HTTPTypes
import Hummingbird
import NIOCore

extension StreamingRoute {
    /// `/api/v1/import`: takes a guide in.
    static let imports = StreamingRoute(path: "/api/v1/import", methods: [.post]) { request, reader, services in
        let desk = services.imports
        let upload = UploadReader(request.body, settings: desk.settings)
        do {
            try desk.admit(request.headers[.authorization])
            let order = try ImportOrder(&reader, now: services.answers.now())
            _ = try reader.finish()
            let announced = request.headers[.contentLength].flatMap { Int($0) }
            let reply = try await desk.take(upload, announced: announced, as: order)
            services.answers.watch.look()
            let document = Document(json: reply)
            return Response(
                status: .ok, headers: [.contentType: document.mediaType.value, .cacheControl: "no-store"],
                body: ResponseBody(byteBuffer: document.bytes))
        } catch let problem as Problem {
            return Response(refusing: problem, upload)
        }
    }
}

extension Response {
    /// Answers before all of the body was read: the connection ends, so that the rest needn't be.
    fileprivate init(refusing problem: Problem, _ upload: UploadReader) {
        let document = Document(.problem) { $0.write(problem) }
        var fields = problem.fields
        fields[.connection] = "close"
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
