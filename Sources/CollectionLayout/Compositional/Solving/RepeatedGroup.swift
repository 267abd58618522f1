/// A group that is solved once and repeated.
///
/// The position of group n is n times the pitch. Only groups with measured elements and an incomplete last group have
/// individual solutions. They are stored in order, each with the sum of the differences in length before it.
struct RepeatedGroup: SectionContent {
    /// A group that differs from the template.
    private struct IndividualGroup {
        var index: Int
        var group: SolvedGroup
        /// Whether the group differs because of measured sizes, and not only because it is the last one.
        var isMeasured: Bool
        /// The sums up to and including this group.
        var sums = Sums()
    }

    /// The accumulated differences between individual groups and the template.
    struct Sums {
        /// The difference in length, in points.
        var shift = 0.0
        /// The maximum length across the axis.
        var thickness = 0.0
        /// The maximum distances by which frames extend beyond their groups along the axis.
        var before = 0.0
        var after = 0.0
        /// The minimum and maximum edges across the axis.
        var low = 0.0
        var high = 0.0
        var isMeasured = false
    }

    let group: LayoutGroup
    let space: SectionSpace
    let template: SolvedGroup
    /// The number of items examined to fill the template.
    let templateExamined: Int
    /// The space before each group along the axis.
    let lead: Double
    /// The distance from the start of a group to the start of the next.
    let pitch: Double
    /// The space before and after each group across the axis.
    let margins: (start: ResolvedSpacing, end: ResolvedSpacing)
    let trail: Double
    /// In ascending order of index.
    private var individualGroups: [IndividualGroup] = []
    /// The sums of all groups.
    private var total = Sums()
    private(set) var size = Size.zero
    private(set) var reach = Rect.zero

    init(
        group: LayoutGroup, space: SectionSpace, reusing previous: RepeatedGroup?, diagnostics: inout LayoutDiagnostics
    ) {
        self.group = group
        self.space = space
        var solver = GroupSolver(
            space: space, firstItem: 0, existingCount: .max, measures: nil, diagnostics: diagnostics)
        if let previous, previous.space.isEquivalent(to: space), previous.group == group {
            (template, templateExamined) = (previous.template, previous.templateExamined)
        } else {
            template = solver.solve(group)
            templateExamined = solver.examined
        }
        func edge(_ spacing: LayoutSpacing?) -> ResolvedSpacing { solver.resolved(spacing, "edgeSpacing") }
        let axis = space.axis
        lead = edge(group.edgeSpacing?.start(axis)).minimum
        trail = edge(group.edgeSpacing?.end(axis)).minimum
        margins = (edge(group.edgeSpacing?.start(axis.perpendicular)), edge(group.edgeSpacing?.end(axis.perpendicular)))
        pitch = lead + template.size[axis] + trail + space.interGroupSpacing
        diagnostics = solver.diagnostics
        if !(pitch > 0), capacity > 0, space.itemCount > capacity {
            diagnostics.add(
                LayoutDiagnostic(
                    .endlessRepetition, section: space.section,
                    detail: "the group has no length; only \(capacity) of \(space.itemCount) items are placed"))
        }
        updateSums(from: 0)
    }

    /// The number of items in a group.
    var capacity: Int { template.leaves.count }

    /// The number of groups: none without items, and one if the group takes no items or has no length.
    var groupCount: Int {
        guard space.itemCount > 0 else { return 0 }
        return capacity > 0 && pitch > 0 ? (space.itemCount - 1) / capacity + 1 : 1
    }

    var groupLengths: (group: Double, pitch: Double) { (template.size[space.axis], pitch) }
}

extension SectionSpace {
    /// Returns whether a group would have the same solution in both.
    fileprivate func isEquivalent(to other: SectionSpace) -> Bool {
        container == other.container && environment == other.environment && takenKinds == other.takenKinds
    }
}

// MARK: - Positions

extension RepeatedGroup {
    /// Returns the position in ``individualGroups`` of the first group at or after `index`.
    private func individualIndex(_ index: Int) -> Int { individualGroups.partitioningIndex { $0.index >= index } }

    /// Returns the solution of a group, and the position in ``individualGroups`` of the first group at or after `index`.
    private func solution(_ index: Int) -> (group: SolvedGroup, individualIndex: Int) {
        let place = individualIndex(index)
        return (
            individualGroups.indices.contains(place) && individualGroups[place].index == index
                ? individualGroups[place].group : template, place
        )
    }

    /// Returns the start of a group along the axis.
    private func start(_ index: Int, individualIndex place: Int) -> Double {
        lead + Double(index) * pitch + (place > 0 ? individualGroups[place - 1].sums.shift : 0)
    }

