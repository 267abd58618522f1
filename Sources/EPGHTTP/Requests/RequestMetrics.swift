import HTTPTypes
package import Hummingbird
package import Logging
import Synchronization

/// A lock-free counter.
package final class Counter: Sendable {
    private let number = Atomic<Int>(0)

    /// Adds an amount, which may be negative.
    package func add(_ amount: Int) { number.add(amount, ordering: .relaxed) }

    /// The current number.
    package var value: Int { number.load(ordering: .relaxed) }
}

/// The number, status and duration of responses by route.
package final class RequestMetrics: Sendable {
    /// The responses of one route.
    package final class Figures: Sendable {
        /// The path of the route, such as `/api/v1/stations/{id}`.
        package let route: String
        /// The counts by the first digit of the status, from 1.
        private let statuses = (1...5).map { _ in Counter() }
        /// The counts by ``RequestMetrics/bounds``, not cumulative; the last is for durations above all bounds.
        private let buckets = (0...RequestMetrics.bounds.count).map { _ in Counter() }
        private let nanoseconds = Counter()

        init(route: String) {
            self.route = route
        }

        /// Counts a response.
        package func record(status: Int, duration: Duration) {
            statuses[min(5, max(1, status / 100)) - 1].add(1)
            let (seconds, attoseconds) = duration.components
            let time = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
            nanoseconds.add(time)
            let index = RequestMetrics.bounds.firstIndex { time <= $0 } ?? RequestMetrics.bounds.count
            buckets[index].add(1)
        }

        /// The number of responses with a first digit of the status.
        package func count(ofStatusClass digit: Int) -> Int { statuses[digit - 1].value }

        /// The number of responses in each bucket, not cumulative.
        package var bucketCounts: [Int] { buckets.map(\.value) }

        /// The sum of all durations.
        package var totalNanoseconds: Int { nanoseconds.value }
    }

    /// The upper bounds of the buckets in nanoseconds, from 0.1 ms to 10 s.
    package static let bounds = [
        100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000, 100_000_000,
        250_000_000, 500_000_000, 1_000_000_000, 2_500_000_000, 5_000_000_000, 10_000_000_000,
    ]

    private let figures = Mutex<[String: Figures]>([:])
    /// The metrics of requests without a route.
    private let others = Figures(route: "other")
    /// Requests without a response.
    package let inFlight = Counter()
    /// Responses of ``PreparedResponseHandler``.
    package let prepared = Counter()

    /// Creates counts of 0.
    package init() {}

    /// Returns the metrics of a route of the router.
    ///
    /// - Parameter route: `nil`, or Hummingbird's `NotFound`, for requests without a route.
    func figures(of route: String?) -> Figures {
        guard let route, route.utf8.first == UInt8(ascii: "/") else { return others }
        return figures.withLock { figures in
            if let known = figures[route] { return known }
            let new = Figures(route: route)
            figures[route] = new
            return new
        }
    }

    /// The metrics of all routes with requests, sorted by path, followed by the metrics of requests without a route.
    package var all: [Figures] { figures.withLock { $0.values.sorted { $0.route < $1.route } } + [others] }
}

/// A recorder that counts and logs responses.
///
/// Hummingbird's `MetricsMiddleware` reports to swift-metrics, which has no backend here.
package struct RequestRecorder: Sendable {
    /// The counts.
    package let metrics: RequestMetrics
    private let logger: Logger
    private let level: Logger.Level

    /// - Parameter level: The level of the lines.
    package init(metrics: RequestMetrics, logger: Logger, level: Logger.Level) {
        self.metrics = metrics
        self.logger = logger
        self.level = level
    }

    /// - Parameter route: The path of the route; `nil` for a request without one.
    package func record(
        route: String?, id: @autoclosure () -> String, client: ClientAddress, method: String, target: String,
        status: Int, since arrival: ContinuousClock.Instant
    ) {
        let duration = ContinuousClock.now - arrival
        metrics.figures(of: route).record(status: status, duration: duration)
        guard level >= logger.logLevel else { return }
        logger.log(
            level: level, "request",
            metadata: [
                "id": "\(id())", "peer": "\(client)", "method": "\(method)",
                "path": "\(target.withoutTokens.prefix(300))",
                "status": "\(status)", "ms": "\(Double(duration / .microseconds(1)).rounded() / 1000)",
            ])
    }
}

/// A middleware that records requests.
package struct RecordingMiddleware: RouterMiddleware {
    private let recorder: RequestRecorder

    /// Creates a middleware.
    package init(recorder: RequestRecorder) { self.recorder = recorder }

    package func handle(
        _ request: Request, context: ServiceRequestContext,
        next: (Request, ServiceRequestContext) async throws -> Response
    ) async throws -> Response {
        recorder.metrics.inFlight.add(1)
        defer { recorder.metrics.inFlight.add(-1) }
        let response = try await next(request, context)
        recorder.record(
            route: context.endpointPath, id: context.requestID, client: context.client.address,
            method: request.method.rawValue, target: request.head.path ?? "", status: response.status.code,
            since: context.client.arrival)
        return response
    }
}
