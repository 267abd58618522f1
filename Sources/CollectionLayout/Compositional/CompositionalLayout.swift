/// A layout composed of sections, groups and items, like UIKit's `UICollectionViewCompositionalLayout`.
///
/// ```swift
/// let item = LayoutItem(layoutSize: .full)
/// let row = LayoutGroup.horizontal(
///     layoutSize: LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .absolute(44)),
///     subitem: item, count: 2, interItemSpacing: .fixed(10))
/// var layout = CompositionalLayout(section: LayoutSection(group: row))
/// layout.prepare(in: LayoutContainer(bounds: Rect(x: 0, y: 0, width: 320, height: 480), counts: ItemCounts([1000])))
/// ```
///
/// A group is solved once and repeated by arithmetic: memory grows with the number of sections and measured elements,
/// not with the number of items. Edges are snapped to device pixels. Everything is solved from left to right, and
/// mirrored in the width of the content for right-to-left text.
///
/// - Complexity: Preparation takes O(sections). After a scroll, it takes O(visible elements) if elements are pinned or
///   a handler modifies visible elements. A query takes O(log sections + log groups + elements of the groups touched).
public struct CompositionalLayout: OrthogonalScrolling {
    /// Returns the layout of a section for an environment. If it returns `nil`, the section is empty, with a
    /// diagnostic. (UIKit traps.)
    ///
    /// It can capture `[weak self]` and use the state of the actor to which the view belongs: like the view, layouts
    /// with client closures are not `Sendable`.
    public typealias SectionProvider = (_ section: Int, _ environment: LayoutEnvironment) -> LayoutSection?

    /// The settings of the whole layout. Changing them invalidates everything.
    public var configuration: LayoutConfiguration {
        didSet { if configuration != oldValue { invalidate(with: .everything) } }
    }

    /// The closure that provides a section each time it is solved.
    package let sectionProvider: SectionProvider
    /// The invalid parts of the layout; `nil` if there are none.
    private var pending: InvalidationContext? = .everything
    /// The solved sections; `nil` before the first preparation.
    private var prepared: PreparedSections?
    /// The visible rectangle before the last preparation, in left-to-right coordinates.
    private var previousVisible: Rect?
    private var measures = ElementMeasures()
    /// Whether the next preparation discards the measured sizes.
    private var discardsMeasures = false
    /// Whether the layout has followed updates whose change of counts is still to come.
    private var expectsCountChange = false
    /// The requested offsets of orthogonally scrolling sections, by section.
    private var orthogonalOffsets: [Int: Double] = [:]
    /// The visible elements that handlers have modified.
    private var adjusted: [LayoutElement: LayoutAttributes] = [:]
    private var found = LayoutDiagnostics()

    /// The maximum number of sections; further ones are not placed. Each section takes about one kilobyte.
    public static let maximumSectionCount = 200_000

    /// Creates a layout that uses the same section layout for all sections.
    public init(section: LayoutSection, configuration: LayoutConfiguration = LayoutConfiguration()) {
        self.init(configuration: configuration) { _, _ in section }
    }

    /// Creates a layout that asks a closure for the layout of each section.
    public init(
        configuration: LayoutConfiguration = LayoutConfiguration(), sectionProvider: @escaping SectionProvider
    ) {
        self.configuration = configuration
        self.sectionProvider = sectionProvider
    }

    public var contentSize: Size { prepared?.contentSize ?? .zero }

    public var diagnostics: [LayoutDiagnostic] {
        Array((found.all + measures.diagnostics.all).prefix(LayoutDiagnostics.limit))
    }
}

extension IndexPath {
    /// The section in index paths of boundary elements of the whole layout: -1.
    public static let wholeLayoutSection = -1
}

// MARK: - Preparation

