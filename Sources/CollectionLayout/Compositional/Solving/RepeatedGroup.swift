/// A group that was solved once and stands many times.
///
/// Where group n stands is arithmetic: n times the pitch. Only groups with measured elements, and a last one that isn't
/// full, have solutions of their own; they are kept in order, with the sum of what they add to the lengths before them.
struct RepeatedGroup: SectionContent {
    /// A group that differs from the others.
    struct Own {
        var index: Int
        var group: SolvedGroup
        /// Whether it differs by measures, not just by being the last.
        var isMeasured: Bool
        /// Those of this one and of all before it.
        var sums = Sums()
    }

    /// What groups that differ change in all.
    struct Sums {
        /// What they add to the lengths, in points.
        var shift = 0.0
        /// The greatest length across the axis.
        var thickness = 0.0
        /// How far frames stand out of their groups along the axis, before and after.
        var before = 0.0
        var after = 0.0
        /// The lowest and the highest edge across the axis.
        var low = 0.0
        var high = 0.0
        var isMeasured = false
    }

    let group: LayoutGroup
    let room: SectionRoom
    let template: SolvedGroup
    /// How many items decide which the template takes.
    let templateExamined: Int
    /// The space before each group along the axis.
    let lead: Double
    /// From the start of a group to the start of the next.
    let pitch: Double
    /// The space before each group across the axis, and after it.
    let margins: (start: ResolvedSpacing, end: ResolvedSpacing)
    let trail: Double
    /// In ascending order.
    private(set) var own: [Own] = []
    /// Those of all groups.
    private(set) var total = Sums()
    private(set) var size = Size.zero
    private(set) var reach = Rect.zero

    init(
        group: LayoutGroup, room: SectionRoom, reusing previous: RepeatedGroup?, diagnostics: inout LayoutDiagnostics
    ) {
        self.group = group
        self.room = room
        var solver = GroupSolver(
            room: room, firstItem: 0, existing: .max, measures: nil, diagnostics: diagnostics)
        if let previous, previous.room.isAlike(room), previous.group == group {
            (template, templateExamined) = (previous.template, previous.templateExamined)
        } else {
            template = solver.solve(group)
            templateExamined = solver.examined
        }
        func edge(_ spacing: LayoutSpacing?) -> ResolvedSpacing { solver.resolved(spacing, "edgeSpacing") }
        let axis = room.axis
        lead = edge(group.edgeSpacing?.start(axis)).least
        trail = edge(group.edgeSpacing?.end(axis)).least
        margins = (edge(group.edgeSpacing?.start(axis.crossing)), edge(group.edgeSpacing?.end(axis.crossing)))
        pitch = lead + template.size[axis] + trail + room.interGroupSpacing
        diagnostics = solver.diagnostics
        if !(pitch > 0), capacity > 0, room.itemCount > capacity {
            diagnostics.add(
                LayoutDiagnostic(
                    .endlessRepetition, section: room.section,
                    detail: "the group has no length; of \(room.itemCount) items \(capacity) are placed"))
        }
        measureOut(from: 0)
    }

    /// How many items a group takes.
    var capacity: Int { template.leaves.count }

    /// Without items there are no groups; of a group that takes no items, or no room, there is one.
    var groupCount: Int {
        guard room.itemCount > 0 else { return 0 }
        return capacity > 0 && pitch > 0 ? (room.itemCount - 1) / capacity + 1 : 1
    }

    var groupLengths: (group: Double, pitch: Double) { (template.size[room.axis], pitch) }
}

extension SectionRoom {
    /// Whether the same group would be solved alike in both.
    func isAlike(_ other: SectionRoom) -> Bool {
        container == other.container && environment == other.environment && takenKinds == other.takenKinds
    }
}

// MARK: - Places

extension RepeatedGroup {
    /// The index in ``own`` of the first group that isn't before another.
    func ownIndex(_ index: Int) -> Int { own.partitioningIndex { $0.index >= index } }

