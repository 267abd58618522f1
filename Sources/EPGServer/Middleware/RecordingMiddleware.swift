import HTTPTypes
import Hummingbird
import Logging

/// Counts responses, and logs a line for each.
///
/// Hummingbird's `MetricsMiddleware` reports to swift-metrics, which has no backend here.
struct RequestRecorder: Sendable {
    let metrics: RequestMetrics
    let logger: Logger
    /// The level of the lines.
    let level: Logger.Level

    /// - Parameter route: The path of the route; `nil` for a request without one.
    func record(
        route: String?, id: @autoclosure () -> String, client: ClientAddress, method: String, target: String,
        status: Int, since arrival: ContinuousClock.Instant
    ) {
        let duration = ContinuousClock.now - arrival
        metrics.figures(of: route).record(status: status, duration: duration)
        guard level >= logger.logLevel else { return }
        logger.log(
            level: level, "request",
            metadata: [
                "id": "\(id())", "peer": "\(client)", "method": "\(method)", "path": "\(target.prefix(300))",
                "status": "\(status)", "ms": "\(Double(duration / .microseconds(1)).rounded() / 1000)",
            ])
    }
}

/// Records each request that reaches the router.
struct RecordingMiddleware: RouterMiddleware {
    let recorder: RequestRecorder

    func handle(
        _ request: Request, context: GuideRequestContext, next: (Request, GuideRequestContext) async throws -> Response
    ) async throws -> Response {
        recorder.metrics.inFlight.add(1)
        defer { recorder.metrics.inFlight.add(-1) }
        let response = try await next(request, context)
        recorder.record(
            route: context.endpointPath, id: context.id, client: context.client.address,
            method: request.method.rawValue, target: request.head.path ?? "", status: response.status.code,
            since: context.client.arrival)
        return response
    }
}
