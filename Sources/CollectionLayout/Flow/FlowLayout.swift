/// A layout that fills rows with items one after the other, section below section, like UIKit's
/// `UICollectionViewFlowLayout`.
///
/// A section consists of its header, the top inset, rows separated by line spacing, the bottom inset,
/// and its footer. Headers and footers span the whole container and ignore insets. A header or footer of length 0 is
/// omitted, as documented for UIKit. If the layout scrolls horizontally, the axes are swapped: rows become columns.
///
/// Sections with a single item size are computed and not stored: a million items cost as much as ten. A section whose
/// items have individual sizes stores about fifty bytes per row, and requests the sizes of visible rows again on each
/// query.
///
/// Setting a property invalidates everything, except the two properties that pin headers and footers, and ``rounding``:
/// queries apply these without a new layout. Negative insets and spacing become 0, with a diagnostic.
public struct FlowLayout: CollectionViewLayout {
    /// The size of items without an individual size; 50 × 50 by default.
    public var itemSize = Size(width: 50, height: 50) { didSet { pending.everything = true } }

    /// The size of items until they are measured. Zero, the default, means that items don't size themselves.
    public var estimatedItemSize = Size.zero { didSet { pending.everything = true } }

    /// The minimum distance between rows, in points; 10 by default.
    public var minimumLineSpacing = 10.0 { didSet { pending.everything = true } }

    /// The minimum distance between the items of a row, in points; 10 by default.
    public var minimumInteritemSpacing = 10.0 { didSet { pending.everything = true } }

    /// The axis along which rows follow each other; vertical by default.
    public var scrollDirection = Axis.vertical { didSet { pending.everything = true } }

    /// The insets around the rows of each section, inside header and footer; none by default.
    ///
    /// An empty section has them, too.
    public var sectionInset = EdgeInsets.zero { didSet { pending.everything = true } }

    /// The origin of section insets; the content inset by default.
    ///
    /// The reference applies only to the edges beside the rows, because nothing permanently covers the content before
    /// or after a section.
    public var sectionInsetReference = SectionInsetReference.fromContentInset {
        didSet { pending.everything = true }
    }

    /// The size of headers, of which only the length along the scroll axis is used. Zero, the default, means no
    /// headers. If items size themselves, headers do, too, and this is their size until they are measured, as observed
    /// in UIKit.
    public var headerReferenceSize = Size.zero { didSet { pending.everything = true } }

    /// The size of footers, of which only the length along the scroll axis is used. Zero, the default, means no
    /// footers. If items size themselves, footers do, too, and this is their size until they are measured, as observed
    /// in UIKit.
    public var footerReferenceSize = Size.zero { didSet { pending.everything = true } }

    /// Whether headers stay visible while their section is visible; `false` by default.
    public var sectionHeadersPinToVisibleBounds = false

    /// Whether footers stay visible while their section is visible; `false` by default.
    public var sectionFootersPinToVisibleBounds = false

    /// How the items of a row are distributed; justified by default, as observed in UIKit.
    public var rowAlignment = RowAlignment.justified { didSet { pending.everything = true } }

    /// How an incomplete last row is distributed; by default, depending on the sizes of the section, as observed in
    /// UIKit.
    public var lastRow = LastRow.bySizes { didSet { pending.everything = true } }

    /// How frames are aligned to device pixels; by their edges by default.
    public var rounding = PixelGrid.Rounding.edges

    /// Values for individual sections and items; none by default.
    public var delegate = FlowLayoutDelegate() { didSet { pending.everything = true } }

    /// The sections that have elements, by number. The length of sections between two of them is
    /// ``FlowSection/gapBefore``.
    private var sections: [FlowSection] = []
    /// The length of the empty sections after the last section with elements.
    private var gapAfter = 0.0
    /// The space for which the layout was last prepared.
    private var space: FlowSpace?
    private var viewport = FlowViewport()
    private var pending = FlowPending(everything: true)
    /// The maximum number of items with individual sizes. Tests lower it from ``FlowLayoutDelegate/itemLimit``.
    package var ownSizeLimit = FlowLayoutDelegate.itemLimit
    private var problems = LayoutDiagnostics()

