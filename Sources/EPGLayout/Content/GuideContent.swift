public import EPGModel

/// The content of a guide: schedules, time marks and the current time.
public struct GuideContent: Hashable, Sendable {
    /// The schedules, sorted by row.
    public let schedules: [RowSchedule]
    /// The time for which the schedules were read. Gaps end there, because anything beyond is unknown.
    public let coverage: TimeWindow
    /// The marks for headers and day separators; none by default.
    public var marks: GuideMarks
    /// The time of the now-line; `nil` for none.
    public let now: Instant?
    /// The index in its row of the first airing of each schedule; empty if all are 0.
    private let firstItems: [Int]

    /// Creates content.
    ///
    /// - Parameters:
    ///   - schedules: The result of `GuideReading.schedules(inRows:during:)`.
    ///   - coverage: The window for which the schedules were read.
    /// - Complexity: O(n log n) for n schedules, O(n) if they are sorted.
    public init(schedules: [RowSchedule], coverage: TimeWindow, marks: GuideMarks = GuideMarks(), now: Instant? = nil) {
        let isSorted = zip(schedules, schedules.dropFirst()).allSatisfy { $0.row <= $1.row }
        self.schedules = isSorted ? schedules : schedules.sorted { $0.row < $1.row }
        self.coverage = coverage
        self.marks = marks
        self.now = now
        self.firstItems = []
    }

    /// Creates content from slices of a source.
    init(slices: [GuideSlice], coverage: TimeWindow, marks: GuideMarks, now: Instant?) {
        let isSorted = zip(slices, slices.dropFirst()).allSatisfy { $0.schedule.row <= $1.schedule.row }
        let sorted = isSorted ? slices : slices.sorted { $0.schedule.row < $1.schedule.row }
        self.schedules = sorted.map(\.schedule)
        self.firstItems = sorted.map(\.firstItem)
        self.coverage = coverage
        self.marks = marks
        self.now = now
    }

    /// Returns the index in its row of the first airing of a schedule.
    func firstItem(at index: Int) -> Int { firstItems.isEmpty ? 0 : firstItems[index] }
}

/// The rows and the time that must be read to lay out a viewport.
public struct GuideDemand: Hashable, Sendable {
    /// The visible rows.
    public let rows: Range<Int>
    /// The visible time; empty if none is visible.
    public let window: TimeWindow

    public init(rows: Range<Int>, window: TimeWindow) {
        self.rows = rows
        self.window = window
    }
}

/// A labeled instant in the header: a full hour, a half hour, or the start of a day in the viewer's zone.
///
/// The layout has no time zone. `EPGCalendar` creates the marks, so days of 23 or 25 hours, repeated hours and zones with
/// offsets of 30 or 45 minutes need no special handling here (GridRules.md).
public struct TimeMark: Hashable, Sendable {
    /// The unit of time that begins at a mark.
    public enum Kind: Int, Hashable, Sendable, CaseIterable {
        /// A unit in the viewer's zone.
        case day, hour, halfHour
    }

    /// The position on the time axis.
    public let instant: Instant
    /// The text, such as `01:00`, `01:00 BST` or `Sat 24 Oct`.
    public let label: String
    /// The unit of time that begins here.
    public let kind: Kind

    public init(instant: Instant, label: String, kind: Kind) {
        self.instant = instant
        self.label = label
        self.kind = kind
    }
}

/// The sorted time marks of a guide.
public struct GuideMarks: Hashable, Sendable {
    /// The hours and half hours, ascending.
    public let hours: [TimeMark]
    /// The days, ascending.
    public let days: [TimeMark]

    /// Creates marks from an unsorted list.
    ///
    /// Include the last hour and the last day before the guide's window, so that its start is labeled. If marks have the
    /// same instant, an hour takes precedence over a half hour, then the alphabetically first label.
    /// - Complexity: O(n log n).
    public init(_ marks: [TimeMark] = []) {
        let sorted = marks.sorted {
            ($0.instant, $0.kind.rawValue, $0.label) < ($1.instant, $1.kind.rawValue, $1.label)
        }
        hours = GuideMarks.withoutRepeats(sorted.filter { $0.kind != .day })
        days = GuideMarks.withoutRepeats(sorted.filter { $0.kind == .day })
    }

    /// Returns the last day that begins at or before an instant.
    /// - Complexity: O(log n).
    public func day(at instant: Instant) -> TimeMark? {
        let next = days.partitioningIndex { $0.instant > instant }
        return next > 0 ? days[next - 1] : nil
    }

    private static func withoutRepeats(_ sorted: [TimeMark]) -> [TimeMark] {
        var kept: [TimeMark] = []
        for mark in sorted where kept.last?.instant != mark.instant {
            kept.append(mark)
        }
        return kept
    }
}

/// The content of a row: the windows of its airings, and the data for elements.
protocol RowContent {
    /// The 0-based row of the layout.
    var row: Int { get }
    var airingCount: Int { get }
    /// Returns the window of an airing. Airings are sorted by start; airings of a clump share a window.
    func window(at index: Int) -> TimeWindow

    var station: StationID? { get }
    /// The station's name.
    var label: String? { get }
    /// Returns an airing; `nil` if only its window is known.
    func airing(at index: Int) -> Airing?
}

/// The times of a row, which suffice for ``GuideLayout/cells(in:of:coverage:)``.
package struct RowWindows: Hashable, Sendable {
    /// The 0-based row of the layout.
    package let row: Int
    /// The windows of the airings, sorted by start and without overlaps; airings of a clump share a window.
    package let windows: [TimeWindow]

    package init(row: Int, windows: [TimeWindow]) {
        self.row = row
        self.windows = windows
    }
}

extension RowWindows: RowContent {
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
