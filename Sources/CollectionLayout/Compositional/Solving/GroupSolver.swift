/// Computes the frames of the items of one group (LayoutRules.md, layout 4.2 to 4.4 and 4.6).
///
/// A group that its section repeats, that takes subitems until it is full, and whose own length is not an estimate is
/// filled by the measured lengths of its subitems, or else by their estimates. A cell that prefers another length can
/// then move other cells to another group; UIKit was observed to lay out tag clouds this way. In nested groups, and in
/// groups whose own length is an estimate, estimates determine the number of subitems: a measured cell moves its
/// neighbors, but no item changes its group.
struct GroupSolver {
    let space: SectionSpace
    /// The index of the group's first item in the section.
    let firstItem: Int
    /// The number of items of the group that exist in the data.
    let existingCount: Int
    /// The measured sizes; `nil` to use estimates.
    let measures: ElementMeasures?
    var diagnostics: LayoutDiagnostics
    private var leaves: [SolvedGroup.Leaf] = []
    private var anchored: [SolvedGroup.Anchored] = []
    private var isElastic = false
    /// The number of items and groups placed so far.
    private(set) var count = 0
    /// The number of items examined to fill the group, including items of a subitem that doesn't fit.
    private(set) var examined = 0

    init(
        space: SectionSpace, firstItem: Int, existingCount: Int, measures: ElementMeasures?,
        diagnostics: LayoutDiagnostics
    ) {
        self.space = space
        self.firstItem = firstItem
        self.existingCount = existingCount
        self.measures = measures
        self.diagnostics = diagnostics
    }

    /// Solves the group that a section repeats.
    mutating func solve(_ group: LayoutGroup) -> SolvedGroup {
        let nominal = group.layoutSize.resolved(
            in: space.container, name: "group", section: space.section, diagnostics: &diagnostics)
        let size = solve(group, nominal: nominal, estimated: group.layoutSize.estimatedAxes, depth: 0)
        updateExamined()
        return SolvedGroup(
            size: size, leaves: leaves, anchored: sortedAnchored(), isElastic: isElastic)
    }

    /// Adds the items of a group, relative to its upper leading corner, and returns its size.
    ///
    /// - Parameters:
    ///   - nominal: The size from the group's dimensions, with estimates for estimated dimensions.
    ///   - estimated: The axes along which the content determines the size.
    private mutating func solve(_ group: LayoutGroup, nominal: Size, estimated: AxisSet, depth: Int) -> Size {
        let first = leaves.count
        if !estimated.isEmpty { isElastic = true }
        guard depth < LayoutGroup.maximumDepth else {
            report(.limitReached, "groups deeper than \(LayoutGroup.maximumDepth) are left empty")
            return nominal
        }
        let insets = usableInsets(group.contentInsets, except: estimated)
        var inner = nominal
        for axis in Axis.allCases {
            let length = nominal[axis] - insets.along(axis)
            if length < 0 { report(.noRoom, "contentInsets of a group leave \(length) points") }
            inner[axis] = length.asLength
        }
        let content =
            switch group.arrangement {
            case .line(let axis, let subitems, let repetition):
                solveLine(
                    GroupLine(
                        axis: axis, subitems: subitems, repetition: repetition, spacing: group.interItemSpacing,
                        size: inner, origin: Point(x: insets.leading, y: insets.top), estimated: estimated,
                        depth: depth))
            case .custom(let frames):
                solveCustom(frames, size: inner, origin: Point(x: insets.leading, y: insets.top))
            }
        var size = nominal
        for axis in Axis.allCases where estimated.contains(axis) { size[axis] = content[axis].asLength }
        if leaves.count > first {
            anchor(group.supplementaryItems, to: Rect(origin: .zero, size: size), leaf: first)
        }
        return size
    }
}

// MARK: - Members

extension GroupSolver {
    /// Counts another item or group; returns `false` at the limit.
    private mutating func countMember() -> Bool {
        guard count < LayoutGroup.maximumCount else {
            report(.limitReached, "a group holds more than \(LayoutGroup.maximumCount) items")
            return false
        }
        count += 1
        return true
    }