    /// Creates a layout with the default values of all properties.
    public init() {}

    /// The size of the content, or zero before the layout is prepared. The length along the scroll axis is snapped to
    /// the pixel grid; the length across it is the container's without its content inset.
    public private(set) var contentSize = Size.zero

    public var diagnostics: [LayoutDiagnostic] { problems.all }

    /// Whether cells are asked for their preferred sizes, which requires an estimate.
    private var isSelfSizing: Bool { estimatedItemSize.width.asLength > 0 || estimatedItemSize.height.asLength > 0 }

    /// The end of the last section.
    private var solvedLength: Double { (sections.last?.end ?? 0) + gapAfter }

    private mutating func resizeContent(in space: FlowSpace) {
        let length = problems.length(solvedLength, "the length of all sections")
        contentSize = Size(along: space.axis, viewport.pixels.snapped(length), across: space.across)
    }
}

// MARK: - Options

extension FlowLayout {
    /// How the items of a row are distributed.
    public enum RowAlignment: Hashable, Sendable, CaseIterable {
        /// Expands the gaps equally until the row is filled. A single item that fills a row is centered, as observed in
        /// UIKit.
        case justified
        /// Places items from the leading edge with the minimum spacing, as many apps do with a custom flow layout.
        case leading
    }

    /// How an incomplete last row is distributed. A row is complete if another copy of its last item doesn't fit.
    public enum LastRow: Hashable, Sendable, CaseIterable {
        /// `asIfFilled` if all items of the section have the same size, otherwise `leading`, as observed in UIKit.
        case bySizes
        /// Distributes items as if copies of the last item filled the row, so that they align with the rows above.
        case asIfFilled
        /// Places items from the leading edge with the minimum spacing.
        case leading
    }
}

// MARK: - Preparation

extension FlowLayout {
    /// The maximum number of sections. Further sections have no elements, and cause a diagnostic.
    public static let sectionLimit = 500_000

    /// Computes the layout of everything that is invalid.
    ///
    /// - Complexity: O(1) if the view only scrolled, with or without pinned elements. Otherwise O(sections), and
    ///   O(items with individual sizes) for each section to be filled.
    public mutating func prepare(in container: LayoutContainer) {
        let space = FlowSpace(container, axis: scrollDirection, reference: sectionInsetReference)
        let pixelGridChanged = viewport.pixels != container.pixels
        viewport = FlowViewport(container)
        if pending.everything || space != self.space {
            // Sizes measured in rows of another length are not valid in these rows.
            if space != self.space { pending.discardsMeasuredSizes = true }
            self.space = space
            layOutEverything(container.counts, in: space)
        } else if pixelGridChanged {
            resizeContent(in: space)
        }
        pending = FlowPending()
    }

    private mutating func layOutEverything(_ counts: any SectionCounts, in space: FlowSpace) {
        problems = LayoutDiagnostics()
        let keepsSizes = isSelfSizing && !pending.discardsMeasuredSizes
        let measured = keepsSizes ? pending.carriedSizes ?? measuredSizes : [:]
        sections = []
        let sectionCount = max(0, counts.sectionCount)
        if sectionCount > Self.sectionLimit {
            let detail = "there are \(sectionCount) sections; only the first \(Self.sectionLimit) are laid out"
            problems.add(LayoutDiagnostic(.limitReached, section: Self.sectionLimit, detail: detail))
        }
        var position = 0.0
        var gap = 0.0
        var ownSizesLeft = ownSizeLimit
        for number in 0..<min(sectionCount, Self.sectionLimit) {
            let itemCount = max(0, counts.itemCount(inSection: number))
            var section = section(number, itemCount: itemCount, ownSizeLimit: ownSizesLeft, in: space)
            ownSizesLeft -= section.ownSizeCount
            if let earlier = measured[number] {
                section.measured = earlier.items.renewed(itemCount: itemCount)
                section.measuredBoundaries = earlier.boundaries.renewed(itemCount: FlowBoundary.allCases.count)
                section.applyMeasuredBoundaries()
            }
            section.fill(&problems)
            guard section.hasElements else {
                gap += section.length
                continue
            }
            section.gapBefore = gap
            section.start = position + gap
            gap = 0
            position = section.end
            sections.append(section)
        }
        gapAfter = gap
        resizeContent(in: space)
    }

