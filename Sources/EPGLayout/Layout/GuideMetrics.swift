public import CollectionLayout

/// The validated dimensions of a guide grid in points.
///
/// Names refer to a horizontal time axis. On a vertical one, widths are heights and vice versa.
public struct GuideMetrics: Hashable, Sendable {
    /// The column of live pictures.
    public enum ThumbnailColumn: Hashable, Sendable {
        /// No thumbnails.
        case none
        /// A column that scrolls with the airings.
        case scrolling(width: Double)
        /// A column that is pinned next to the station column.
        case sticky(width: Double)
    }

    /// The width of an hour, from 0.01 to 1,000,000.
    public internal(set) var pointsPerHour: Double
    /// The height of rows, at least 0.01.
    public let rowHeight: Double
    /// The space between two rows (not before the first or after the last), at least 0.
    public let rowSpacing: Double
    /// The width of the station column, at least 0.
    public let stationColumnWidth: Double
    /// The height of the header, at least 0.
    public let headerHeight: Double
    /// The thumbnail column; none by default.
    public let thumbnails: ThumbnailColumn
    /// The width of the now-line, 2 by default.
    public let nowLineWidth: Double
    /// The width of the line between two days, 1 by default.
    public let daySeparatorWidth: Double
    /// The height of a text line, which determines how many lines fit in a cell. 20 by default.
    public let lineHeight: Double
    /// The height of the header above a group of stations, 24 by default.
    public let groupHeaderHeight: Double
    /// The number of device pixels per point, 1 by default.
    public internal(set) var scale: Double

    /// Creates metrics.
    ///
    /// - Throws: ``GuideLayoutError/measureOutOfRange(_:value:allowed:)`` for the first dimension that is NaN, infinite,
    ///   negative, zero if it must not be, or above one million.
    public init(
        pointsPerHour: Double, rowHeight: Double, rowSpacing: Double = 0, stationColumnWidth: Double,
        headerHeight: Double, thumbnails: ThumbnailColumn = .none, nowLineWidth: Double = 2,
        daySeparatorWidth: Double = 1, lineHeight: Double = 20, groupHeaderHeight: Double = 24,
        scale: Double = 1
    ) throws(GuideLayoutError) {
        let length = 0...1_000_000.0
        let positive = 0.01...1_000_000.0
        self.pointsPerHour = try GuideMeasure.pointsPerHour.checked(pointsPerHour, in: positive)
        self.rowHeight = try GuideMeasure.rowHeight.checked(rowHeight, in: positive)
        self.rowSpacing = try GuideMeasure.rowSpacing.checked(rowSpacing, in: length)
        self.stationColumnWidth = try GuideMeasure.stationColumnWidth.checked(stationColumnWidth, in: length)
        self.headerHeight = try GuideMeasure.headerHeight.checked(headerHeight, in: length)
        self.nowLineWidth = try GuideMeasure.nowLineWidth.checked(nowLineWidth, in: length)
        self.daySeparatorWidth = try GuideMeasure.daySeparatorWidth.checked(daySeparatorWidth, in: length)
        self.lineHeight = try GuideMeasure.lineHeight.checked(lineHeight, in: positive)
        self.groupHeaderHeight = try GuideMeasure.groupHeaderHeight.checked(groupHeaderHeight, in: length)
        self.scale = try GuideMeasure.scale.checked(scale, in: 0.01...100)
        self.thumbnails = thumbnails
        _ = try GuideMeasure.thumbnailColumnWidth.checked(thumbnailColumnWidth, in: length)
    }

    /// The width of the thumbnail column; 0 without thumbnails.
    public var thumbnailColumnWidth: Double {
        switch thumbnails {
        case .none: 0
        case .scrolling(let width), .sticky(let width): width
        }
    }

    /// The width of the pinned columns.
    public var pinnedWidth: Double {
        if case .sticky(let width) = thumbnails { stationColumnWidth + width } else { stationColumnWidth }
    }

    /// The height of a group's header plus spacing; 0 without headers.
    var groupHeaderLead: Double { groupHeaderHeight > 0 ? groupHeaderHeight + rowSpacing : 0 }

    var pixels: PixelGrid { PixelGrid(scale: scale) }
}

