import HTTPTypes
import Hummingbird
import Logging

/// Logs a line for each request.
struct AccessLog: Sendable {
    let logger: Logger
    let level: Logger.Level

    /// Whether lines are written at all.
    var isOn: Bool { level >= logger.logLevel }

    func record(
        id: @autoclosure () -> String, client: @autoclosure () -> ClientAddress, method: String, target: String,
        status: Int, duration: Duration
    ) {
        guard isOn else { return }
        logger.log(
            level: level, "request",
            metadata: [
                "id": "\(id())", "peer": "\(client())", "method": "\(method)", "path": "\(target.prefix(300))",
                "status": "\(status)", "ms": "\(Double(duration / .microseconds(1)).rounded() / 1000)",
            ])
    }
}

/// Logs each request that reaches the router.
struct AccessLogMiddleware: RouterMiddleware {
    let log: AccessLog

    func handle(
        _ request: Request, context: GuideRequestContext, next: (Request, GuideRequestContext) async throws -> Response
    ) async throws -> Response {
        let response = try await next(request, context)
        log.record(
            id: context.id, client: context.client.address, method: request.method.rawValue,
            target: request.head.path ?? "", status: response.status.code,
            duration: .now - context.client.arrival)
        return response
    }
}
