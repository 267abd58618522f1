extension FlowLayout {
    /// The greatest number of sections that are laid out (chosen); those behind get no elements, and a diagnostic.
    public static let sectionLimit = 500_000

    /// Lays out what no longer holds.
    ///
    /// - Complexity: O(1) if the view only scrolled, pinning or not. Else O(sections), and for each section to be filled
    ///   O(items with sizes of their own).
    public mutating func prepare(in container: LayoutContainer) {
        let space = FlowSpace(container, axis: scrollDirection, reference: sectionInsetReference)
        let isSnappedAnew = viewport.pixels != container.pixels
        viewport = FlowViewport(container)
        if pending.everything || space != self.space {
            // What was measured in rows of another length says nothing about these.
            if space != self.space { pending.forgetsMeasuredSizes = true }
            self.space = space
            layOutEverything(container.counts, in: space)
        } else if !pending.sections.isEmpty || !pending.boundaries.isEmpty {
            layOutPending(container.counts, in: space)
        } else if isSnappedAnew {
            resizeContent(in: space)
        }
        pending = FlowPending()
    }

    private mutating func layOutEverything(_ counts: any SectionCounts, in space: FlowSpace) {
        problems = LayoutDiagnostics()
        let keepsSizes = sizesItself && !pending.forgetsMeasuredSizes
        let measured = keepsSizes ? pending.followed ?? measuredSizes : [:]
        sections = []
        let sectionCount = max(0, counts.sectionCount)
        if sectionCount > Self.sectionLimit {
            let detail = "there are \(sectionCount) sections; those from \(Self.sectionLimit) on are not laid out"
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
                section.takeMeasuredBoundaries()
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

    /// Fills the named sections anew and moves those behind them.
    private mutating func layOutPending(_ counts: any SectionCounts, in space: FlowSpace) {
        var first = sections.count
        for number in pending.sections.union(pending.boundaries) where number >= 0 && number < counts.sectionCount {
            let itemCount = max(0, counts.itemCount(inSection: number))
            guard let index = index(ofSection: number), sections[index].itemCount == itemCount else {
                return layOutEverything(counts, in: space)
            }
            // Those that it had: the others have the rest.
            let ownSizes = sections[index].ownSizeCount
            var section = section(number, itemCount: itemCount, ownSizeLimit: ownSizes, in: space)
            section.gapBefore = sections[index].gapBefore
            section.measured = sections[index].measured
            section.measuredBoundaries = sections[index].measuredBoundaries
            section.takeMeasuredBoundaries()
            if pending.sections.contains(number) {
                section.fill(&problems)
            } else {
                section.blocks = sections[index].blocks
            }
            guard section.hasElements else { return layOutEverything(counts, in: space) }
            sections[index] = section
            first = min(first, index)
        }
        restack(from: first)
        resizeContent(in: space)
    }

    /// Moves the sections from one on to behind each other.
    mutating func restack(from first: Int) {
        var position = first > 0 && first <= sections.count ? sections[first - 1].end : 0
        for index in sections.indices.dropFirst(first) {
            sections[index].start = position + sections[index].gapBefore
            position = sections[index].end
        }
    }

    /// Where a section stands in the list of those that have elements.
    ///
    /// - Complexity: O(log sections).
    func index(ofSection number: Int) -> Int? {
        let index = sections.partitioningIndex { $0.number >= number }
        return index < sections.count && sections[index].number == number ? index : nil
    }
}

// MARK: - A section's values

extension FlowLayout {
    /// A section with no rows yet: what the delegate says of it, else the layout's own values, brought to usable ones.
    ///
    /// - Parameter ownSizeLimit: How many items may have sizes of their own.
    private mutating func section(
        _ number: Int, itemCount: Int, ownSizeLimit: Int, in space: FlowSpace
    ) -> FlowSection {
        let crossing = space.axis.crossing
        let insets = usable(delegate.insetForSection?(number) ?? sectionInset, section: number)
        let taken = insets.along(crossing) + space.margins.along(crossing)
        if taken >= space.across, itemCount > 0, taken > 0 {
            let detail = "insets of \(taken) leave no room in \(space.across)"
            problems.add(LayoutDiagnostic(.noRoom, section: number, detail: detail))
        }
        let ownsSizes = delegate.sizeForItem != nil
        if ownsSizes, itemCount > ownSizeLimit {
            let detail = "of \(itemCount) items those from \(ownSizeLimit) on take their section's size"
            problems.add(LayoutDiagnostic(.limitReached, section: number, detail: detail))
        }
        let lineSpacing = delegate.minimumLineSpacingForSection?(number) ?? minimumLineSpacing
        let itemSpacing = delegate.minimumInteritemSpacingForSection?(number) ?? minimumInteritemSpacing
        let size = delegate.itemSizeForSection?(number) ?? (sizesItself ? estimatedItemSize : itemSize)
        let header = delegate.referenceSizeForHeader?(number) ?? headerReferenceSize
        let footer = delegate.referenceSizeForFooter?(number) ?? footerReferenceSize
        return FlowSection(
            number: number, itemCount: itemCount, axis: space.axis,
            header: problems.length(header[space.axis], "the header's length", section: number),
            footer: problems.length(footer[space.axis], "the footer's length", section: number),
            insets: (insets.start(space.axis), insets.end(space.axis)),
            acrossStart: insets.start(crossing) + space.margins.start(crossing),
            lineSpacing: problems.length(lineSpacing, "minimumLineSpacing", section: number),
            rule: FlowRowRule(
                available: max(0, space.across - taken),
                spacing: problems.length(itemSpacing, "minimumInteritemSpacing", section: number),
                alignment: rowAlignment,
                fillsLastRow: lastRow == .asIfFilled || (lastRow == .bySizes && !ownsSizes && !sizesItself)),
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