    /// Removes the last subitem, which doesn't fit.
    private mutating func rollBack(
        leaves first: Int, anchored firstAnchored: Int, count: Int, diagnostics: LayoutDiagnostics
    ) {
        updateExamined()
        leaves.removeSubrange(first...)
        anchored.removeSubrange(firstAnchored...)
        self.count = count
        self.diagnostics = diagnostics
    }

    private mutating func updateExamined() { examined = max(examined, leaves.count) }

    /// Adds one item at the origin and returns its size including its insets.
    private mutating func solve(_ item: LayoutItem, nominal: Size, estimated: AxisSet) -> Size {
        let leaf = leaves.count
        var size = nominal
        if !estimated.isEmpty, let measures, leaf < existingCount,
            let measured = measures[.item(IndexPath(section: space.section, item: firstItem + leaf))]
        {
            for axis in Axis.allCases where estimated.contains(axis) { size[axis] = measured[axis] }
        }
        let insets = usableInsets(item.contentInsets, except: estimated)
        for axis in Axis.allCases where size[axis] < insets.along(axis) {
            report(.noRoom, "contentInsets of an item leave \(size[axis] - insets.along(axis)) points")
        }
        let frame = Rect(origin: .zero, size: size).inset(by: insets)
        leaves.append(SolvedGroup.Leaf(frame: frame, estimatedAxes: estimated))
        anchor(item.supplementaryItems, to: frame, leaf: leaf)
        return size
    }

    private mutating func solveCustom(_ frames: LayoutGroup.CustomFrames, size: Size, origin: Point) -> Size {
        var environment = space.environment
        environment.container = LayoutEnvironment.Container(contentSize: size)
        let items = frames.provide(environment)
        if items.isEmpty { report(.endlessRepetition, "a custom group returned no items") }
        var extent = Size.zero
        for item in items {
            guard countMember() else { break }
            let given = item.frame
            let frame = Rect(
                minX: given.minX.asDistance, minY: given.minY.asDistance, maxX: given.maxX.asDistance,
                maxY: given.maxY.asDistance)
            if frame != given { report(.unusableLength, "the frame of a custom item is \(given)") }
            if leaves.count < existingCount {
                extent.width = max(extent.width, frame.maxX)
                extent.height = max(extent.height, frame.maxY)
            }
            leaves.append(SolvedGroup.Leaf(frame: frame.offset(x: origin.x, y: origin.y), zIndex: item.zIndex))
        }
        return extent
    }

    /// Adds supplementary elements anchored to a frame.
    private mutating func anchor(_ supplementaries: [AnchoredSupplementary], to container: Rect, leaf: Int) {
        for supplementary in supplementaries {
            var size = supplementary.layoutSize.resolved(
                in: container.size, name: "supplementary \(supplementary.elementKind.rawValue)",
                section: space.section, diagnostics: &diagnostics)
            let path = IndexPath(section: space.section, item: firstItem.addingReportingOverflow(leaf).partialValue)
            let estimated = supplementary.layoutSize.estimatedAxes
            if !estimated.isEmpty, let measures, leaf < existingCount,
                let measured = measures[.supplementary(supplementary.elementKind, path)]
            {
                for axis in Axis.allCases where estimated.contains(axis) { size[axis] = measured[axis] }
            }
            let frame = supplementary.containerAnchor.frame(of: size, in: container, own: supplementary.itemAnchor)
            anchored.append(SolvedGroup.Anchored(leaf: leaf, supplementary: supplementary, frame: frame))
        }
    }

    /// Returns the supplementary elements sorted by item, without duplicates.
    private mutating func sortedAnchored() -> [SolvedGroup.Anchored] {
        struct Name: Hashable {
            let leaf: Int
            let kind: ElementKind
        }
        var seen: Set<Name> = []
        var kept: [SolvedGroup.Anchored] = []
        for element in anchored {
            let kind = element.supplementary.elementKind
            if !space.takenKinds.contains(kind), seen.insert(Name(leaf: element.leaf, kind: kind)).inserted {
                kept.append(element)
            } else {
                report(.duplicateElement, "a second supplementary element of kind \(kind.rawValue) is not placed")
            }
        }
        return kept.enumerated().sorted { ($0.element.leaf, $0.offset) < ($1.element.leaf, $1.offset) }.map(\.element)
    }

