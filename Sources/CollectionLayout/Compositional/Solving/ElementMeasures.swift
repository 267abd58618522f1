/// The preferred sizes of measured elements, which replace their estimates (LayoutRules.md, layout 4.10).
package struct ElementMeasures {
    private struct Measure {
        var size: Size
        var changes: Int
    }

    private var sections: [Int: [LayoutElement: Measure]] = [:]
    /// The diagnostics about recorded sizes. Discarding a size does not remove them.
    package private(set) var diagnostics = LayoutDiagnostics()
    /// The maximum number of sizes per element, including the first. Further sizes are ignored.
    package static let changeLimit = 10

    /// Creates an empty collection.
    package init() {}

    /// The measured size of an element; `nil` if its estimate applies.
    package subscript(element: LayoutElement) -> Size? {
        sections[element.indexPath.section]?[element]?.size
    }

    /// Returns the measured elements of a section, in no particular order.
    package func elements(inSection section: Int) -> [LayoutElement] {
        sections[section].map { Array($0.keys) } ?? []
    }

    /// Returns whether an element has reached the limit of changes, so that further sizes are ignored.
    package func hasReachedChangeLimit(_ element: LayoutElement) -> Bool {
        (sections[element.indexPath.section]?[element]?.changes ?? 0) >= Self.changeLimit
    }

    /// Stores a size; returns `false` if nothing changed.
    @discardableResult
    package mutating func record(_ size: Size, of element: LayoutElement) -> Bool {
        let size = Size(
            width: diagnostics.length(size.width, "preferred width", element: element),
            height: diagnostics.length(size.height, "preferred height", element: element))
        let known = sections[element.indexPath.section]?[element]
        guard known?.size != size, (known?.changes ?? 0) < Self.changeLimit else { return false }
        let changes = (known?.changes ?? 0) + 1
        sections[element.indexPath.section, default: [:]][element] = Measure(size: size, changes: changes)
        if changes == Self.changeLimit {
            diagnostics.add(
                LayoutDiagnostic(
                    .unsettledEstimates, element: element,
                    detail: "the element has had \(changes) preferred sizes; \(size.width) × \(size.height) is used"))
        }
        return true
    }

    /// Discards the size of an element, which returns to its estimate.
    package mutating func discard(_ element: LayoutElement) {
        sections[element.indexPath.section]?[element] = nil
    }

    /// Discards the sizes of a section, whose elements return to their estimates.
    package mutating func discard(section: Int) {
        sections[section] = nil
    }

    /// Returns the sizes under new index paths, without deleted elements, and with the numbers of changes reset.
    package func renamed(_ name: (LayoutElement) -> LayoutElement?) -> ElementMeasures {
        var copy = ElementMeasures()
        for (element, measure) in sections.values.joined() {
            guard let element = name(element) else { continue }
            copy.sections[element.indexPath.section, default: [:]][element] = Measure(size: measure.size, changes: 0)
        }
        return copy
    }
}
