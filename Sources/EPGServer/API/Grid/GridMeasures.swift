import CollectionLayout
import EPGLayout
import EPGModel

/// The measures of a grid and the part of it that is seen, in points.
struct GridMeasures: Hashable, Sendable {
    let pointsPerHour: Double
    let rowHeight: Double
    let stationWidth: Double
    let headerHeight: Double
    /// Device pixels per point, to which edges are snapped.
    let scale: Double
    /// Below this width short airings share a cell; `nil` for never.
    let clusterWidth: Double?
    let orientation: GridOrientation
    let direction: TextDirection
    /// The offset of what is seen from the edge where text begins.
    let x: Double
    /// The offset of what is seen from the upper edge.
    let y: Double
    /// `nil` for all of the content.
    let width: Double?
    let height: Double?

    init(_ request: inout RequestReader) throws(Problem) {
        pointsPerHour = try request.number("pointsPerHour", default: 240, in: 1...100_000)
        rowHeight = try request.number("rowHeight", default: 56, in: 1...10_000)
        stationWidth = try request.number("stationWidth", default: 160, in: 0...10_000)
        headerHeight = try request.number("headerHeight", default: 32, in: 0...10_000)
        scale = try request.number("scale", default: 1, in: 0.1...10)
        clusterWidth = try request.number("cluster", in: 1...10_000)
        orientation = try request.choice("orientation", default: GridOrientation.horizontal)
        direction = try request.choice("direction", default: TextDirection.ltr)
        x = try request.number("x", default: 0, in: -1e12...1e12)
        y = try request.number("y", default: 0, in: -1e12...1e12)
        width = try request.number("width", in: 1...1e12)
        height = try request.number("height", in: 1...1e12)
    }

    /// The layout of a guide of some rows.
    ///
    /// - Parameter isBare: Without station column and header, and with time to the right.
    func layout(of window: TimeWindow, rowCount: Int, isBare: Bool) throws(GuideLayoutError) -> GuideLayout {
        let metrics = try GuideMetrics(
            pointsPerHour: pointsPerHour, rowHeight: rowHeight, stationColumnWidth: isBare ? 0 : stationWidth,
            headerHeight: isBare ? 0 : headerHeight, scale: scale)
        var clusters: ClusterPolicy?
        if let clusterWidth { clusters = try ClusterPolicy(leastWidth: clusterWidth) }
        return try GuideLayout(
            metrics: metrics, window: window, rowCount: rowCount,
            timeAxis: !isBare && orientation == .vertical ? .vertical : .horizontal,
            direction: isBare ? .leftToRight : direction.layoutDirection, clusters: clusters)
    }

    /// What is seen of a layout.
    func viewport(of layout: GuideLayout) throws(GuideLayoutError) -> Viewport {
        // A guide without rows or header has no height, and a viewport must have one.
        let width = width ?? max(1, layout.contentSize.width)
        let height = height ?? max(1, layout.contentSize.height)
        let isMirrored = layout.direction == .rightToLeft
        return try Viewport(
            x: isMirrored ? layout.contentSize.width - width - x : x, y: y, width: width, height: height)
    }
}

/// Along which axis time runs.
enum GridOrientation: String, CaseIterable, Sendable {
    case horizontal, vertical
}
