import EPGModel
import TestSupport
import Testing

@Suite
struct RowRangesTests {
    @Test(
        arguments: [
            ("0", "0"), ("0-19,25,30-31", "0-19,25,30-31"), ("3,1,2", "1-3"), ("5-9,0-5", "0-9"), ("1,1,1", "1"),
            ("0-3,2-8,4", "0-8"), ("7,5", "5,7"), ("000000001", "1"), ("999999999", "999999999"),
            // Invalid texts are rejected.
            ("", nil), (",", nil), ("1,", nil), ("-1", nil), ("1-", nil), ("2-1", nil), ("x", nil), ("1 ", nil),
            ("1-2-3", nil), ("1000000000", nil), ("٣", nil), ("+1", nil),
        ] as [(String, String?)])
    func rowsAreParsedInAnyOrder(text: String, canonical: String?) {
        expectEqual(RowRanges(text)?.description, canonical)
    }

    /// Regression: ranges entirely before or after the indexes resulted in a range that ends before it starts.
    @Test(arguments: ["0-2,5,9-12", "4", "0-20", "1,3,5,7,9", "10-12,20-22"])
    func rowsAtIndexesEqualThoseOfList(text: String) throws {
        let rows = try #require(RowRanges(text))
        let all = rows.all
        expectEqual(rows.count, all.count)
        for first in 0...all.count + 2 {
            for end in first...all.count + 3 {
                let expected = all.enumerated().filter { (first..<end).contains($0.offset) }.map(\.element)
                expectEqual(rows.rows(at: first..<end).all, expected, "\(first)..<\(end)")
            }
        }
    }

    @Test(arguments: ["0-2,5,9-12", "4", "0-20"])
    func clampedRowsAreBelowCount(text: String) throws {
        let rows = try #require(RowRanges(text))
        for count in 0...22 { expectEqual(rows.clamped(toCount: count).all, rows.all.filter { $0 < count }) }
    }

    @Test func consecutiveRowsAreJoined() {
        expectEqual(RowRanges(ascending: [0, 1, 2, 5, 9, 10]).description, "0-2,5,9-10")
        #expect(RowRanges(ascending: []).ranges.isEmpty)
    }

    @Test(arguments: ["0-2,5,9-12", "4", "0-20", "1,3,5,7,9", "10-12,20-22"])
    func intersectionContainsCommonRows(text: String) throws {
        let rows = try #require(RowRanges(text))
        for other in ["0", "0-20", "2-9", "5,12", "11,21-25", "3-4,6-8,19"] {
            let others = try #require(RowRanges(other))
            let common = rows.intersection(others)
            expectEqual(common.all, rows.all.filter(others.all.contains))
            expectEqual(common, others.intersection(rows))
        }
    }

    @Test(arguments: [(0, true, []), (3, true, [0, 1, 2])] as [(Int, Bool, [Int])])
    func firstRowsStartAtZero(count: Int, isFromFirst: Bool, all: [Int]) {
        expectEqual(RowRanges(upTo: count).all, all)
        expectEqual(RowRanges(upTo: count).isFromFirst, isFromFirst)
    }
}
