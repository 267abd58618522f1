import EPGModel
import HTTPTypes
import Hummingbird
import Logging
import NIOPosix

/// `/healthz`, `/readyz` and `/metrics`: what those ask who run the service.
struct OperationsResponder: Sendable {
    /// The paths, for the table of routes.
    static let paths = ["/healthz", "/readyz", "/metrics"]

    let service: AnswerService
    let feeds: FeedLibrary
    let reading: any GuideStorage
    let requests: RequestMetrics
    let refusals: RefusalCounts
    let peers: PeerTable
    let draining: Draining
    let database: String?
    /// Admits requests for `/metrics`; `nil` where everybody may read them.
    let metricsGate: TokenGate?
    /// A thread of its own, so that the state of the service can be asked for when all others are busy.
    let threads: NIOThreadPool
    let logger: Logger

    /// The answer at a path; `nil` for a path that is none of these.
    ///
    /// - Parameters:
    ///   - authorization: The header of that name.
    ///   - client: The address that limits count; `nil` for a client that isn't limited.
    /// - Throws: ``Problem`` for `/metrics` without its token: 401, or 429 for an address that is locked out.
    func response(
        at path: String, authorization: String?, from client: @autoclosure () -> PeerAddress?
    ) async throws(Problem) -> Response? {
        switch path {
        case "/healthz": response(.ok, "alive\n")
        case "/readyz": await readiness()
        case "/metrics": try await metrics(authorization, from: client())
        default: nil
        }
    }

    private func readiness() async -> Response {
        guard !draining.hasBegun else { return response(.serviceUnavailable, "ending\n") }
        do {
            _ = try await read { try $0.version() }
            return response(.ok, "ready\n")
        } catch {
            logger.warning("the guide can't be read", metadata: ["reason": "\(error)"])
            return response(.serviceUnavailable, "the guide can't be read\n")
        }
    }

    private func metrics(_ authorization: String?, from client: PeerAddress?) async throws(Problem) -> Response {
        do throws(TokenRefusal) {
            try metricsGate?.admit(authorization, from: client)
        } catch {
            if case .wrong = error {
                logger.notice("wrong token for /metrics", metadata: client.map { ["client": "\($0)"] })
            }
            throw error.problem
        }
        var sources: [SourceSummary]?
        do {
            sources = try await read { try $0.sources() }
        } catch {
            logger.warning("the guide can't be read", metadata: ["reason": "\(error)"])
        }
        let report = MetricsReport(
            requests: requests, refusals: refusals, connections: peers.counts, cache: service.cache.counts,
            scheduleBytes: service.schedules.size,
            admissions: [
                ("read", service.questions.counts), ("search", service.searches.counts), ("feed", feeds.counts),
            ],
            version: service.watch.version, subscribers: service.watch.subscriberCount, now: service.now(),
            sources: sources, database: database)
        return response(
            .ok, report.text, type: MediaType("text/plain; version=0.0.4; charset=utf-8", isText: true))
    }

    private func read<Answer: Sendable>(
        _ body: @escaping @Sendable (any GuideReading) throws -> Answer
    ) async throws -> Answer {
        try await threads.runIfActive { [reading] in try reading.read(within: .seconds(2), body) }
    }

    private func response(
        _ status: HTTPResponse.Status, _ text: String, type: MediaType = .plain
    ) -> Response {
        var fields = SecurityFields.fields(for: type)
        fields[.contentType] = type.value
        fields[.cacheControl] = "no-store"
        return Response(status: status, headers: fields, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}