    /// Returns the origin of a group.
    private func origin(_ index: Int, _ group: SolvedGroup, individualIndex place: Int) -> Point {
        origin(group, start: start(index, individualIndex: place))
    }

    /// Returns the origin of a group with a given start along the axis.
    func origin(_ group: SolvedGroup, start: Double) -> Point {
        let across = space.axis.perpendicular
        let left = space.container[across] - group.size[across] - margins.start.minimum - margins.end.minimum
        let shares = (margins.start.isFlexible ? 1.0 : 0) + (margins.end.isFlexible ? 1 : 0)
        var point = Point.zero
        point[space.axis] = start
        point[across] = margins.start.length(left > 0 && shares > 0 ? left / shares : 0)
        return point
    }

    /// Returns the sums with one more group.
    func adding(_ group: SolvedGroup, isMeasured: Bool, to sums: Sums) -> Sums {
        let axis = space.axis
        let across = axis.perpendicular
        let margin = origin(group, start: 0)[across]
        return Sums(
            shift: sums.shift + group.size[axis] - template.size[axis],
            thickness: max(sums.thickness, group.size[across]),
            before: max(sums.before, -group.reach.start(axis)),
            after: max(sums.after, group.reach.end(axis) - group.size[axis]),
            low: min(sums.low, margin + group.reach.start(across)),
            high: max(sums.high, margin + group.reach.end(across)),
            isMeasured: sums.isMeasured || isMeasured)
    }

    /// Updates the sums from `first` on, and the size of the whole content.
    private mutating func updateSums(from first: Int) {
        for place in individualGroups.indices[first...] {
            individualGroups[place].sums = adding(
                individualGroups[place].group, isMeasured: individualGroups[place].isMeasured,
                to: place > 0 ? individualGroups[place - 1].sums : Sums())
        }
        guard groupCount > 0 else {
            (size, reach) = (.zero, .zero)
            return
        }
        let axis = space.axis
        let last = groupCount - 1
        let (lastGroup, lastPlace) = solution(last)
        let end = start(last, individualIndex: lastPlace) + lastGroup.size[axis]
        let different = individualGroups.last?.sums ?? Sums()
        total = adding(template, isMeasured: false, to: different)
        // As soon as a group is measured, the estimate no longer contributes to the thickness.
        let thickness =
            different.isMeasured || individualGroups.count == groupCount ? different.thickness : total.thickness
        size = Size(along: axis, end + trail, across: thickness + margins.start.minimum + margins.end.minimum)
        reach = Rect(along: axis, (lead - total.before, end + total.after), across: (total.low, total.high))
    }
}

// MARK: - Measured sizes

extension RepeatedGroup {
    mutating func remeasure(
        _ elements: some Sequence<LayoutElement>, measures: ElementMeasures, diagnostics: inout LayoutDiagnostics
    ) {
        var indices: Set<Int> = []
        for element in elements {
            if let place = groupPlace(of: element) { indices.insert(place.index) }
        }
        var first = Int.max
        for index in indices.sorted() {
            let place = solveIndividually(index, isMeasured: true, measures: measures, diagnostics: &diagnostics)
            first = min(first, place)
        }
        if !indices.isEmpty { updateSums(from: first) }
    }

    /// Solves an incomplete last group individually if its items determine its length.
    mutating func solveLast(measures: ElementMeasures, diagnostics: inout LayoutDiagnostics) {
        guard template.isElastic, capacity > 0, groupCount > space.itemCount / capacity else { return }
        let first = solveIndividually(groupCount - 1, isMeasured: false, measures: measures, diagnostics: &diagnostics)
        updateSums(from: first)
    }

    /// Solves one group individually and returns its position in ``individualGroups``.
    private mutating func solveIndividually(
        _ index: Int, isMeasured: Bool, measures: ElementMeasures, diagnostics: inout LayoutDiagnostics
    ) -> Int {
        let firstItem = index * capacity
        var solver = GroupSolver(
            space: space, firstItem: firstItem, existingCount: min(capacity, space.itemCount - firstItem),
            measures: measures,
            diagnostics: diagnostics)
        let solved = solver.solve(group)
        diagnostics = solver.diagnostics
        let place = individualIndex(index)
        // Ignore a custom provider that returns another number of items than before.
        guard solved.leaves.count == capacity else { return place }
        if individualGroups.indices.contains(place), individualGroups[place].index == index {
            individualGroups[place].group = solved
            individualGroups[place].isMeasured = individualGroups[place].isMeasured || isMeasured
        } else {
            individualGroups.insert(IndividualGroup(index: index, group: solved, isMeasured: isMeasured), at: place)
        }
        return place
    }
}

// MARK: - Queries

