public import CollectionLayout
public import EPGModel

// MARK: - Elements

extension GuideLayout {
    /// The elements that a viewport shows.
    ///
    /// - Complexity: O(visible rows · log airings + k log k) for k visible elements, whatever the size of the content.
    public func page(in viewport: Viewport, of content: GuideContent) -> GuidePage {
        page(in: viewport.rect, at: viewport, of: content)
    }

    /// The elements that intersect a part of the content, as they stand while a viewport is shown.
    ///
    /// Asking for two halves of a rectangle gives together what asking for the whole gives. Rows that the content doesn't
    /// hold stay empty.
    public func page(in rect: Rect, at viewport: Viewport, of content: GuideContent) -> GuidePage {
        var collector = ElementCollector(rect: rect, presentation: presentation)
        collect(in: rect, at: viewport, of: content, to: &collector)
        return GuidePage(elements: collector.elements.inDrawingOrder(), cost: collector.cost)
    }

    /// Adds the elements of a part of the content, in no particular order.
    func collect(
        in rect: Rect, at viewport: Viewport, of content: GuideContent, to collector: inout ElementCollector
    ) {
        let demand = demand(of: collector.presentation.solved(rect))
        let pins = pins(at: viewport)
        addRows(of: demand, from: content, pins: pins, to: &collector)
        addSurroundings(of: demand, from: content, pins: pins, to: &collector)
    }

    /// Adds the cells of the rows that are wanted, until the collector is full.
    func addRows(of demand: GuideDemand, from content: GuideContent, pins: Pins, to collector: inout ElementCollector) {
        let first = content.schedules.partitioningIndex { $0.row >= demand.rows.lowerBound }
        for index in first..<content.schedules.count where !collector.isFull {
            let schedule = content.schedules[index]
            guard schedule.row < demand.rows.upperBound else { break }
            // Of two schedules for one row the first counts.
            if index > first, content.schedules[index - 1].row == schedule.row { continue }
            addRow(
                schedule, firstItem: content.firstItem(at: index), during: demand.window, coverage: content.coverage,
                pins: pins, to: &collector)
        }
    }

    /// Adds what is no row's: headers of groups and hours, corner and lines.
    func addSurroundings(
        of demand: GuideDemand, from content: GuideContent, pins: Pins, to collector: inout ElementCollector
    ) {
        addGroupHeaders(ofRows: demand.rows, pins: pins, to: &collector)
        addHeaders(content.marks, during: demand.window, pins: pins, to: &collector)
        addLines(content, during: demand.window, to: &collector)
    }

    /// The elements that a viewport shows, for who has everything at hand.
    ///
    /// - Parameters:
    ///   - viewport: What is seen.
    ///   - schedules: The schedules of at least the rows and the window of ``demand(of:)``.
    ///   - marks: Hours, half hours and days.
    ///   - now: Where the now-line stands; `nil` for none.
    public func elements(
        in viewport: Viewport, schedules: [RowSchedule], marks: [TimeMark] = [], now: Instant? = nil
    ) -> [GuideElement] {
        let content = GuideContent(
            schedules: schedules, coverage: demand(of: viewport).window, marks: GuideMarks(marks), now: now)
        return page(in: viewport, of: content).elements
    }
}
