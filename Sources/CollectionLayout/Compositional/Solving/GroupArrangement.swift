/// Items in a group that repeats along the section (facts, layout 4.5).
struct GroupArrangement: SectionArrangement {
    var group: LayoutGroup

    func solved(
        in room: SectionRoom, measures: ElementMeasures, reusing previous: (any SectionContent)?,
        diagnostics: inout LayoutDiagnostics
    ) -> any SectionContent {
        var content = RepeatedGroup(
            group: group, room: room, reusing: previous as? RepeatedGroup, diagnostics: &diagnostics)
        content.solveLast(measures: measures, diagnostics: &diagnostics)
        content.remeasure(
            measures.elements(inSection: room.section), measures: measures, diagnostics: &diagnostics)
        return content
    }
}
