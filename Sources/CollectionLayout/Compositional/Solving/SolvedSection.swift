/// A section whose parts have their places, from its own upper leading corner (facts, layout 4.1, 4.7 and 4.8).
///
/// Along the scroll direction: space, boundary items before the content, the inset, the groups, the inset, boundary
/// items behind it. That headers stand outside of the insets is observed.
struct SolvedSection {
    /// What the sections of a layout have in common while they are solved.
    struct Context {
        /// The axis along which the layout scrolls.
        var axis: Axis
        /// The room of a section: along the axis, what is visible at once.
        var container: Size
        /// The insets by each reference, 0 along the axis.
        var referenceInsets: [ContentInsetsReference: EdgeInsets]
        /// What ``ContentInsetsReference/automatic`` stands for.
        var automaticReference: ContentInsetsReference
        var environment: LayoutEnvironment

        func insets(_ reference: ContentInsetsReference) -> EdgeInsets {
            referenceInsets[reference == .automatic ? automaticReference : reference] ?? .zero
        }
    }

    /// What was solved before, to be changed in place: nobody else may hold the content.
    struct Earlier {
        var content: any SectionContent
        /// The container that it was solved in; `nil` where there is nothing.
        let room: Size?

        static var none: Earlier { Earlier(content: EmptyContent(), room: nil) }
    }

    let layout: LayoutSection
    let index: Int
    private(set) var content: any SectionContent
    /// Where the content begins.
    let contentOrigin: Point
    let boundary: [BoundaryPlan.Placed]
    let decorations: [LayoutAttributes]
    let size: Size
    /// The stretch along the scroll direction in which its elements stand.
    let reach: (start: Double, end: Double)
    /// For a section that scrolls by itself.
    let metrics: OrthogonalMetrics?
    private let axis: Axis

    /// Solves a section.
    ///
    /// - Parameters:
    ///   - earlier: What ``withdraw()`` gave, before elements of the section were measured anew; it is used up.
    ///   - changed: The elements that were.
    ///   - neighbour: The content of the section before it, from which a solution may be taken over.
    init(
        _ layout: LayoutSection, index: Int, itemCount: Int, context: Context, measures: ElementMeasures,
        earlier: inout Earlier, changed: some Sequence<LayoutElement> = EmptyCollection<LayoutElement>(),
        neighbour: (any SectionContent)? = nil, diagnostics: inout LayoutDiagnostics
    ) {
        let axis = context.axis
        let across = axis.crossing
        let own = layout.contentInsets.usable(name: "contentInsets", section: index, diagnostics: &diagnostics)
        let reference = context.insets(layout.contentInsetsReference)
        let insets = own + reference
        let kept = layout.supplementariesFollowContentInsets ? insets : reference

        var boundaryContainer = context.container
        for axis in Axis.allCases {
            boundaryContainer[axis] = (context.container[axis] - kept.along(axis)).asLength
        }
        let plan = BoundaryPlan(
            layout.boundarySupplementaryItems, axis: axis, container: boundaryContainer, section: index,
            measures: measures, diagnostics: &diagnostics)

        let isOrthogonal = layout.orthogonalScrollingBehavior != .none
        let viewport = (context.container[across] - plan.crossStart - plan.crossEnd).asLength
        let room = SectionRoom(
            section: index, itemCount: max(0, itemCount),
            container: Self.container(
                Size(along: axis, context.container[axis], across: viewport), insets: insets, section: index,
                diagnostics: &diagnostics),
            axis: isOrthogonal ? across : axis,
            interGroupSpacing: diagnostics.length(layout.interGroupSpacing, "interGroupSpacing", section: index),
            takenKinds: Set(layout.boundarySupplementaryItems.map(\.elementKind)), environment: context.environment)
        if earlier.room == room.container {
            content = EmptyContent()
            swap(&content, &earlier.content)
            content.remeasure(changed, measures: measures, diagnostics: &diagnostics)
        } else {
            content = layout.arrangement.solved(
                in: room, measures: measures, reusing: neighbour, diagnostics: &diagnostics)
        }
        roomContainer = room.container

        let before = diagnostics.length(layout.spaceBeforeBoundary, "spaceBeforeBoundary", section: index)
        let start = before + plan.start
        let length = max(0, content.size[axis] + insets.along(axis))
        var breadth = viewport
        if !isOrthogonal, content.size[across] > room.container[across] + GroupLine.tolerance {
            breadth = max(breadth, content.size[across] + insets.along(across))
        }
        let inner = Rect(
            along: axis, (start, start + length), across: (plan.crossStart, plan.crossStart + breadth))
        size = Size(
            along: axis, start + length + plan.end, across: plan.crossStart + breadth + plan.crossEnd)
        var origin = Point.zero
        origin[axis] = inner.start(axis) + insets.start(axis)
        origin[across] = inner.start(across) + insets.start(across)
        contentOrigin = origin
        boundary = plan.frames(
            around: inner,
            span: (kept.start(across), max(kept.start(across), context.container[across] - kept.end(across))))
        metrics =
            isOrthogonal
            ? OrthogonalMetrics(
                viewport: viewport, container: room.container[across], group: content.groupLengths.group,
                pitch: content.groupLengths.pitch, content: content.size[across]) : nil
        decorations = Self.decorations(layout, size: size, section: index, diagnostics: &diagnostics)

        var reach = (start: 0.0, end: size[axis])
        let frames =
            boundary.map(\.frame) + decorations.map(\.layoutFrame)
            + [content.reach.offset(x: origin.x, y: origin.y)]
        for frame in frames {
            reach.start = min(reach.start, frame.start(axis))
            reach.end = max(reach.end, frame.end(axis))
        }
        self.reach = reach
        self.layout = layout
        self.index = index
        self.axis = axis
    }

