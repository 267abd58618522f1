/// Gives the items of one group their frames (facts, layout 4.2 to 4.4 and 4.6).
///
/// A group that its section repeats until it is full, of a length that is no estimate, is filled by what its subitems
/// were measured to be, else by their estimates: a cell that asks for another length may move others to another group
/// (observed: tag clouds). In a group within a group, and in one whose own length is an estimate, estimates decide: a
/// cell moves its neighbours, and no item changes its group (chosen).
struct GroupSolver {
    let room: SectionRoom
    /// The index of the group's first item in its section.
    let firstItem: Int
    /// How many of its items exist.
    let existing: Int
    /// `nil` where estimates hold.
    let measures: ElementMeasures?
    var diagnostics: LayoutDiagnostics
    var leaves: [SolvedGroup.Leaf] = []
    var anchored: [SolvedGroup.Anchored] = []
    private var isElastic = false
    /// Items and groups so far.
    private(set) var count = 0
    /// How many items were looked at to decide which the group takes: those of a subitem that doesn't fit too.
    private(set) var examined = 0

    init(
        room: SectionRoom, firstItem: Int, existing: Int, measures: ElementMeasures?, diagnostics: LayoutDiagnostics
    ) {
        self.room = room
        self.firstItem = firstItem
        self.existing = existing
        self.measures = measures
        self.diagnostics = diagnostics
    }

    /// Solves the group that a section repeats.
    mutating func solve(_ group: LayoutGroup) -> SolvedGroup {
        let nominal = group.layoutSize.resolved(
            in: room.container, name: "group", section: room.section, diagnostics: &diagnostics)
        let size = solve(group, nominal: nominal, estimated: group.layoutSize.estimatedAxes, depth: 0)
        noteExamined()
        return SolvedGroup(
            size: size, leaves: leaves, anchored: sortedAnchored(), isElastic: isElastic)
    }

    /// Adds a group's items, from its upper leading corner, and gives its size.
    ///
    /// - Parameters:
    ///   - nominal: Its size by its dimensions, with estimates for what is estimated.
    ///   - estimated: The axes along which its content decides.
    mutating func solve(_ group: LayoutGroup, nominal: Size, estimated: AxisSet, depth: Int) -> Size {
        let first = leaves.count
        if !estimated.isEmpty { isElastic = true }
        guard depth < LayoutGroup.greatestDepth else {
            report(.limitReached, "groups deeper than \(LayoutGroup.greatestDepth) are left empty")
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

// MARK: - Parts

extension GroupSolver {
    /// Counts one more item or group; `false` if there are too many.
    mutating func takesAnother() -> Bool {
        guard count < LayoutGroup.greatestCount else {
            report(.limitReached, "a group holds more than \(LayoutGroup.greatestCount) items")
            return false
        }
        count += 1
        return true
    }

    /// Takes the last subitem back: it doesn't fit.
    mutating func takeBack(leaves first: Int, anchored firstAnchored: Int, count: Int, diagnostics: LayoutDiagnostics) {
        noteExamined()
        leaves.removeSubrange(first...)
        anchored.removeSubrange(firstAnchored...)
        self.count = count
        self.diagnostics = diagnostics
    }

    private mutating func noteExamined() { examined = max(examined, leaves.count) }

    /// Adds one item at the origin, and gives its size without its insets.
    mutating func solve(_ item: LayoutItem, nominal: Size, estimated: AxisSet) -> Size {
        let leaf = leaves.count
        var size = nominal
        if !estimated.isEmpty, let measures, leaf < existing,
            let measured = measures[.item(IndexPath(section: room.section, item: firstItem + leaf))]
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
        var environment = room.environment
        environment.container = LayoutEnvironment.Container(contentSize: size)
        let items = frames.provide(environment)
        if items.isEmpty { report(.endlessRepetition, "a custom group gave no items") }
        var extent = Size.zero
        for item in items {
            guard takesAnother() else { break }
            let given = item.frame
            let frame = Rect(
                minX: given.minX.asDistance, minY: given.minY.asDistance, maxX: given.maxX.asDistance,
                maxY: given.maxY.asDistance)
            if frame != given { report(.unusableLength, "the frame of a custom item is \(given)") }
            if leaves.count < existing {
                extent.width = max(extent.width, frame.maxX)
                extent.height = max(extent.height, frame.maxY)
            }
            leaves.append(SolvedGroup.Leaf(frame: frame.offset(x: origin.x, y: origin.y), zIndex: item.zIndex))
        }
        return extent
    }

    /// Hangs supplementary elements at a frame.
    private mutating func anchor(_ supplementaries: [AnchoredSupplementary], to container: Rect, leaf: Int) {
        for supplementary in supplementaries {
            var size = supplementary.layoutSize.resolved(
                in: container.size, name: "supplementary \(supplementary.elementKind.rawValue)",
                section: room.section, diagnostics: &diagnostics)
            let path = IndexPath(section: room.section, item: firstItem.addingReportingOverflow(leaf).partialValue)
            let estimated = supplementary.layoutSize.estimatedAxes
            if !estimated.isEmpty, let measures, leaf < existing,
                let measured = measures[.supplementary(supplementary.elementKind, path)]
            {
                for axis in Axis.allCases where estimated.contains(axis) { size[axis] = measured[axis] }
            }
            let frame = supplementary.containerAnchor.frame(of: size, in: container, own: supplementary.itemAnchor)
            anchored.append(SolvedGroup.Anchored(leaf: leaf, supplementary: supplementary, frame: frame))
        }
    }

    /// The supplementary elements by their items, each name once.
    private mutating func sortedAnchored() -> [SolvedGroup.Anchored] {
        struct Name: Hashable {
            let leaf: Int
            let kind: ElementKind
        }
        var seen: Set<Name> = []
        var kept: [SolvedGroup.Anchored] = []
        for element in anchored {
            let kind = element.supplementary.elementKind
            if !room.takenKinds.contains(kind), seen.insert(Name(leaf: element.leaf, kind: kind)).inserted {
                kept.append(element)
            } else {
                report(.duplicateElement, "a second supplementary element of kind \(kind.rawValue) is not placed")
            }
        }
        return kept.enumerated().sorted { ($0.element.leaf, $0.offset) < ($1.element.leaf, $1.offset) }.map(\.element)
    }

    /// Insets that are finite, and 0 along some axes.
    private mutating func usableInsets(_ insets: EdgeInsets, except axes: AxisSet) -> EdgeInsets {
        insets.usable(axes, name: "contentInsets", section: room.section, diagnostics: &diagnostics)
    }

    mutating func report(_ problem: LayoutDiagnostic.Problem, _ detail: @autoclosure () -> String) {
        diagnostics.add(LayoutDiagnostic(problem, section: room.section, detail: detail()))
    }
}

extension EdgeInsets {
    /// The insets brought to finite distances, with a diagnostic, and 0 along the axes that are left out.
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
