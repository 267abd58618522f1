/// What was asked of each route, how it was answered, and how long that took.
final class RequestMetrics: Sendable {
    /// The figures of one route.
    final class Figures: Sendable {
        /// The route's path with its braces.
        let route: String
        /// By the first digit of the status, from 1.
        private let statuses = (1...5).map { _ in Counter() }
        /// By ``RequestMetrics/bounds``, each without those below; the last for what is above all.
        private let buckets = (0...RequestMetrics.bounds.count).map { _ in Counter() }
        private let nanoseconds = Counter()

        init(route: String) {
            self.route = route
        }

        /// Counts an answer.
        func record(status: Int, duration: Duration) {
            statuses[min(5, max(1, status / 100)) - 1].add(1)
            let (seconds, attoseconds) = duration.components
            let time = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
            nanoseconds.add(time)
            let index = RequestMetrics.bounds.firstIndex { time <= $0 } ?? RequestMetrics.bounds.count
            buckets[index].add(1)
        }

        /// Answers by the first digit of their status.
        func count(ofStatusClass digit: Int) -> Int { statuses[digit - 1].value }

        /// Answers in each bucket, without those of the buckets below.
        var bucketCounts: [Int] { buckets.map(\.value) }

        var totalNanoseconds: Int { nanoseconds.value }
    }

    /// The upper bounds of the latency's buckets, in nanoseconds: 0.1 ms to 10 s.
    static let bounds = [
        100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000, 100_000_000,
        250_000_000, 500_000_000, 1_000_000_000, 2_500_000_000, 5_000_000_000, 10_000_000_000,
    ]

    private let figures: [String: Figures]
    /// Of addresses that are no route's.
    private let others = Figures(route: "other")
    let inFlight = Counter()

    init(routes: [String]) {
        figures = Dictionary(routes.map { ($0, Figures(route: $0)) }, uniquingKeysWith: { first, _ in first })
    }

    /// The figures of a route; `nil` for what is no route's.
    func figures(of route: String?) -> Figures { route.flatMap { figures[$0] } ?? others }

    /// All figures, by route.
    var all: [Figures] { figures.values.sorted { $0.route < $1.route } + [others] }
}
