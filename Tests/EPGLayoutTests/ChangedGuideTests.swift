import CollectionLayout
import CollectionView
import EPGLayout
import EPGModel
import TestSupport
import Testing

/// Tests that changes of a guide affect only the expected elements of a collection view.
@Suite struct ChangedGuideTests {
    private let bounds = Rect(x: 0, y: 0, width: 1300, height: 440)  // two hours of five rows
    private static let line = LayoutElement.decoration(
        .nowLine, IndexPath(section: IndexPath.wholeLayoutSection, item: 0))

    private func makeView(_ lengths: [Int64]) throws -> (CollectionView, ShownGuide) {
        let guide = ShownGuide(ShownGuide.rows(lengths))
        let layout = GuideGridLayout(
            try ShownGuide.grid(rows: lengths.count), source: guide.source, marks: ShownGuide.marks, now: minutes(10))
        let view = CollectionView(layout: layout, bounds: bounds)
        view.dataSource = guide
        view.layoutIfNeeded()
        return (view, guide)
    }

    /// Expects the same visible elements as in a new view of the same guide.
    private func expectSameAsNewView(_ view: CollectionView, _ guide: ShownGuide) {
        let newView = CollectionView(layout: view.layout, bounds: view.bounds)
        newView.dataSource = guide
        newView.layoutIfNeeded()
        expectEqual(view.visibleElements, newView.visibleElements)
        #expect(view.diagnostics.isEmpty)
    }

    @Test func tickMovesOnlyNowLine() throws {
        let (view, guide) = try makeView([30, 30, 30, 30, 30])
        let viewIDs = view.viewIDs
        #expect(view.changeLayout(GuideGridLayout.self) { $0.tick(to: minutes(70)) })
        let moved = view.layoutIfNeeded()
        #expect(moved.moved.map(\.new.element) == [Self.line] && moved.entered.isEmpty && moved.left.isEmpty)
        expectEqual(moved.moved.first?.new.frame.minX, 800)
        view.changeLayout(GuideGridLayout.self) { $0.tick(to: nil) }
        let gone = view.layoutIfNeeded()
        #expect(gone.left.map(\.attributes.element) == [Self.line] && gone.entered.isEmpty && gone.moved.isEmpty)
        view.changeLayout(GuideGridLayout.self) { $0.tick(to: minutes(20)) }
        let back = view.layoutIfNeeded()
        #expect(back.entered.map(\.attributes.element) == [Self.line] && back.left.isEmpty && back.moved.isEmpty)
        expectEqual(view.viewIDs, viewIDs)
        expectSameAsNewView(view, guide)
    }

    /// A focus preserves a selection, and finds its item if the guide still has it.
    @Test func focusHasIndexPathOfItsAiring() throws {
        let guide = LazyGuide(rowCount: 10, days: 1)
        let layout = GuideGridLayout(try ShownGuide.grid(rows: 10), source: guide)
        let airing = try #require(guide.airing(5, inRow: 3))
        func focus(_ station: StationID, _ airing: AiringID?) -> GuideFocus {
            GuideFocus(row: 0, station: station, airing: airing, cell: window(150, 180), anchor: minutes(150))
        }
        // The station determines the row.
        expectEqual(layout.indexPath(of: focus(airing.station, airing.id)), IndexPath(section: 3, item: 5))
        expectEqual(layout.indexPath(of: focus(airing.station, nil)), nil)
        expectEqual(layout.indexPath(of: focus(StationID("elsewhere"), airing.id)), nil)
    }

    @Test func replacingGridKeepsSourceAndMarks() throws {
        let (view, guide) = try makeView([30, 30])
        view.changeLayout(GuideGridLayout.self) { $0.replaceGrid($0.grid) }
        let changes = view.layoutIfNeeded()
        #expect(changes.isEmpty && view.visibleElements.contains { $0.element.kind == .hourHeader })
        expectSameAsNewView(view, guide)
    }

    @Test(arguments: [(Int64(60), 2, 0, 2), (15, 0, 4, 4), (30, 0, 0, 0)])
    func onlyChangedRowHasOtherAirings(length: Int64, left: Int, entered: Int, moved: Int) throws {
        let (view, guide) = try makeView([30, 30, 30, 30, 30])
        let viewIDs = view.viewIDs
        guide.source = ShownGuide.rows([30, 30, length, 30, 30])
        view.changeLayout(GuideGridLayout.self) { $0.replaceGrid($0.grid, source: guide.source) }
        let changes = view.layoutIfNeeded()
        // Two hours are four airings of half an hour, two of an hour, or eight of a quarter.
        expectEqual(changes.left.count, left)
        expectEqual(changes.entered.count, entered)
        expectEqual(changes.moved.count, moved)
        let all =
            changes.left.map(\.attributes) + changes.entered.map(\.attributes) + changes.moved.map(\.new)
        #expect(all.allSatisfy { $0.element.kind == nil && $0.indexPath.section == 2 })
        expectEqual(view.counts.itemCount(inSection: 2), Int(1440 / length))
        // Elements that are visible before and after keep their view.
        let after = view.viewIDs
        #expect(viewIDs.allSatisfy { after[$0.key] == nil || after[$0.key] == $0.value })
        expectEqual(viewIDs.count { after[$0.key] == nil }, left)
        expectSameAsNewView(view, guide)
    }

