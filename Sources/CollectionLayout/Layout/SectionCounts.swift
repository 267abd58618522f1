/// How many sections there are, and how many items in each: all that a layout must know of the data.
public protocol SectionCounts: Sendable {
    /// At least 0.
    var sectionCount: Int { get }

    /// At least 0; asked only for sections that exist, and by a lazy layout only for those that it touches.
    func itemCount(inSection section: Int) -> Int
}

/// Counts that are known beforehand.
public struct ItemCounts: SectionCounts, Hashable, ExpressibleByArrayLiteral {
    private let counts: [Int]

    /// The number of items of each section; a negative one counts as 0.
    public init(_ counts: [Int]) {
        self.counts = counts.map { max(0, $0) }
    }

    public init(arrayLiteral counts: Int...) {
        self.init(counts)
    }

    public var sectionCount: Int { counts.count }

    public func itemCount(inSection section: Int) -> Int {
        counts.indices.contains(section) ? counts[section] : 0
    }
}

extension SectionCounts {
    /// Whether an item exists.
    public func contains(_ path: IndexPath) -> Bool {
        path.section >= 0 && path.section < sectionCount && path.item >= 0
            && path.item < itemCount(inSection: path.section)
    }
}
