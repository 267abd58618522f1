import EPGLayout
import EPGModel

/// A guide of half-hour airings generated on demand: 20,000 stations × 14 days are 13 million airings.
struct LazyGuide: GuideSource {
    static let days = 14
    private static let halfHour: Int64 = 1800
    private static let airingsPerRow = days * 48

    /// 2026-10-24T00:00:00Z.
    static let window = TimeWindow(
        start: Instant(secondsSince1970: 1_792_800_000),
        end: Instant(secondsSince1970: 1_792_800_000 + Int64(days) * 86_400))

    let rowCount: Int

    func slices(inRows rows: Range<Int>, during window: TimeWindow) -> [GuideSlice] {
        // Includes the neighbors, as the protocol requires.
        let first = max(0, Int(Self.window.start.seconds(to: window.start) / Self.halfHour) - 1)
        let last = min(Self.airingsPerRow - 1, Int(Self.window.start.seconds(to: window.end) / Self.halfHour) + 1)
        return rows.clamped(to: 0..<rowCount).map { row in
            let airings = first <= last ? (first...last).map { makeAiring($0, inRow: row) } : []
            return GuideSlice(
                schedule: RowSchedule(
                    row: row, stationName: "Station", schedule: Schedule(station: station(row), airings: airings)),
                firstItem: first)
        }
    }

    func airingCount(inRow row: Int) -> Int { Self.airingsPerRow }

    func airing(_ item: Int, inRow row: Int) -> Airing? {
        guard (0..<rowCount).contains(row), (0..<Self.airingsPerRow).contains(item) else { return nil }
        return makeAiring(item, inRow: row)
    }

    func row(of station: StationID) -> Int? { Int(station.rawValue) }

    func item(of airing: AiringID, inRow row: Int) -> Int? { Int(airing.rawValue) % Self.airingsPerRow }

    private func station(_ row: Int) -> StationID { StationID(String(row)) }

    private func makeAiring(_ item: Int, inRow row: Int) -> Airing {
        let start = Self.window.start.advanced(by: Int64(item) * Self.halfHour)
        return Airing(
            id: AiringID(Int64(row * Self.airingsPerRow + item)), station: station(row),
            window: TimeWindow(start: start, end: start.advanced(by: Self.halfHour)), title: "A programme")
    }
}
