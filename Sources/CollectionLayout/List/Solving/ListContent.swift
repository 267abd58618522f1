/// The rows of a list in their places, with separators and the ground of the group.
///
/// Separators are made from their rows whenever these are asked for: nothing is kept for them.
struct ListContent: SectionContent {
    let configuration: ListConfiguration
    private(set) var rows: RepeatedGroup

    init(configuration: ListConfiguration, rows: RepeatedGroup) {
        self.configuration = configuration
        self.rows = rows
    }

    var size: Size { rows.size }
    var reach: Rect { rows.reach }
    var groupLengths: (group: Double, pitch: Double) { rows.groupLengths }

    func append(to found: inout [LayoutAttributes], in rect: Rect, cost: inout LayoutCost) {
        if let ground, ground.layoutFrame.touches(rect) {
            found.append(ground)
            cost.attributes += 1
        }
        let first = found.count
        rows.append(to: &found, in: rect, cost: &cost)
        let last = found.count
        for index in first..<last {
            let separators = self.separators(of: found[index])
            found += separators
            cost.attributes += separators.count
        }
    }

    func attributes(of element: LayoutElement) -> LayoutAttributes? {
        guard case .decoration(let kind, let path) = element else { return rows.attributes(of: element) }
        if kind == .listGroupBackground { return ground.flatMap { $0.element == element ? $0 : nil } }
        guard kind == .listSeparatorTop || kind == .listSeparatorBottom, let row = rows.attributes(of: .item(path))
        else { return nil }
        return separators(of: row).first { $0.element == element }
    }

    func estimatedAxes(of element: LayoutElement) -> AxisSet { rows.estimatedAxes(of: element) }

    mutating func remeasure(
        _ elements: some Sequence<LayoutElement>, measures: ElementMeasures, diagnostics: inout LayoutDiagnostics
    ) {
        rows.remeasure(elements, measures: measures, diagnostics: &diagnostics)
    }
}

// MARK: - Separators

extension ListContent {
    /// Those that a row has, over it: one device pixel high (observed), inside the row at its edge (chosen).
    ///
    /// Rows whose heights are whole device pixels have separators that are exactly one.
    private func separators(of row: LayoutAttributes) -> [LayoutAttributes] {
        guard configuration.showsSeparators else { return [] }
        let path = row.indexPath
        let own = configuration.separatorConfiguration(forItemAt: path)
        let place = ListRowPlace(
            path, in: rows.room, headerMode: configuration.headerMode, appearance: configuration.appearance)
        var found: [LayoutAttributes] = []
        if place.isShown(own.topSeparatorVisibility, automatic: place.hasTopSeparator) {
            found.append(separator(.listSeparatorTop, of: row, own.topSeparatorInsets, isEdge: place.isTopEdge))
        }
        if place.isShown(own.bottomSeparatorVisibility, automatic: place.hasBottomSeparator) {
            found.append(
                separator(.listSeparatorBottom, of: row, own.bottomSeparatorInsets, isEdge: place.isBottomEdge))
        }
        return found
    }

    /// - Parameter isEdge: Whether it bounds a group: such a line is as wide as the group (observed).
    private func separator(
        _ kind: ElementKind, of row: LayoutAttributes, _ insets: ListSeparatorConfiguration.Insets, isEdge: Bool
    ) -> LayoutAttributes {
        let frame = row.layoutFrame
        let automatic =
            isEdge ? 0 : configuration.textLeadingHandler?(row.indexPath) ?? configuration.textLeading
        let leading = min((insets.leading ?? automatic).asLength, frame.width)
        let trailing = min((insets.trailing ?? 0).asLength, frame.width - leading)
        let thickness = min(rows.room.environment.pixels.pixel, frame.height)
        let y =
            kind == .listSeparatorTop ? (frame.minY, frame.minY + thickness) : (frame.maxY - thickness, frame.maxY)
        return LayoutAttributes(
            .decoration(kind, row.indexPath),
            frame: Rect(minX: frame.minX + leading, minY: y.0, maxX: frame.maxX - trailing, maxY: y.1),
            band: row.band, zIndex: row.zIndex + 1)
    }
}

// MARK: - The ground of a group

extension ListContent {
    /// Behind all rows but one that is the header; `nil` where the appearance has none, or there are no such rows.
    private var ground: LayoutAttributes? {
        guard configuration.appearance.hasGroupBackground else { return nil }
        let section = rows.room.section
        let axis = rows.room.axis
        var start = 0.0
        if configuration.headerMode == .firstItemInSection {
            guard rows.room.itemCount > 1,
                let header = rows.attributes(of: .item(IndexPath(section: section, item: 0)))
            else { return nil }
            start = header.layoutFrame.end(axis)
        } else if rows.room.itemCount < 1 {
            return nil
        }
        let frame = Rect(along: axis, (start, rows.size[axis]), across: (0, rows.size[axis.crossing]))
        return LayoutAttributes(
            .decoration(.listGroupBackground, IndexPath(section: section, item: 0)), frame: frame,
            band: .background)
    }
}