/// The visible part of the content: the content offset and the size of the view in points.
public struct Viewport: Hashable, Sendable {
    /// The offset from the content's left edge; negative while the view is pulled beyond it.
    public let x: Double
    /// The offset from the content's upper edge; negative while the view is pulled beyond it.
    public let y: Double
    /// The width of the view, from 10⁻⁶ to 10¹².
    public let width: Double
    /// The height of the view, from 10⁻⁶ to 10¹².
    public let height: Double

    /// Creates a viewport.
    ///
    /// - Throws: ``GuideLayoutError/measureOutOfRange(_:value:allowed:)`` for an offset beyond ±10¹⁵, or a width or
    ///   height below 10⁻⁶ or above 10¹².
    public init(x: Double, y: Double, width: Double, height: Double) throws(GuideLayoutError) {
        let offset = -1e15...1e15
        let length = 1e-6...1e12
        self.x = try GuideMeasure.viewportX.checked(x, in: offset)
        self.y = try GuideMeasure.viewportY.checked(y, in: offset)
        self.width = try GuideMeasure.viewportWidth.checked(width, in: length)
        self.height = try GuideMeasure.viewportHeight.checked(height, in: length)
    }

    /// Creates the viewport nearest to a rectangle, whose numbers may be arbitrary, such as a view's bounds.
    public init(nearest rect: Rect) {
        x = rect.minX.asDistance
        y = rect.minY.asDistance
        width = max(rect.width.asLength, 1e-6)
        height = max(rect.height.asLength, 1e-6)
    }

    /// The visible rectangle in content coordinates.
    public var rect: Rect { Rect(minX: x, minY: y, maxX: x + width, maxY: y + height) }
}

/// An invalid parameter of a guide layout.
public enum GuideLayoutError: Error, Hashable, Sendable {
    /// A dimension is NaN, infinite, or outside its range.
    case measureOutOfRange(GuideMeasure, value: Double, allowed: ClosedRange<Double>)
    /// The guide's window exceeds ``GuideLayout/longestWindow``.
    case windowTooLong(seconds: Int64, limit: Int64)
    /// The number of rows is negative, or exceeds the maximum.
    case rowCountOutOfRange(Int, allowed: ClosedRange<Int>)
    /// A group begins outside the rows, or in the same row as another group.
    case groupOutOfPlace(firstRow: Int, rowCount: Int)
}

/// The dimensions of a layout and a viewport, by their API names.
public enum GuideMeasure: String, Hashable, Sendable, CaseIterable {
    /// Members of ``GuideMetrics``.
    case pointsPerHour, rowHeight, rowSpacing, stationColumnWidth, headerHeight, thumbnailColumnWidth
    /// Members of ``GuideMetrics``, and the width of a ``ClusterPolicy``.
    case nowLineWidth, daySeparatorWidth, lineHeight, groupHeaderHeight, clusterWidth, scale
    /// Members of a ``Viewport``.
    case viewportX, viewportY, viewportWidth, viewportHeight
}

extension GuideLayoutError: CustomStringConvertible {
    /// A message with the invalid value and the allowed range.
    public var description: String {
        switch self {
        case .measureOutOfRange(let measure, let value, let allowed):
            "\(measure.rawValue) is \(value) but must be from \(allowed.lowerBound) to \(allowed.upperBound)"
        case .windowTooLong(let seconds, let limit):
            "the guide's window is \(seconds) seconds long but must not exceed \(limit) seconds"
        case .rowCountOutOfRange(let count, let allowed):
            "the guide has \(count) rows; the number must be from \(allowed.lowerBound) to \(allowed.upperBound)"
        case .groupOutOfPlace(let row, let count):
            "a group begins in row \(row) of \(count); each group needs a different row from 0 to \(count - 1)"
        }
    }
}

extension GuideMeasure {
    /// Returns the value if it is in the range.
    ///
    /// - Throws: ``GuideLayoutError/measureOutOfRange(_:value:allowed:)``.
    func checked(_ value: Double, in allowed: ClosedRange<Double>) throws(GuideLayoutError) -> Double {
        guard allowed.contains(value) else {
            throw .measureOutOfRange(self, value: value, allowed: allowed)
        }
        return value
    }
}