    /// The container that the content was solved in.
    private let roomContainer: Size

    /// Gives its content away; it is to be replaced by a section that is solved with it.
    mutating func withdraw() -> Earlier {
        var earlier = Earlier(content: EmptyContent(), room: roomContainer)
        swap(&content, &earlier.content)
        return earlier
    }

    /// What insets leave of a container.
    private static func container(
        _ size: Size, insets: EdgeInsets, section: Int, diagnostics: inout LayoutDiagnostics
    ) -> Size {
        var container = size
        for axis in Axis.allCases {
            let length = size[axis] - insets.along(axis)
            if length < 0 {
                diagnostics.add(
                    LayoutDiagnostic(
                        .noRoom, section: section, detail: "contentInsets of the section leave \(length) points"))
            }
            container[axis] = length.asLength
        }
        return container
    }

    private static func decorations(
        _ layout: LayoutSection, size: Size, section: Int, diagnostics: inout LayoutDiagnostics
    ) -> [LayoutAttributes] {
        var counts: [ElementKind: Int] = [:]
        return layout.decorationItems.map { decoration in
            let path = IndexPath(section: section, item: counts[decoration.elementKind, default: 0])
            counts[decoration.elementKind, default: 0] += 1
            let insets = decoration.contentInsets.usable(
                name: "contentInsets of \(decoration.elementKind.rawValue)", section: section,
                diagnostics: &diagnostics)
            return LayoutAttributes(
                .decoration(decoration.elementKind, path), frame: Rect(origin: .zero, size: size).inset(by: insets),
                band: .background, zIndex: decoration.zIndex)
        }
    }
}

// MARK: - Orthogonal scrolling

extension SolvedSection {
    /// The offset brought into the range that the section has; its first one where there is none.
    func orthogonalOffset(_ offset: Double?) -> Double {
        guard let metrics else { return 0 }
        let range = layout.orthogonalScrollingBehavior.offsets(for: metrics)
        guard let offset, !offset.isNaN else { return range.lowerBound }
        return offset.clamped(to: range)
    }

    /// Where the content begins while the section is scrolled to an offset.
    func contentOrigin(offset: Double) -> Point {
        var origin = contentOrigin
        origin[axis.crossing] -= offset
        return origin
    }
}
