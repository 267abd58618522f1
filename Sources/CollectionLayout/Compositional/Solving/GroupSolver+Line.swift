/// A line of subitems that is to be solved.
struct GroupLine {
    let axis: Axis
    let subitems: [LayoutSubitem]
    let repetition: LayoutGroup.Repetition
    let spacing: LayoutSpacing?
    /// The room, without the group's insets.
    let size: Size
    /// Where the room begins in the group.
    let origin: Point
    /// The axes along which the content decides the group's length.
    let estimated: AxisSet
    let depth: Int
    /// By how much a line may be longer than its room, in points: three thirds of it are not always all of it (chosen).
    static let tolerance = 0.001

    /// Whether the lengths that subitems turn out to have decide how many it takes, not their estimates.
    var isFilledByLength: Bool {
        guard case .untilFull = repetition else { return false }
        return depth == 0 && !estimated.contains(axis)
    }
}

/// A subitem in a line, before it has its place.
private struct LineCell {
    var size: Size
    let edges: [Axis: (start: ResolvedSpacing, end: ResolvedSpacing)]
    let leaves: Range<Int>
    let anchored: Range<Int>
    let exists: Bool

    func least(_ axis: Axis) -> Double {
        size[axis] + (edges[axis].map { $0.start.least + $0.end.least } ?? 0)
    }

    func flexibleCount(_ axis: Axis) -> Double {
        edges[axis].map { ($0.start.isFlexible ? 1 : 0) + ($0.end.isFlexible ? 1 : 0) } ?? 0
    }

    /// The space at the start, where each flexible one has grown.
    func start(_ axis: Axis, growth: Double) -> Double { edges[axis].map { $0.start.length(growth) } ?? 0 }

    func end(_ axis: Axis, growth: Double) -> Double { edges[axis].map { $0.end.length(growth) } ?? 0 }
}

/// A spacing whose length is usable.
struct ResolvedSpacing {
    var least = 0.0
    var isFlexible = false

    func length(_ growth: Double) -> Double { isFlexible ? least + growth : least }
}

extension GroupSolver {
    /// Adds the items of a line, and gives the room that they take.
    mutating func solveLine(_ line: GroupLine) -> Size {
        let spacing = resolved(line.spacing, "interItemSpacing")
        let cells = fill(line, spacing: spacing)
        guard !cells.isEmpty else { return .zero }
        let along = line.axis
        let across = along.crossing

        // What is left over is shared by all flexible spacings of the line.
        let gaps = Double(cells.count - 1)
        let used = cells.reduce(gaps * spacing.least) { $0 + $1.least(along) }
        let shares = cells.reduce(spacing.isFlexible ? gaps : 0) { $0 + $1.flexibleCount(along) }
        let leftOver = line.estimated.contains(along) ? 0 : line.size[along] - used
        let growth = leftOver > 0 && shares > 0 ? leftOver / shares : 0
        let thickness =
            line.estimated.contains(across)
            ? cells.reduce(0) { $1.exists ? max($0, $1.least(across)) : $0 } : line.size[across]

        var position = 0.0
        var extent = 0.0
        for cell in cells {
            let room = thickness - cell.least(across)
            let shares = cell.flexibleCount(across)
            let start = cell.start(across, growth: room > 0 && shares > 0 ? room / shares : 0)
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

    /// The subitems that the line takes, each at the origin.
    private mutating func fill(_ line: GroupLine, spacing: ResolvedSpacing) -> [LineCell] {
        guard !line.subitems.isEmpty else {
            report(.endlessRepetition, "a group has no subitems")
            return []
        }
        var cells: [LineCell] = []
        var used = 0.0
        var round = 0.0
        let wanted = wantedCount(line.repetition)
        let byLength = line.isFilledByLength
        while cells.count < wanted {
            let subitem = line.subitems[cells.count % line.subitems.count]
            var nominal = subitem.layoutSize.resolved(
                in: line.size, name: "subitem", section: room.section, diagnostics: &diagnostics)
            var estimated = subitem.layoutSize.estimatedAxes
            if case .equal = line.repetition {
                let length = (line.size[line.axis] - spacing.least * Double(wanted - 1)) / Double(wanted)
                if length < 0 { report(.noRoom, "\(wanted) subitems and their spacing leave \(length) points") }
                nominal[line.axis] = length.asLength
                estimated.remove(line.axis)
            }
            let edges = resolved(subitem.edgeSpacing)
            let own = edges[line.axis].map { $0.start.least + $0.end.least } ?? 0
            let start = used + (cells.isEmpty ? 0 : spacing.least)
            let end = start + own + nominal[line.axis]
            let waits = byLength && estimated.contains(line.axis) && leaves.count < existing
            if case .untilFull = line.repetition, !waits, end > line.size[line.axis] + GroupLine.tolerance {
                if !cells.isEmpty { break }
                report(.noRoom, "the first subitem takes \(end) points of \(line.size[line.axis])")
            }
            let before = (leaves: leaves.count, anchored: anchored.count, count: count)
            let problems = diagnostics
            guard takesAnother() else { break }
            let cell = cell(subitem, nominal: nominal, estimated: estimated, edges: edges, depth: line.depth)
            var length = own + nominal[line.axis]
            if waits {
                let end = start + own + cell.size[line.axis]
                if end > line.size[line.axis] + GroupLine.tolerance {
                    if !cells.isEmpty {
                        takeBack(
                            leaves: before.leaves, anchored: before.anchored, count: before.count,
                            diagnostics: problems)
                        break
                    }
                    report(.noRoom, "the first subitem takes \(end) points of \(line.size[line.axis])")
                }
                used = end
                // One that was measured to nothing takes its turn all the same: there are only so many.
                length = own + max(cell.size[line.axis], measures == nil ? 0 : nominal[line.axis])
            } else {
                used = end
            }
            cells.append(cell)
            round += length
            if case .untilFull = line.repetition, cells.count % line.subitems.count == 0 {
                // A round that takes no room would be repeated for ever.
                if !(round > 0) {
                    report(.endlessRepetition, "the subitems of a group have no length")
                    break
                }
                round = 0
            }
        }
        return cells
    }

    private mutating func wantedCount(_ repetition: LayoutGroup.Repetition) -> Int {
        switch repetition {
        case .untilFull:
            return .max
        case .equal(let count), .own(let count):
            if count < 1 { report(.endlessRepetition, "count is \(count); 1 is taken") }
            if count > LayoutGroup.greatestCount {
                report(.limitReached, "count is \(count); \(LayoutGroup.greatestCount) is taken")
            }
            return count.clamped(to: 1...LayoutGroup.greatestCount)
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
            exists: firstLeaf < existing)
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
            least: diagnostics.length(spacing.spacing, name, section: room.section), isFlexible: spacing.isFlexible)
    }
}