extension CompositionalLayout {
    public mutating func prepare(in container: LayoutContainer) {
        var container = container
        var problems = LayoutDiagnostics()
        container.makeFinite(&problems)
        previousVisible = prepared?.visible
        let pending = self.pending
        let discardsMeasures = self.discardsMeasures
        (self.pending, self.discardsMeasures, expectsCountChange) = (nil, false, false)
        if pending?.invalidatesEverything != true, prepared?.container.hasGeometry(of: container) == true {
            update(in: container, with: pending, problems: problems)
        } else {
            let across = configuration.scrollDirection.perpendicular
            let known = prepared?.container.length(across)
            let isAsWide = known.map { ($0 - container.length(across)).magnitude < Size.tolerance } ?? false
            if discardsMeasures || !isAsWide {
                measures = ElementMeasures()
            }
            found = problems
            prepareEverything(in: container)
        }
        callHandlers()
    }

    /// Solves all sections, keeping measured sizes.
    ///
    /// - Parameter container: A container with finite lengths.
    private mutating func prepareEverything(in container: LayoutContainer) {
        let (context, plan) = context(for: container)
        var count = max(0, container.counts.sectionCount)
        if count > Self.maximumSectionCount {
            found.add(
                LayoutDiagnostic(
                    .limitReached, section: Self.maximumSectionCount,
                    detail: "only the first \(Self.maximumSectionCount) of \(count) sections are placed"))
            count = Self.maximumSectionCount
        }
        var sections: [SolvedSection] = []
        sections.reserveCapacity(count)
        for index in 0..<count {
            sections.append(solved(index, container: container, context: context, neighbor: sections.last?.content))
        }
        let spacing = found.length(configuration.interSectionSpacing, "interSectionSpacing")
        prepared = PreparedSections(
            container: container, context: context, plan: plan, sections: sections, spacing: spacing)
    }

    /// Solves the invalid parts again.
    ///
    /// - Parameter problems: The diagnostics of the container.
    private mutating func update(
        in container: LayoutContainer, with pending: InvalidationContext?, problems: LayoutDiagnostics
    ) {
        for problem in problems.all { found.add(problem) }
        prepared?.container = container
        guard let pending, pending.namesAnything else { return }
        var changed: [Int: Set<LayoutElement>] = [:]
        for element in pending.elements {
            changed[element.indexPath.section, default: []].insert(element)
        }
        guard changed[IndexPath.wholeLayoutSection] == nil, var working = prepared else {
            found = problems
            return prepareEverything(in: container)
        }
        // Release the stored value, so that `working` is modified in place and not copied.
        prepared = nil
        var replaced: [Int: SolvedSection] = [:]
        for index in pending.sections where working.stack.sections.indices.contains(index) {
            replaced[index] = solved(index, container: container, context: working.context, neighbor: nil)
            changed[index] = nil
        }
        for (index, elements) in changed where working.stack.sections.indices.contains(index) {
            let layout = working.stack.sections[index].layout
            var earlier = working.extractContent(index)
            replaced[index] = SolvedSection(
                layout, index: index, itemCount: container.counts.itemCount(inSection: index),
                context: working.context, measures: measures, earlier: &earlier, changed: elements,
                diagnostics: &found)
        }
        working.replace(replaced, plan: context(for: container).plan)
        prepared = working
    }

    /// Asks the section provider for a section and solves it.
    private mutating func solved(
        _ index: Int, container: LayoutContainer, context: SolvedSection.Context, neighbor: (any SectionContent)?
    ) -> SolvedSection {
        let layout = sectionProvider(index, context.environment)
        if layout == nil {
            found.add(LayoutDiagnostic(.unknownIndexPath, section: index, detail: "the section provider returned nil"))
        }
        var none = SolvedSection.PreviousSolution.none
        return SolvedSection(
            layout ?? LayoutSection(arrangement: EmptyArrangement()), index: index,
            itemCount: container.counts.itemCount(inSection: index), context: context, measures: measures,
            earlier: &none, neighbor: neighbor, diagnostics: &found)
    }

