public import EPGModel

/// What is laid out: schedules, labelled instants, and now.
public struct GuideContent: Hashable, Sendable {
    /// In order of row.
    public let schedules: [RowSchedule]
    /// The stretch of time that the schedules were read for. What lies beyond it is not known, so gaps end there.
    public let coverage: TimeWindow
    /// What headers and lines between days are made of; none by default.
    public let marks: GuideMarks
    /// Where the now-line stands; `nil` for none.
    public let now: Instant?
    /// The place of the first airing of each schedule in its row; empty for 0 everywhere.
    private let firstItems: [Int]

    /// Content.
    ///
    /// - Parameters:
    ///   - schedules: The answer of `GuideReading.schedules(inRows:during:)`.
    ///   - coverage: The window that was asked for.
    /// - Complexity: O(n log n) in the number of schedules, O(n) where they are sorted.
    public init(schedules: [RowSchedule], coverage: TimeWindow, marks: GuideMarks = GuideMarks(), now: Instant? = nil) {
        let isSorted = zip(schedules, schedules.dropFirst()).allSatisfy { $0.row <= $1.row }
        self.schedules = isSorted ? schedules : schedules.sorted { $0.row < $1.row }
        self.coverage = coverage
        self.marks = marks
        self.now = now
        self.firstItems = []
    }

    /// What a source gave, each row with its neighbours.
    init(slices: [GuideSlice], coverage: TimeWindow, marks: GuideMarks, now: Instant?) {
        let isSorted = zip(slices, slices.dropFirst()).allSatisfy { $0.schedule.row <= $1.schedule.row }
        let sorted = isSorted ? slices : slices.sorted { $0.schedule.row < $1.schedule.row }
        self.schedules = sorted.map(\.schedule)
        self.firstItems = sorted.map(\.firstItem)
        self.coverage = coverage
        self.marks = marks
        self.now = now
    }

    /// The place in its row of the first airing of a schedule.
    func firstItem(at index: Int) -> Int { firstItems.isEmpty ? 0 : firstItems[index] }
}

/// What must be read to lay out a viewport, and no more.
public struct GuideDemand: Hashable, Sendable {
    /// The rows that can be seen.
    public let rows: Range<Int>
    /// The stretch of time that can be seen, of no length where none can.
    public let window: TimeWindow

    public init(rows: Range<Int>, window: TimeWindow) {
        self.rows = rows
        self.window = window
    }
}