    /// The solution of a group, and the index in ``own`` at which those that aren't before it begin.
    func solution(_ index: Int) -> (group: SolvedGroup, ownIndex: Int) {
        let place = ownIndex(index)
        return (own.indices.contains(place) && own[place].index == index ? own[place].group : template, place)
    }

    /// Where a group begins along the axis.
    func start(_ index: Int, ownIndex place: Int) -> Double {
        lead + Double(index) * pitch + (place > 0 ? own[place - 1].sums.shift : 0)
    }

    /// Where a group stands.
    func origin(_ index: Int, _ group: SolvedGroup, ownIndex place: Int) -> Point {
        origin(group, start: start(index, ownIndex: place))
    }

    /// Where a group stands that begins there along the axis.
    func origin(_ group: SolvedGroup, start: Double) -> Point {
        let across = room.axis.crossing
        let left = room.container[across] - group.size[across] - margins.start.least - margins.end.least
        let shares = (margins.start.isFlexible ? 1.0 : 0) + (margins.end.isFlexible ? 1 : 0)
        var point = Point.zero
        point[room.axis] = start
        point[across] = margins.start.length(left > 0 && shares > 0 ? left / shares : 0)
        return point
    }

    /// Sums with one more group.
    func adding(_ group: SolvedGroup, isMeasured: Bool, to sums: Sums) -> Sums {
        let axis = room.axis
        let across = axis.crossing
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

    /// Adds up the lengths from one of ``own`` on, and the size of it all.
    private mutating func measureOut(from first: Int) {
        for place in own.indices[first...] {
            own[place].sums = adding(
                own[place].group, isMeasured: own[place].isMeasured,
                to: place > 0 ? own[place - 1].sums : Sums())
        }
        guard groupCount > 0 else {
            (size, reach) = (.zero, .zero)
            return
        }
        let axis = room.axis
        let last = groupCount - 1
        let (lastGroup, lastPlace) = solution(last)
        let end = start(last, ownIndex: lastPlace) + lastGroup.size[axis]
        let different = own.last?.sums ?? Sums()
        total = adding(template, isMeasured: false, to: different)
        // Once a group is measured, the estimate doesn't make the section thicker any longer.
        let thickness = different.isMeasured || own.count == groupCount ? different.thickness : total.thickness
        size = Size(along: axis, end + trail, across: thickness + margins.start.least + margins.end.least)
        reach = Rect(along: axis, (lead - total.before, end + total.after), across: (total.low, total.high))
    }
}

// MARK: - Measures

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
            let place = solveOwn(index, isMeasured: true, measures: measures, diagnostics: &diagnostics)
            first = min(first, place)
        }
        if !indices.isEmpty { measureOut(from: first) }
    }

    /// Solves a last group that isn't full, where its items decide how long it is.
    mutating func solveLast(measures: ElementMeasures, diagnostics: inout LayoutDiagnostics) {
        guard template.isElastic, capacity > 0, groupCount > room.itemCount / capacity else { return }
        let first = solveOwn(groupCount - 1, isMeasured: false, measures: measures, diagnostics: &diagnostics)
        measureOut(from: first)
    }

    /// Solves one group by itself, and gives its place in ``own``.
    private mutating func solveOwn(
        _ index: Int, isMeasured: Bool, measures: ElementMeasures, diagnostics: inout LayoutDiagnostics
    ) -> Int {
        let firstItem = index * capacity
        var solver = GroupSolver(
            room: room, firstItem: firstItem, existing: min(capacity, room.itemCount - firstItem), measures: measures,
            diagnostics: diagnostics)
        let solved = solver.solve(group)
        diagnostics = solver.diagnostics
        let place = ownIndex(index)
        // A custom provider that gives another number of items than before is not followed.
        guard solved.leaves.count == capacity else { return place }
        if own.indices.contains(place), own[place].index == index {
            own[place].group = solved
            own[place].isMeasured = own[place].isMeasured || isMeasured
        } else {
            own.insert(Own(index: index, group: solved, isMeasured: isMeasured), at: place)
        }
        return place
    }
}
