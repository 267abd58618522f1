import ArgumentParser

/// Rows of the guide from one to another, both included and counted from 0: `0-19`, or `7` alone.
struct RowRange: ExpressibleByArgument, Hashable, Sendable {
    let rows: Range<Int>

    /// Reads a range; `nil` where it is none, runs backwards, or goes beyond a thousand million.
    init?(argument: String) {
        let ends = argument.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1],
            (0...1_000_000_000).contains(first), (first...1_000_000_000).contains(last)
        else { return nil }
        rows = first..<last + 1
    }

    init(_ rows: Range<Int>) {
        self.rows = rows
    }

    var defaultValueDescription: String { "\(rows.lowerBound)-\(rows.upperBound - 1)" }
}