    /// Returns finite insets, with 0 along some axes.
    private mutating func usableInsets(_ insets: EdgeInsets, except axes: AxisSet) -> EdgeInsets {
        insets.usable(axes, name: "contentInsets", section: space.section, diagnostics: &diagnostics)
    }

    private mutating func report(_ problem: LayoutDiagnostic.Problem, _ detail: @autoclosure () -> String) {
        diagnostics.add(LayoutDiagnostic(problem, section: space.section, detail: detail()))
    }
}

extension EdgeInsets {
    /// Returns the insets with finite distances, adding a diagnostic if they had to be changed, and with 0 along the
    /// omitted axes.
    func usable(
        _ leftOut: AxisSet = AxisSet(), name: String, section: Int?, diagnostics: inout LayoutDiagnostics
    ) -> EdgeInsets {
        let finite = usable
        if finite != self {
            diagnostics.add(
                LayoutDiagnostic(
                    .unusableLength, section: section,
                    detail: "\(name) is \(top), \(leading), \(bottom), \(trailing)"))
        }
        return EdgeInsets(
            top: leftOut.vertical ? 0 : finite.top, leading: leftOut.horizontal ? 0 : finite.leading,
            bottom: leftOut.vertical ? 0 : finite.bottom, trailing: leftOut.horizontal ? 0 : finite.trailing)
    }
}

// MARK: - Lines

/// A line of subitems to be solved.
struct GroupLine {
    let axis: Axis
    let subitems: [LayoutSubitem]
    let repetition: LayoutGroup.Repetition
    let spacing: LayoutSpacing?
    /// The space inside the group's insets.
    let size: Size
    /// The origin of that space in the group.
    let origin: Point
    /// The axes along which the content determines the group's length.
    let estimated: AxisSet
    let depth: Int
    /// The excess length that still fits, in points, so that rounding errors don't matter: three thirds of a line fit
    /// in it.
    static let tolerance = 0.001

    /// Whether the measured lengths of subitems determine how many of them fit, instead of their estimates.
    var isFilledByLength: Bool {
        guard case .untilFull = repetition else { return false }
        return depth == 0 && !estimated.contains(axis)
    }
}

/// A subitem of a line before it is positioned.
private struct LineCell {
    var size: Size
    let edges: [Axis: (start: ResolvedSpacing, end: ResolvedSpacing)]
    let leaves: Range<Int>
    let anchored: Range<Int>
    let exists: Bool

    func minimumLength(_ axis: Axis) -> Double {
        size[axis] + (edges[axis].map { $0.start.minimum + $0.end.minimum } ?? 0)
    }

    func flexibleCount(_ axis: Axis) -> Double {
        edges[axis].map { ($0.start.isFlexible ? 1 : 0) + ($0.end.isFlexible ? 1 : 0) } ?? 0
    }

    /// Returns the space before the subitem if each flexible spacing grows by `growth`.
    func start(_ axis: Axis, growth: Double) -> Double { edges[axis].map { $0.start.length(growth) } ?? 0 }

    func end(_ axis: Axis, growth: Double) -> Double { edges[axis].map { $0.end.length(growth) } ?? 0 }
}

/// A spacing with a usable length.
struct ResolvedSpacing {
    var minimum = 0.0
    var isFlexible = false

    func length(_ growth: Double) -> Double { isFlexible ? minimum + growth : minimum }
}

