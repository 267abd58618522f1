public import CollectionLayout
import EPGModel

// MARK: - One element

extension GuideGridLayout {
    /// The item that a focus is on, to select it in a view; `nil` for a gap, and where the guide has it no more.
    ///
    /// - Complexity: That of the source's look-ups.
    public func indexPath(of focus: GuideFocus) -> IndexPath? {
        guard let airing = focus.airing, let row = source.row(of: focus.station),
            let item = source.item(of: airing, inRow: row)
        else { return nil }
        return IndexPath(section: row, item: item)
    }

    /// An element by its name, and whether it is shown only as a part of a cluster.
    ///
    /// - Complexity: O(log n), besides what the source takes.
    func find(_ element: LayoutElement) -> (element: GuideElement, isInCluster: Bool)? {
        let path = element.indexPath
        let isInPlace = element.isOfWholeGuide ? path.section == IndexPath.wholeLayoutSection : path.section >= 0
        guard isInPlace, path.item >= 0 else { return nil }
        var collector = ElementCollector(rect: .everywhere, presentation: grid.presentation)
        let pins = grid.pins(at: viewport)
        switch element {
        case .item:
            collectAirings(around: path, pins: pins, to: &collector)
        case .supplementary(.cluster, _):
            collectAirings(around: path, pins: pins, to: &collector)
        case .decoration(.gap, _):
            collectGap(before: path, pins: pins, to: &collector)
        case .supplementary(.station, _), .supplementary(.thumbnail, _):
            let nothing = TimeWindow(start: grid.window.start, end: grid.window.start)
            collectRow(path.section, during: nothing, pins: pins, to: &collector)
        case .supplementary(.groupHeader, _):
            guard grid.hasGroupHeaders, let group = grid.rows.group(ofRow: path.section) else { return nil }
            grid.addGroupHeader(group, pins: pins, to: &collector)
        case .supplementary(.hourHeader, _), .supplementary(.halfHourHeader, _):
            collectHeader(path, pins: pins, to: &collector)
        case .supplementary(.corner, _):
            grid.addCorner(marks, pins: pins, to: &collector)
        case .decoration(.nowLine, _):
            if let now { grid.addNowLine(at: now, to: &collector) }
        case .decoration(.daySeparator, _):
            guard marks.days.indices.contains(path.item) else { return nil }
            grid.addDaySeparator(marks.days, at: path.item, to: &collector)
        default:
            return nil
        }
        return collector.elements.lazy.flatMap { [($0, false)] + $0.members.map { ($0, true) } }
            .first { LayoutElement($0.0) == element }
    }

    private func collectRow(
        _ row: Int, during window: TimeWindow, pins: Pins, to collector: inout ElementCollector
    ) {
        guard let slice = source.slice(inRow: row, during: window) else { return }
        grid.addRow(
            slice.schedule, firstItem: slice.firstItem, during: window, coverage: grid.window, pins: pins,
            to: &collector)
    }

    private func collectAirings(around path: IndexPath, pins: Pins, to collector: inout ElementCollector) {
        guard let airing = source.airing(path.item, inRow: path.section) else { return }
        let end = max(airing.window.end, airing.window.start.advanced(by: 1))
        // A second earlier, so that an airing of no length is found, too.
        let window = TimeWindow(start: airing.window.start.advanced(by: -1), end: end)
        guard let inGuide = window.intersection(grid.window) else { return }
        collectRow(path.section, during: grid.clusterTimes?.reach(of: inGuide) ?? inGuide, pins: pins, to: &collector)
    }

    private func collectGap(before path: IndexPath, pins: Pins, to collector: inout ElementCollector) {
        guard !grid.window.isEmpty else { return }
        let next = source.airing(path.item, inRow: path.section)?.window.start ?? grid.window.end
        let last = min(next, grid.window.end).advanced(by: -1)
        guard last >= grid.window.start else { return }
        collectRow(
            path.section, during: TimeWindow(start: last, end: last.advanced(by: 1)), pins: pins, to: &collector)
    }

    private func collectHeader(_ path: IndexPath, pins: Pins, to collector: inout ElementCollector) {
        guard marks.hours.indices.contains(path.item), !grid.window.isEmpty else { return }
        let instant = marks.hours[path.item].instant.clamped(
            to: grid.window.start...grid.window.end.advanced(by: -1))
        let moment = TimeWindow(start: instant, end: instant.advanced(by: 1))
        grid.addHeaders(marks, during: moment, pins: pins, to: &collector)
    }
}

extension Rect {
    /// All of the plane.
    static let everywhere = Rect(minX: -.infinity, minY: -.infinity, maxX: .infinity, maxY: .infinity)
}
