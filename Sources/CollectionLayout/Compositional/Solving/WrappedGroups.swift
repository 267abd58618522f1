/// Groups that take as many items as fit by the lengths that were measured, as a tag cloud does.
///
/// Where nothing is measured the groups are alike, and their places are arithmetic: such a run is kept as one part.
/// Groups that measures decide on are kept one by one. Memory: O(measured items), however many items there are.
struct WrappedGroups: SectionContent {
    /// One group of its own, or a run of those that are like the template.
    struct Part {
        let firstGroup: Int
        let firstItem: Int
        /// Where its first group begins along the axis.
        let start: Double
        let groupCount: Int
        /// `nil` for a run.
        let own: SolvedGroup?
        /// The end of the items that were looked at to fill its groups.
        let ownExaminedEnd: Int
        /// The end of those for all groups up to here.
        let examinedEnd: Int
        /// Those of this one and of all before it that aren't like the template.
        let sums: RepeatedGroup.Sums
        /// Whether it or one before it is a run.
        let followsRun: Bool
    }

    /// The group without measures, with its spacings; it has no groups of its own.
    let base: RepeatedGroup
    /// In order.
    private(set) var parts: [Part] = []
    /// The items that have measures, or had, in order.
    private var measuredItems: [Int] = []
    /// Those of all groups.
    private(set) var total = RepeatedGroup.Sums()
    private(set) var size = Size.zero
    private(set) var reach = Rect.zero

    /// - Parameter base: Has a capacity and a pitch.
    init(_ base: RepeatedGroup, measures: ElementMeasures, diagnostics: inout LayoutDiagnostics) {
        self.base = base
        measuredItems = items(of: measures.elements(inSection: base.room.section))
        fill(measures: measures, diagnostics: &diagnostics)
    }

    var groupLengths: (group: Double, pitch: Double) { base.groupLengths }

    var groupCount: Int { parts.last.map { $0.firstGroup + $0.groupCount } ?? 0 }

    /// The items of elements that are in groups, in order, each once.
    private func items(of elements: some Sequence<LayoutElement>) -> [Int] {
        var items: Set<Int> = []
        for element in elements where element.indexPath.section == base.room.section {
            let item = element.indexPath.item
            guard item >= 0, item < base.room.itemCount else { continue }
            switch element {
            case .item: items.insert(item)
            case .supplementary(let kind, _): if !base.room.takenKinds.contains(kind) { items.insert(item) }
            case .decoration: continue
            }
        }
        return items.sorted()
    }

    /// - Complexity: The groups from the first one on that a new measure may change are made anew; those of them that
    ///   begin with the same item, and hold no new measure, are not solved again.
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
        let earlier = parts[kept...].filter { $0.own != nil }
        parts.removeSubrange(kept...)
        fill(changed: changed, earlier: earlier, measures: measures, diagnostics: &diagnostics)
    }
}

// MARK: - Filling

extension WrappedGroups {
    /// Adds the parts behind those that there are, and the size of it all.
    ///
    /// - Parameters:
    ///   - changed: In order.
    ///   - earlier: Solutions that hold where none of their items changed, in order.
    private mutating func fill(
        changed: [Int] = [], earlier: [Part] = [], measures: ElementMeasures, diagnostics: inout LayoutDiagnostics
    ) {
        let room = base.room
        let capacity = base.capacity
        var item = parts.last.map { $0.firstItem + itemCount(of: $0) } ?? 0
        var nextMeasured = measuredItems.partitioningIndex { $0 >= item }
        var nextEarlier = 0
        while item < room.itemCount {
            while nextMeasured < measuredItems.count, measuredItems[nextMeasured] < item { nextMeasured += 1 }
            let left = room.itemCount - item
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
            item = addOwn(
                item, known: known, isMeasured: measured != nil, measures: measures, diagnostics: &diagnostics)
        }
        measureOut()
    }

    /// How many items a part takes that isn't the last.
    private func itemCount(of part: Part) -> Int {
        part.own?.leaves.count ?? part.groupCount * base.capacity
    }

    /// Where the group behind the last part begins.
    private var nextStart: Double {
        guard let last = parts.last else { return base.lead }
        guard let own = last.own else { return last.start + Double(last.groupCount) * base.pitch }
        return last.start + own.size[base.room.axis] + base.trail + base.room.interGroupSpacing + base.lead
    }

    private mutating func addRun(_ count: Int, firstItem: Int) {
        let lastItem = firstItem + (count - 1) * base.capacity
        add(
            nil, isMeasured: false, firstItem: firstItem, groupCount: count, examined: (lastItem, base.templateExamined)
        )
    }

    /// Adds one group that begins with an item, and gives the first item of the next.
    private mutating func addOwn(
        _ item: Int, known: Part?, isMeasured: Bool, measures: ElementMeasures, diagnostics: inout LayoutDiagnostics
    ) -> Int {
        let left = base.room.itemCount - item
        var own = known?.own
        var examined = (known?.ownExaminedEnd ?? item) - item
        if own == nil {
            var solver = GroupSolver(
                room: base.room, firstItem: item, existing: left, measures: measures, diagnostics: diagnostics)
            let solved = solver.solve(base.group)
            diagnostics = solver.diagnostics
            examined = solver.examined
            // Only custom groups that give other items than before come to nothing; the template stands for them.
            if !solved.leaves.isEmpty { own = solved }
        }
        let count = own?.leaves.count ?? base.capacity
        add(
            own, isMeasured: isMeasured, firstItem: item, groupCount: 1, examined: (item, max(count, examined)))
        return item + min(count, left)
    }

    private mutating func add(
        _ own: SolvedGroup?, isMeasured: Bool, firstItem: Int, groupCount: Int, examined: (from: Int, count: Int)
    ) {
        let last = parts.last
        let sums = last?.sums ?? RepeatedGroup.Sums()
        let end = examined.from + min(examined.count, base.room.itemCount - examined.from)
        parts.append(
            Part(
                firstGroup: self.groupCount, firstItem: firstItem, start: nextStart, groupCount: groupCount, own: own,
                ownExaminedEnd: end, examinedEnd: max(end, last?.examinedEnd ?? 0),
                sums: own.map { base.adding($0, isMeasured: isMeasured, to: sums) } ?? sums,
                followsRun: own == nil || last?.followsRun == true))
    }

    private mutating func measureOut() {
        guard let last = parts.last else {
            (total, size, reach) = (RepeatedGroup.Sums(), .zero, .zero)
            return
        }
        let axis = base.room.axis
        let place = place(ofGroup: groupCount - 1)
        let end = place.start + place.group.size[axis]
        total = base.adding(base.template, isMeasured: false, to: last.sums)
        // Once a group is measured, the estimate doesn't make the section thicker any longer.
        let thickness = last.sums.isMeasured || !last.followsRun ? last.sums.thickness : total.thickness
        size = Size(
            along: axis, end + base.trail, across: thickness + base.margins.start.least + base.margins.end.least)
        reach = Rect(along: axis, (base.lead - total.before, end + total.after), across: (total.low, total.high))
    }
}
