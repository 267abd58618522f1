public import CollectionLayout

/// The elements of a viewport, and what it cost to find them.
public struct GuidePage: Hashable, Sendable {
    /// From the back to the front: by band and z-index, kind, row and time.
    public let elements: [GuideElement]
    /// Rows count as sections, airings and marks (hours, half hours, days) as items, frames as attributes.
    public let cost: LayoutCost
}