    /// Returns the context that sections in a container share, and the boundary of the whole layout.
    private mutating func context(
        for container: LayoutContainer
    ) -> (context: SolvedSection.Context, plan: BoundaryPlan) {
        let axis = configuration.scrollDirection
        let whole = Size(width: container.length(.horizontal), height: container.length(.vertical))
        let plan = BoundaryPlan(
            configuration.boundarySupplementaryItems, axis: axis, container: whole,
            section: IndexPath.wholeLayoutSection, measures: measures, diagnostics: &found)
        var space = whole
        space[axis.perpendicular] = (whole[axis.perpendicular] - plan.crossStart - plan.crossEnd).asLength
        let references: [ContentInsetsReference: EdgeInsets] = [
            .safeArea: container.insets(from: .fromSafeArea).only(axis.perpendicular),
            .layoutMargins: container.insets(from: .fromLayoutMargins).only(axis.perpendicular),
        ]
        let automatic =
            configuration.contentInsetsReference == .automatic ? .safeArea : configuration.contentInsetsReference
        let environment = LayoutEnvironment(
            container: LayoutEnvironment.Container(
                contentSize: space, contentInsets: references[automatic] ?? .zero),
            layoutDirection: container.layoutDirection, pixels: container.pixels)
        let context = SolvedSection.Context(
            axis: axis, container: space, referenceInsets: references, automaticReference: automatic,
            environment: environment)
        return (context, plan)
    }
}

extension EdgeInsets {
    /// Returns the insets along `axis`, with 0 along the other axis.
    fileprivate func only(_ axis: Axis) -> EdgeInsets {
        axis == .horizontal
            ? EdgeInsets(leading: leading, trailing: trailing) : EdgeInsets(top: top, bottom: bottom)
    }
}

extension InvalidationContext {
    /// Whether the context names individual sections or elements.
    fileprivate var namesAnything: Bool { !elements.isEmpty || !sections.isEmpty }
}

// MARK: - Queries

extension CompositionalLayout {
    /// The maximum number of elements and sections that a query examines, which bounds queries with an infinite
    /// rectangle.
    public static let queryLimit = 1_000_000

    /// Returns the attributes of all elements whose frames intersect `rect`, in drawing order.
    ///
    /// The query stops without a diagnostic after ``queryLimit`` examined elements, and omits the remaining ones. The
    /// visible rectangle of a view doesn't come close to this limit.
    ///
    /// - Complexity: O(log sections + log groups + elements of the groups touched).
    public func attributes(in rect: Rect) -> [LayoutAttributes] {
        var cost = LayoutCost()
        return attributes(in: rect, cost: &cost).sorted(by: LayoutAttributes.isDrawnBefore)
    }

    /// - Parameter cost: Incremented by the work done.
    package func attributes(in rect: Rect, cost: inout LayoutCost) -> [LayoutAttributes] {
        guard let prepared, let rect = rect.asFinite else { return [] }
        // Snapping moves edges: an element just outside the rectangle can move into it.
        let slack = prepared.container.pixels.pixel + rect.magnitude * 1e-12
        let wide = prepared.mirrored(rect).inset(by: EdgeInsets(all: -slack))
        var results: [LayoutAttributes] = []
        func appendIfVisible(_ attributes: LayoutAttributes) {
            guard adjusted[attributes.element] == nil else { return }
            let result = prepared.presented(attributes)
            if result.frame.intersects(rect) { results.append(result) }
        }
        for placed in prepared.boundary {
            cost.attributes += 1
            appendIfVisible(prepared.attributes(placed, origin: .zero, host: prepared.frame))
        }
        let sections = prepared.stack.sections(from: wide.start(prepared.axis), to: wide.end(prepared.axis))
        let first = cost.total
        for index in sections where cost.total - first < Self.queryLimit {
            for attributes in attributes(ofSection: index, in: wide, of: prepared, cost: &cost) {
                appendIfVisible(attributes)
            }
        }
        for attributes in adjusted.values {
            cost.attributes += 1
            if attributes.frame.intersects(rect) { results.append(attributes) }
        }
        return results
    }

