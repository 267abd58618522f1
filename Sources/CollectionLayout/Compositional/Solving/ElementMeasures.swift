/// The sizes that elements asked for, by which their estimates are replaced (facts, layout 4.10).
package struct ElementMeasures {
    private struct Measure {
        var size: Size
        var changes: Int
    }

    private var sections: [Int: [LayoutElement: Measure]] = [:]
    /// What was wrong with sizes that were asked for; it stays as long as the sizes do.
    package private(set) var diagnostics = LayoutDiagnostics()
    /// How often an element may ask for another size before its last one is kept (chosen).
    package static let greatestChanges = 10

    /// Nothing is measured yet.
    package init() {}

    /// The size that is kept for an element; `nil` where its estimate counts.
    package subscript(element: LayoutElement) -> Size? {
        sections[element.indexPath.section]?[element]?.size
    }

    /// The elements of a section that were measured, in no order.
    package func elements(inSection section: Int) -> [LayoutElement] {
        sections[section].map { Array($0.keys) } ?? []
    }

    /// Whether an element asked for other sizes so often that it isn't listened to any longer.
    package func isSettled(_ element: LayoutElement) -> Bool {
        (sections[element.indexPath.section]?[element]?.changes ?? 0) >= Self.greatestChanges
    }

    /// Notes a size; `false` if it changes nothing.
    @discardableResult
    package mutating func note(_ size: Size, of element: LayoutElement) -> Bool {
        let size = Size(
            width: diagnostics.length(size.width, "preferred width", element: element),
            height: diagnostics.length(size.height, "preferred height", element: element))
        let known = sections[element.indexPath.section]?[element]
        guard known?.size != size, (known?.changes ?? 0) < Self.greatestChanges else { return false }
        let changes = (known?.changes ?? 0) + 1
        sections[element.indexPath.section, default: [:]][element] = Measure(size: size, changes: changes)
        if changes == Self.greatestChanges {
            diagnostics.add(
                LayoutDiagnostic(
                    .unsettledEstimates, element: element,
                    detail: "asked for \(changes) sizes; \(size.width) × \(size.height) is kept"))
        }
        return true
    }

    /// Lets the estimate of an element count again.
    package mutating func forget(_ element: LayoutElement) {
        sections[element.indexPath.section]?[element] = nil
    }

    /// Lets the estimates of a section count again.
    package mutating func forget(section: Int) {
        sections[section] = nil
    }

    /// The same sizes under other names, without those of elements that are gone; all are free to ask for others again.
    package func renamed(_ name: (LayoutElement) -> LayoutElement?) -> ElementMeasures {
        var copy = ElementMeasures()
        for (element, measure) in sections.values.joined() {
            guard let element = name(element) else { continue }
            copy.sections[element.indexPath.section, default: [:]][element] = Measure(size: measure.size, changes: 0)
        }
        return copy
    }
}
