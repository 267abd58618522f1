import CollectionLayout
import EPGModel

/// The rows of a guide: how many, which of them are higher or lower than the others, and their groups.
///
/// Rows of one height without groups are pure arithmetic and keep nothing; else a tree of eight bytes for each row is kept.
struct GuideRows: Hashable, Sendable {
    let count: Int
    /// In order of row.
    let groups: [GuideGroup]
    /// What rows with a height of their own are higher than the others, in units of the tree.
    private var differences: [Int: Int64] = [:]
    /// What goes before each row beyond the height of the others; `nil` where it is nothing.
    private var tree: OffsetTree?

    /// Rows of one height.
    ///
    /// - Parameter lead: The height of a group's header with the space after it, in points.
    init(count: Int, groups: [GuideGroup], lead: Double) throws(GuideLayoutError) {
        guard (0...GuideLayout.greatestRowCount).contains(count) else {
            throw .rowCountOutOfRange(count, allowed: 0...GuideLayout.greatestRowCount)
        }
        self.count = count
        self.groups = groups.sorted { $0.firstRow < $1.firstRow }
        guard !groups.isEmpty else { return }
        var tree = try GuideRows.emptyTree(count: count)
        var previous = -1
        for group in self.groups {
            guard group.firstRow > previous, group.firstRow < count else {
                throw .groupOutOfPlace(firstRow: group.firstRow, rowCount: count)
            }
            previous = group.firstRow
            tree.add(OffsetTree.units(lead), at: group.firstRow)
        }
        self.tree = tree
    }

    private static func emptyTree(count: Int) throws(GuideLayoutError) -> OffsetTree {
        guard count <= OffsetTree.greatestCount else {
            throw .rowCountOutOfRange(count, allowed: 0...OffsetTree.greatestCount)
        }
        return OffsetTree(count: count)
    }

    var isUniform: Bool { tree == nil }

    /// Makes a row so much higher than the others, in points.
    /// - Complexity: O(log n); the first time O(n).
    mutating func setDifference(_ points: Double, ofRow row: Int) throws(GuideLayoutError) {
        guard (0..<count).contains(row) else { throw .noSuchRow(row, rowCount: count) }
        let units = OffsetTree.units(points)
        let change = units - (differences[row] ?? 0)
        guard change != 0 else { return }
        if tree == nil { tree = try GuideRows.emptyTree(count: count) }
        tree?.add(change, at: row)
        differences[row] = units == 0 ? nil : units
    }

    /// How much higher than the others a row is, in points.
    func difference(ofRow row: Int) -> Double { Double(differences[row] ?? 0) * OffsetTree.unit }

    /// What goes before a row beyond the height of the others, its own group's header not counted, in points.
    func offset(beforeRow row: Int) -> Double { tree?.sum(before: row) ?? 0 }

    /// The last row for which a condition on it and ``offset(beforeRow:)`` holds, 0 where it holds for none.
    func lastRow(where holds: (_ row: Int, _ offset: Double) -> Bool) -> Int { tree?.last(where: holds) ?? 0 }

    // MARK: - Groups

    /// The index of the group that a row belongs to.
    /// - Complexity: O(log n).
    func group(ofRow row: Int) -> Int? {
        let next = groups.partitioningIndex { $0.firstRow > row }
        return next > 0 ? next - 1 : nil
    }

    /// The rows of a group.
    func rows(ofGroup index: Int) -> Range<Int> {
        groups[index].firstRow..<(index + 1 < groups.count ? groups[index + 1].firstRow : count)
    }
}
