import CollectionLayout
import EPGModel

/// The rows of a guide: their number and groups.
struct GuideRows: Hashable, Sendable {
    let count: Int
    /// The groups, sorted by row.
    let groups: [GuideGroup]

    init(count: Int, groups: [GuideGroup]) throws(GuideLayoutError) {
        guard (0...GuideLayout.maximumRowCount).contains(count) else {
            throw .rowCountOutOfRange(count, allowed: 0...GuideLayout.maximumRowCount)
        }
        self.count = count
        self.groups = groups.sorted { $0.firstRow < $1.firstRow }
        var previous = -1
        for group in self.groups {
            guard group.firstRow > previous, group.firstRow < count else {
                throw .groupOutOfPlace(firstRow: group.firstRow, rowCount: count)
            }
            previous = group.firstRow
        }
    }

    /// Returns the number of groups that begin before a row.
    ///
    /// - Complexity: O(log n) in the number of groups.
    func groupCount(beforeRow row: Int) -> Int { groups.partitioningIndex { $0.firstRow >= row } }

    /// Returns the index of the group that contains a row; `nil` for none.
    ///
    /// - Complexity: O(log n) in the number of groups.
    func group(ofRow row: Int) -> Int? {
        let next = groupCount(beforeRow: row + 1)
        return next > 0 ? next - 1 : nil
    }

    /// Returns the rows of a group.
    func rows(ofGroup index: Int) -> Range<Int> {
        groups[index].firstRow..<(index + 1 < groups.count ? groups[index + 1].firstRow : count)
    }
}

/// Adjacent stations under a header, such as the stations of a lineup or a genre.
///
/// A group ends before the first row of the next group. Its header stays visible while any of its rows is.
public struct GuideGroup: Hashable, Sendable {
    /// The 0-based first row.
    public let firstRow: Int
    /// The text of the header.
    public let title: String

    /// Creates a group.
    public init(firstRow: Int, title: String) {
        self.firstRow = firstRow
        self.title = title
    }

    /// Returns a group for each run of rows with the same title.
    ///
    /// - Parameters:
    ///   - titles: The titles of rows 0, 1, 2, …; `nil` for none. If no row has a title, there is no group.
    ///   - other: The title of rows without one.
    /// - Complexity: O(n).
    public static func runs(of titles: [String?], other: String) -> [GuideGroup] {
        guard titles.contains(where: { $0 != nil }) else { return [] }
        var groups: [GuideGroup] = []
        for (row, title) in titles.enumerated() where (title ?? other) != groups.last?.title {
            groups.append(GuideGroup(firstRow: row, title: title ?? other))
        }
        return groups
    }
}
