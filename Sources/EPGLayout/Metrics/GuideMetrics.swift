import CollectionLayout

/// The measures of a guide grid, in points; every one is finite and within its range.
///
/// They are named as for a grid whose time runs to the right. Where it runs downwards, widths are heights and heights widths.
public struct GuideMetrics: Hashable, Sendable {
    /// The cell at the head of each row that shows a live picture.
    public enum ThumbnailColumn: Hashable, Sendable {
        /// No row has one.
        case none
        /// It scrolls away with the airings.
        case scrolling(width: Double)
        /// It sticks beside the station.
        case sticky(width: Double)
    }

    /// 0.01…1,000,000.
    public internal(set) var pointsPerHour: Double
    /// Above 0; rows may have a height of their own, see ``GuideLayout/setHeight(_:ofRow:)``.
    public let rowHeight: Double
    /// The space between two rows, not before the first or after the last; at least 0.
    public let rowSpacing: Double
    /// At least 0.
    public let stationColumnWidth: Double
    /// At least 0.
    public let headerHeight: Double
    /// No thumbnails by default.
    public let thumbnails: ThumbnailColumn
    /// 2 by default.
    public let nowLineWidth: Double
    /// 1 by default.
    public let daySeparatorWidth: Double
    /// The height of a line of text; decides how many lines fit into a cell. 20 by default.
    public let lineHeight: Double
    /// The height of the header above a group of stations, 24 by default.
    public let groupHeaderHeight: Double
    /// Device pixels per point, 1 by default.
    public internal(set) var scale: Double

    /// Checked measures.
    ///
    /// - Throws: ``GuideLayoutError/measureOutOfRange(_:value:allowed:)`` for the first measure that is not a number,
    ///   infinite, negative, zero where it must not be, or above one million.
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

    /// 0 where there are no thumbnails.
    public var thumbnailColumnWidth: Double {
        switch thumbnails {
        case .none: 0
        case .scrolling(let width), .sticky(let width): width
        }
    }

    /// The width of the columns that stay at the leading edge.
    public var pinnedWidth: Double {
        if case .sticky(let width) = thumbnails { stationColumnWidth + width } else { stationColumnWidth }
    }

    /// The height of a group's header with the space after it; without a header there is no space either.
    var groupHeaderLead: Double { groupHeaderHeight > 0 ? groupHeaderHeight + rowSpacing : 0 }

    var pixels: PixelGrid { PixelGrid(scale: scale) }
}
