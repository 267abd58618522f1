extension CompositionalLayout {
    /// What the sizes that elements prefer invalidate together.
    ///
    /// As ``FlowLayout`` it says by how much the content grows along the scroll direction, and by how much the offset has to
    /// follow so that the first item that begins in sight, and was in sight before, stays where it is: growth above doesn't
    /// push down what is being read (documented: `contentOffsetAdjustment` is for self-sizing; what stays is chosen). Items of one group
    /// make it longer once. The sizes of elements that are measured together are to be asked about together, and the layout
    /// is to be prepared before it is asked again. Boundary items of the whole layout move nothing (chosen).
    ///
    /// - Complexity: O(elements measured in the sections concerned, and elements in sight).
    public func invalidationContext(forPreferredSizes sizes: [LayoutElement: Size]) -> InvalidationContext {
        var context = InvalidationContext(elements: Set(sizes.keys), preferredSizes: sizes)
        guard let prepared else { return context }
        let solved = sectionsSolved(with: sizes, in: prepared)
        let axis = prepared.axis
        let visible = prepared.visible
        let anchor = visible.start(axis) > 0 ? anchor(in: visible, of: prepared, measured: sizes) : nil
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
        // Mirrored, what is behind the anchor lies before it.
        let isFlipped = prepared.isMirrored && axis == .horizontal
        context.contentOffsetAdjustment[axis] = isFlipped ? growth - shift : shift
        return context
    }

    /// Whether elements of the sections in sight size themselves: what they make of the offset depends on where it is.
    func sizesItself(in bounds: Rect) -> Bool {
        guard let prepared else { return false }
        let visible = prepared.mirrored(bounds)
        return prepared.stack.sections(from: visible.start(prepared.axis), to: visible.end(prepared.axis))
            .contains { prepared.stack.sections[$0].layout.sizesItself }
    }

    /// The sections that hold some of the elements, as they are with these sizes.
    private func sectionsSolved(
        with sizes: [LayoutElement: Size], in prepared: PreparedSections
    ) -> [(index: Int, section: SolvedSection)] {
        var changed: [Int: [LayoutElement]] = [:]
        var measures = self.measures
        for (element, size) in sizes {
            let section = element.indexPath.section
            guard prepared.stack.sections.indices.contains(section) else { continue }
            measures.note(size, of: element)
            changed[section, default: []].append(element)
        }
        var ignored = LayoutDiagnostics()
        return changed.sorted { $0.key < $1.key }.map { index, elements in
            var old = prepared.stack.sections[index]
            var earlier = old.withdraw()
            let new = SolvedSection(
                old.layout, index: index, itemCount: prepared.container.counts.itemCount(inSection: index),
                context: prepared.context, measures: measures, earlier: &earlier, changed: elements,
                diagnostics: &ignored)
            return (index, new)
        }
    }

    /// What stays where it is seen: the first item that begins in sight and was in sight before, so that what comes in from
    /// above doesn't push it down. Where there is none, the first item or section that begins in sight, and where neither
    /// does, the item that begins last before.
    private func anchor(
        in visible: Rect, of prepared: PreparedSections, measured sizes: [LayoutElement: Size]
    ) -> (section: Int, item: LayoutElement?)? {
        let axis = prepared.axis
        let start = visible.start(axis)
        var first: (section: Int, item: LayoutElement?)?
        var straddling: (section: Int, item: LayoutElement, start: Double)?
        var cost = LayoutCost()
        for index in prepared.stack.sections(from: start, to: visible.end(axis)) {
            if first == nil, prepared.stack.starts[index] >= start { first = (index, nil) }
            var known: (item: LayoutElement, start: Double)?
            var begun: (item: LayoutElement, start: Double)?
            for attributes in attributes(ofSection: index, in: visible, of: prepared, cost: &cost) {
                let (element, frame) = (attributes.element, attributes.layoutFrame)
                // What only touches the edge isn't in sight.
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
                let hasEntered = sizes[element] != nil && !wasInSight(frame, along: axis)
                if !hasEntered, known.map({ frame.start(axis) < $0.start }) ?? true {
                    known = (element, frame.start(axis))
                }
            }
            if let known { return (index, known.item) }
            if first == nil, let begun { first = (index, begun.item) }
        }
        return first ?? straddling.map { ($0.section, $0.item) }
    }

    /// Whether something was in sight before the last preparation; what only touched the edge wasn't.
    private func wasInSight(_ frame: Rect, along axis: Axis) -> Bool {
        guard let earlier = earlierVisible else { return false }
        return frame.end(axis) > earlier.start(axis) && frame.start(axis) < earlier.end(axis)
    }
}

extension SolvedSection {
    /// Where an item begins along an axis, from the start of the section.
    fileprivate func start(of element: LayoutElement, along axis: Axis) -> Double? {
        content.attributes(of: element).map { contentOrigin[axis] + $0.layoutFrame.start(axis) }
    }
}

extension LayoutSection {
    /// Whether something in it has an estimated length.
    fileprivate var sizesItself: Bool {
        if boundarySupplementaryItems.contains(where: { !$0.layoutSize.estimatedAxes.isEmpty }) { return true }
        guard let arrangement = arrangement as? GroupArrangement else { return !(arrangement is EmptyArrangement) }
        return arrangement.group.sizesItself(depth: 0)
    }
}

extension LayoutGroup {
    fileprivate func sizesItself(depth: Int) -> Bool {
        guard depth < Self.greatestDepth, case .line(_, let subitems, _) = arrangement else { return false }
        return subitems.contains { subitem in
            switch subitem {
            case .item(let item): !item.layoutSize.estimatedAxes.isEmpty
            case .group(let group): group.sizesItself(depth: depth + 1)
            }
        }
    }
}
