/// A solved section: the positions of its parts, relative to its upper leading corner (LayoutRules.md, layout 4.1, 4.7 and
/// 4.8).
///
/// Along the scroll direction, a section consists of extra space, boundary elements before the content, the inset, the
/// groups, the inset, and boundary elements after the content. UIKit was observed to place headers outside the insets.
struct SolvedSection {
    /// The properties that all sections of a layout share.
    struct Context {
        /// The axis along which the layout scrolls.
        var axis: Axis
        /// The space of a section; its length along the axis is the visible length.
        var container: Size
        /// The insets for each reference; 0 along the axis.
        var referenceInsets: [ContentInsetsReference: EdgeInsets]
        /// The reference for ``ContentInsetsReference/automatic``.
        var automaticReference: ContentInsetsReference
        var environment: LayoutEnvironment

        func insets(_ reference: ContentInsetsReference) -> EdgeInsets {
            referenceInsets[reference == .automatic ? automaticReference : reference] ?? .zero
        }
    }

    /// A previous solution to be modified in place. It must hold the only reference to the content.
    struct PreviousSolution {
        var content: any SectionContent
        /// The container of the solution; `nil` if there is none.
        let space: Size?

        static var none: PreviousSolution { PreviousSolution(content: EmptyContent(), space: nil) }
    }

    let layout: LayoutSection
    let index: Int
    private(set) var content: any SectionContent
    /// The origin of the content.
    let contentOrigin: Point
    let boundary: [BoundaryPlan.Placed]
    let decorations: [LayoutAttributes]
    let size: Size
    /// The range along the scroll direction that contains all elements.
    let reach: (start: Double, end: Double)
    /// The metrics of an orthogonally scrolling section; otherwise `nil`.
    let metrics: OrthogonalMetrics?
    private let axis: Axis

