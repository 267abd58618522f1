import ArgumentParser
import CollectionLayout
import EPGLayout
import EPGModel
import EPGRender

/// The measures of the grid as elements, and the part of it that is seen, in points.
struct ViewportOptions: ParsableArguments {
    @Option(parsing: .unconditional, help: ArgumentHelp("The width of an hour.", valueName: "points"))
    var pointsPerHour = 240.0

    @Option(parsing: .unconditional, help: ArgumentHelp("The offset from the leading edge.", valueName: "points"))
    var x = 0.0

    @Option(parsing: .unconditional, help: ArgumentHelp("The offset from the upper edge.", valueName: "points"))
    var y = 0.0

    @Option(parsing: .unconditional, help: ArgumentHelp("The width that is seen.", valueName: "points"))
    var viewportWidth = 1280.0

    @Option(parsing: .unconditional, help: ArgumentHelp("The height that is seen.", valueName: "points"))
    var viewportHeight = 720.0

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Device pixels per point, to which edges are snapped.", valueName: "factor"))
    var scale = 1.0

    @Option(help: "Along which axis time runs.")
    var orientation = GridOrientation.horizontal

    @Option(help: "Where text begins, and time where it runs across.")
    var direction = GridDirection.ltr

    /// Says which option has a number that makes no picture.
    func validate() throws {
        do throws(GuideLayoutError) {
            _ = try viewport()
            _ = try metrics()
        } catch {
            guard case .measureOutOfRange(let measure, let value, let allowed) = error else { throw error }
            let range = "\(allowed.lowerBound.plain) to \(allowed.upperBound.plain)"
            throw ValidationError("\(measure.option) is \(value.plain); give a number from \(range).")
        }
    }

    /// The part that is seen, `x` points from the edge where text begins.
    func viewport(of layout: GuideLayout) throws(GuideLayoutError) -> Viewport {
        let viewport = try viewport()
        guard direction == .rtl else { return viewport }
        return try Viewport(
            x: layout.contentSize.width - viewportWidth - x, y: y, width: viewportWidth, height: viewportHeight)
    }

    private func viewport() throws(GuideLayoutError) -> Viewport {
        try Viewport(x: x, y: y, width: viewportWidth, height: viewportHeight)
    }

    /// The layout of a guide of some rows.
    func layout(of window: TimeWindow, rowCount: Int) throws(GuideLayoutError) -> GuideLayout {
        try GuideLayout(
            metrics: metrics(), window: window, rowCount: rowCount, timeAxis: orientation.timeAxis,
            direction: direction.layoutDirection)
    }

    /// The measures: rows of 60 points without a space between them, a station column of 160, a header of 40; where time
    /// runs down, columns of 160, with the stations in a strip of 40 and the hours in one of 80.
    private func metrics() throws(GuideLayoutError) -> GuideMetrics {
        switch orientation {
        case .horizontal:
            try GuideMetrics(
                pointsPerHour: pointsPerHour, rowHeight: 60, stationColumnWidth: 160, headerHeight: 40, scale: scale)
        case .vertical:
            try GuideMetrics(
                pointsPerHour: pointsPerHour, rowHeight: 160, stationColumnWidth: 40, headerHeight: 80, scale: scale)
        }
    }
}

/// Along which axis time runs.
enum GridOrientation: String, ExpressibleByArgument, CaseIterable, Sendable {
    case horizontal, vertical

    var timeAxis: Axis { self == .vertical ? .vertical : .horizontal }
}

/// Where text begins.
enum GridDirection: String, ExpressibleByArgument, CaseIterable, Sendable {
    case ltr, rtl

    var layoutDirection: LayoutDirection { self == .rtl ? .rightToLeft : .leftToRight }
}

extension GuideMeasure {
    /// The option that gives it.
    fileprivate var option: String {
        switch self {
        case .viewportX: "--x"
        case .viewportY: "--y"
        case .viewportWidth: "--viewport-width"
        case .viewportHeight: "--viewport-height"
        case .pointsPerHour: "--points-per-hour"
        default: "--\(rawValue)"
        }
    }
}

extension Double {
    /// The number without needless decimals.
    fileprivate var plain: String { self == rounded() && magnitude < 1e15 ? "\(Int64(self))" : "\(self)" }
}
