/// The place of an item: its section, and its place in it, both from 0.
///
/// The name is UIKit's. Where Foundation is imported too, write `CollectionLayout.IndexPath`.
public struct IndexPath: Hashable, Sendable, Comparable {
    /// The section's index, from 0.
    public var section: Int
    /// The index in the section, from 0.
    public var item: Int

    public init(section: Int, item: Int) {
        self.section = section
        self.item = item
    }

    /// The same, in UIKit's order.
    public init(item: Int, section: Int) {
        self.init(section: section, item: item)
    }

    /// By section, then by item.
    public static func < (lhs: IndexPath, rhs: IndexPath) -> Bool {
        (lhs.section, lhs.item) < (rhs.section, rhs.item)
    }
}

extension IndexPath: CustomStringConvertible {
    /// `[section, item]`, as the original prints it.
    public var description: String { "[\(section), \(item)]" }
}
