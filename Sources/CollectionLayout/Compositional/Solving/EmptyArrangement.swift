/// Items without places.
struct EmptyArrangement: SectionArrangement {
    func solved(
        in room: SectionRoom, measures: ElementMeasures, reusing previous: (any SectionContent)?,
        diagnostics: inout LayoutDiagnostics
    ) -> any SectionContent {
        EmptyContent()
    }
}

struct EmptyContent: SectionContent {
    var size: Size { .zero }
    var reach: Rect { .zero }
    var groupLengths: (group: Double, pitch: Double) { (0, 0) }

    func append(to found: inout [LayoutAttributes], in rect: Rect, cost: inout LayoutCost) {}

    func attributes(of element: LayoutElement) -> LayoutAttributes? { nil }

    func estimatedAxes(of element: LayoutElement) -> AxisSet { AxisSet() }

    mutating func remeasure(
        _ elements: some Sequence<LayoutElement>, measures: ElementMeasures, diagnostics: inout LayoutDiagnostics
    ) {}
}
