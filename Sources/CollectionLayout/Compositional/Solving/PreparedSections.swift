/// The solved sections of a compositional layout and everything else that its queries need.
struct PreparedSections {
    /// The container of the last preparation, with finite bounds and insets.
    var container: LayoutContainer
    let axis: Axis
    let context: SolvedSection.Context
    /// The start of the sections across the scroll direction.
    let crossStart: Double
    private(set) var stack: SectionStack
    /// The boundary elements of the whole layout, in content coordinates.
    private(set) var boundary: [BoundaryPlan.Placed] = []
    /// The size of the content, snapped to the pixel grid.
    private(set) var contentSize = Size.zero
    /// The frame of the whole content, which limits its boundary elements.
    private(set) var frame = Rect.zero
    /// Whether elements move while the view scrolls.
    private(set) var hasPinned = false
    private(set) var hasHandlers = false

    init(
        container: LayoutContainer, context: SolvedSection.Context, plan: BoundaryPlan, sections: [SolvedSection],
        spacing: Double
    ) {
        let axis = context.axis
        self.container = container
        self.axis = axis
        self.context = context
        crossStart = plan.crossStart
        stack = SectionStack(sections, axis: axis, start: plan.start, spacing: spacing)
        arrange(plan)
        updateFlags()
    }

    /// Removes and returns the content of a section that will be replaced.
    mutating func extractContent(_ index: Int) -> SolvedSection.PreviousSolution { stack.extractContent(index) }

    /// Replaces the solutions of some sections; the others are not copied.
    mutating func replace(_ solved: [Int: SolvedSection], plan: BoundaryPlan) {
        let keepsFlags = solved.allSatisfy { index, section in
            let before = stack.sections[index]
            return before.hasPinned == section.hasPinned && before.hasHandler == section.hasHandler
        }
        stack.replace(solved)
        arrange(plan)
        if !keepsFlags { updateFlags() }
    }

    /// Places the boundary of the whole layout around the sections.
    private mutating func arrange(_ plan: BoundaryPlan) {
        let breadth = max(context.container[axis.perpendicular], stack.breadth)
        let inner = Rect(
            along: axis, (plan.start, stack.end), across: (plan.crossStart, plan.crossStart + breadth))
        boundary = plan.frames(around: inner, span: (0, plan.crossStart + breadth + plan.crossEnd))
        frame = Rect(
            origin: .zero,
            size: Size(
                along: axis, stack.end + plan.end, across: plan.crossStart + breadth + plan.crossEnd))
        contentSize = container.pixels.snapped(frame).size
    }

    private mutating func updateFlags() {
        hasPinned =
            boundary.contains { $0.item.pinToVisibleBounds } || stack.sections.contains { $0.hasPinned }
        hasHandlers = stack.sections.contains { $0.hasHandler }
    }

    /// Returns the origin of a section.
    func origin(ofSection index: Int) -> Point {
        var origin = Point.zero
        origin[axis] = stack.starts[index]
        origin[axis.perpendicular] = crossStart
        return origin
    }
}

// MARK: - Coordinates

extension PreparedSections {
    var isMirrored: Bool { container.layoutDirection == .rightToLeft }

    /// Converts a rectangle between content coordinates and left-to-right coordinates, in either direction.
    func mirrored(_ rect: Rect) -> Rect {
        isMirrored ? rect.mirrored(inWidth: contentSize.width) : rect
    }

    /// The visible rectangle inside the content insets, which limits pinned elements, in left-to-right coordinates.
    var visible: Rect { mirrored(container.bounds).inset(by: container.contentInset) }

    /// Returns attributes as the layout presents them: snapped to the pixel grid, and mirrored for right-to-left text.
    ///
    /// Snapping comes first: when an edge on the grid is mirrored in a width on the grid, it remains on the grid.
    func presented(_ attributes: LayoutAttributes) -> LayoutAttributes {
        var result = attributes
        result.frame = mirrored(container.pixels.snapped(attributes.frame))
        return result
    }

    /// Returns the attributes of a boundary element, given its origin and host in content coordinates.
    func attributes(_ placed: BoundaryPlan.Placed, origin: Point, host: Rect) -> LayoutAttributes {
        let natural = placed.frame.offset(x: origin.x, y: origin.y)
        guard placed.item.pinToVisibleBounds else {
            return LayoutAttributes(placed.element, frame: natural, zIndex: placed.item.zIndex)
        }
        return LayoutAttributes(
            placed.element, frame: placed.item.pinned(natural, visible: visible, host: host), band: .pinned,
            zIndex: placed.item.zIndex)
    }
}

