// MARK: - Cells alone

extension GuideLayout {
    /// The gaps, airings and clusters that a viewport shows, and nothing else, row by row and in order of time.
    ///
    /// They are those of ``page(in:of:)``, for who wants neither frames nor headers nor an order of drawing.
    /// - Complexity: O(visible rows · log airings + k) for k visible cells.
    package func cells(in viewport: Viewport, of content: GuideContent) -> [GuideCell] {
        var collector = ElementCollector(.cells, rect: viewport.rect, presentation: presentation)
        addRows(of: demand(of: viewport), from: content, pins: pins(at: viewport), to: &collector)
        return collector.cells
    }
}
