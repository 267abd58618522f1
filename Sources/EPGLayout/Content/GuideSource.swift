public import EPGModel

/// A source of airings that a grid reads a few rows and hours at a time.
///
/// The grid never counts or lists the whole guide. The airings of a row have 0-based indexes in order of time; each member
/// of a clump has its own. A source that fails to read returns what it has: missing rows stay empty.
public protocol GuideSource: Sendable {
    /// The number of stations, which is the number of rows.
    var rowCount: Int { get }

    /// Returns the schedules of rows during a window, sorted by row.
    ///
    /// A slice contains the airings that overlap the window, and the airing before and after them (or all members of a
    /// clump), so that the full extent of gaps is known.
    func slices(inRows rows: Range<Int>, during window: TimeWindow) -> [GuideSlice]

    /// Returns the number of airings in a row.
    func airingCount(inRow row: Int) -> Int

    /// Returns an airing by its index in the row, or `nil`.
    func airing(_ item: Int, inRow row: Int) -> Airing?

    /// Returns the row of a station, or `nil`.
    func row(of station: StationID) -> Int?

    /// Returns the index of an airing in its row, or `nil`.
    func item(of airing: AiringID, inRow row: Int) -> Int?
}

/// A part of a row's schedule.
public struct GuideSlice: Hashable, Sendable {
    /// The airings, including adjacent ones.
    public let schedule: RowSchedule
    /// The index in its row of the first airing of ``schedule``.
    public let firstItem: Int

    /// Creates a slice. The index is clamped to 0...2³⁰.
    public init(schedule: RowSchedule, firstItem: Int) {
        self.schedule = schedule
        self.firstItem = min(max(0, firstItem), 1 << 30)
    }
}

extension GuideSource {
    /// Returns the slice of one row; `nil` if it is missing.
    func slice(inRow row: Int, during window: TimeWindow) -> GuideSlice? {
        guard row >= 0, row < rowCount else { return nil }
        return slices(inRows: row..<row + 1, during: window).first { $0.schedule.row == row }
    }
}

/// A source with all schedules in memory.
public struct GuideSchedules: GuideSource, Hashable {
    private let schedules: [RowSchedule]
    private let rows: [StationID: Int]

    /// Creates a source from the schedules of rows 0, 1, 2, …; ignores their own row numbers.
    public init(_ schedules: [RowSchedule]) {
        self.schedules = schedules.enumerated().map {
            RowSchedule(row: $0, stationName: $1.stationName, schedule: $1.schedule)
        }
        rows = Dictionary(self.schedules.map { ($0.schedule.station, $0.row) }) { first, _ in first }
    }

    public var rowCount: Int { schedules.count }

    /// - Complexity: O(log n + k) per row, for k of n airings.
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
    /// Returns the index of the first airing with the window of the airing at `index`.
    fileprivate func startOfClump(at index: Int) -> Int {
        var start = index
        while start > 0, self[start - 1].window == self[index].window { start -= 1 }
        return start
    }

    /// Returns the index after the last airing with the window of the airing at `index`.
    fileprivate func endOfClump(at index: Int) -> Int {
        var end = index + 1
        while end < count, self[end].window == self[index].window { end += 1 }
        return end
    }
}