extension SolvedSection {
    /// Whether a boundary element is pinned.
    fileprivate var hasPinned: Bool { boundary.contains { $0.item.pinToVisibleBounds } }

    fileprivate var hasHandler: Bool { layout.visibleItemsInvalidationHandler != nil }
}

// MARK: - Sections in a row

/// Sections one after the other along the scroll direction.
struct SectionStack {
    /// The lengths of a section that affect the positions of others.
    private struct Extent {
        let length: Double
        let breadth: Double
        let reach: (start: Double, end: Double)

        init(_ section: SolvedSection, axis: Axis) {
            length = section.size[axis]
            breadth = section.size[axis.perpendicular]
            reach = section.reach
        }
    }

    private(set) var sections: [SolvedSection]
    /// The start of each section.
    private(set) var starts: [Double]
    /// The end of the last section and the maximum length across the axis.
    private(set) var end = 0.0
    private(set) var breadth = 0.0
    private var extents: [Extent]
    /// The maximum end of the elements of each section and all sections before it.
    private var farthestEnds: [Double]
    /// The minimum start of the elements of each section and all sections after it.
    private var nearestStarts: [Double]
    private let axis: Axis
    private let start: Double
    private let spacing: Double

    /// - Parameters:
    ///   - start: The start of the first section.
    ///   - spacing: The distance between sections.
    init(_ sections: [SolvedSection], axis: Axis, start: Double, spacing: Double) {
        self.sections = sections
        self.axis = axis
        self.start = start
        self.spacing = spacing
        extents = sections.map { Extent($0, axis: axis) }
        starts = [Double](repeating: 0, count: sections.count)
        farthestEnds = starts
        nearestStarts = starts
        arrange()
    }

    /// Removes and returns the content of a section that will be replaced.
    mutating func extractContent(_ index: Int) -> SolvedSection.PreviousSolution { sections[index].extractContent() }

    /// Replaces the solutions of some sections.
    ///
    /// - Complexity: O(sections), for a few numbers each; other sections are not copied.
    mutating func replace(_ solved: [Int: SolvedSection]) {
        for (index, section) in solved {
            sections[index] = section
            extents[index] = Extent(section, axis: axis)
        }
        arrange()
    }

    private mutating func arrange() {
        end = start
        breadth = 0
        var farthest = -Double.infinity
        for (index, extent) in extents.enumerated() {
            if index > 0 { end += spacing }
            starts[index] = end
            farthest = max(farthest, end + extent.reach.end)
            farthestEnds[index] = farthest
            end += extent.length
            breadth = max(breadth, extent.breadth)
        }
        var nearest = Double.infinity
        for index in extents.indices.reversed() {
            nearest = min(nearest, starts[index] + extents[index].reach.start)
            nearestStarts[index] = nearest
        }
    }

    /// Returns the sections that can have elements in a range along the scroll direction.
    ///
    /// - Complexity: O(log n).
    func sections(from start: Double, to end: Double) -> Range<Int> {
        let first = farthestEnds.partitioningIndex { $0 >= start }
        let last = nearestStarts.partitioningIndex { $0 > end }
        return first..<max(first, last)
    }
}

// MARK: - Container

extension LayoutContainer {
    /// Clamps all edges to finite values, with a diagnostic.
    mutating func makeFinite(_ diagnostics: inout LayoutDiagnostics) {
        let given = bounds
        let edges = [given.minX, given.minY, given.maxX, given.maxY].map(\.asDistance)
        bounds = Rect(minX: edges[0], minY: edges[1], maxX: edges[2], maxY: edges[3])
        if bounds != given {
            diagnostics.add(LayoutDiagnostic(.unusableLength, detail: "the bounds are \(given)"))
        }
        contentInset = contentInset.usable(name: "contentInset", section: nil, diagnostics: &diagnostics)
        safeAreaInsets = safeAreaInsets.usable(name: "safeAreaInsets", section: nil, diagnostics: &diagnostics)
        layoutMargins = layoutMargins.usable(name: "layoutMargins", section: nil, diagnostics: &diagnostics)
    }

    /// Returns whether two containers are equal except for the content offset and the counts.
    func hasGeometry(of other: LayoutContainer) -> Bool {
        bounds.size.isNearly(other.bounds.size) && contentInset == other.contentInset
            && safeAreaInsets == other.safeAreaInsets && layoutMargins == other.layoutMargins
            && layoutDirection == other.layoutDirection && pixels == other.pixels
    }
}