    /// Places each section from index `first` directly after its predecessor.
    private mutating func restack(from first: Int) {
        var position = first > 0 && first <= sections.count ? sections[first - 1].end : 0
        for index in sections.indices.dropFirst(first) {
            sections[index].start = position + sections[index].gapBefore
            position = sections[index].end
        }
    }

    /// Returns the index of a section in ``sections``.
    ///
    /// - Complexity: O(log sections).
    private func index(ofSection number: Int) -> Int? {
        let index = sections.partitioningIndex { $0.number >= number }
        return index < sections.count && sections[index].number == number ? index : nil
    }
}

// MARK: - Values of a section

extension FlowLayout {
    /// Returns a section without rows, with the values of the delegate or else of the layout, clamped to usable
    /// values.
    ///
    /// - Parameter ownSizeLimit: The maximum number of items with individual sizes.
    private mutating func section(
        _ number: Int, itemCount: Int, ownSizeLimit: Int, in space: FlowSpace
    ) -> FlowSection {
        let perpendicular = space.axis.perpendicular
        let insets = usable(delegate.insetForSection?(number) ?? sectionInset, section: number)
        let taken = insets.along(perpendicular) + space.margins.along(perpendicular)
        if taken >= space.across, itemCount > 0, taken > 0 {
            let detail = "insets of \(taken) leave no space in \(space.across)"
            problems.add(LayoutDiagnostic(.noRoom, section: number, detail: detail))
        }
        let ownsSizes = delegate.sizeForItem != nil
        if ownsSizes, itemCount > ownSizeLimit {
            let detail = "only \(ownSizeLimit) of \(itemCount) items can have individual sizes"
            problems.add(LayoutDiagnostic(.limitReached, section: number, detail: detail))
        }
        let lineSpacing = delegate.minimumLineSpacingForSection?(number) ?? minimumLineSpacing
        let itemSpacing = delegate.minimumInteritemSpacingForSection?(number) ?? minimumInteritemSpacing
        let size = delegate.itemSizeForSection?(number) ?? (isSelfSizing ? estimatedItemSize : itemSize)
        let header = delegate.referenceSizeForHeader?(number) ?? headerReferenceSize
        let footer = delegate.referenceSizeForFooter?(number) ?? footerReferenceSize
        return FlowSection(
            number: number, itemCount: itemCount, axis: space.axis,
            header: problems.length(header[space.axis], "the header's length", section: number),
            footer: problems.length(footer[space.axis], "the footer's length", section: number),
            insets: (insets.start(space.axis), insets.end(space.axis)),
            acrossStart: insets.start(perpendicular) + space.margins.start(perpendicular),
            lineSpacing: problems.length(lineSpacing, "minimumLineSpacing", section: number),
            rule: FlowRowRule(
                available: max(0, space.across - taken),
                spacing: problems.length(itemSpacing, "minimumInteritemSpacing", section: number),
                alignment: rowAlignment,
                fillsLastRow: lastRow == .asIfFilled || (lastRow == .bySizes && !ownsSizes && !isSelfSizing)),
            commonSize: Size(
                width: problems.length(size.width, "itemSize.width", section: number),
                height: problems.length(size.height, "itemSize.height", section: number)),
            ownSize: delegate.sizeForItem,
            ownSizeCount: ownsSizes ? min(itemCount, ownSizeLimit) : 0,
            measured: FlowMeasuredSizes())
    }

    private mutating func usable(_ insets: EdgeInsets, section: Int) -> EdgeInsets {
        EdgeInsets(
            top: problems.length(insets.top, "sectionInset.top", section: section),
            leading: problems.length(insets.leading, "sectionInset.leading", section: section),
            bottom: problems.length(insets.bottom, "sectionInset.bottom", section: section),
            trailing: problems.length(insets.trailing, "sectionInset.trailing", section: section))
    }
}

// MARK: - Queries

extension FlowLayout {
    /// The maximum number of items and rows that a query examines. It limits queries where many items of size 0 share a
    /// point.
    public static let queryLimit = 1_000_000

