import CollectionLayout
import EPGModel
import TestSupport
import Testing

@testable import EPGLayout

/// Tests of groups of rows.
@Suite struct GroupTests {
    private func metrics(spacing: Double = 10) throws -> GuideMetrics {
        try GuideMetrics(
            pointsPerHour: 600, rowHeight: 80, rowSpacing: spacing, stationColumnWidth: 100, headerHeight: 40)
    }

    private func layout(rows: Int, groups: [Int] = []) throws -> GuideLayout {
        try GuideLayout(
            metrics: metrics(), window: window(0, 120), rowCount: rows,
            groups: groups.map { GuideGroup(firstRow: $0, title: "G\($0)") })
    }

    @Test(
        arguments: [
            ([], []), ([nil, nil], []), (["A", "A", "B"], ["0 A", "2 B"]), ([nil, "A", "A"], ["0 Other", "1 A"]),
            (["A", nil, nil, "A"], ["0 A", "1 Other", "3 A"]),
        ] as [([String?], [String])])
    func eachRunOfATitleIsAGroup(_ titles: [String?], _ groups: [String]) {
        expectEqual(GuideGroup.runs(of: titles, other: "Other").map { "\($0.firstRow) \($0.title)" }, groups)
    }

    /// Compares 100 random cases with sums of the heights of rows and headers.
    @Test(arguments: UInt64(0)..<10)
    func rowPositionsEqualSumOfHeights(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for round in 0..<10 {
            let count = Int.random(in: 1...70, using: &random)
            let groups = (0..<count).filter { _ in Int.random(in: 0..<6, using: &random) == 0 }
            let layout = try layout(rows: count, groups: groups)
            var tops: [Double] = []
            var y = 40.0
            for row in 0..<count {
                if groups.contains(row) { y += 24 + 10 }
                tops.append(y)
                y += 80 + 10
            }
            #expect(abs(layout.contentSize.height - (y - 10)) <= 0.51, "seed \(seed), round \(round)")
            for _ in 0..<100 {
                let place = Double.random(in: -20...y + 20, using: &random)
                let row = layout.row(atY: place)
                let expected = (0..<count).first {
                    PixelGrid(scale: 1).snapped(tops[$0]) <= place
                        && place < PixelGrid(scale: 1).snapped(tops[$0] + 80)
                }
                if row != expected { Issue.record("seed \(seed), round \(round): row \(row as Any) at \(place)") }
            }
        }
    }

    @Test func lastRowOfTheLargestGuideIsExact() throws {
        let many = try layout(rows: GuideLayout.maximumRowCount)
        #expect(many.edges(ofRow: 999_999_999) == (89_999_999_950, 90_000_000_030))
        let grouped = try layout(rows: GuideLayout.maximumRowCount, groups: [0, 999_999_999])
        // Two headers of 24 and two spacings of 10.
        #expect(grouped.edges(ofRow: 999_999_999) == (90_000_000_018, 90_000_000_098))
        expectEqual(grouped.row(atY: 90_000_000_020), 999_999_999)
    }

    @Test func invalidGroupsAreRejected() throws {
        for groups in [[-1], [3], [.max], [1, 1]] {
            #expect(throws: GuideLayoutError.self) { try self.layout(rows: 3, groups: groups) }
        }
        #expect(throws: GuideLayoutError.self) { try ClusterPolicy(leastWidth: .nan) }
        let error = GuideLayoutError.groupOutOfPlace(firstRow: 9, rowCount: 3)
        expectEqual(error.description, "a group begins in row 9 of 3; each group needs a different row from 0 to 2")
    }

    @Test func pointOnPinnedGroupHeaderHitsGroup() throws {
        let layout = try layout(rows: 3, groups: [0, 2])
        let viewport = try Viewport(x: 0, y: 150, width: 400, height: 150)
        expectEqual(layout.place(atX: 50, y: 195, in: viewport), .group(0))
        expectEqual(layout.place(atX: 50, y: 215, in: viewport), .station(row: 1))
        expectEqual(layout.place(atX: 300, y: 260, in: viewport), .group(1))
        expectEqual(layout.place(atX: 50, y: 180, in: viewport), .corner)
        expectEqual(layout.place(atX: 50, y: 250, in: viewport), nil)  // between row 1 and the second group
    }

    @Test func rowBehindPinnedGroupHeaderIsNotVisible() throws {
        // Header of group 0 at 40, rows at 74 and 164, header of group 1 at 254, row 2 at 288 … 368.
        let layout = try layout(rows: 3, groups: [0, 2])
        // The hours are at 120 … 160 and the group's header at 160 … 184; row 0 ends at 154.
        expectEqual(layout.visibleRows(in: try Viewport(x: 0, y: 120, width: 400, height: 150)), 1..<2)
        // The hours are at 190 … 230, the header of group 0 at 220 … 244 where row 1 ends, the header of group 1 at 254 … 278.
        expectEqual(layout.visibleRows(in: try Viewport(x: 0, y: 190, width: 400, height: 100)), 2..<3)
    }

    @Test func groupHeaderWithoutHeightTakesNoSpace() throws {
        let metrics = try GuideMetrics(
            pointsPerHour: 600, rowHeight: 80, rowSpacing: 10, stationColumnWidth: 100, headerHeight: 40,
            groupHeaderHeight: 0)
        let layout = try GuideLayout(
            metrics: metrics, window: window(0, 120), rowCount: 3,
            groups: [GuideGroup(firstRow: 0, title: "A"), GuideGroup(firstRow: 2, title: "B")])
        let height: Double = 40 + 3 * 80 + 2 * 10
        expectEqual(layout.contentSize.height, height)
        #expect(!layout.elements(in: try layout.everything(), schedules: []).contains { $0.kind == .groupHeader })
        #expect(layout.edges(ofRow: 2) == (220, 300))
    }
}
