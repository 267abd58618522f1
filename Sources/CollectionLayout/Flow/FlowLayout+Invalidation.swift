extension FlowLayout {
    /// Whether rows have another length now, or something pinned has to move, or cells size themselves: what they make of
    /// the offset depends on where it is (chosen). Just scrolling invalidates nothing else.
    public func shouldInvalidate(forBoundsChangeFrom old: Rect, to new: Rect) -> Bool {
        if old.length(scrollDirection.crossing) != new.length(scrollDirection.crossing) { return true }
        guard sectionHeadersPinToVisibleBounds || sectionFootersPinToVisibleBounds || sizesItself else { return false }
        return old.start(scrollDirection) != new.start(scrollDirection)
            || old.end(scrollDirection) != new.end(scrollDirection)
    }

    /// Everything where rows have another length; else the pinned elements that were or are to be in sight.
    public func invalidationContext(forBoundsChangeFrom old: Rect, to new: Rect) -> InvalidationContext {
        guard let space, old.length(space.axis.crossing) == new.length(space.axis.crossing) else { return .everything }
        var context = InvalidationContext()
        for bounds in [old, new] {
            let solved = viewport.isMirrored ? bounds.mirrored(inWidth: contentSize.width) : bounds
            for index in indices(ofSectionsBetween: solved.start(space.axis), and: solved.end(space.axis)) {
                let section = sections[index]
                let path = IndexPath(section: section.number, item: 0)
                if section.header > 0, sectionHeadersPinToVisibleBounds {
                    context.elements.insert(.supplementary(.header, path))
                }
                if section.footer > 0, sectionFootersPinToVisibleBounds {
                    context.elements.insert(.supplementary(.footer, path))
                }
            }
        }
        return context
    }

    /// Notes what no longer holds.
    ///
    /// Preferred sizes count at once, so that the context of the next measured cell can be asked for before the next
    /// preparation. Items that are named without one go back to their estimate, and their section asks the delegate again;
    /// headers and footers keep theirs, since pinned ones are named while they move. With other counts all measured sizes
    /// are forgotten, because index paths name other items, unless ``follow(_:)`` came right before (chosen).
    public mutating func invalidate(with context: InvalidationContext) {
        if context.invalidatesCounts {
            if !pending.awaitsCounts { pending.forgetsMeasuredSizes = true }
            pending.awaitsCounts = false
        }
        if context.invalidatesEverything || context.invalidatesCounts {
            pending.everything = true
        }
        pending.sections.formUnion(context.sections)
        reportUnknown(context)
        for element in context.elements where context.preferredSizes[element] == nil {
            let path = element.indexPath
            switch element {
            case .item:
                if let index = index(ofSection: path.section) { sections[index].measured.remove(path.item) }
                pending.sections.insert(path.section)
            case .supplementary:
                // A pinned one only moves, which every query sees; its size is asked of the delegate alone.
                let asksDelegate = delegate.referenceSizeForHeader != nil || delegate.referenceSizeForFooter != nil
                if asksDelegate { pending.boundaries.insert(path.section) }
            case .decoration:
                break
            }
        }
        apply(context.preferredSizes)
    }

    /// Says which of the named items don't exist; not while counts are about to change.
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
    /// Whether items size themselves and one prefers a size that differs by half a device pixel or more.
    ///
    /// Headers and footers size themselves then too, along the scroll axis, where they have a length to begin with
    /// (observed). An element that changed its mind ten times is asked no more (chosen); a diagnostic says so.
    public func shouldInvalidate(forPreferred preferred: LayoutAttributes, original: LayoutAttributes) -> Bool {
        if let boundary = FlowBoundary(original.element) {
            return shouldInvalidate(boundary, forPreferred: preferred, original: original)
        }
        guard sizesItself, case .item(let path) = original.element, let index = index(ofSection: path.section),
            path.item >= 0, path.item < sections[index].itemCount, !sections[index].measured.isUnsettled(path.item)
        else { return false }
        let wanted = Self.usable(preferred.layoutFrame.size)
        let current = original.layoutFrame.size
        let pixel = viewport.pixels.pixel
        let isSame =
            (wanted.width - current.width).magnitude < pixel / 2
            && (wanted.height - current.height).magnitude < pixel / 2
        return !isSame && wanted != sections[index].size(of: path.item)
    }

    private func shouldInvalidate(
        _ boundary: FlowBoundary, forPreferred preferred: LayoutAttributes, original: LayoutAttributes
    ) -> Bool {
        guard sizesItself, let index = index(ofSection: original.indexPath.section) else { return false }
        let section = sections[index]
        let (wanted, current) = (Self.usable(preferred.layoutFrame.size), original.layoutFrame.size)
        return section.length(of: boundary) > 0 && !section.measuredBoundaries.isUnsettled(boundary.rawValue)
            && (wanted[section.axis] - current[section.axis]).magnitude >= viewport.pixels.pixel / 2
            && wanted[section.axis] != section.length(of: boundary)
    }

    /// What the sizes that several cells prefer invalidate together.
    ///
    /// It carries by how much the content grows, and by how much the offset has to follow so that the first row that
    /// begins in sight stays where it is (chosen): growth above doesn't push down what is being read. Contexts that were
    /// asked for one by one add up only if each was handed to ``invalidate(with:)`` before the next was asked for: two
    /// items of a row make it thicker once.
    ///
    /// - Complexity: As of the preparation of the sections concerned.
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
            new.take(measures, &ignored)
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
        // Mirrored, what is behind the anchor lies before it.
        let isFlipped = viewport.isMirrored && space.axis == .horizontal
        context.contentOffsetAdjustment[space.axis] = isFlipped ? growth - shift : shift
        return context
    }

    /// The first row that begins at a place or behind it; the beginning of a section where none of the one before does.
    private func anchor(from position: Double) -> (section: Int, item: Int?)? {
        let index = sections.partitioningIndex { $0.end > position }
        guard index < sections.count else { return nil }
        let section = sections[index]
        if section.start >= position { return (index, nil) }
        if let item = section.firstItem(ofLineFrom: position - section.linesStart) { return (index, item) }
        return index + 1 < sections.count ? (index + 1, nil) : (index, section.itemCount - 1)
    }

    /// Keeps preferred sizes, and fills rows anew from the first one on.
    private mutating func apply(_ sizes: [LayoutElement: Size]) {
        guard let space, sizesItself, !sizes.isEmpty else { return }
        var first = sections.count
        for (index, measures) in measuresBySection(sizes) {
            sections[index].take(measures, &problems)
            for element in sections[index].unsettled(of: measures) {
                let detail = "it asked for another size \(FlowMeasuredSizes.changeLimit) times"
                problems.add(LayoutDiagnostic(.unsettledEstimates, element: element, detail: detail))
            }
            first = min(first, index)
        }
        restack(from: first)
        resizeContent(in: space)
    }

    /// Usable sizes of elements that exist, by the index of their section.
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
    /// Sizes that views of a section ask for.
    struct Measures {
        /// In the order of the items, once it is taken.
        var items: [(item: Int, size: Size)] = []
        var boundaries: [(boundary: FlowBoundary, size: Size)] = []
    }

    /// Keeps the sizes, and fills the rows anew from the first measured item on.
    fileprivate mutating func take(_ measures: Measures, _ problems: inout LayoutDiagnostics) {
        for (boundary, size) in measures.boundaries { measure(boundary, size) }
        guard let first = measures.items.first?.item else { return }
        for (item, size) in measures.items { measured.set(size, of: item) }
        refill(fromItem: first, &problems)
    }

    /// Those of the measured elements that are asked no more.
    fileprivate func unsettled(of measures: Measures) -> [LayoutElement] {
        measures.items.filter { measured.isUnsettled($0.item) }
            .map { .item(IndexPath(section: number, item: $0.item)) }
            + measures.boundaries.filter { measuredBoundaries.isUnsettled($0.boundary.rawValue) }
            .map { $0.boundary.element(inSection: number) }
    }
}
