import EPGLayout
import EPGModel
import TestSupport
import Testing

/// Tests that cells computed from times alone equal the cells of a page of the same schedules.
@Suite struct CellTests {
    /// A common form of the cells that both APIs return.
    private struct Cell: Hashable {
        let kind: GuideElement.Kind
        let row: Int?
        let window: TimeWindow?
        let shown: TimeWindow?
        let isStartClipped: Bool
        let isEndClipped: Bool
        /// The number of airings in a cluster.
        let count: Int
    }

    @Test(arguments: 0..<200) func cellsEqualThoseOfPage(seed: UInt64) throws {
        let guide = try RandomGuide(seed: seed, isVaried: seed % 2 == 0)
        let viewport = try guide.layout.everything()
        let coverage = guide.layout.demand(of: viewport).window
        let content = GuideContent(schedules: guide.schedules, coverage: coverage)
        let page = guide.layout.page(in: viewport, of: content).elements
            .filter { [.airing, .gap, .cluster].contains($0.kind) }
            .map {
                Cell(
                    kind: $0.kind, row: $0.row, window: $0.window, shown: $0.shown, isStartClipped: $0.isStartClipped,
                    isEndClipped: $0.isEndClipped, count: $0.members.count)
            }
        let rows = guide.schedules.map { RowWindows(row: $0.row, windows: $0.schedule.airings.map(\.window)) }
        let cells = guide.layout.cells(in: viewport, of: rows, coverage: coverage)
        expectEqual(cells.map(cell).sorted(by: isEarlier), page.sorted(by: isEarlier))
        for cell in cells {
            guard case .airing(let index) = cell.kind else { continue }
            expectEqual(rows[cell.row].windows[index], cell.window)
        }
    }

    private func cell(_ cell: GuideCell) -> Cell {
        let (kind, count): (GuideElement.Kind, Int) =
            switch cell.kind {
            case .gap: (.gap, 0)
            case .airing: (.airing, 0)
            case .cluster(let count): (.cluster, count)
            }
        return Cell(
            kind: kind, row: cell.row, window: cell.window, shown: cell.shown, isStartClipped: cell.isStartClipped,
            isEndClipped: cell.isEndClipped, count: count)
    }

    private func isEarlier(_ left: Cell, _ right: Cell) -> Bool {
        func sortKey(_ cell: Cell) -> [Int64] {
            [
                Int64(cell.row ?? -1), cell.shown?.start.secondsSince1970 ?? 0, cell.shown?.end.secondsSince1970 ?? 0,
                cell.window?.start.secondsSince1970 ?? 0,
            ]
        }
        return sortKey(left).lexicographicallyPrecedes(sortKey(right))
    }
}
