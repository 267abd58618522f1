public import EPGModel

/// A guide that is in memory as a whole.
public struct GuideSchedules: GuideSource, Hashable {
    private let schedules: [RowSchedule]
    private let rows: [StationID: Int]

    /// The schedules of rows 0, 1, 2 …, whatever their row says.
    public init(_ schedules: [RowSchedule]) {
        self.schedules = schedules.enumerated().map {
            RowSchedule(row: $0, stationName: $1.stationName, schedule: $1.schedule)
        }
        rows = Dictionary(self.schedules.map { ($0.schedule.station, $0.row) }) { first, _ in first }
    }

    public var rowCount: Int { schedules.count }

    /// - Complexity: O(log n + k) for each row, for k airings of n.
    public func slices(inRows rows: Range<Int>, during window: TimeWindow) -> [GuideSlice] {
        rows.clamped(to: 0..<rowCount).map { row in
            let schedule = schedules[row]
            let airings = schedule.schedule.airings
            var first = airings.partitioningIndex { $0.window.end > window.start }
            var end = airings.partitioningIndex { $0.window.start >= window.end && $0.window.start > window.start }
            end = max(first, end)
            if first > 0 { first = airings.startOfClump(at: first - 1) }
            if end < airings.count { end = airings.endOfClump(at: end) }
            let cut = Schedule(station: schedule.schedule.station, airings: Array(airings[first..<end]))
            return GuideSlice(
                schedule: RowSchedule(row: row, stationName: schedule.stationName, schedule: cut), firstItem: first)
        }
    }

    public func airingCount(inRow row: Int) -> Int {
        schedules.indices.contains(row) ? schedules[row].schedule.airings.count : 0
    }

    public func airing(_ item: Int, inRow row: Int) -> Airing? {
        guard schedules.indices.contains(row) else { return nil }
        let airings = schedules[row].schedule.airings
        return airings.indices.contains(item) ? airings[item] : nil
    }

    public func row(of station: StationID) -> Int? { rows[station] }

    /// - Complexity: O(n).
    public func item(of airing: AiringID, inRow row: Int) -> Int? {
        guard schedules.indices.contains(row) else { return nil }
        return schedules[row].schedule.airings.firstIndex { $0.id == airing }
    }
}

extension [Airing] {
    /// The index of the first airing that shares the window of one.
    fileprivate func startOfClump(at index: Int) -> Int {
        var start = index
        while start > 0, self[start - 1].window == self[index].window { start -= 1 }
        return start
    }

    /// The index after the last airing that shares the window of one.
    fileprivate func endOfClump(at index: Int) -> Int {
        var end = index + 1
        while end < count, self[end].window == self[index].window { end += 1 }
        return end
    }
}
