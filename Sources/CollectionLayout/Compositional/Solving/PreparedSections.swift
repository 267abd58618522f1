/// All that a compositional layout's answers need.
struct PreparedSections {
    /// What it was prepared for; its bounds and insets are finite.
    var container: LayoutContainer
    let axis: Axis
    let context: SolvedSection.Context
    /// Where sections begin across the scroll direction.
    let crossStart: Double
    private(set) var stack: SectionStack
    /// Boundary items of the whole layout, in the content's coordinates.
    private(set) var boundary: [BoundaryPlan.Placed] = []
    /// On the grid of pixels.
    private(set) var contentSize = Size.zero
    /// The frame of the whole content: what its boundary items stay in.
    private(set) var frame = Rect.zero
    /// Whether anything moves while the view scrolls.
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
        noteWhatMoves()
    }

    /// Takes the content out of a section that is going to be replaced.
    mutating func withdraw(_ index: Int) -> SolvedSection.Earlier { stack.withdraw(index) }

    /// Takes other solutions of some sections over; the others are not copied.
    mutating func replace(_ solved: [Int: SolvedSection], plan: BoundaryPlan) {
        let isLikeBefore = solved.allSatisfy { index, section in
            let before = stack.sections[index]
            return before.hasPinned == section.hasPinned && before.hasHandler == section.hasHandler
        }
        stack.replace(solved)
        arrange(plan)
        if !isLikeBefore { noteWhatMoves() }
    }

    /// Places the boundary of the whole layout around the sections.
    private mutating func arrange(_ plan: BoundaryPlan) {
        let breadth = max(context.container[axis.crossing], stack.breadth)
        let inner = Rect(
            along: axis, (plan.start, stack.end), across: (plan.crossStart, plan.crossStart + breadth))
        boundary = plan.frames(around: inner, span: (0, plan.crossStart + breadth + plan.crossEnd))
        frame = Rect(
            origin: .zero,
            size: Size(
                along: axis, stack.end + plan.end, across: plan.crossStart + breadth + plan.crossEnd))
        contentSize = container.pixels.snapped(frame).size
    }

    private mutating func noteWhatMoves() {
        hasPinned =
            boundary.contains { $0.item.pinToVisibleBounds } || stack.sections.contains { $0.hasPinned }
        hasHandlers = stack.sections.contains { $0.hasHandler }
    }

    /// Where a section begins.
    func origin(ofSection index: Int) -> Point {
        var origin = Point.zero
        origin[axis] = stack.starts[index]
        origin[axis.crossing] = crossStart
        return origin
    }
}

// MARK: - Between the coordinates of the solution and those of the content

extension PreparedSections {
    var isMirrored: Bool { container.layoutDirection == .rightToLeft }

    /// A rectangle of the content as it is seen, in the coordinates of the solution, and the other way round.
    func mirrored(_ rect: Rect) -> Rect {
        isMirrored ? rect.mirrored(inWidth: contentSize.width) : rect
    }

    /// What pinned elements stay in, in the coordinates of the solution.
    var visible: Rect { mirrored(container.bounds).inset(by: container.contentInset) }

    /// Attributes as they are answered: on the grid of pixels, mirrored where text runs from right to left.
    ///
    /// Snapped first: mirrored in a width that is on the grid, an edge stays on it.
    func answered(_ attributes: LayoutAttributes) -> LayoutAttributes {
        var answer = attributes
        answer.layoutFrame = mirrored(container.pixels.snapped(attributes.layoutFrame))
        return answer
    }

    /// The attributes of a boundary item, where its place and its host are in the content's coordinates.
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
    /// Whether a boundary item stays in sight.
    fileprivate var hasPinned: Bool { boundary.contains { $0.item.pinToVisibleBounds } }

    fileprivate var hasHandler: Bool { layout.visibleItemsInvalidationHandler != nil }
}