    /// Solves a section.
    ///
    /// - Parameters:
    ///   - earlier: The result of ``extractContent()`` to be updated after elements were measured; it is consumed.
    ///   - changed: The elements that were measured.
    ///   - neighbor: The content of the preceding section, whose solution may be reused.
    init(
        _ layout: LayoutSection, index: Int, itemCount: Int, context: Context, measures: ElementMeasures,
        earlier: inout PreviousSolution, changed: some Sequence<LayoutElement> = EmptyCollection<LayoutElement>(),
        neighbor: (any SectionContent)? = nil, diagnostics: inout LayoutDiagnostics
    ) {
        let axis = context.axis
        let across = axis.perpendicular
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
        let space = SectionSpace(
            section: index, itemCount: max(0, itemCount),
            container: Self.container(
                Size(along: axis, context.container[axis], across: viewport), insets: insets, section: index,
                diagnostics: &diagnostics),
            axis: isOrthogonal ? across : axis,
            interGroupSpacing: diagnostics.length(layout.interGroupSpacing, "interGroupSpacing", section: index),
            takenKinds: Set(layout.boundarySupplementaryItems.map(\.elementKind)), environment: context.environment)
        if earlier.space == space.container {
            content = EmptyContent()
            swap(&content, &earlier.content)
            content.remeasure(changed, measures: measures, diagnostics: &diagnostics)
        } else {
            content = layout.arrangement.solved(
                in: space, measures: measures, reusing: neighbor, diagnostics: &diagnostics)
        }
        roomContainer = space.container

        let before = diagnostics.length(layout.spaceBeforeBoundary, "spaceBeforeBoundary", section: index)
        let start = before + plan.start
        let length = max(0, content.size[axis] + insets.along(axis))
        var breadth = viewport
        if !isOrthogonal, content.size[across] > space.container[across] + GroupLine.tolerance {
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
                viewport: viewport, container: space.container[across], group: content.groupLengths.group,
                pitch: content.groupLengths.pitch, content: content.size[across]) : nil
        decorations = Self.decorations(layout, size: size, section: index, diagnostics: &diagnostics)

        var reach = (start: 0.0, end: size[axis])
        let frames =
            boundary.map(\.frame) + decorations.map(\.frame)
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

    /// The container in which the content was solved.
    private let roomContainer: Size

    /// Removes and returns the content, for a new solution that replaces this section.
    mutating func extractContent() -> PreviousSolution {
        var earlier = PreviousSolution(content: EmptyContent(), space: roomContainer)
        swap(&content, &earlier.content)
        return earlier
    }

    /// Returns the container reduced by insets.
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
    /// Returns the offset clamped to the range of the section, or the initial offset if there is none.
    func orthogonalOffset(_ offset: Double?) -> Double {
        guard let metrics else { return 0 }
        let range = layout.orthogonalScrollingBehavior.offsets(for: metrics)
        guard let offset, !offset.isNaN else { return range.lowerBound }
        return offset.clamped(to: range)
    }

    /// Returns the origin of the content when the section is scrolled to `offset`.
    func contentOrigin(offset: Double) -> Point {
        var origin = contentOrigin
        origin[axis.perpendicular] -= offset
        return origin
    }
}

// MARK: - Self-sizing

extension SolvedSection {
    /// Returns the start of an item along an axis, relative to the section.
    func start(of element: LayoutElement, along axis: Axis) -> Double? {
        content.attributes(of: element).map { contentOrigin[axis] + $0.frame.start(axis) }
    }
}

extension LayoutSection {
    /// Whether an element of the section has an estimated length.
    var isSelfSizing: Bool {
        if boundarySupplementaryItems.contains(where: { !$0.layoutSize.estimatedAxes.isEmpty }) { return true }
        guard let arrangement = arrangement as? GroupArrangement else { return !(arrangement is EmptyArrangement) }
        return arrangement.group.isSelfSizing(depth: 0)
    }
}

extension LayoutGroup {
    fileprivate func isSelfSizing(depth: Int) -> Bool {
        guard depth < Self.maximumDepth, case .line(_, let subitems, _) = arrangement else { return false }
        return subitems.contains { subitem in
            switch subitem {
            case .item(let item): !item.layoutSize.estimatedAxes.isEmpty
            case .group(let group): group.isSelfSizing(depth: depth + 1)
            }
        }
    }
}

// MARK: - Arrangements

/// A way to place the items of a section, such as repeated groups.
///
/// Conform to this protocol to add other kinds of sections. The layout handles everything around the items: insets,
/// boundary elements and pinning, backgrounds, orthogonal scrolling, stacking of sections, pixel alignment and
/// right-to-left text. An arrangement only determines the positions of items, and of elements that belong to them, such
/// as badges. Positions are relative to the upper leading corner of the available space, from left to right. A new
/// kind needs a type that conforms to this protocol, a ``SectionContent``, and `LayoutSection(arrangement:)`.
package protocol SectionArrangement {
    /// Places the items of a section.
    ///
    /// - Parameters:
    ///   - measures: The sizes measured so far, which must be used.
    ///   - previous: The content of the section solved before, whose solution may be reused.
    func solved(
        in space: SectionSpace, measures: ElementMeasures, reusing previous: (any SectionContent)?,
        diagnostics: inout LayoutDiagnostics
    ) -> any SectionContent
}

/// The space in which the items of a section are placed.
package struct SectionSpace: Hashable, Sendable {
    /// The index of the section, from 0.
    package var section: Int
    /// The number of items, at least 0.
    package var itemCount: Int
    /// The size inside insets and boundary elements, to which fractional dimensions refer. Finite and at least 0.
    package var container: Size
    /// The axis along which groups follow each other: the axis of the layout, or the perpendicular axis in an orthogonally
    /// scrolling section.
    package var axis: Axis
    /// The spacing between groups; finite and at least 0.
    package var interGroupSpacing: Double
    /// The kinds of the section's boundary elements, which elements of items must not have.
    package var takenKinds: Set<ElementKind>
    /// The environment passed to the section provider. Custom groups get it with their own container.
    package var environment: LayoutEnvironment
}

/// The positioned items of a section, relative to the origin inside the section's insets.
package protocol SectionContent {
    /// The size of the content, which can exceed the container. Finite.
    var size: Size { get }
    /// A rectangle that contains all frames. A larger one than necessary only costs time.
    var reach: Rect { get }
    /// The length of one group and the distance between the starts of two groups, for snapping.
    var groupLengths: (group: Double, pitch: Double) { get }

    /// Appends the attributes of all elements whose frames touch `rect`, and possibly more.
    ///
    /// Frames are neither snapped nor mirrored. Bands and z-indexes are preserved.
    func append(to found: inout [LayoutAttributes], in rect: Rect, cost: inout LayoutCost)

    /// Returns the attributes of an element, or `nil` if the content doesn't place it.
    func attributes(of element: LayoutElement) -> LayoutAttributes?

    /// Returns the axes along which the size of an element is an estimate.
    func estimatedAxes(of element: LayoutElement) -> AxisSet

    /// Applies new sizes of measured elements. Elements without a measured size return to their estimates.
    mutating func remeasure(
        _ elements: some Sequence<LayoutElement>, measures: ElementMeasures, diagnostics: inout LayoutDiagnostics)
}

/// A group of items that repeats along the section (LayoutRules.md, layout 4.5).
struct GroupArrangement: SectionArrangement {
    var group: LayoutGroup

    func solved(
        in space: SectionSpace, measures: ElementMeasures, reusing previous: (any SectionContent)?,
        diagnostics: inout LayoutDiagnostics
    ) -> any SectionContent {
        let known = previous as? RepeatedGroup ?? (previous as? WrappedGroups)?.base
        var content = RepeatedGroup(group: group, space: space, reusing: known, diagnostics: &diagnostics)
        if group.isFilledByLength, content.capacity > 0, content.pitch > 0 {
            return WrappedGroups(content, measures: measures, diagnostics: &diagnostics)
        }
        content.solveLast(measures: measures, diagnostics: &diagnostics)
        content.remeasure(
            measures.elements(inSection: space.section), measures: measures, diagnostics: &diagnostics)
        return content
    }
}

extension LayoutGroup {
    /// Whether repetitions of the group take different numbers of items, depending on measured lengths; see
    /// ``GroupLine/isFilledByLength``.
    fileprivate var isFilledByLength: Bool {
        guard case .line(let axis, let subitems, .untilFull) = arrangement,
            !layoutSize.estimatedAxes.contains(axis)
        else { return false }
        return subitems.contains { $0.layoutSize.estimatedAxes.contains(axis) }
    }
}

/// An arrangement that places no items.
struct EmptyArrangement: SectionArrangement {
    func solved(
        in space: SectionSpace, measures: ElementMeasures, reusing previous: (any SectionContent)?,
        diagnostics: inout LayoutDiagnostics
    ) -> any SectionContent {
        EmptyContent()
    }
}

private struct EmptyContent: SectionContent {
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