extension GroupSolver {
    /// Adds the items of a line and returns the space that they occupy.
    private mutating func solveLine(_ line: GroupLine) -> Size {
        let spacing = resolved(line.spacing, "interItemSpacing")
        let cells = fill(line, spacing: spacing)
        guard !cells.isEmpty else { return .zero }
        let along = line.axis
        let across = along.perpendicular

        // All flexible spacings of the line share the remaining length.
        let gaps = Double(cells.count - 1)
        let used = cells.reduce(gaps * spacing.minimum) { $0 + $1.minimumLength(along) }
        let shares = cells.reduce(spacing.isFlexible ? gaps : 0) { $0 + $1.flexibleCount(along) }
        let leftOver = line.estimated.contains(along) ? 0 : line.size[along] - used
        let growth = leftOver > 0 && shares > 0 ? leftOver / shares : 0
        let thickness =
            line.estimated.contains(across)
            ? cells.reduce(0) { $1.exists ? max($0, $1.minimumLength(across)) : $0 } : line.size[across]

        var position = 0.0
        var extent = 0.0
        for cell in cells {
            let space = thickness - cell.minimumLength(across)
            let shares = cell.flexibleCount(across)
            let start = cell.start(across, growth: space > 0 && shares > 0 ? space / shares : 0)
            var place = Point.zero
            place[along] = position + cell.start(along, growth: growth)
            place[across] = start
            move(cell, by: line.origin + place)
            position += cell.start(along, growth: growth) + cell.size[along] + cell.end(along, growth: growth)
            if cell.exists { extent = position }
            position += spacing.length(growth)
        }
        return Size(along: along, extent, across: thickness)
    }

    /// Returns the subitems that fit in the line, each at the origin.
    private mutating func fill(_ line: GroupLine, spacing: ResolvedSpacing) -> [LineCell] {
        guard !line.subitems.isEmpty else {
            report(.endlessRepetition, "a group has no subitems")
            return []
        }
        var cells: [LineCell] = []
        var used = 0.0
        var round = 0.0
        let requested = requestedCount(line.repetition)
        let byLength = line.isFilledByLength
        while cells.count < requested {
            let subitem = line.subitems[cells.count % line.subitems.count]
            var nominal = subitem.layoutSize.resolved(
                in: line.size, name: "subitem", section: space.section, diagnostics: &diagnostics)
            var estimated = subitem.layoutSize.estimatedAxes
            if case .equal = line.repetition {
                let length = (line.size[line.axis] - spacing.minimum * Double(requested - 1)) / Double(requested)
                if length < 0 { report(.noRoom, "\(requested) subitems and their spacing leave \(length) points") }
                nominal[line.axis] = length.asLength
                estimated.remove(line.axis)
            }
            let edges = resolved(subitem.edgeSpacing)
            let own = edges[line.axis].map { $0.start.minimum + $0.end.minimum } ?? 0
            let start = used + (cells.isEmpty ? 0 : spacing.minimum)
            let end = start + own + nominal[line.axis]
            let usesMeasuredLength = byLength && estimated.contains(line.axis) && leaves.count < existingCount
            if case .untilFull = line.repetition, !usesMeasuredLength, end > line.size[line.axis] + GroupLine.tolerance
            {
                if !cells.isEmpty { break }
                report(.noRoom, "the first subitem needs \(end) of \(line.size[line.axis]) points")
            }
            let before = (leaves: leaves.count, anchored: anchored.count, count: count)
            let problems = diagnostics
            guard countMember() else { break }
            let cell = cell(subitem, nominal: nominal, estimated: estimated, edges: edges, depth: line.depth)
            var length = own + nominal[line.axis]
            if usesMeasuredLength {
                let end = start + own + cell.size[line.axis]
                if end > line.size[line.axis] + GroupLine.tolerance {
                    if !cells.isEmpty {
                        rollBack(
                            leaves: before.leaves, anchored: before.anchored, count: before.count,
                            diagnostics: problems)
                        break
                    }
                    report(.noRoom, "the first subitem needs \(end) of \(line.size[line.axis]) points")
                }
                used = end
                // A subitem with a measured length of 0 still counts with its estimate, because the number of measured
                // items is limited.
                length = own + max(cell.size[line.axis], measures == nil ? 0 : nominal[line.axis])
            } else {
                used = end
            }
            cells.append(cell)
            round += length
            if case .untilFull = line.repetition, cells.count % line.subitems.count == 0 {
                // A round of subitems without length would repeat forever.
                if !(round > 0) {
                    report(.endlessRepetition, "the subitems of a group have no length")
                    break
                }
                round = 0
            }
        }
        return cells
    }

