import CollectionLayout

// MARK: - Rows and y

extension GuideLayout {
    /// The distance from the upper edge of one row to that of the next, where rows have one height.
    private var rowPitch: Double { metrics.rowHeight + metrics.rowSpacing }

    /// Gives a row a height of its own; `nil` gives it that of the others.
    ///
    /// Differences of heights are kept in steps of 2⁻¹⁶ of a point, so that sums of them are exact.
    /// - Complexity: O(log n); the first time O(n), with eight bytes for each row.
    /// - Throws: ``GuideLayoutError`` for a row that isn't there, a height that is none, or more than
    ///   ``greatestVariedRowCount`` rows.
    public mutating func setHeight(_ height: Double?, ofRow row: Int) throws(GuideLayoutError) {
        let checked = try GuideMeasure.rowHeight.checked(height ?? metrics.rowHeight, in: 0.01...1_000_000)
        try rows.setDifference(checked - metrics.rowHeight, ofRow: row)
    }

    /// The height of a row in points, not snapped.
    public func height(ofRow row: Int) -> Double { metrics.rowHeight + rows.difference(ofRow: row) }

    /// Where the space of a row begins, its group's header included if it is the first of one.
    private func start(ofRow row: Int, offset: Double) -> Double {
        metrics.headerHeight + Double(row) * rowPitch + offset
    }

    private func start(ofRow row: Int) -> Double { start(ofRow: row, offset: rows.offset(beforeRow: row)) }

    /// The upper edge of a row, not snapped.
    private func top(ofRow row: Int) -> Double {
        guard let group = rows.group(ofRow: row), rows.groups[group].firstRow == row else { return start(ofRow: row) }
        return start(ofRow: row) + metrics.groupHeaderLead
    }

    var contentHeight: Double {
        rowCount == 0 ? metrics.headerHeight : max(metrics.headerHeight, start(ofRow: rowCount) - metrics.rowSpacing)
    }

    /// The snapped upper and lower edges of a row.
    /// - Complexity: O(1) where rows have one height and no groups, else O(log n).
    func edges(ofRow row: Int) -> (minY: Double, maxY: Double) {
        let top = top(ofRow: row)
        return (metrics.pixels.snapped(top), metrics.pixels.snapped(top + height(ofRow: row)))
    }

    /// The rows that may have a pixel between two heights: a pixel more on both sides, because edges are snapped.
    ///
    /// A row's group header counts as its own.
    /// - Complexity: As for ``edges(ofRow:)``.
    func rows(fromY minY: Double, toY maxY: Double) -> Range<Int> {
        let upper = minY - metrics.pixels.pixel
        let lower = maxY + metrics.pixels.pixel
        guard rowCount > 0, lower >= metrics.headerHeight, upper < start(ofRow: rowCount) else { return 0..<0 }
        let first = row(startingAtOrBefore: upper)
        return first..<max(first, row(startingAtOrBefore: lower)) + 1
    }

    private func row(startingAtOrBefore y: Double) -> Int {
        guard !rows.isUniform else {
            return Int(((y - metrics.headerHeight) / rowPitch).floored, clampedTo: 0...rowCount - 1)
        }
        return rows.lastRow { start(ofRow: $0, offset: $1) <= y }
    }

    /// The row at a height, or `nil` above the first, below the last, in a group's header, and in the space between two.
    func row(atY y: Double) -> Int? {
        rows(fromY: y, toY: y).first { row in
            let edges = edges(ofRow: row)
            return edges.minY <= y && y < edges.maxY
        }
    }

    // MARK: - Groups

    /// The snapped edges of a group's header while the pinned header ends at a height, which is not snapped.
    ///
    /// y = min(max(visible top, group top), group bottom − height): it stays in sight and never leaves its group (facts,
    /// layout 3: the rule of a flow layout's pinned headers).
    func headerEdges(ofGroup index: Int, visibleTop: Double) -> (minY: Double, maxY: Double) {
        let rows = rows.rows(ofGroup: index)
        let top = start(ofRow: rows.lowerBound)
        let height = metrics.groupHeaderHeight
        let bottom = self.top(ofRow: rows.upperBound - 1) + self.height(ofRow: rows.upperBound - 1)
        let minY = max(top, min(max(visibleTop, top), bottom - height))
        return (metrics.pixels.snapped(minY), metrics.pixels.snapped(minY + height))
    }
}