    /// Returns the attributes of all elements whose frames intersect `rect`, in drawing order.
    ///
    /// The query stops without a diagnostic after ``queryLimit`` items and rows, and omits the remaining elements. The
    /// visible rectangle of a view doesn't come close to this limit.
    ///
    /// - Complexity: O(log sections + log rows + found elements). Rows of items with individual sizes cost all items of
    ///   the row.
    public func attributes(in rect: Rect) -> [LayoutAttributes] {
        var cost = LayoutCost()
        return attributes(in: rect, cost: &cost).sorted(by: LayoutAttributes.isDrawnBefore)
    }

    /// - Parameter cost: Incremented by the work done.
    package func attributes(in rect: Rect, cost: inout LayoutCost) -> [LayoutAttributes] {
        guard let space else { return [] }
        let solved = viewport.isMirrored ? rect.mirrored(inWidth: contentSize.width) : rect
        // Snapping moves an edge by less than a device pixel. With `.components`, errors of both values add up to less
        // than two.
        let slack = 2 * viewport.pixels.pixel
        let along = (solved.start(space.axis) - slack, solved.end(space.axis) + slack)
        let across = (solved.start(space.axis.perpendicular) - slack, solved.end(space.axis.perpendicular) + slack)
        var found: [LayoutAttributes] = []
        var examined = 0
        for index in indices(ofSectionsBetween: along.0, and: along.1) {
            let section = sections[index]
            cost.sections += 1
            for attributes in boundaries(of: section) {
                cost.attributes += 1
                if attributes.frame.intersects(rect) { found.append(attributes) }
            }
            section.forEachLine(between: along.0 - section.linesStart, and: along.1 - section.linesStart) { line in
                let placed = section.items(of: line, between: across.0, and: across.1)
                cost.items += placed.count
                for item in placed {
                    let path = IndexPath(section: section.number, item: item.item)
                    let attributes = LayoutAttributes(.item(path), frame: presented(section.rect(of: item)))
                    cost.attributes += 1
                    if attributes.frame.intersects(rect) { found.append(attributes) }
                }
                examined += max(1, placed.count)
                return examined < Self.queryLimit
            }
            if examined >= Self.queryLimit { break }
        }
        return found
    }

    /// Returns the attributes of an item, header or footer. The item index of a header or footer is 0.
    ///
    /// - Complexity: O(log sections + log rows), and O(items of the row) for an item with an individual size.
    public func attributes(of element: LayoutElement) -> LayoutAttributes? {
        let path = element.indexPath
        guard let index = index(ofSection: path.section) else { return nil }
        switch element {
        case .item:
            guard let rect = sections[index].rect(ofItem: path.item) else { return nil }
            return LayoutAttributes(element, frame: presented(rect))
        case .supplementary:
            return boundaries(of: sections[index]).first { $0.element == element }
        case .decoration:
            return nil
        }
    }

    /// Returns the indexes of the sections that lie between two positions along the scroll axis or touch them.
    private func indices(ofSectionsBetween low: Double, and high: Double) -> Range<Int> {
        guard low <= high else { return 0..<0 }
        let first = sections.partitioningIndex { $0.end >= low }
        let end = sections[first...].partitioningIndex { $0.start > high }
        return first..<end
    }

    /// Returns the header and footer of a section, if it has any. Elements that can be pinned are in the band `pinned`.
    private func boundaries(of section: FlowSection) -> [LayoutAttributes] {
        guard let space, section.header > 0 || section.footer > 0 else { return [] }
        let visible = viewport.visibleRange(space.axis, contentWidth: contentSize.width)
        return FlowBoundary.allCases.filter { section.length(of: $0) > 0 }.map { boundary in
            let pins = boundary == .header ? sectionHeadersPinToVisibleBounds : sectionFootersPinToVisibleBounds
            let start =
                switch boundary {
                case .header: section.headerStart(pinnedTo: pins ? visible.start : nil)
                case .footer: section.footerStart(pinnedTo: pins ? visible.end : nil)
                }
            let rect = Rect(
                along: space.axis, (start, start + section.length(of: boundary)), across: (0, space.across))
            return LayoutAttributes(
                boundary.element(inSection: section.number), frame: presented(rect), band: pins ? .pinned : .content)
        }
    }

