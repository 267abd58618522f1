import CollectionLayout
package import EPGCalendar
package import EPGLayout
package import EPGModel

/// The guide in a terminal, drawn from the cells of the layout: one column of the terminal is one point.
package struct TextGrid: Sendable {
    /// What the terminal is trusted to understand.
    package enum Style: Hashable, Sendable {
        /// Characters only.
        case plain
        /// Colours and bold by escape sequences of ECMA-48, with the 256-colour palette.
        case ansi
    }

    /// How many lines a station has.
    package enum RowStyle: Hashable, Sendable {
        /// A line for each station.
        case dense
        /// A line for each station and a rule below it.
        case ruled
        /// Title, times and sub-title on two lines, and a rule below.
        case detailed
    }

    /// The width of the terminal; less than 20 counts as 20, more than 2,000 as 2,000.
    package let columns: Int
    /// Plain by default.
    package let style: Style
    /// Ruled by default.
    package let rows: RowStyle
    /// That of the viewer, in which times are written.
    package let zone: Zone
    /// Of twenty-four hours by default.
    package let clock: ClockStyle

    /// A grid for a terminal; 80 columns wide by default.
    package init(
        columns: Int = 80, style: Style = .plain, rows: RowStyle = .ruled, zone: Zone,
        clock: ClockStyle = .twentyFourHours
    ) {
        self.columns = min(max(columns, 20), 2000)
        self.style = style
        self.rows = rows
        self.zone = zone
        self.clock = clock
    }

    /// Draws a window of the guide.
    ///
    /// - Parameters:
    ///   - window: From the first column of time to the last.
    ///   - schedules: The rows, top to bottom, read for the window.
    ///   - now: Where the now-line stands; `nil` for none.
    /// - Throws: ``GuideLayoutError`` where the window is empty or spans decades.
    /// - Returns: Lines, each with its line break.
    package func text(of schedules: [RowSchedule], during window: TimeWindow, now: Instant?) throws(GuideLayoutError)
        -> String
    {
        let stationColumns = stationColumns(for: schedules)
        let layout = try layout(window: window, rowCount: schedules.count, stationColumns: stationColumns)
        let numbered = schedules.enumerated().map { index, row in
            RowSchedule(row: index, stationName: row.stationName, schedule: row.schedule)
        }
        let size = layout.contentSize
        let everything = try Viewport(x: 0, y: 0, width: size.width, height: size.height)
        let content = GuideContent(
            schedules: numbered, coverage: window, marks: GuideMarks(in: window, zone: zone, clock: clock), now: now)
        let page = layout.page(in: everything, of: content)
        return TextPage(grid: self, elements: page.elements, rowCount: schedules.count, now: now).text
    }

    // MARK: - Measures

    /// Lines of text in a row.
    var textLines: Int { rows == .detailed ? 2 : 1 }

    /// Whether rows are parted by rules.
    var hasRules: Bool { rows != .dense }

    /// The station column is as wide as the longest name, but leaves three quarters of the screen to time.
    private func stationColumns(for schedules: [RowSchedule]) -> Int {
        let longest = schedules.map { TerminalText($0.stationName).width }.max() ?? 0
        return min(max(longest + 2, 12), max(columns / 4, 8))
    }

    /// A layout in which every snapped edge is a column and time fills the screen.
    private func layout(window: TimeWindow, rowCount: Int, stationColumns: Int) throws(GuideLayoutError) -> GuideLayout
    {
        let metrics = try GuideMetrics(
            pointsPerHour: Double(columns - stationColumns) * 3600 / Double(window.seconds),
            rowHeight: Double(textLines),
            rowSpacing: hasRules ? 1 : 0, stationColumnWidth: Double(stationColumns), headerHeight: 2,
            nowLineWidth: 1, lineHeight: 1)
        return try GuideLayout(metrics: metrics, window: window, rowCount: rowCount)
    }
}

extension GuideMarks {
    /// The hours, half hours and days of a zone for a window, with the hour and the day that are under way at its start.
    package init(in window: TimeWindow, zone: Zone, clock: ClockStyle = .twentyFourHours) {
        // Long enough for the longest day, also where a zone skipped one.
        let sinceYesterday = TimeWindow(start: window.start.advanced(by: -50 * 3600), end: window.end)
        let sinceLastHour = TimeWindow(start: window.start.advanced(by: -3600), end: window.end)
        let labels = zone.hourMarks(in: sinceLastHour, clock: clock) + zone.dayMarks(in: sinceYesterday)
        self.init(labels.map { TimeMark(instant: $0.instant, label: $0.label, kind: TimeMark.Kind($0.kind)) })
    }
}

extension TimeMark.Kind {
    fileprivate init(_ kind: LabelledInstant.Kind) {
        switch kind {
        case .hour: self = .hour
        case .halfHour: self = .halfHour
        case .day: self = .day
        }
    }
}
