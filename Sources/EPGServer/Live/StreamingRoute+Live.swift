import HTTPTypes
import Hummingbird

extension StreamingRoute {
    /// `/api/v1/events`: which generation stands and which minute it is, for as long as the client listens.
    static let live = StreamingRoute(path: "/api/v1/events", methods: [.get, .head]) { request, reader, services in
        _ = try reader.finish()
        var fields: HTTPFields = [.contentType: "text/event-stream", .cacheControl: "no-store"]
        // nginx holds answers back otherwise.
        if let name = HTTPField.Name("X-Accel-Buffering") { fields[name] = "no" }
        guard request.method == .get else { return .headAlone(fields) }
        let place = try services.listeners.takePlace(for: services.asker)
        let known = HTTPField.Name("Last-Event-ID").flatMap { request.headers[$0] }.flatMap { GenerationName($0) }
        let telling = LiveTelling(services: services, known: known)
        return Response(
            status: .ok, headers: fields,
            body: ResponseBody { writer in
                try await telling.run(request.body, to: &writer)
                withExtendedLifetime(place) {}
            })
    }
}