    /// Returns a solved rectangle snapped to the pixel grid, and mirrored in right-to-left layouts.
    private func presented(_ rect: Rect) -> Rect {
        let snapped = viewport.pixels.snapped(rect, rounding: rounding)
        return viewport.isMirrored ? snapped.mirrored(inWidth: contentSize.width) : snapped
    }
}

// MARK: - Invalidation

extension FlowLayout {
    /// Returns whether the length of rows changed, or the view scrolled while elements are pinned or cells size
    /// themselves. The adjustment of the content offset for measured cells depends on the offset. Otherwise, scrolling
    /// invalidates nothing.
    public func shouldInvalidate(forBoundsChangeFrom old: Rect, to new: Rect) -> Bool {
        if old.length(scrollDirection.perpendicular) != new.length(scrollDirection.perpendicular) { return true }
        guard sectionHeadersPinToVisibleBounds || sectionFootersPinToVisibleBounds || isSelfSizing else { return false }
        return old.start(scrollDirection) != new.start(scrollDirection)
            || old.end(scrollDirection) != new.end(scrollDirection)
    }

    /// Returns a context for everything if the length of rows changed, and otherwise an empty one: queries compute the
    /// positions of pinned elements.
    public func invalidationContext(forBoundsChangeFrom old: Rect, to new: Rect) -> InvalidationContext {
        let across = scrollDirection.perpendicular
        return old.length(across) == new.length(across) ? InvalidationContext() : .everything
    }

    /// Records what `context` invalidates.
    ///
    /// Preferred sizes take effect immediately, so that a context for the next measured cell can be requested before
    /// the next preparation. Items listed without a size return to their estimate. Such elements and sections invalidate
    /// the whole layout: it is computed again with the values of the delegate and the measured sizes. If counts change,
    /// all measured sizes are discarded because index paths refer to other items, unless ``prepare(forUpdates:)`` was
    /// called immediately before.
    public mutating func invalidate(with context: InvalidationContext) {
        if context.invalidatesCounts {
            if !pending.expectsCountChange { pending.discardsMeasuredSizes = true }
            pending.expectsCountChange = false
        }
        if context.invalidatesEverything || context.invalidatesCounts || !context.sections.isEmpty {
            pending.everything = true
        }
        reportUnknown(context)
        for element in context.elements where context.preferredSizes[element] == nil {
            let path = element.indexPath
            switch element {
            case .item:
                guard let index = index(ofSection: path.section), path.item < sections[index].itemCount else {
                    continue
                }
                sections[index].measured.remove(path.item)
            case .supplementary: break
            case .decoration: continue
            }
            pending.everything = true
        }
        apply(context.preferredSizes)
    }

    /// Adds diagnostics for items that don't exist, unless counts are about to change.
    private mutating func reportUnknown(_ context: InvalidationContext) {
        guard !pending.everything else { return }
        for element in context.elements.union(context.preferredSizes.keys) {
            guard case .item(let path) = element else { continue }
            let count = index(ofSection: path.section).map { sections[$0].itemCount } ?? 0
            guard !(0..<count).contains(path.item) else { continue }
            let detail = "the section has \(count) items"
            problems.add(LayoutDiagnostic(.unknownIndexPath, element: element, detail: detail))
        }
    }
}

// MARK: - Preferred sizes

extension FlowLayout {
    /// Returns whether items size themselves and the preferred size differs by at least half a device pixel.
    ///
    /// Headers and footers then size themselves, too, along the scroll axis, if their initial length isn't 0, as
    /// observed in UIKit. An element that has changed its size ten times is not asked again, and causes a diagnostic.
    public func shouldInvalidate(forPreferred preferred: LayoutAttributes, original: LayoutAttributes) -> Bool {
        if let boundary = FlowBoundary(original.element) {
            return shouldInvalidate(boundary, forPreferred: preferred, original: original)
        }
        guard isSelfSizing, case .item(let path) = original.element, let index = index(ofSection: path.section),
            path.item >= 0, path.item < sections[index].itemCount,
            !sections[index].measured.hasReachedChangeLimit(path.item)
        else { return false }
        let requested = Self.usable(preferred.frame.size)
        let current = original.frame.size
        let pixel = viewport.pixels.pixel
        let isSame =
            (requested.width - current.width).magnitude < pixel / 2
            && (requested.height - current.height).magnitude < pixel / 2
        return !isSame && requested != sections[index].size(of: path.item)
    }

