/// The elements of a viewport, and what it cost to find them.
public struct GuidePage: Hashable, Sendable {
    /// From the back to the front: by band and z-index, kind, row and time.
    public let elements: [GuideElement]
    public let cost: LayoutCost
}

/// How much a layout touched, so that a test can assert that the cost follows what is visible.
public struct LayoutCost: Hashable, Sendable {
    /// Rows that were looked at.
    public internal(set) var rows = 0
    /// Airings that were looked at, apart from the binary search for the first of each row.
    public internal(set) var airings = 0
    /// Hours, half hours and days that were looked at, apart from the binary search for the first.
    public internal(set) var marks = 0
    /// Frames that were made, also of what turned out to lie just outside.
    public internal(set) var frames = 0

    /// Everything that was touched.
    public var total: Int { rows + airings + marks + frames }
}
