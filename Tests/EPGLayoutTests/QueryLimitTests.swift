import CollectionLayout
import EPGModel
import TestSupport
import Testing

@testable import EPGLayout

/// Tests of the limit of queries.
@Suite struct QueryLimitTests {
    private static let limit = GuideGridLayout.queryLimit

    /// - Parameter rows: The number of rows of 60 points, each with a day of half hours.
    private func layout(rows: Int, days: Int = 1) throws -> (GuideGridLayout, LazyGuide) {
        let metrics = try GuideMetrics(pointsPerHour: 240, rowHeight: 60, stationColumnWidth: 160, headerHeight: 40)
        let grid = try GuideLayout(metrics: metrics, window: window(0, Int64(days) * 1440), rowCount: rows)
        let source = LazyGuide(rowCount: rows, days: days)
        let marks = GuideMarks((0..<24).map { hourMark(minutes($0 * 60)) })
        return (GuideGridLayout(grid, source: source, marks: marks, now: minutes(300)), source)
    }

    @Test(.scope(.integration)) func unboundedQueryStopsAtLimitAndKeepsHeaders() throws {
        var (layout, source) = try layout(rows: 1_000_000)
        layout.prepare(
            in: LayoutContainer(bounds: Rect(x: 0, y: 0, width: 900, height: 600), counts: GuideCounts(source)))
        #expect(layout.diagnostics.isEmpty && source.made.count == 0)
        let attributes = layout.attributes(in: .everywhere)
        // The query reads at most 256 rows of 48 airings that it does not return.
        #expect(source.made.count <= Self.limit / 2 + 256 * 48)
        // The query completes the last cell: an item and its attributes.
        #expect((Self.limit...Self.limit + 2).contains(layout.cost(in: .everywhere).total))
        // A row costs 1 for itself, 1 for its station, and 2 for each of 48 airings: the first 10,204 rows are complete.
        let stations = attributes.filter { $0.element.kind == .station }.map(\.indexPath.section)
        #expect(stations == Array(0..<stations.count) && (10_200...10_205).contains(stations.count))
        let kinds = Set(attributes.compactMap(\.element.kind))
        #expect(kinds.isSuperset(of: [.corner, .hourHeader, .nowLine]))
    }

    @Test(arguments: [GuideLayout.maximumRowCount, 1_000_000])
    func rowsMissingFromSourceCountTowardLimit(rowCount: Int) throws {
        struct Empty: GuideSource {
            let rowCount: Int
            let requestedRows = LazyGuide.Counter()
            func slices(inRows rows: Range<Int>, during window: TimeWindow) -> [GuideSlice] {
                requestedRows.add(rows.count)
                return []
            }
            func airingCount(inRow row: Int) -> Int { 0 }
            func airing(_ item: Int, inRow row: Int) -> Airing? { nil }
            func row(of station: StationID) -> Int? { nil }
            func item(of airing: AiringID, inRow row: Int) -> Int? { nil }
        }
        let metrics = try GuideMetrics(pointsPerHour: 240, rowHeight: 60, stationColumnWidth: 160, headerHeight: 40)
        let grid = try GuideLayout(metrics: metrics, window: window(0, 1440), rowCount: rowCount)
        let source = Empty(rowCount: rowCount)
        var layout = GuideGridLayout(grid, source: source)
        expectEqual(layout.page(in: .everywhere).elements.map(\.kind), [.corner])
        expectEqual(source.requestedRows.count, Self.limit)
        // Only the station column.
        let column = Rect(x: 0, y: 0, width: 100, height: grid.contentSize.height)
        layout.prepare(in: LayoutContainer(bounds: column, counts: GuideCounts(source)))
        expectEqual(layout.diagnostics.map(\.problem), (rowCount > Self.limit ? [.limitReached] : []))
    }

    /// 20,000 rows of 14 days are 13 million airings.
    @Test(.scope(.integration)) func oversizedViewIsDiagnosed() throws {
        var (layout, source) = try layout(rows: 20_000, days: 14)
        let size = layout.contentSize
        func prepare(height: Double) {
            layout.prepare(
                in: LayoutContainer(
                    bounds: Rect(x: 0, y: 0, width: size.width, height: height), counts: GuideCounts(source)))
        }
        prepare(height: size.height)
        expectEqual(layout.diagnostics.map(\.problem), [.limitReached])
        expectEqual(layout.diagnostics.first?.detail.hasPrefix("the view shows 20000 rows of 336 hours"), true)
        // 100 rows of 672 airings: more than any view shows, but below the limit.
        prepare(height: 40 + 100 * 60)
        #expect(layout.diagnostics.isEmpty)
    }

    @Test func rowsReadInPartsAppearOnce() throws {
        let (layout, source) = try layout(rows: 600)
        let attributes = layout.attributes(in: .everywhere)
        expectEqual(Set(attributes.map(\.element)).count, attributes.count)
        expectEqual(attributes.count { $0.element.kind == nil }, 600 * 48)
        #expect(source.made.count <= 600 * 50)
    }
}
