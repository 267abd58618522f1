import Synchronization

/// A number that many threads add to without waiting for each other.
final class Counter: Sendable {
    private let number = Atomic<Int>(0)

    func add(_ amount: Int) { number.add(amount, ordering: .relaxed) }

    var value: Int { number.load(ordering: .relaxed) }
}

/// The responses of each route: how many, with which status, and after which time.
final class RequestMetrics: Sendable {
    /// The responses of one route.
    final class Figures: Sendable {
        /// The path of the route, such as `/api/v1/stations/{id}`.
        let route: String
        /// By the first digit of the status, from 1.
        private let statuses = (1...5).map { _ in Counter() }
        /// By ``RequestMetrics/bounds``, each without those below; the last is for durations above all bounds.
        private let buckets = (0...RequestMetrics.bounds.count).map { _ in Counter() }
        private let nanoseconds = Counter()

        init(route: String) {
            self.route = route
        }

        /// Counts a response.
        func record(status: Int, duration: Duration) {
            statuses[min(5, max(1, status / 100)) - 1].add(1)
            let (seconds, attoseconds) = duration.components
            let time = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
            nanoseconds.add(time)
            let index = RequestMetrics.bounds.firstIndex { time <= $0 } ?? RequestMetrics.bounds.count
            buckets[index].add(1)
        }

        /// The number of responses with a first digit of the status.
        func count(ofStatusClass digit: Int) -> Int { statuses[digit - 1].value }

        /// The number of responses in each bucket, without those in the buckets below.
        var bucketCounts: [Int] { buckets.map(\.value) }

        var totalNanoseconds: Int { nanoseconds.value }
    }

    /// The upper bounds of the buckets in nanoseconds, from 0.1 ms to 10 s.
    static let bounds = [
        100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000, 100_000_000,
        250_000_000, 500_000_000, 1_000_000_000, 2_500_000_000, 5_000_000_000, 10_000_000_000,
    ]

    private let figures = Mutex<[String: Figures]>([:])
    /// The figures of requests without a route.
    private let others = Figures(route: "other")
    let inFlight = Counter()
    /// Responses of ``PreparedResponseHandler``.
    let prepared = Counter()

    /// The figures of a route of the router.
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

    /// The figures of all routes that had requests, by path, and then those of requests without a route.
    var all: [Figures] { figures.withLock { $0.values.sorted { $0.route < $1.route } } + [others] }
}
