/// A layer of a layout; whatever is in a higher band covers what is in a lower one, whatever the z-indexes (chosen).
public struct ZBand: RawRepresentable, Hashable, Sendable, Comparable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// What lies behind sections and groups.
    public static let background = ZBand(rawValue: 0)
    /// Lines of a grid, separators.
    public static let lines = ZBand(rawValue: 100)
    /// Items and what belongs to them; the default.
    public static let content = ZBand(rawValue: 200)
    /// What points at something in the content, such as a line at now.
    public static let indicator = ZBand(rawValue: 300)
    /// What stays in sight while the content scrolls.
    public static let pinned = ZBand(rawValue: 400)
    /// What covers pinned things of both axes where they meet.
    public static let corner = ZBand(rawValue: 500)

    public static func < (lhs: ZBand, rhs: ZBand) -> Bool { lhs.rawValue < rhs.rawValue }
}
