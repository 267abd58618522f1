package import EPGModel

// MARK: - Cells alone

extension GuideLayout {
    /// The gaps, airings and clusters that a viewport shows, and nothing else, row by row and in order of time.
    ///
    /// They are those of ``page(in:of:)``, for who wants neither frames nor headers nor an order of drawing.
    /// - Parameters:
    ///   - rows: In order of row, each row once.
    ///   - coverage: The stretch of time that the rows were read for, see ``GuideContent/coverage``.
    /// - Complexity: O(visible rows · log airings + k) for k visible cells.
    package func cells(in viewport: Viewport, of rows: [RowTimes], coverage: TimeWindow) -> [GuideCell] {
        var collector = ElementCollector(.cells, rect: viewport.rect, presentation: presentation)
        let demand = demand(of: viewport)
        let pins = pins(at: viewport)
        for row in rows[rows.partitioningIndex { $0.row >= demand.rows.lowerBound }...] {
            guard row.row < demand.rows.upperBound else { break }
            addRow(row, firstItem: 0, during: demand.window, coverage: coverage, pins: pins, to: &collector)
        }
        return collector.cells
    }
}