    private mutating func requestedCount(_ repetition: LayoutGroup.Repetition) -> Int {
        switch repetition {
        case .untilFull:
            return .max
        case .equal(let count), .own(let count):
            if count < 1 { report(.endlessRepetition, "count is \(count); 1 is used") }
            if count > LayoutGroup.maximumCount {
                report(.limitReached, "count is \(count); \(LayoutGroup.maximumCount) is used")
            }
            return count.clamped(to: 1...LayoutGroup.maximumCount)
        }
    }

    private mutating func cell(
        _ subitem: LayoutSubitem, nominal: Size, estimated: AxisSet,
        edges: [Axis: (start: ResolvedSpacing, end: ResolvedSpacing)], depth: Int
    ) -> LineCell {
        let firstLeaf = leaves.count
        let firstAnchored = anchored.count
        let size =
            switch subitem {
            case .item(let item): solve(item, nominal: nominal, estimated: estimated)
            case .group(let group): solve(group, nominal: nominal, estimated: estimated, depth: depth + 1)
            }
        return LineCell(
            size: size, edges: edges, leaves: firstLeaf..<leaves.count, anchored: firstAnchored..<anchored.count,
            exists: firstLeaf < existingCount)
    }

    private mutating func move(_ cell: LineCell, by distance: Point) {
        for leaf in cell.leaves {
            leaves[leaf].frame = leaves[leaf].frame.offset(x: distance.x, y: distance.y)
        }
        for index in cell.anchored {
            anchored[index].frame = anchored[index].frame.offset(x: distance.x, y: distance.y)
        }
    }

    private mutating func resolved(
        _ spacing: LayoutEdgeSpacing?
    ) -> [Axis: (start: ResolvedSpacing, end: ResolvedSpacing)] {
        guard let spacing else { return [:] }
        var edges: [Axis: (start: ResolvedSpacing, end: ResolvedSpacing)] = [:]
        for axis in Axis.allCases {
            edges[axis] = (
                resolved(spacing.start(axis), "edgeSpacing"), resolved(spacing.end(axis), "edgeSpacing")
            )
        }
        return edges
    }

    mutating func resolved(_ spacing: LayoutSpacing?, _ name: String) -> ResolvedSpacing {
        guard let spacing else { return ResolvedSpacing() }
        return ResolvedSpacing(
            minimum: diagnostics.length(spacing.spacing, name, section: space.section), isFlexible: spacing.isFlexible)
    }
}

/// A solved group: the frames of its items, relative to its upper leading corner.
struct SolvedGroup {
    /// The position of one item.
    struct Leaf {
        var frame: Rect
        var zIndex = 0
        /// The axes along which the length is an estimate or a measured size.
        var estimatedAxes = AxisSet()
    }

    /// A supplementary element attached to an item or group.
    struct Anchored {
        /// The item whose index path the element has.
        var leaf: Int
        var supplementary: AnchoredSupplementary
        var frame: Rect
    }

    var size: Size
    var leaves: [Leaf]
    /// Sorted by item.
    var anchored: [Anchored]
    /// The smallest rectangle that contains all frames and the group itself.
    var reach: Rect
    /// Whether the content of the group determines its size. A group with fewer items is then solved individually.
    var isElastic: Bool

    init(
        size: Size, leaves: [Leaf] = [], anchored: [Anchored] = [], isElastic: Bool = false
    ) {
        self.size = size
        self.leaves = leaves
        self.anchored = anchored
        self.isElastic = isElastic
        var reach = Rect(origin: .zero, size: size)
        for leaf in leaves { reach = reach.union(leaf.frame) }
        for element in anchored { reach = reach.union(element.frame) }
        self.reach = reach
    }

    /// Returns the supplementary elements of one item.
    func anchored(at leaf: Int) -> ArraySlice<Anchored> {
        let first = anchored.partitioningIndex { $0.leaf >= leaf }
        return anchored[first...].prefix { $0.leaf == leaf }
    }
}
