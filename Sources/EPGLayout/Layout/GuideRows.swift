import CollectionLayout
import EPGModel

/// The rows of a guide: their number, heights that differ from the standard height, and groups.
///
/// Uniform rows without groups need no storage; otherwise a tree uses eight bytes per row.
struct GuideRows: Hashable, Sendable {
    let count: Int
    /// The groups, sorted by row.
    let groups: [GuideGroup]
    /// The differences to the standard height, in units of the tree.
    private var differences: [Int: Int64] = [:]
    /// The sums of differences and group headers before each row; `nil` if there are none.
    private var tree: OffsetTree?

    /// Creates rows of the standard height.
    ///
    /// - Parameter lead: The height of a group's header plus spacing in points.
    init(count: Int, groups: [GuideGroup], lead: Double) throws(GuideLayoutError) {
        guard (0...GuideLayout.maximumRowCount).contains(count) else {
            throw .rowCountOutOfRange(count, allowed: 0...GuideLayout.maximumRowCount)
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
        guard count <= OffsetTree.maximumCount else {
            throw .rowCountOutOfRange(count, allowed: 0...OffsetTree.maximumCount)
        }
        return OffsetTree(count: count)
    }

    var isUniform: Bool { tree == nil }

    /// Sets the difference of a row to the standard height in points.
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

    /// Returns the difference of a row to the standard height in points.
    func difference(ofRow row: Int) -> Double { Double(differences[row] ?? 0) * OffsetTree.unit }

    /// Returns the sum of differences and group headers before a row in points, without the header of its own group.
    func offset(beforeRow row: Int) -> Double { tree?.sum(before: row) ?? 0 }

    /// Returns the last row for which a condition on it and ``offset(beforeRow:)`` holds; 0 if it holds for none.
    func lastRow(where holds: (_ row: Int, _ offset: Double) -> Bool) -> Int { tree?.last(where: holds) ?? 0 }

    // MARK: - Groups

    /// Returns the index of the group that contains a row; `nil` for none.
    /// - Complexity: O(log n).
    func group(ofRow row: Int) -> Int? {
        let next = groups.partitioningIndex { $0.firstRow > row }
        return next > 0 ? next - 1 : nil
    }

    /// Returns the rows of a group.
    func rows(ofGroup index: Int) -> Range<Int> {
        groups[index].firstRow..<(index + 1 < groups.count ? groups[index + 1].firstRow : count)
    }
}

/// Adjacent stations under a header, such as those of a lineup or a genre.
///
/// A group ends before the first row of the next group. Its header stays visible while any of its rows is.
public struct GuideGroup: Hashable, Sendable {
    /// The 0-based first row.
    public let firstRow: Int
    /// The text of the header.
    public let title: String

    public init(firstRow: Int, title: String) {
        self.firstRow = firstRow
        self.title = title
    }
}

/// A Fenwick tree (P. Fenwick, 1994) of lengths. Finding a sum, changing a length, and finding the row at a sum take
/// O(log n).
///
/// Lengths are integer multiples of ``unit``, so that sums are exact regardless of the order of their terms.
struct OffsetTree: Hashable, Sendable {
    /// 2⁻¹⁶ points.
    static let unit = 1.0 / 65_536
    /// The maximum number of lengths: 2²² lengths below 2²¹ points cannot overflow.
    static let maximumCount = 1 << 22

    private var sums: [Int64]

    /// Creates a tree of zero lengths.
    init(count: Int) {
        sums = Array(repeating: 0, count: count + 1)
    }

    var count: Int { sums.count - 1 }

    /// Returns the number of units nearest to a length below 2²¹ points; halves round up, also below zero.
    static func units(_ points: Double) -> Int64 {
        Int64((points / unit + 0.5).clamped(to: -0x1p38...0x1p38).floored)
    }

    mutating func add(_ units: Int64, at index: Int) {
        var place = index + 1
        while place < sums.count {
            sums[place] += units
            place += place & -place
        }
    }

    /// Returns the sum of the lengths before an index in points.
    func sum(before index: Int) -> Double {
        var sum: Int64 = 0
        var place = min(index, count)
        while place > 0 {
            sum += sums[place]
            place &= place - 1
        }
        return Double(sum) * OffsetTree.unit
    }

    /// Returns the largest index for which a condition on it and the sum before it holds; 0 if it holds for none.
    ///
    /// - Parameter holds: A condition that is true up to some index, then false.
    func last(where holds: (_ index: Int, _ sumBefore: Double) -> Bool) -> Int {
        var index = 0
        var sum: Int64 = 0
        var step = count > 0 ? 1 << (Int.bitWidth - 1 - count.leadingZeroBitCount) : 0
        while step > 0 {
            let next = index + step
            if next < count, holds(next, Double(sum + sums[next]) * OffsetTree.unit) {
                index = next
                sum += sums[next]
            }
            step >>= 1
        }
        return index
    }
}
