/// Rows of a guide: `0-19,25,30-31`.
struct RowRanges: Hashable, Sendable {
    /// Ascending, with at least one row between two of them that isn't meant.
    let ranges: [Range<Int>]

    /// All rows up to a number.
    init(upTo count: Int) {
        ranges = count > 0 ? [0..<count] : []
    }

    private init(ranges: [Range<Int>]) {
        self.ranges = ranges
    }

    /// Rows and ranges of rows with commas between them, in any order; `nil` for anything else. A row has nine digits at most.
    init?(_ text: String) {
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

    /// Whether they are the first rows of a guide, without a gap.
    var isFromFirst: Bool { ranges.allSatisfy { $0.lowerBound == 0 } }

    /// How many rows there are.
    var count: Int { ranges.reduce(0) { $0 + $1.count } }

    /// The rows that a guide of so many has.
    func clamped(toCount count: Int) -> RowRanges {
        RowRanges(
            ranges: ranges.compactMap { range in
                range.lowerBound < count ? range.lowerBound..<min(range.upperBound, count) : nil
            })
    }

    /// Those of the rows that stand at some places, counted from 0.
    ///
    /// - Complexity: O(ranges).
    func rows(at places: Range<Int>) -> RowRanges {
        var passed = 0
        var found: [Range<Int>] = []
        for range in ranges {
            let first = max(places.lowerBound, passed)
            let end = min(places.upperBound, passed + range.count)
            // A range may lie before all the places, or behind them.
            if first < end {
                let shift = range.lowerBound - passed
                found.append(first + shift..<end + shift)
            }
            passed += range.count
        }
        return RowRanges(ranges: found)
    }

    /// Each row, ascending.
    var all: [Int] { ranges.flatMap { Array($0) } }
}

extension RowRanges: CustomStringConvertible {
    /// The same rows always give the same text.
    var description: String {
        ranges.map { range in
            range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound)-\(range.upperBound - 1)"
        }.joined(separator: ",")
    }
}
