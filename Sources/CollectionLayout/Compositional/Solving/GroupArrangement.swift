/// Items in a group that repeats along the section (facts, layout 4.5).
struct GroupArrangement: SectionArrangement {
    var group: LayoutGroup

    func solved(
        in room: SectionRoom, measures: ElementMeasures, reusing previous: (any SectionContent)?,
        diagnostics: inout LayoutDiagnostics
    ) -> any SectionContent {
        let known = previous as? RepeatedGroup ?? (previous as? WrappedGroups)?.base
        var content = RepeatedGroup(group: group, room: room, reusing: known, diagnostics: &diagnostics)
        if group.isFilledByLength, content.capacity > 0, content.pitch > 0 {
            return WrappedGroups(content, measures: measures, diagnostics: &diagnostics)
        }
        content.solveLast(measures: measures, diagnostics: &diagnostics)
        content.remeasure(
            measures.elements(inSection: room.section), measures: measures, diagnostics: &diagnostics)
        return content
    }
}

extension LayoutGroup {
    /// Whether groups of it take different numbers of items, by the lengths that these turn out to have; see
    /// ``GroupLine/isFilledByLength``.
    fileprivate var isFilledByLength: Bool {
        guard case .line(let axis, let subitems, .untilFull) = arrangement,
            !layoutSize.estimatedAxes.contains(axis)
        else { return false }
        return subitems.contains { $0.layoutSize.estimatedAxes.contains(axis) }
    }
}
