/// The element to keep in place while elements above it grow.
///
/// The anchor is the first item that begins in the visible area, except items that were just measured and not visible
/// before: items that enter from above don't move it. If there is none, it is the first item or section that begins
/// in the visible area, or else the last item that begins before it.
struct ScrollAnchor {
    /// The section of the anchor.
    let section: Int
    /// The item; `nil` for the start of the section.
    let item: LayoutElement?

    /// Finds the anchor, or returns `nil` if nothing is visible.
    ///
    /// - Parameters:
    ///   - visible: The visible rectangle, in left-to-right coordinates.
    ///   - previousVisible: The visible rectangle before the last preparation.
    ///   - sizes: The elements that were measured.
    ///   - attributes: Returns the attributes of the visible elements of a section.
    init?(
        in visible: Rect, of prepared: PreparedSections, previousVisible: Rect?, measured sizes: [LayoutElement: Size],
        attributes: (_ section: Int) -> [LayoutAttributes]
    ) {
        let axis = prepared.axis
        let start = visible.start(axis)
        var first: (section: Int, item: LayoutElement?)?
        var straddling: (section: Int, item: LayoutElement, start: Double)?
        for index in prepared.stack.sections(from: start, to: visible.end(axis)) {
            if first == nil, prepared.stack.starts[index] >= start { first = (index, nil) }
            var known: (item: LayoutElement, start: Double)?
            var begun: (item: LayoutElement, start: Double)?
            for attributes in attributes(index) {
                let (element, frame) = (attributes.element, attributes.frame)
                // An element that only touches the edge isn't visible.
                guard element.kind == nil, frame.end(axis) > start, frame.start(axis) < visible.end(axis) else {
                    continue
                }
                guard frame.start(axis) >= start else {
                    if straddling.map({ frame.start(axis) > $0.start }) ?? true {
                        straddling = (index, element, frame.start(axis))
                    }
                    continue
                }
                if begun.map({ frame.start(axis) < $0.start }) ?? true { begun = (element, frame.start(axis)) }
                // Touching the edge doesn't count as having been visible, either.
                let wasVisible =
                    previousVisible.map { frame.end(axis) > $0.start(axis) && frame.start(axis) < $0.end(axis) }
                    ?? false
                let hasEntered = sizes[element] != nil && !wasVisible
                if !hasEntered, known.map({ frame.start(axis) < $0.start }) ?? true {
                    known = (element, frame.start(axis))
                }
            }
            if let known {
                (section, item) = (index, known.item)
                return
            }
            if first == nil, let begun { first = (index, begun.item) }
        }
        guard let found = first ?? straddling.map({ ($0.section, $0.item) }) else { return nil }
        (section, item) = found
    }
}