    public func attributes(of element: LayoutElement) -> LayoutAttributes? {
        if let attributes = adjusted[element] { return attributes }
        guard let prepared else { return nil }
        let path = element.indexPath
        if path.section == IndexPath.wholeLayoutSection {
            let placed = prepared.boundary.first { $0.element == element }
            return placed.map {
                prepared.presented(prepared.attributes($0, origin: .zero, host: prepared.frame))
            }
        }
        guard prepared.stack.sections.indices.contains(path.section) else { return nil }
        let section = prepared.stack.sections[path.section]
        let origin = prepared.origin(ofSection: path.section)
        if let placed = section.boundary.first(where: { $0.element == element }) {
            let host = Rect(origin: origin, size: section.size)
            return prepared.presented(prepared.attributes(placed, origin: origin, host: host))
        }
        if let decoration = section.decorations.first(where: { $0.element == element }) {
            return prepared.presented(decoration.moved(by: origin))
        }
        let offset = section.orthogonalOffset(orthogonalOffsets[path.section])
        return section.content.attributes(of: element).map {
            prepared.presented($0.moved(by: origin + section.contentOrigin(offset: offset)))
        }
    }

    /// Returns the elements of a section that touch `rect`, and possibly more, in left-to-right coordinates.
    private func attributes(
        ofSection index: Int, in rect: Rect, of prepared: PreparedSections, cost: inout LayoutCost
    ) -> [LayoutAttributes] {
        let section = prepared.stack.sections[index]
        let origin = prepared.origin(ofSection: index)
        cost.sections += 1
        let start = origin[prepared.axis]
        guard start + section.reach.end >= rect.start(prepared.axis),
            start + section.reach.start <= rect.end(prepared.axis)
        else { return [] }
        var found: [LayoutAttributes] = []
        for decoration in section.decorations { found.append(decoration.moved(by: origin)) }
        let host = Rect(origin: origin, size: section.size)
        for placed in section.boundary {
            found.append(prepared.attributes(placed, origin: origin, host: host))
        }
        cost.attributes += found.count
        let first = found.count
        let offset = section.orthogonalOffset(orthogonalOffsets[index])
        let place = origin + section.contentOrigin(offset: offset)
        section.content.append(to: &found, in: rect.offset(x: -place.x, y: -place.y), cost: &cost)
        for index in first..<found.count { found[index] = found[index].moved(by: place) }
        return found
    }
}

extension LayoutAttributes {
    /// Returns the attributes translated by a distance.
    fileprivate func moved(by distance: Point) -> LayoutAttributes {
        var copy = self
        copy.frame = frame.offset(x: distance.x, y: distance.y)
        return copy
    }
}

extension Rect {
    /// The rectangle with infinite edges clamped to finite values; `nil` if an edge is NaN.
    fileprivate var asFinite: Rect? {
        guard !minX.isNaN, !minY.isNaN, !maxX.isNaN, !maxY.isNaN else { return nil }
        func finite(_ edge: Double) -> Double { edge.clamped(to: -1e300...1e300) }
        return Rect(minX: finite(minX), minY: finite(minY), maxX: finite(maxX), maxY: finite(maxY))
    }

    /// The maximum distance of an edge from 0.
    fileprivate var magnitude: Double {
        max(max(minX.magnitude, minY.magnitude), max(maxX.magnitude, maxY.magnitude))
    }
}

// MARK: - Visible items

