import EPGModel
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOPosix

/// `/healthz`, `/readyz` and `/metrics`, for operators.
struct OperationsController: Sendable {
    let service: GuideService
    let feeds: FeedLibrary
    let requests: RequestMetrics
    let refusals: RefusalCounts
    let clients: ClientTable
    let draining: Draining
    /// The path of the database, if it is known.
    let database: String?
    /// The token that `/metrics` requires; `nil` for none.
    let metricsToken: [UInt8]?
    let logger: Logger
    /// A thread of its own, so that the state of the service is available while all other threads are busy.
    private let admission = RequestAdmission(
        RequestAdmission.Limits(running: 1, runningPerClient: 1, places: 512, placesPerClient: 128, retryAfter: 1))

    /// The thread that reads the state, which the owner of the service starts and stops.
    var threads: NIOThreadPool { admission.threads }

    func addRoutes(to router: some RouterMethods<GuideRequestContext>) {
        let protected = router.group()
        if let metricsToken {
            protected.add(middleware: BearerTokenMiddleware(gate: TokenGate(BearerToken(metricsToken))))
        }
        for method in [HTTPRequest.Method.get, .head] {
            router.on("/healthz", method: method) { request, _ in response(to: request, .ok, "alive\n") }
            router.on("/readyz", method: method) { try await readiness($0, $1) }
            protected.on("/metrics", method: method) { try await metrics($0, $1) }
        }
    }

    private func readiness(_ request: Request, _ context: GuideRequestContext) async throws -> Response {
        guard !draining.hasBegun else { return response(to: request, .serviceUnavailable, "shutting down\n") }
        let isReadable = try await admission.run(for: context.client.limitedAddress) { _ in
            read { try $0.version() } != nil
        }
        return isReadable
            ? response(to: request, .ok, "ready\n")
            : response(to: request, .serviceUnavailable, "the guide is unavailable\n")
    }

    private func metrics(_ request: Request, _ context: GuideRequestContext) async throws -> Response {
        let text = try await admission.run(for: context.client.limitedAddress) { _ in
            MetricsReport(
                service: service, feeds: feeds, requests: requests, refusals: refusals, clients: clients,
                sources: read { try $0.sources() }, database: database
            ).text()
        }
        return response(
            to: request, .ok, text, type: MediaType("text/plain; version=0.0.4; charset=utf-8", isText: true))
    }

    /// Reads from the guide; `nil` if it is unavailable.
    private func read<Value>(_ body: (any GuideReading) throws -> Value) -> Value? {
        do {
            return try service.guide.read(within: .seconds(2), body)
        } catch {
            logger.warning("guide is unavailable", metadata: ["reason": "\(error)"])
            return nil
        }
    }

    private func response(
        to request: Request, _ status: HTTPResponse.Status, _ text: String, type: MediaType = .plain
    ) -> Response {
        let bytes = ByteBuffer(string: text)
        return Response(
            status: status,
            headers: [
                .contentType: type.value, .cacheControl: Freshness.uncacheable.cacheControl,
                .contentLength: String(bytes.readableBytes),
            ],
            body: request.method == .head ? ResponseBody() : ResponseBody(byteBuffer: bytes))
    }
}
