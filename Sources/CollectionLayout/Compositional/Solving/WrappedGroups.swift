/// Groups that take as many items as fit by their measured lengths, such as the groups of a tag cloud.
///
/// Groups without measured items are equal, so that a run of them is stored as one part whose positions are computed.
/// Groups with measured items are stored individually. Memory: O(measured items), independent of the number of items.
struct WrappedGroups: SectionContent {
    /// An individual group, or a run of groups equal to the template.
    private struct Part {
        let firstGroup: Int
        let firstItem: Int
        /// The start of the first group along the axis.
        let start: Double
        let groupCount: Int
        /// The individual solution; `nil` for a run.
        let individual: SolvedGroup?
        /// The index after the last item examined to fill the groups of this part.
        let ownExaminedEnd: Int
        /// The index after the last item examined to fill all groups up to this part.
        let examinedEnd: Int
        /// The sums of the individual groups up to and including this part.
        let sums: RepeatedGroup.Sums
        /// Whether this part or one before it is a run.
        let followsRun: Bool
    }

    /// The group without measured sizes, with its spacing; it has no individual groups.
    let base: RepeatedGroup
    /// In order of items.
    private var parts: [Part] = []
    /// The items that have or had measured sizes, in order.
    private var measuredItems: [Int] = []
    /// The sums of all groups.
    private var total = RepeatedGroup.Sums()
    private(set) var size = Size.zero
    private(set) var reach = Rect.zero

    /// - Parameter base: A repeated group with a capacity and a pitch.
    init(_ base: RepeatedGroup, measures: ElementMeasures, diagnostics: inout LayoutDiagnostics) {
        self.base = base
        measuredItems = items(of: measures.elements(inSection: base.space.section))
        fill(measures: measures, diagnostics: &diagnostics)
    }

    var groupLengths: (group: Double, pitch: Double) { base.groupLengths }

    private var groupCount: Int { parts.last.map { $0.firstGroup + $0.groupCount } ?? 0 }

    /// Returns the items of the elements that are in groups, in order and without duplicates.
    private func items(of elements: some Sequence<LayoutElement>) -> [Int] {
        var items: Set<Int> = []
        for element in elements where element.indexPath.section == base.space.section {
            let item = element.indexPath.item
            guard item >= 0, item < base.space.itemCount else { continue }
            switch element {
            case .item: items.insert(item)
            case .supplementary(let kind, _): if !base.space.takenKinds.contains(kind) { items.insert(item) }
            case .decoration: continue
            }
        }
        return items.sorted()
    }

    /// - Complexity: Groups are filled again from the first one that a new size can change. Of these, groups that begin
    ///   with the same item as before and contain no new size are not solved again.
    mutating func remeasure(
        _ elements: some Sequence<LayoutElement>, measures: ElementMeasures, diagnostics: inout LayoutDiagnostics
    ) {
        let changed = items(of: elements)
        guard let first = changed.first else { return }
        if let last = measuredItems.last, first <= last {
            measuredItems = Set(measuredItems).union(changed).sorted()
        } else {
            measuredItems += changed
        }
        let kept = parts.partitioningIndex { $0.examinedEnd > first }
        let earlier = parts[kept...].filter { $0.individual != nil }
        parts.removeSubrange(kept...)
        fill(changed: changed, earlier: earlier, measures: measures, diagnostics: &diagnostics)
    }
}

// MARK: - Filling

extension WrappedGroups {
    /// Appends the parts after the existing ones and updates the size.
    ///
    /// - Parameters:
    ///   - changed: The items with new sizes, in order.
    ///   - earlier: Previous solutions, in order, which are valid if none of their items changed.
    private mutating func fill(
        changed: [Int] = [], earlier: [Part] = [], measures: ElementMeasures, diagnostics: inout LayoutDiagnostics
    ) {
        let space = base.space
        let capacity = base.capacity
        var item = parts.last.map { $0.firstItem + itemCount(of: $0) } ?? 0
        var nextMeasured = measuredItems.partitioningIndex { $0 >= item }
        var nextEarlier = 0
        while item < space.itemCount {
            while nextMeasured < measuredItems.count, measuredItems[nextMeasured] < item { nextMeasured += 1 }
            let left = space.itemCount - item
            var run = left / capacity
            let isWhole = left % capacity == 0
            let measured = nextMeasured < measuredItems.count ? measuredItems[nextMeasured] : nil
            if let measured {
                let free = measured - item - base.templateExamined
                run = min(run, free < 0 ? 0 : free / capacity + 1)
            } else if !isWhole, !base.template.isElastic {
                run += 1
            }
            if run > 0 {
                addRun(run, firstItem: item)
                let (end, overflows) = run.multipliedReportingOverflow(by: capacity)
                guard !overflows, end < left else { break }
                item += end
                continue
            }
            while nextEarlier < earlier.count, earlier[nextEarlier].firstItem < item { nextEarlier += 1 }
            var known: Part?
            if nextEarlier < earlier.count, earlier[nextEarlier].firstItem == item {
                let part = earlier[nextEarlier]
                let change = changed.partitioningIndex { $0 >= item }
                if change == changed.count || changed[change] >= part.ownExaminedEnd { known = part }
            }
            item = addIndividual(
                item, known: known, isMeasured: measured != nil, measures: measures, diagnostics: &diagnostics)
        }
        updateSums()
    }

    /// Returns the number of items in a part that isn't the last.
    private func itemCount(of part: Part) -> Int {
        part.individual?.leaves.count ?? part.groupCount * base.capacity
    }

