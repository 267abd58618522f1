import EPGModel
import HTTPTypes
import Hummingbird
import Logging
import NIOPosix

/// `/healthz`, `/readyz` and `/metrics`, for operators.
struct OperationsController: Sendable {
    let report: MetricsReport
    let draining: Flag
    /// Admits those who know the token of `/metrics`; `nil` to admit everybody.
    let gate: TokenGate?
    let logger: Logger
    /// A thread of its own, so that the state of the service is available while all other threads are busy.
    private let admission = RequestAdmission(
        RequestAdmission.Limits(running: 1, runningPerClient: 1, places: 512, placesPerClient: 128, retryAfter: 1))

    private let probes = SingleFlight<Bool>()

    /// The thread that reads the state, which the owner of the service starts and stops.
    var threads: NIOThreadPool { admission.threads }

    func addRoutes(to router: some RouterMethods<GuideRequestContext>) {
        router.onRead("/healthz") { request, _ in response(to: request, .ok, "alive\n") }
        router.onRead("/readyz") { try await readiness($0, $1) }
        router.onRead("/metrics") { try await metrics($0, $1) }
    }

    private func readiness(_ request: Request, _ context: GuideRequestContext) async throws -> Response {
        guard !draining.isSet else { return response(to: request, .serviceUnavailable, "shutting down\n") }
        // All clients share one read, so that reads do not pile up while the database hangs.
        let isReadable = try await probes.join("version", until: context.client.departure) {
            try await admission.run(for: nil) { _ in read { try $0.version() } != nil }
        }
        return isReadable
            ? response(to: request, .ok, "ready\n")
            : response(to: request, .serviceUnavailable, "the guide is unavailable\n")
    }

    private func metrics(_ request: Request, _ context: GuideRequestContext) async throws -> Response {
        do throws(TokenRefusal) {
            try gate?.admit(request.headers[.authorization], from: context.client.limitedAddress)
        } catch {
            if case .wrong = error {
                context.logger.notice(
                    "wrong token", metadata: ["client": "\(context.client.address)", "path": "\(request.uri.path)"])
            }
            throw error.problem
        }
        let text = try await admission.run(for: context.client.limitedAddress) { _ in
            report.text(sources: read { try $0.sources() })
        }
        let type = MediaType("text/plain; version=0.0.4; charset=utf-8", isText: true)
        return Document(type, text: text).response(to: request)
    }

    /// Reads from the guide; `nil` if it is unavailable.
    private func read<Value>(_ body: (any GuideReading) throws -> Value) -> Value? {
        do {
            return try report.service.guide.read(within: .seconds(2), body)
        } catch {
            logger.warning("guide is unavailable", metadata: ["reason": "\(error)"])
            return nil
        }
    }

    private func response(to request: Request, _ status: HTTPResponse.Status, _ text: String) -> Response {
        Document(.plain, text: text).response(status, to: request)
    }
}
