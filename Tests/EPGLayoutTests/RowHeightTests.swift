import CollectionLayout
import EPGModel
import TestSupport
import Testing

@testable import EPGLayout

/// Tests of rows of different heights and of groups.
@Suite struct RowHeightTests {
    private func metrics(spacing: Double = 10) throws -> GuideMetrics {
        try GuideMetrics(
            pointsPerHour: 600, rowHeight: 80, rowSpacing: spacing, stationColumnWidth: 100, headerHeight: 40)
    }

    private func layout(rows: Int, groups: [Int] = []) throws -> GuideLayout {
        try GuideLayout(
            metrics: metrics(), window: window(0, 120), rowCount: rows,
            groups: groups.map { GuideGroup(firstRow: $0, title: "G\($0)") })
    }

    /// Compares 10,000 random cases with the sum of all heights.
    @Test(arguments: UInt64(0)..<10)
    func rowPositionsEqualSumOfHeights(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for round in 0..<10 {
            let count = Int.random(in: 1...70, using: &random)
            let groups = (0..<count).filter { _ in Int.random(in: 0..<6, using: &random) == 0 }
            var layout = try layout(rows: count, groups: groups)
            for _ in 0..<Int.random(in: 0...40, using: &random) {
                let height = Double.random(in: 0.01...300, using: &random)
                try layout.setHeight(
                    Bool.random(using: &random) ? height : nil, ofRow: .random(in: 0..<count, using: &random))
            }
            var tops: [Double] = []
            var y = 40.0
            for row in 0..<count {
                if groups.contains(row) { y += 24 + 10 }
                tops.append(y)
                y += layout.height(ofRow: row) + 10
            }
            #expect(abs(layout.contentSize.height - (y - 10)) <= 0.51, "seed \(seed), round \(round)")
            for _ in 0..<100 {
                let place = Double.random(in: -20...y + 20, using: &random)
                let row = layout.row(atY: place)
                let expected = (0..<count).first {
                    PixelGrid(scale: 1).snapped(tops[$0]) <= place
                        && place < PixelGrid(scale: 1).snapped(tops[$0] + layout.height(ofRow: $0))
                }
                if row != expected { Issue.record("seed \(seed), round \(round): row \(row as Any) at \(place)") }
            }
        }
    }

    @Test func uniformRowsStoreNothing() throws {
        var many = try layout(rows: GuideLayout.maximumRowCount)
        #expect(many.rows.isUniform)
        #expect(many.edges(ofRow: 999_999_999) == (89_999_999_950, 90_000_000_030))
        #expect(
            throws: GuideLayoutError.rowCountOutOfRange(1_000_000_000, allowed: 0...GuideLayout.maximumVariedRowCount)
        ) {
            try many.setHeight(50, ofRow: 3)
        }
        try many.setHeight(80, ofRow: 3)  // the height of the other rows
        #expect(many.rows.isUniform)
    }

    @Test func resetHeightRestoresLayout() throws {
        var layout = try layout(rows: 1000)
        let before = (0..<1000).map { layout.edges(ofRow: $0).minY }
        for row in stride(from: 0, to: 1000, by: 7) { try layout.setHeight(33.3, ofRow: row) }
        for row in stride(from: 0, to: 1000, by: 7) { try layout.setHeight(nil, ofRow: row) }
        expectEqual((0..<1000).map { layout.edges(ofRow: $0).minY }, before)
    }

    @Test func invalidRowsHeightsAndGroupsAreRejected() throws {
        var layout = try layout(rows: 3)
        for height in [0, -1, .nan, .infinity, 1e9] {
            #expect(throws: GuideLayoutError.self) { try layout.setHeight(height, ofRow: 0) }
        }
        for row in [-1, 3, .max, .min] {
            #expect(throws: GuideLayoutError.noSuchRow(row, rowCount: 3)) { try layout.setHeight(50, ofRow: row) }
        }
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
        // The hours are at 190 … 230, the header of group 0 at 220 … 244 where row 1 ends, that of group 1 at 254 … 278.
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

/// Tests of the conversion of lengths to units.
@Suite struct OffsetTreeTests {
    /// Halves round up, also below zero.
    static let cases: [(Double, Int64)] = [
        (0.4, 0), (0.5, 1), (0.7, 1), (-0.4, 0), (-0.5, 0), (-0.7, -1), (-1.2, -1), (-1.7, -2), (-3, -3),
    ]

    @Test(arguments: cases)
    func lengthRoundsToNearestUnit(length: Double, units: Int64) {
        expectEqual(OffsetTree.units(length * OffsetTree.unit), units)
    }

    @Test(arguments: [(Double.infinity, Int64(1) << 38), (-.infinity, -(Int64(1) << 38)), (1e300, Int64(1) << 38)])
    func hugeLengthIsClamped(length: Double, units: Int64) {
        expectEqual(OffsetTree.units(length), units)
    }
}
