public import EPGModel

/// Where a grid gets its airings from, a few rows and hours at a time.
///
/// Only what is asked for has to be at hand: a guide of millions of airings is never counted or listed as a whole. Airings
/// of a row are numbered from 0 in order of time, the members of a clump each by itself. A source that can't read answers
/// what it has: rows that it leaves out stay empty.
public protocol GuideSource: Sendable {
    /// The number of stations, which is the number of rows.
    var rowCount: Int { get }

    /// The schedules of some rows during a window, in order of row.
    ///
    /// A slice holds the airings that overlap the window and, where there is one, the airing before them and the one after
    /// them (of a clump all members), so that gaps are known in full.
    func slices(inRows rows: Range<Int>, during window: TimeWindow) -> [GuideSlice]

    /// The number of airings in a row.
    func airingCount(inRow row: Int) -> Int

    /// An airing by its place, or `nil`.
    func airing(_ item: Int, inRow row: Int) -> Airing?

    /// The row of a station, or `nil`.
    func row(of station: StationID) -> Int?

    /// The place of an airing in its row, or `nil`.
    func item(of airing: AiringID, inRow row: Int) -> Int?
}

/// A stretch of a row's schedule.
public struct GuideSlice: Hashable, Sendable {
    /// The airings of the stretch, with their neighbours.
    public let schedule: RowSchedule
    /// The place in its row of the first airing of ``schedule``.
    public let firstItem: Int

    /// A slice; a place that can't be one counts as the nearest from 0 to 2⁴⁰.
    public init(schedule: RowSchedule, firstItem: Int) {
        self.schedule = schedule
        self.firstItem = min(max(0, firstItem), 1 << 40)
    }
}

extension GuideSource {
    /// The slice of one row.
    func slice(inRow row: Int, during window: TimeWindow) -> GuideSlice? {
        guard row >= 0, row < rowCount else { return nil }
        return slices(inRows: row..<row + 1, during: window).first { $0.schedule.row == row }
    }
}