    /// The start of the group after the last part.
    private var nextStart: Double {
        guard let last = parts.last else { return base.lead }
        guard let individual = last.individual else { return last.start + Double(last.groupCount) * base.pitch }
        return last.start + individual.size[base.space.axis] + base.trail + base.space.interGroupSpacing + base.lead
    }

    private mutating func addRun(_ count: Int, firstItem: Int) {
        let lastItem = firstItem + (count - 1) * base.capacity
        add(
            nil, isMeasured: false, firstItem: firstItem, groupCount: count, examined: (lastItem, base.templateExamined)
        )
    }

    /// Appends one group that begins with `item`, and returns the first item of the next group.
    private mutating func addIndividual(
        _ item: Int, known: Part?, isMeasured: Bool, measures: ElementMeasures, diagnostics: inout LayoutDiagnostics
    ) -> Int {
        let left = base.space.itemCount - item
        var individual = known?.individual
        var examined = (known?.ownExaminedEnd ?? item) - item
        if individual == nil {
            var solver = GroupSolver(
                space: base.space, firstItem: item, existingCount: left, measures: measures, diagnostics: diagnostics)
            let solved = solver.solve(base.group)
            diagnostics = solver.diagnostics
            examined = solver.examined
            // Only a custom group that returns other items than before has no leaves; the template is used instead.
            if !solved.leaves.isEmpty { individual = solved }
        }
        let count = individual?.leaves.count ?? base.capacity
        add(
            individual, isMeasured: isMeasured, firstItem: item, groupCount: 1, examined: (item, max(count, examined)))
        return item + min(count, left)
    }

    private mutating func add(
        _ individual: SolvedGroup?, isMeasured: Bool, firstItem: Int, groupCount: Int, examined: (from: Int, count: Int)
    ) {
        let last = parts.last
        let sums = last?.sums ?? RepeatedGroup.Sums()
        let end = examined.from + min(examined.count, base.space.itemCount - examined.from)
        parts.append(
            Part(
                firstGroup: self.groupCount, firstItem: firstItem, start: nextStart, groupCount: groupCount,
                individual: individual,
                ownExaminedEnd: end, examinedEnd: max(end, last?.examinedEnd ?? 0),
                sums: individual.map { base.adding($0, isMeasured: isMeasured, to: sums) } ?? sums,
                followsRun: individual == nil || last?.followsRun == true))
    }

    private mutating func updateSums() {
        guard let last = parts.last else {
            (total, size, reach) = (RepeatedGroup.Sums(), .zero, .zero)
            return
        }
        let axis = base.space.axis
        let place = place(ofGroup: groupCount - 1)
        let end = place.start + place.group.size[axis]
        total = base.adding(base.template, isMeasured: false, to: last.sums)
        // As soon as a group is measured, the estimate no longer contributes to the thickness.
        let thickness = last.sums.isMeasured || !last.followsRun ? last.sums.thickness : total.thickness
        size = Size(
            along: axis, end + base.trail, across: thickness + base.margins.start.minimum + base.margins.end.minimum)
        reach = Rect(along: axis, (base.lead - total.before, end + total.after), across: (total.low, total.high))
    }
}

// MARK: - Queries

extension WrappedGroups {
    /// One group with its position.
    private struct Place {
        let group: SolvedGroup
        let firstItem: Int
        let start: Double
    }

    /// - Complexity: O(log parts).
    private func place(ofGroup index: Int) -> Place {
        let part = parts[parts.partitioningIndex { $0.firstGroup > index } - 1]
        return place(index - part.firstGroup, in: part)
    }

    private func place(_ offset: Int, in part: Part) -> Place {
        Place(
            group: part.individual ?? base.template, firstItem: part.firstItem + offset * base.capacity,
            start: part.start + Double(offset) * base.pitch)
    }

    func append(to found: inout [LayoutAttributes], in rect: Rect, cost: inout LayoutCost) {
        let axis = base.space.axis
        let count = groupCount
        var index = (0..<count).partitioningIndex { index in
            let place = place(ofGroup: index)
            return place.start + place.group.size[axis] + total.after >= rect.start(axis)
        }
        let first = cost.items
        while index < count, cost.items - first < CompositionalLayout.queryLimit {
            let place = place(ofGroup: index)
            guard place.start - total.before <= rect.end(axis) else { return }
            base.append(
                place.group, at: base.origin(place.group, start: place.start), firstItem: place.firstItem, to: &found,
                in: rect, cost: &cost)
            index += 1
        }
    }

    func attributes(of element: LayoutElement) -> LayoutAttributes? {
        guard let (place, offset) = place(of: element) else { return nil }
        let origin = base.origin(place.group, start: place.start)
        return base.attributes(of: element, in: place.group, at: origin, offset: offset)
    }

    func estimatedAxes(of element: LayoutElement) -> AxisSet {
        guard let (place, offset) = place(of: element) else { return AxisSet() }
        return place.group.estimatedAxes(of: element, offset: offset)
    }

    /// Returns the group of an element and the position of its item in the group; `nil` if there is no such item.
    ///
    /// - Complexity: O(log parts).
    private func place(of element: LayoutElement) -> (place: Place, offset: Int)? {
        let path = element.indexPath
        guard path.section == base.space.section, path.item >= 0, path.item < base.space.itemCount, !parts.isEmpty
        else { return nil }
        let part = parts[parts.partitioningIndex { $0.firstItem > path.item } - 1]
        let index = part.individual == nil ? (path.item - part.firstItem) / base.capacity : 0
        let place = place(index, in: part)
        let offset = path.item - place.firstItem
        return place.group.leaves.indices.contains(offset) ? (place, offset) : nil
    }
}
