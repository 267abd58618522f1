public import CollectionLayout

/// The rows and airings of a source as sections and items; a section's airings are counted only when it is asked for.
public struct GuideCounts: SectionCounts {
    private let source: any GuideSource

    /// The counts of a source, read when they are asked for.
    public init(_ source: any GuideSource) {
        self.source = source
    }

    public var sectionCount: Int { max(0, source.rowCount) }

    public func itemCount(inSection section: Int) -> Int {
        (0..<sectionCount).contains(section) ? max(0, source.airingCount(inRow: section)) : 0
    }
}