extension CompositionalLayout {
    /// Passes the visible elements to the handlers of their sections and stores the modified attributes.
    ///
    /// Like a query, it stops after ``queryLimit`` examined elements.
    private mutating func callHandlers() {
        adjusted = [:]
        guard let prepared, prepared.hasHandlers else { return }
        let bounds = prepared.container.bounds
        let wide = prepared.mirrored(bounds).inset(by: EdgeInsets(all: -prepared.container.pixels.pixel))
        var cost = LayoutCost()
        let sections = prepared.stack.sections(from: wide.start(prepared.axis), to: wide.end(prepared.axis))
        for index in sections where cost.total < Self.queryLimit {
            let section = prepared.stack.sections[index]
            guard let handler = section.layout.visibleItemsInvalidationHandler else { continue }
            // Filter before mirroring: because rectangles are half-open, mirroring first would select other elements at
            // the edges.
            let visible = attributes(ofSection: index, in: wide, of: prepared, cost: &cost)
                .filter { prepared.container.pixels.snapped($0.frame).intersects(prepared.mirrored(bounds)) }
                .map(prepared.presented).sorted(by: LayoutAttributes.isDrawnBefore)
            var offset = bounds.origin
            if section.metrics != nil {
                offset[prepared.axis.perpendicular] = section.orthogonalOffset(orthogonalOffsets[index])
            }
            var changed = visible
            handler(&changed, offset, prepared.context.environment)
            store(changed, of: visible, section: index)
        }
    }

    /// Stores modified attributes with finite values.
    private mutating func store(_ changed: [LayoutAttributes], of visible: [LayoutAttributes], section: Int) {
        var known: [LayoutElement: LayoutAttributes] = [:]
        for attributes in visible { known[attributes.element] = attributes }
        for attributes in changed {
            guard let before = known[attributes.element] else {
                found.add(
                    LayoutDiagnostic(
                        .unknownIndexPath, section: section,
                        detail: "visibleItemsInvalidationHandler added \(attributes.element)"))
                continue
            }
            guard attributes != before else { continue }
            let kept = attributes.finite
            if kept != attributes {
                found.add(
                    LayoutDiagnostic(
                        .unusableLength, element: attributes.element,
                        detail: "visibleItemsInvalidationHandler returned values that are not finite"))
            }
            adjusted[attributes.element] = kept
        }
    }
}

extension LayoutAttributes {
    /// The attributes with finite values.
    fileprivate var finite: LayoutAttributes {
        var copy = self
        copy.frame = Rect(
            minX: frame.minX.asDistance, minY: frame.minY.asDistance, maxX: frame.maxX.asDistance,
            maxY: frame.maxY.asDistance)
        copy.alpha = alpha.isNaN ? 1 : alpha.clamped(to: 0...1)
        return copy
    }
}

// MARK: - Orthogonal scrolling

extension CompositionalLayout {
    /// Scrolls a section orthogonally, without an animation.
    ///
    /// The section keeps the offset by its index; ``prepare(forUpdates:)`` moves the offset when batch updates change
    /// the index. Handlers of visible elements run during the next layout pass.
    ///
    /// - Parameter offset: The new offset in points, which grows in the reading direction. It is clamped to the range
    ///   of the section, or when it is used if that isn't known yet.
    public mutating func setOrthogonalOffset(_ offset: Double, section: Int) {
        orthogonalOffsets[section] = solvedSection(section)?.orthogonalOffset(offset) ?? offset
    }

    /// Returns the maximum distance of a fling: one page for paging behaviors, as observed in UIKit, and otherwise
    /// unlimited.
    public func longestFling(section: Int) -> Double {
        guard let solved = solvedSection(section), let metrics = solved.metrics else { return 0 }
        return switch solved.layout.orthogonalScrollingBehavior {
        case .paging: metrics.viewport
        case .groupPaging, .groupPagingCentered: metrics.pitch
        case .none, .continuous, .continuousGroupLeadingBoundary: .greatestFiniteMagnitude
        }
    }

    public func orthogonalOffset(section: Int) -> Double {
        guard let solved = solvedSection(section) else { return 0 }
        return solved.orthogonalOffset(orthogonalOffsets[section])
    }

