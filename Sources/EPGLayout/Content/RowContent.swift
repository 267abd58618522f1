package import EPGModel

/// A row as the grid's arithmetic asks for it: the windows of its airings, in order; and what elements tell of it.
protocol RowContent {
    /// The layout's row, from 0.
    var row: Int { get }
    var airingCount: Int { get }
    /// The window of the airing at an index, in order of start; those of a clump share one.
    func window(at index: Int) -> TimeWindow

    var station: StationID? { get }
    /// The station's name.
    var label: String? { get }
    /// `nil` where nothing but its window is known.
    func airing(at index: Int) -> Airing?
}

/// A row of which the times alone are known: enough for ``GuideLayout/cells(in:of:coverage:)``.
package struct RowTimes: Hashable, Sendable {
    /// The layout's row, from 0.
    package let row: Int
    /// The windows of its airings, in order of start and not overlapping; those of a clump share one.
    package let windows: [TimeWindow]

    package init(row: Int, windows: [TimeWindow]) {
        self.row = row
        self.windows = windows
    }
}

extension RowTimes: RowContent {
    var airingCount: Int { windows.count }

    func window(at index: Int) -> TimeWindow { windows[index] }

    var station: StationID? { nil }

    var label: String? { nil }

    func airing(at index: Int) -> Airing? { nil }
}

extension RowSchedule: RowContent {
    var airingCount: Int { schedule.airings.count }

    func window(at index: Int) -> TimeWindow { schedule.airings[index].window }

    var station: StationID? { schedule.station }

    var label: String? { stationName }

    func airing(at index: Int) -> Airing? { schedule.airings[index] }
}
