import ArgumentParser
import EPGLayout

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

    /// The part that is seen.
    func viewport() throws(GuideLayoutError) -> Viewport {
        try Viewport(x: x, y: y, width: viewportWidth, height: viewportHeight)
    }

    /// The measures: rows of 60 points without a space between them, a station column of 160, a header of 40.
    func metrics() throws(GuideLayoutError) -> GuideMetrics {
        try GuideMetrics(
            pointsPerHour: pointsPerHour, rowHeight: 60, stationColumnWidth: 160, headerHeight: 40, scale: scale)
    }
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
