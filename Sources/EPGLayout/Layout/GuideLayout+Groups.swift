import CollectionLayout

// MARK: - Groups of stations

extension GuideLayout {
    /// Whether groups have headers: one without height is none.
    var hasGroupHeaders: Bool { !groups.isEmpty && metrics.groupHeaderHeight > 0 }

    /// Adds the headers of the groups that some rows belong to.
    ///
    /// A header spans the width of the content; what is in sight of it begins at the station column, which it covers.
    /// - Complexity: O(log n) for each group.
    func addGroupHeaders(ofRows visible: Range<Int>, pins: Pins, to collector: inout ElementCollector) {
        guard hasGroupHeaders, !visible.isEmpty else { return }
        let first = rows.group(ofRow: visible.lowerBound) ?? 0
        for index in first..<groups.count where !collector.isFull {
            guard groups[index].firstRow < visible.upperBound else { break }
            addGroupHeader(index, pins: pins, to: &collector)
        }
    }

    func addGroupHeader(_ index: Int, pins: Pins, to collector: inout ElementCollector) {
        let edges = headerEdges(ofGroup: index, visibleTop: pins.headerBottom)
        let frame = Rect(minX: 0, minY: edges.minY, maxX: solvedSize.width, maxY: edges.maxY)
        let place = ElementPlace(.groupHeader, frame, .pinned, row: groups[index].firstRow, ordinal: index)
        collector.add(place) { place in
            GuideElement(
                place, sight: pins.leading...max(pins.leading, pins.sight.upperBound), label: groups[index].title,
                textLines: textLines(in: frame))
        }
    }
}
