/// Counts of a stranger, with no negative numbers, and 0 for sections that don't exist.
package struct CheckedCounts: SectionCounts {
    package let sectionCount: Int
    private let base: any SectionCounts

    package static let none = CheckedCounts(ItemCounts([]))

    package init(_ base: any SectionCounts) {
        self.base = base
        sectionCount = max(0, base.sectionCount)
    }

    package func itemCount(inSection section: Int) -> Int {
        section >= 0 && section < sectionCount ? max(0, base.itemCount(inSection: section)) : 0
    }
}
