/// Why a guide can't be laid out: a number that makes no geometry.
public enum GuideLayoutError: Error, Hashable, Sendable {
    /// A measure is not a number, infinite, or outside its range.
    case measureOutOfRange(GuideMeasure, value: Double, allowed: ClosedRange<Double>)
    /// The guide's window is longer than the layout can tell seconds apart in.
    case windowTooLong(seconds: Int64, limit: Int64)
    /// The number of rows is negative or absurd, or too great for rows of several heights.
    case rowCountOutOfRange(Int, allowed: ClosedRange<Int>)
    /// A group begins beyond the rows, or in the same row as another one.
    case groupOutOfPlace(firstRow: Int, rowCount: Int)
    /// A row that the guide doesn't have.
    case noSuchRow(Int, rowCount: Int)
}

/// The measures of a layout and of a viewport, by the names that they have in the API.
public enum GuideMeasure: String, Hashable, Sendable, CaseIterable {
    /// Members of ``GuideMetrics``.
    case pointsPerHour, rowHeight, rowSpacing, stationColumnWidth, headerHeight, thumbnailColumnWidth
    /// Members of ``GuideMetrics``, and the least width of a ``ClusterPolicy``.
    case nowLineWidth, daySeparatorWidth, lineHeight, groupHeaderHeight, clusterWidth, scale
    /// Members of a ``Viewport``.
    case viewportX, viewportY, viewportWidth, viewportHeight
}

extension GuideLayoutError: CustomStringConvertible {
    /// What was wrong, where, and what to do.
    public var description: String {
        switch self {
        case .measureOutOfRange(let measure, let value, let allowed):
            "\(measure.rawValue) is \(value); give a number from \(allowed.lowerBound) to \(allowed.upperBound)"
        case .windowTooLong(let seconds, let limit):
            "the guide's window is \(seconds) seconds long; give one of at most \(limit) seconds"
        case .rowCountOutOfRange(let count, let allowed):
            "the guide has \(count) rows; give a number from \(allowed.lowerBound) to \(allowed.upperBound)"
        case .groupOutOfPlace(let row, let count):
            "a group begins in row \(row) of \(count); give each group another row from 0 to \(count - 1)"
        case .noSuchRow(let row, let count):
            "the guide has no row \(row); give one from 0 to \(count - 1)"
        }
    }
}

extension GuideMeasure {
    /// The value, if it lies in the range.
    ///
    /// - Throws: ``GuideLayoutError/measureOutOfRange(_:value:allowed:)``.
    func checked(_ value: Double, in allowed: ClosedRange<Double>) throws(GuideLayoutError) -> Double {
        guard allowed.contains(value) else {
            throw .measureOutOfRange(self, value: value, allowed: allowed)
        }
        return value
    }
}