extension RepeatedGroup {
    func append(to found: inout [LayoutAttributes], in rect: Rect, cost: inout LayoutCost) {
        let axis = space.axis
        let count = groupCount
        var index = (0..<count).partitioningIndex { index in
            let (group, place) = solution(index)
            return start(index, individualIndex: place) + group.size[axis] + total.after >= rect.start(axis)
        }
        let first = cost.items
        while index < count, cost.items - first < CompositionalLayout.queryLimit {
            let (group, place) = solution(index)
            let origin = origin(index, group, individualIndex: place)
            guard origin[axis] - total.before <= rect.end(axis) else { return }
            let firstItem = index * capacity
            append(group, at: origin, firstItem: firstItem, to: &found, in: rect, cost: &cost)
            index += 1
        }
    }

    /// Appends the elements of one group that touch `rect`.
    func append(
        _ group: SolvedGroup, at origin: Point, firstItem: Int, to found: inout [LayoutAttributes], in rect: Rect,
        cost: inout LayoutCost
    ) {
        cost.items += group.leaves.count + group.anchored.count
        for (offset, leaf) in group.leaves.enumerated() where offset < space.itemCount - firstItem {
            let frame = leaf.frame.offset(x: origin.x, y: origin.y)
            guard frame.touches(rect) else { continue }
            found.append(attributes(leaf, frame: frame, item: firstItem + offset))
            cost.attributes += 1
        }
        for element in group.anchored where element.leaf < space.itemCount - firstItem {
            let frame = element.frame.offset(x: origin.x, y: origin.y)
            guard frame.touches(rect) else { continue }
            found.append(attributes(element, frame: frame, item: firstItem + element.leaf))
            cost.attributes += 1
        }
    }

    func attributes(of element: LayoutElement) -> LayoutAttributes? {
        guard let (index, offset) = groupPlace(of: element) else { return nil }
        let (group, place) = solution(index)
        return attributes(of: element, in: group, at: origin(index, group, individualIndex: place), offset: offset)
    }

    /// Returns the attributes of an element of one group.
    ///
    /// - Parameter offset: The position of its item in the group.
    func attributes(
        of element: LayoutElement, in group: SolvedGroup, at origin: Point, offset: Int
    ) -> LayoutAttributes? {
        switch element {
        case .item(let path):
            let leaf = group.leaves[offset]
            return attributes(leaf, frame: leaf.frame.offset(x: origin.x, y: origin.y), item: path.item)
        case .supplementary(let kind, let path):
            return group.anchored(at: offset).first { $0.supplementary.elementKind == kind }.map {
                attributes($0, frame: $0.frame.offset(x: origin.x, y: origin.y), item: path.item)
            }
        case .decoration:
            return nil
        }
    }

    func estimatedAxes(of element: LayoutElement) -> AxisSet {
        guard let (_, offset) = groupPlace(of: element) else { return AxisSet() }
        return template.estimatedAxes(of: element, offset: offset)
    }

    /// Returns the group of an element and the position of its item in the group; `nil` if there is no such item.
    private func groupPlace(of element: LayoutElement) -> (index: Int, offset: Int)? {
        let path = element.indexPath
        guard path.section == space.section, path.item >= 0, path.item < space.itemCount, capacity > 0,
            path.item / capacity < groupCount
        else { return nil }
        return (path.item / capacity, path.item % capacity)
    }

    private func attributes(_ leaf: SolvedGroup.Leaf, frame: Rect, item: Int) -> LayoutAttributes {
        LayoutAttributes(
            .item(IndexPath(section: space.section, item: item)), frame: frame, zIndex: leaf.zIndex)
    }

    private func attributes(_ anchored: SolvedGroup.Anchored, frame: Rect, item: Int) -> LayoutAttributes {
        LayoutAttributes(
            .supplementary(anchored.supplementary.elementKind, IndexPath(section: space.section, item: item)),
            frame: frame, zIndex: anchored.supplementary.zIndex)
    }
}

extension SolvedGroup {
    /// Returns the axes along which the size of an element is an estimate.
    ///
    /// - Parameter offset: The position of its item in the group.
    func estimatedAxes(of element: LayoutElement, offset: Int) -> AxisSet {
        switch element {
        case .item:
            return leaves[offset].estimatedAxes
        case .supplementary(let kind, _):
            let anchored = anchored(at: offset).first { $0.supplementary.elementKind == kind }
            return anchored?.supplementary.layoutSize.estimatedAxes ?? AxisSet()
        case .decoration:
            return AxisSet()
        }
    }
}

extension Rect {
    /// Returns whether the rectangles overlap or touch, including all edges.
    package func touches(_ other: Rect) -> Bool {
        minX <= other.maxX && other.minX <= maxX && minY <= other.maxY && other.minY <= maxY
    }
}