    public func orthogonalMetrics(section: Int) -> OrthogonalMetrics? {
        solvedSection(section)?.metrics
    }

    /// Returns where a section comes to rest; see
    /// ``OrthogonalScrollingBehavior/targetOffset(proposed:velocity:metrics:)``.
    public func targetOrthogonalOffset(section: Int, proposed: Double, velocity: Double) -> Double {
        guard let solved = solvedSection(section), let metrics = solved.metrics else { return 0 }
        return solved.layout.orthogonalScrollingBehavior.targetOffset(
            proposed: proposed, velocity: velocity, metrics: metrics)
    }

    /// Returns the offset at which an item is visible inside the insets of its section, at the position if possible.
    public func orthogonalOffset(showing path: IndexPath, position: ScrollPosition) -> Double? {
        guard let prepared, let solved = solvedSection(path.section), let metrics = solved.metrics,
            let frame = solved.content.attributes(of: .item(path))?.frame
        else { return nil }
        let axis = prepared.axis.perpendicular
        guard var alignment = position.alignment(axis) else { return nil }
        if prepared.isMirrored, axis == .horizontal { alignment = alignment.mirrored }
        let now = solved.orthogonalOffset(orthogonalOffsets[path.section])
        let offset = alignment.offset(
            showing: (frame.start(axis), frame.end(axis)), length: metrics.container, now: now)
        return solved.orthogonalOffset(offset)
    }

    /// Returns the orthogonally scrolling section at a point in the content and its axis. Returns `nil` if the content
    /// of the section fits or a boundary element, which doesn't scroll with it, is at the point.
    public func orthogonalSection(at point: Point) -> (section: Int, axis: Axis)? {
        guard let prepared, point.x.isFinite, point.y.isFinite else { return nil }
        let point = prepared.mirrored(Rect(origin: point, size: .zero)).origin
        let along = point[prepared.axis]
        for index in prepared.stack.sections(from: along, to: along) {
            let solved = prepared.stack.sections[index]
            let origin = prepared.origin(ofSection: index)
            let frame = Rect(origin: origin, size: solved.size)
            guard let metrics = solved.metrics, frame.contains(point) else { continue }
            let range = solved.layout.orthogonalScrollingBehavior.offsets(for: metrics)
            let isCovered =
                solved.boundary.contains {
                    prepared.attributes($0, origin: origin, host: frame).frame.contains(point)
                }
                || prepared.boundary.contains {
                    prepared.attributes($0, origin: .zero, host: prepared.frame).frame.contains(point)
                }
            return isCovered || range.lowerBound == range.upperBound ? nil : (index, prepared.axis.perpendicular)
        }
        return nil
    }

    private func solvedSection(_ index: Int) -> SolvedSection? {
        guard let prepared, prepared.stack.sections.indices.contains(index) else { return nil }
        return prepared.stack.sections[index]
    }
}

// MARK: - Self-sizing

extension CompositionalLayout {
    /// Returns what the preferred sizes of several elements invalidate.
    ///
    /// As in ``FlowLayout``, the context includes the growth of the content and the adjustment of the content offset
    /// that keeps the first item that begins in the visible area, and was visible before, in place. Items of one group
    /// lengthen it only once. Request the context for all elements measured together, and prepare the layout before the
    /// next request. Boundary elements of the whole layout adjust nothing.
    ///
    /// - Complexity: O(measured elements of the affected sections + visible elements).
    public func invalidationContext(forPreferredSizes sizes: [LayoutElement: Size]) -> InvalidationContext {
        var context = InvalidationContext(elements: Set(sizes.keys), preferredSizes: sizes)
        guard let prepared else { return context }
        let solved = sectionsSolved(with: sizes, in: prepared)
        let axis = prepared.axis
        let visible = prepared.visible
        let anchor = visible.start(axis) > 0 ? scrollAnchor(in: visible, of: prepared, measured: sizes) : nil
        var growth = 0.0
        var shift = 0.0
        for (index, new) in solved {
            let old = prepared.stack.sections[index]
            growth += new.size[axis] - old.size[axis]
            guard let anchor, index <= anchor.section else { continue }
            if index < anchor.section {
                shift += new.size[axis] - old.size[axis]
            } else if let element = anchor.item, let before = old.start(of: element, along: axis),
                let after = new.start(of: element, along: axis)
            {
                shift += after - before
            }
        }
        let pixels = prepared.container.pixels
        growth = pixels.snapped(prepared.frame.length(axis) + growth) - prepared.contentSize[axis]
        context.contentSizeAdjustment[axis] = growth
        // In mirrored content, elements after the anchor come before it.
        let isFlipped = prepared.isMirrored && axis == .horizontal
        context.contentOffsetAdjustment[axis] = isFlipped ? growth - shift : shift
        return context
    }

