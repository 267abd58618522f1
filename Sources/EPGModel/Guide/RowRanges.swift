/// A set of rows of a guide, such as `0-19,25,30-31`.
package struct RowRanges: Hashable, Sendable {
    /// Ascending ranges that neither overlap nor touch.
    package let ranges: [Range<Int>]

    /// Creates a set of the first rows.
    package init(upTo count: Int) {
        ranges = count > 0 ? [0..<count] : []
    }

    /// Creates a set from rows in ascending order without duplicates.
    package init(ascending rows: [Int]) {
        var ranges: [Range<Int>] = []
        for row in rows {
            if let last = ranges.last, last.upperBound == row {
                ranges[ranges.count - 1] = last.lowerBound..<row + 1
            } else {
                ranges.append(row..<row + 1)
            }
        }
        self.ranges = ranges
    }

    private init(ranges: [Range<Int>]) {
        self.ranges = ranges
    }

    /// Parses comma-separated rows and ranges of rows in any order; `nil` for other text. A row has at most nine digits.
    package init?(_ text: String) {
        var given: [Range<Int>] = []
        for part in text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            let ends = part.split(separator: UInt8(ascii: "-"), maxSplits: 1, omittingEmptySubsequences: false)
            guard let first = RowRanges.row(ends[0]), let last = RowRanges.row(ends[ends.count - 1]), first <= last
            else {
                return nil
            }
            given.append(first..<last + 1)
        }
        var merged: [Range<Int>] = []
        for range in given.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, last.upperBound >= range.lowerBound {
                merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        ranges = merged
    }

    private static func row(_ digits: Substring.UTF8View.SubSequence) -> Int? {
        guard (1...9).contains(digits.count) else { return nil }
        var number = 0
        for byte in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            number = number * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return number
    }

    /// Whether the rows are the first ones of a guide without gaps.
    package var isFromFirst: Bool { ranges.allSatisfy { $0.lowerBound == 0 } }

    /// The number of rows.
    package var count: Int { ranges.reduce(0) { $0 + $1.count } }

    /// Returns the rows that exist in a guide with `count` rows.
    package func clamped(toCount count: Int) -> RowRanges {
        RowRanges(
            ranges: ranges.compactMap { range in
                range.lowerBound < count ? range.lowerBound..<min(range.upperBound, count) : nil
            })
    }

    /// Returns the rows that are in both sets.
    ///
    /// - Complexity: O(*ranges* of both).
    package func intersection(_ other: RowRanges) -> RowRanges {
        var common: [Range<Int>] = []
        var rest = other.ranges[...]
        for range in ranges {
            while let first = rest.first, first.upperBound <= range.lowerBound { rest.removeFirst() }
            for next in rest.prefix(while: { $0.lowerBound < range.upperBound }) {
                common.append(next.clamped(to: range))
            }
        }
        return RowRanges(ranges: common)
    }

    /// Returns the rows at a range of indexes of ``all``.
    ///
    /// - Complexity: O(*ranges*).
    package func rows(at places: Range<Int>) -> RowRanges {
        var passed = 0
        var found: [Range<Int>] = []
        for range in ranges {
            let first = max(places.lowerBound, passed)
            let end = min(places.upperBound, passed + range.count)
            // The range may be entirely before or after the indexes.
            if first < end {
                let shift = range.lowerBound - passed
                found.append(first + shift..<end + shift)
            }
            passed += range.count
        }
        return RowRanges(ranges: found)
    }

    /// All rows, ascending.
    package var all: [Int] { ranges.flatMap { Array($0) } }
}

extension RowRanges: CustomStringConvertible {
    /// The canonical text: equal sets have equal descriptions.
    package var description: String {
        ranges.map { range in
            range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound)-\(range.upperBound - 1)"
        }.joined(separator: ",")
    }
}