    private func shouldInvalidate(
        _ boundary: FlowBoundary, forPreferred preferred: LayoutAttributes, original: LayoutAttributes
    ) -> Bool {
        guard isSelfSizing, let index = index(ofSection: original.indexPath.section) else { return false }
        let section = sections[index]
        let (requested, current) = (Self.usable(preferred.frame.size), original.frame.size)
        return section.length(of: boundary) > 0 && !section.measuredBoundaries.hasReachedChangeLimit(boundary.rawValue)
            && (requested[section.axis] - current[section.axis]).magnitude >= viewport.pixels.pixel / 2
            && requested[section.axis] != section.length(of: boundary)
    }

    /// Returns what the preferred sizes of several elements invalidate.
    ///
    /// The context includes the growth of the content and the adjustment of the content offset that keeps the first row
    /// that begins in the visible area in place, so that growth above it doesn't move the text being read. If you
    /// request contexts one by one, pass each to ``invalidate(with:)`` before requesting the next. Otherwise two items
    /// of a row count its growth twice.
    ///
    /// - Complexity: The same as preparing the affected sections.
    public func invalidationContext(forPreferredSizes sizes: [LayoutElement: Size]) -> InvalidationContext {
        var context = InvalidationContext(elements: Set(sizes.keys), preferredSizes: sizes)
        guard let space, !sections.isEmpty else { return context }
        let visibleStart = viewport.visibleRange(space.axis, contentWidth: contentSize.width).start
        let anchor = visibleStart > 0 ? anchor(from: visibleStart) : nil
        var growth = 0.0
        var shift = 0.0
        for (index, measures) in measuresBySection(sizes) {
            let old = sections[index]
            var new = old
            var ignored = LayoutDiagnostics()
            new.apply(measures, &ignored)
            growth += new.length - old.length
            guard let anchor, index <= anchor.section else { continue }
            if index < anchor.section {
                shift += new.length - old.length
            } else if let item = anchor.item, let before = old.line(of: item), let after = new.line(of: item) {
                shift += after.start - before.start + new.header - old.header
            }
        }
        let length = viewport.pixels.snapped((solvedLength + growth).asLength)
        growth = length - contentSize[space.axis]
        context.contentSizeAdjustment[space.axis] = growth
        // In mirrored content, elements after the anchor come before it.
        let isFlipped = viewport.isMirrored && space.axis == .horizontal
        context.contentOffsetAdjustment[space.axis] = isFlipped ? growth - shift : shift
        return context
    }

    /// Returns the first row that begins at `position` or after it, or the start of the next section.
    private func anchor(from position: Double) -> (section: Int, item: Int?)? {
        let index = sections.partitioningIndex { $0.end > position }
        guard index < sections.count else { return nil }
        let section = sections[index]
        if section.start >= position { return (index, nil) }
        if let item = section.firstItem(ofLineFrom: position - section.linesStart) { return (index, item) }
        return index + 1 < sections.count ? (index + 1, nil) : (index, section.itemCount - 1)
    }

    /// Stores preferred sizes and fills rows again, starting with the row of the first changed item.
    private mutating func apply(_ sizes: [LayoutElement: Size]) {
        guard let space, isSelfSizing, !sizes.isEmpty else { return }
        var first = sections.count
        for (index, measures) in measuresBySection(sizes) {
            sections[index].apply(measures, &problems)
            for element in sections[index].unsettled(of: measures) {
                let detail = "the preferred size changed \(FlowMeasuredSizes.changeLimit) times"
                problems.add(LayoutDiagnostic(.unsettledEstimates, element: element, detail: detail))
            }
            first = min(first, index)
        }
        restack(from: first)
        resizeContent(in: space)
    }