    private func scrollAnchor(
        in visible: Rect, of prepared: PreparedSections, measured sizes: [LayoutElement: Size]
    ) -> ScrollAnchor? {
        var cost = LayoutCost()
        return ScrollAnchor(in: visible, of: prepared, previousVisible: previousVisible, measured: sizes) {
            attributes(ofSection: $0, in: visible, of: prepared, cost: &cost)
        }
    }

    /// Returns whether the visible sections have self-sizing elements, whose adjustment of the content offset depends
    /// on that offset.
    private func isSelfSizing(in bounds: Rect) -> Bool {
        guard let prepared else { return false }
        let visible = prepared.mirrored(bounds)
        return prepared.stack.sections(from: visible.start(prepared.axis), to: visible.end(prepared.axis))
            .contains { prepared.stack.sections[$0].layout.isSelfSizing }
    }

    /// Returns new solutions, with the given sizes, of the sections that contain the elements.
    private func sectionsSolved(
        with sizes: [LayoutElement: Size], in prepared: PreparedSections
    ) -> [(index: Int, section: SolvedSection)] {
        var changed: [Int: [LayoutElement]] = [:]
        var measures = self.measures
        for (element, size) in sizes {
            let section = element.indexPath.section
            guard prepared.stack.sections.indices.contains(section) else { continue }
            measures.record(size, of: element)
            changed[section, default: []].append(element)
        }
        var ignored = LayoutDiagnostics()
        return changed.sorted { $0.key < $1.key }.map { index, elements in
            var old = prepared.stack.sections[index]
            var earlier = old.extractContent()
            let new = SolvedSection(
                old.layout, index: index, itemCount: prepared.container.counts.itemCount(inSection: index),
                context: prepared.context, measures: measures, earlier: &earlier, changed: elements,
                diagnostics: &ignored)
            return (index, new)
        }
    }
}

// MARK: - Invalidation

extension CompositionalLayout {
    /// Returns `true` if the size changed, an element is pinned or self-sizing, or a handler modifies visible elements.
    public func shouldInvalidate(forBoundsChangeFrom old: Rect, to new: Rect) -> Bool {
        if !old.size.isNearly(new.size) { return true }
        guard old != new, let prepared else { return false }
        return prepared.hasPinned || prepared.hasHandlers || isSelfSizing(in: new)
    }

    /// Returns a context for everything if the length across the scroll direction changed, and an empty one otherwise.
    ///
    /// If the length along the scroll direction changes, everything is solved again with the measured sizes.
    public func invalidationContext(forBoundsChangeFrom old: Rect, to new: Rect) -> InvalidationContext {
        let across = configuration.scrollDirection.perpendicular
        return (old.length(across) - new.length(across)).magnitude < Size.tolerance
            ? InvalidationContext() : .everything
    }

