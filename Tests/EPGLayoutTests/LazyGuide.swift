import EPGLayout
import EPGModel
import Synchronization

/// A guide that creates airings on demand: 20,000 stations × 14 days of half hours are 13 million.
struct LazyGuide: GuideSource {
    /// The number of airings created.
    final class Counter: Sendable {
        private let value = Mutex(0)

        var count: Int { value.withLock { $0 } }

        func add(_ more: Int) { value.withLock { $0 += more } }
    }

    let rowCount: Int
    let days: Int
    let made = Counter()

    private var perRow: Int { days * 48 }

    func slices(inRows rows: Range<Int>, during window: TimeWindow) -> [GuideSlice] {
        rows.clamped(to: 0..<rowCount).map { row in
            let first = max(0, Int(dayStart.seconds(to: window.start) / 1800) - 1)
            let last = min(perRow - 1, Int(dayStart.seconds(to: window.end) / 1800) + 1)
            let airings = first <= last ? (first...last).compactMap { airing($0, inRow: row) } : []
            return GuideSlice(schedule: rowSchedule(row, airings), firstItem: first)
        }
    }

    func airingCount(inRow row: Int) -> Int { perRow }

    func airing(_ item: Int, inRow row: Int) -> Airing? {
        guard (0..<perRow).contains(item), (0..<rowCount).contains(row) else { return nil }
        made.add(1)
        return EPGLayoutTests.airing(
            Int64(row) * 1_000_000 + Int64(item), window(Int64(item) * 30, Int64(item) * 30 + 30), row: row)
    }

    func row(of station: StationID) -> Int? { Int(station.rawValue.dropFirst()) }

    func item(of airing: AiringID, inRow row: Int) -> Int? { Int(airing.rawValue % 1_000_000) }
}