    /// Returns the usable sizes of existing elements by the index of their section.
    private func measuresBySection(_ sizes: [LayoutElement: Size]) -> [Int: FlowSection.Measures] {
        var found: [Int: FlowSection.Measures] = [:]
        for (element, size) in sizes {
            let path = element.indexPath
            guard let index = index(ofSection: path.section) else { continue }
            if let boundary = FlowBoundary(element) {
                guard sections[index].length(of: boundary) > 0 else { continue }
                found[index, default: .init()].boundaries.append((boundary, Self.usable(size)))
            } else if case .item = element, path.item >= 0, path.item < sections[index].itemCount {
                found[index, default: .init()].items.append((path.item, Self.usable(size)))
            }
        }
        return found.mapValues { measures in
            var measures = measures
            measures.items.sort { $0.item < $1.item }
            return measures
        }
    }

    private static func usable(_ size: Size) -> Size {
        Size(width: size.width.asLength, height: size.height.asLength)
    }
}

extension FlowSection {
    /// The preferred sizes of the elements of a section.
    fileprivate struct Measures {
        /// Sorted by item before use.
        var items: [(item: Int, size: Size)] = []
        var boundaries: [(boundary: FlowBoundary, size: Size)] = []
    }

    /// Stores the sizes and fills rows again from the first measured item on.
    fileprivate mutating func apply(_ measures: Measures, _ problems: inout LayoutDiagnostics) {
        for (boundary, size) in measures.boundaries { measure(boundary, size) }
        guard let first = measures.items.first?.item else { return }
        for (item, size) in measures.items { measured.set(size, of: item) }
        refill(fromItem: first, &problems)
    }

    /// Returns the measured elements that have reached the limit of changes.
    fileprivate func unsettled(of measures: Measures) -> [LayoutElement] {
        measures.items.filter { measured.hasReachedChangeLimit($0.item) }
            .map { .item(IndexPath(section: number, item: $0.item)) }
            + measures.boundaries.filter { measuredBoundaries.hasReachedChangeLimit($0.boundary.rawValue) }
            .map { $0.boundary.element(inSection: number) }
    }
}

// MARK: - Updates

extension FlowLayout {
    /// Moves measured sizes along with their items and sections, so that visible content doesn't jump because rows
    /// above it return to their estimates.
    ///
    /// A reloaded item keeps its measured size until its new cell is measured. The items of a reloaded section are new.
    ///
    /// - Complexity: O(n log n + n log changes) for n measured elements.
    public mutating func prepare(forUpdates updates: UpdateMap) {
        var items: [Int: [(item: Int, size: Size)]] = [:]
        var boundaries: [Int: FlowMeasuredSizes] = [:]
        for (number, sizes) in pending.carriedSizes ?? measuredSizes {
            for (item, size) in sizes.items.all {
                guard let path = updates.newIndexPath(for: IndexPath(section: number, item: item)) else { continue }
                items[path.section, default: []].append((path.item, size))
            }
            if !updates.reloadsSection(number), let section = updates.newSection(for: number) {
                boundaries[section] = sizes.boundaries
            }
        }
        var carriedSizes: [Int: FlowSectionSizes] = [:]
        for (section, sizes) in items { carriedSizes[section, default: .init()].items = FlowMeasuredSizes(sizes) }
        for (section, sizes) in boundaries { carriedSizes[section, default: .init()].boundaries = sizes }
        pending.carriedSizes = carriedSizes
        pending.expectsCountChange = true
    }

    /// The measured sizes by section number.
    private var measuredSizes: [Int: FlowSectionSizes] {
        var sizes: [Int: FlowSectionSizes] = [:]
        for section in sections where !section.measured.isEmpty || !section.measuredBoundaries.isEmpty {
            sizes[section.number] = FlowSectionSizes(items: section.measured, boundaries: section.measuredBoundaries)
        }
        return sizes
    }
}

/// The measured sizes of one section.
struct FlowSectionSizes: Hashable, Sendable {
    var items = FlowMeasuredSizes()
    /// By the raw value of ``FlowBoundary``.
    var boundaries = FlowMeasuredSizes()
}
