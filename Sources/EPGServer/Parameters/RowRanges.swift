import EPGModel

/// Rows of a guide, such as `0-19,25,30-31`.
struct RowRanges: Hashable, Sendable {
    /// Ascending. Between two of them is at least one row that is not included.
    let ranges: [Range<Int>]

    /// The first rows.
    init(upTo count: Int) {
        ranges = count > 0 ? [0..<count] : []
    }

    /// Rows in ascending order, each once.
    init(ascending rows: [Int]) {
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

    /// Parses rows and ranges of rows, separated by commas and in any order; `nil` for anything else. A row has at most nine
    /// digits.
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

    /// Whether the rows are the first ones of a guide, without a gap.
    var isFromFirst: Bool { ranges.allSatisfy { $0.lowerBound == 0 } }

    /// The number of rows.
    var count: Int { ranges.reduce(0) { $0 + $1.count } }

    /// The rows that exist in a guide with a number of rows.
    func clamped(toCount count: Int) -> RowRanges {
        RowRanges(
            ranges: ranges.compactMap { range in
                range.lowerBound < count ? range.lowerBound..<min(range.upperBound, count) : nil
            })
    }

    /// The rows that are among others too.
    ///
    /// - Complexity: O(*ranges* of both).
    func intersection(_ other: RowRanges) -> RowRanges {
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

    /// The rows at some places in ``all``.
    ///
    /// - Complexity: O(*ranges*).
    func rows(at places: Range<Int>) -> RowRanges {
        var passed = 0
        var found: [Range<Int>] = []
        for range in ranges {
            let first = max(places.lowerBound, passed)
            let end = min(places.upperBound, passed + range.count)
            // A range may be wholly before or after the places.
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
    /// The same text for the same rows.
    var description: String {
        ranges.map { range in
            range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound)-\(range.upperBound - 1)"
        }.joined(separator: ",")
    }
}

extension ParameterReader {
    /// The parameter `rows`, such as `0-19,25`; `nil` if it is missing.
    mutating func rows() throws(Problem) -> RowRanges? {
        try value(
            "rows", maximumLength: 4000,
            expected: "a list of rows such as 0-19,25, counted from 0, of at most 4000 characters", RowRanges.init(_:))
    }
}

/// A page of a list.
struct PageRange: Hashable, Sendable {
    let offset: Int
    let limit: Int

    /// Reads `offset`, from 0 to `maximumOffset`, and `limit`, from 1 to `maximum`.
    init(
        _ parameters: inout ParameterReader, default limit: Int = 100, maximum: Int = 500,
        maximumOffset: Int = 999_999_999
    ) throws(Problem) {
        offset = try parameters.integer("offset", default: 0, in: 0...maximumOffset)
        self.limit = try parameters.integer("limit", default: limit, in: 1...maximum)
    }

    /// The places of the page in a list.
    func places(inListOf count: Int) -> Range<Int> { min(offset, count)..<min(offset + limit, count) }
}

extension TimeWindow {
    /// The window between the parameters `from` and `to`.
    ///
    /// - Throws: ``Problem`` unless the end is later than the start, by at most 15 days.
    static func between(_ start: Instant, _ end: Instant) throws(Problem) -> TimeWindow {
        guard let window = TimeWindow(from: start, to: end), !window.isEmpty else {
            throw .badParameter("to", "the end must be later than from, which is \(start).")
        }
        guard window.seconds <= 15 * 86_400 else {
            throw .badParameter("to", "the window is longer than 15 days. Request a part of it.")
        }
        return window
    }
}
