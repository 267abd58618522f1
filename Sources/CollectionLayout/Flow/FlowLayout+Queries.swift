extension FlowLayout {
    /// The number of items and rows after which a query ends (chosen): items of no size may all stand in one place.
    public static let queryLimit = 1_000_000

    /// The attributes of the elements whose frames intersect a rectangle, in no particular order.
    ///
    /// After ``queryLimit`` items and rows the query ends without a word: the elements behind it are missing (chosen). The
    /// rectangle of a view doesn't come near.
    ///
    /// - Complexity: O(log sections + log rows + found elements); for rows of items with sizes of their own, all items
    ///   of each row.
    public func attributes(in rect: Rect, cost: inout LayoutCost) -> [LayoutAttributes] {
        guard let space else { return [] }
        let solved = viewport.isMirrored ? rect.mirrored(inWidth: contentSize.width) : rect
        // Snapping moves an edge by less than a device pixel, and of components both together by less than two.
        let slack = 2 * viewport.pixels.pixel
        let along = (solved.start(space.axis) - slack, solved.end(space.axis) + slack)
        let across = (solved.start(space.axis.crossing) - slack, solved.end(space.axis.crossing) + slack)
        var found: [LayoutAttributes] = []
        var looks = 0
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
                    let attributes = LayoutAttributes(.item(path), frame: answered(section.rect(of: item)))
                    cost.attributes += 1
                    if attributes.frame.intersects(rect) { found.append(attributes) }
                }
                looks += max(1, placed.count)
                return looks < Self.queryLimit
            }
            if looks >= Self.queryLimit { break }
        }
        return found
    }

    /// The attributes of an item, a header or a footer; the item of a header's index path is 0.
    ///
    /// - Complexity: O(log sections + log rows); for an item with a size of its own, also the items of its row.
    public func attributes(of element: LayoutElement) -> LayoutAttributes? {
        let path = element.indexPath
        guard let index = index(ofSection: path.section) else { return nil }
        switch element {
        case .item:
            guard let rect = sections[index].rect(ofItem: path.item) else { return nil }
            return LayoutAttributes(element, frame: answered(rect))
        case .supplementary:
            return boundaries(of: sections[index]).first { $0.element == element }
        case .decoration:
            return nil
        }
    }

    /// The sections that lie between two places along the scroll axis, or touch them.
    func indices(ofSectionsBetween low: Double, and high: Double) -> Range<Int> {
        guard low <= high else { return 0..<0 }
        let first = sections.partitioningIndex { $0.end >= low }
        let end = sections[first...].partitioningIndex { $0.start > high }
        return first..<end
    }

    /// Header and footer, where a section has them; in the band of pinned elements if they may pin.
    func boundaries(of section: FlowSection) -> [LayoutAttributes] {
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
                boundary.element(inSection: section.number), frame: answered(rect), band: pins ? .pinned : .content)
        }
    }

    /// A solved rectangle on the pixel grid, and mirrored where text runs from right to left.
    private func answered(_ rect: Rect) -> Rect {
        let snapped = viewport.pixels.snapped(rect, rounding: rounding)
        return viewport.isMirrored ? snapped.mirrored(inWidth: contentSize.width) : snapped
    }
}
