/// Rows of a list: a group of one row that repeats, and separators at the rows.
struct ListArrangement: SectionArrangement {
    var configuration: ListConfiguration

    /// The least estimate of a row's height, in points: rows without height would all be in sight at once.
    static let leastEstimate = 1.0

    func solved(
        in room: SectionRoom, measures: ElementMeasures, reusing previous: (any SectionContent)?,
        diagnostics: inout LayoutDiagnostics
    ) -> any SectionContent {
        let row = LayoutSize(
            widthDimension: .fractionalWidth(1),
            heightDimension: .estimated(rowHeight(section: room.section, diagnostics: &diagnostics)))
        var rows = RepeatedGroup(
            group: .horizontal(layoutSize: row, repeatingSubitem: .item(LayoutItem(layoutSize: row)), count: 1),
            room: room, reusing: (previous as? ListContent)?.rows, diagnostics: &diagnostics)
        rows.remeasure(measures.elements(inSection: room.section), measures: measures, diagnostics: &diagnostics)
        return ListContent(configuration: configuration, rows: rows)
    }

    private func rowHeight(section: Int, diagnostics: inout LayoutDiagnostics) -> Double {
        let height = configuration.estimatedRowHeight
        let usable = max(Self.leastEstimate, height.asLength)
        if usable != height {
            diagnostics.add(
                LayoutDiagnostic(
                    .unusableLength, section: section, detail: "estimatedRowHeight is \(height); \(usable) is taken"))
        }
        return usable
    }
}