    /// A row without airings becomes a gap.
    @Test func emptiedRowRequestsNoRemovedAirings() throws {
        let (view, guide) = try makeView([30, 30, 30])
        var schedules = ShownGuide.rows([30, 30, 30]).slices(inRows: 0..<3, during: window(0, 1440)).map(\.schedule)
        schedules[1] = rowSchedule(1, [])
        guide.source = GuideSchedules(schedules)
        view.changeLayout(GuideGridLayout.self) { $0.replaceGrid($0.grid, source: guide.source) }
        let changes = view.layoutIfNeeded()
        expectEqual(changes.left.map(\.attributes.indexPath.section), [1, 1, 1, 1])
        #expect(
            changes.entered.map(\.attributes.element) == [.decoration(.gap, IndexPath(section: 1, item: 0))]
                && changes.moved.isEmpty)
        expectSameAsNewView(view, guide)
    }

    @Test func zoomMovesTimedElementsAndKeepsAllViews() throws {
        let (view, guide) = try makeView([30, 30, 30, 30, 30])
        let viewIDs = view.viewIDs
        let zoomed = try ShownGuide.grid(rows: 5, pointsPerHour: 1200)
        view.changeLayout(GuideGridLayout.self) {
            $0.replaceGrid(zoomed, source: guide.source, marks: ShownGuide.marks)
        }
        let changes = view.layoutIfNeeded()
        // An hour remains visible: two airings in each of five rows, one of two hours, and the day separator at its end.
        #expect(changes.entered.isEmpty && changes.left.count == 5 * 2 + 1 + 1)
        let moved = Set(changes.moved.map(\.new.element))
        #expect(moved.count == 5 * 2 + 1 + 1 && moved.contains(Self.line))
        #expect(moved.allSatisfy { $0.kind == nil || $0.kind == .hourHeader || $0 == Self.line })
        #expect(view.viewIDs.allSatisfy { viewIDs[$0.key] == $0.value } && view.viewIDs.count == 5 + 10 + 1 + 1)
        expectSameAsNewView(view, guide)
    }

    /// Corner, hours, now-line and day separator are outside rows.
    @Test func insertingAndDeletingRowsKeepsHeaders() throws {
        let (view, guide) = try makeView([30, 30, 30])
        let viewIDs = view.viewIDs
        func change(to lengths: [Int64], _ record: (inout BatchUpdates) -> Void) throws -> VisibleChanges {
            let grid = try ShownGuide.grid(rows: lengths.count)
            return try view.performBatchUpdates { updates in
                guide.source = ShownGuide.rows(lengths)
                view.changeLayout(GuideGridLayout.self) {
                    $0.replaceGrid(grid, source: guide.source, marks: ShownGuide.marks)
                }
                record(&updates)
            }
        }
        for lengths: [Int64] in [[60, 30, 30, 30], [30, 30, 30], [60, 30, 30]] {
            let changes = try change(to: lengths) { updates in
                switch lengths {
                case [60, 30, 30, 30]: updates.insertSections([0])
                case [30, 30, 30]: updates.deleteSections([0])
                default: updates.reloadSections([0])
                }
            }
            let touched = Set(
                changes.entered.map(\.attributes.indexPath.section) + changes.left.map(\.attributes.indexPath.section))
            expectEqual(touched, [0])
            // Lines extend to the last row.
            let moved = changes.moved.filter { $0.new.indexPath.section == IndexPath.wholeLayoutSection }
            #expect(moved.allSatisfy { $0.new.element.kind == .nowLine || $0.new.element.kind == .daySeparator })
            for (element, id) in viewIDs where element.indexPath.section == IndexPath.wholeLayoutSection {
                expectEqual(view.viewIDs[element], id)
            }
            expectSameAsNewView(view, guide)
        }
        // The corner and two hours; lines have no views.
        expectEqual(viewIDs.count { $0.key.indexPath.section == IndexPath.wholeLayoutSection }, 3)
    }

    /// The offset of a step is the offset of the area within the inset.
    @Test func viewOffsetIsFocusStepMinusInset() throws {
        let (view, guide) = try makeView(Array(repeating: 30, count: 20))
        let inset = EdgeInsets(top: 20, leading: 8)
        view.contentInset = inset
        view.layoutIfNeeded()
        let navigator = GuideNavigator(try ShownGuide.grid(rows: 20), source: guide.source)
        var viewport = try Viewport(x: 0, y: 0, width: bounds.width - 8, height: bounds.height - 20)
        var focus = try #require(
            navigator.focus(inRow: 0, anchor: minutes(5), visible: navigator.layout.visibleTime(in: viewport)))
        for (move, row) in [(FocusMove.lastRow, 19), (.firstRow, 0)] {
            let step = navigator.step(move, from: focus, in: viewport)
            focus = step.focus
            view.contentOffset = step.contentOffset - Point(x: inset.leading, y: inset.top)
            view.layoutIfNeeded()
            viewport = try Viewport(
                x: view.bounds.minX + 8, y: view.bounds.minY + 20, width: viewport.width, height: viewport.height)
            let path = IndexPath(section: row, item: 0)
            let cell = view.visibleElements.first { $0.element == .item(path) }?.frame
            // The last row ends at the bottom of the view; the first begins below the inset and the header of 40.
            #expect(row == 0 ? cell?.minY == view.bounds.minY + 60 : cell?.maxY == view.bounds.maxY)
            expectEqual(cell?.minX, view.bounds.minX + 108)
        }
    }
}