    /// Returns whether the preferred length differs from the current one along an axis with an estimated length.
    ///
    /// An element whose size has changed ten times keeps its last size, with a diagnostic (LayoutRules.md, layout 4.10).
    public func shouldInvalidate(forPreferred preferred: LayoutAttributes, original: LayoutAttributes) -> Bool {
        let element = original.element
        guard !measures.hasReachedChangeLimit(element) else { return false }
        let axes = estimatedAxes(of: element)
        let requested = preferred.frame.size
        // The original frame is snapped; the last measured size isn't.
        let known = measures[element] ?? original.frame.size
        return Axis.allCases.contains { axes.contains($0) && requested[$0].asLength != known[$0] }
    }

    /// Records what is no longer valid.
    ///
    /// As in ``FlowLayout``, invalidating everything keeps measured sizes, because new insets or margins are no reason
    /// to measure again. If counts change, measured sizes are discarded unless ``prepare(forUpdates:)`` was called
    /// immediately before.
    public mutating func invalidate(with context: InvalidationContext) {
        if context.invalidatesEverything || context.invalidatesCounts {
            if context.invalidatesCounts {
                if !expectsCountChange { discardsMeasures = true }
                expectsCountChange = false
            }
            pending = .everything
            return
        }
        var context = context
        for section in context.sections { measures.discard(section: section) }
        for element in context.elements where context.preferredSizes[element] == nil { measures.discard(element) }
        for (element, size) in context.preferredSizes {
            context.elements.insert(element)
            guard !estimatedAxes(of: element).isEmpty else { continue }
            measures.record(size, of: element)
        }
        pending = pending?.merged(with: context) ?? context
    }

    /// Returns the axes along which the size of an element is an estimate.
    private func estimatedAxes(of element: LayoutElement) -> AxisSet {
        guard let prepared else { return AxisSet() }
        let section = element.indexPath.section
        if section == IndexPath.wholeLayoutSection {
            return prepared.boundary.estimatedAxes(of: element) ?? AxisSet()
        }
        guard prepared.stack.sections.indices.contains(section) else { return AxisSet() }
        let solved = prepared.stack.sections[section]
        return solved.boundary.estimatedAxes(of: element) ?? solved.content.estimatedAxes(of: element)
    }
}

extension [BoundaryPlan.Placed] {
    /// Returns the estimated axes of a boundary element; `nil` for any other element.
    fileprivate func estimatedAxes(of element: LayoutElement) -> AxisSet? {
        first { $0.element == element }?.item.layoutSize.estimatedAxes
    }
}

// MARK: - Updates

extension CompositionalLayout {
    /// Moves measured sizes along with their items and sections, and the offsets of orthogonally scrolling sections, so
    /// that visible content doesn't jump because rows above it return to their estimates.
    ///
    /// A reloaded item keeps its measured size until its new cell is measured. The items of a reloaded section are new.
    ///
    /// - Complexity: O(measured elements · log changes).
    public mutating func prepare(forUpdates updates: UpdateMap) {
        expectsCountChange = true
        measures = measures.renamed { element($0, after: updates) }
        var offsets: [Int: Double] = [:]
        for (section, offset) in orthogonalOffsets {
            if let section = updates.newSection(for: section) { offsets[section] = offset }
        }
        orthogonalOffsets = offsets
    }

    /// Returns the element after updates, or `nil` if it was deleted.
    private func element(_ old: LayoutElement, after updates: UpdateMap) -> LayoutElement? {
        let path = old.indexPath
        if path.section == IndexPath.wholeLayoutSection { return old }
        if old.kind == nil || !isOfBoundary(old) { return updates.newIndexPath(for: path).map(old.moved) }
        guard !updates.reloadsSection(path.section), let section = updates.newSection(for: path.section)
        else { return nil }
        return old.moved(to: IndexPath(section: section, item: path.item))
    }

    /// Returns whether an element belongs to the boundary of its section and not to an item.
    private func isOfBoundary(_ element: LayoutElement) -> Bool {
        let section = element.indexPath.section
        guard let prepared, prepared.stack.sections.indices.contains(section) else { return true }
        return prepared.stack.sections[section].boundary.contains { $0.element == element }
    }
}
