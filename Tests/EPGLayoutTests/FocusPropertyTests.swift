import TestSupport
import CollectionLayout
import EPGModel
import Testing

@testable import EPGLayout

/// Properties of the focus, each tested with random cases (ten thousand for a release). Failures include the seed of the
/// guide.
@Suite struct FocusPropertyTests {
    /// Returns a visible focus and its viewport; `nil` if the guide has no focusable cell.
    private func randomFocus(
        in guide: RandomGuide, _ navigator: GuideNavigator, using random: inout SeededGenerator
    ) throws -> (focus: GuideFocus, viewport: Viewport)? {
        let layout = navigator.layout
        let viewport = try guide.viewport(using: &random)
        let visible = layout.visibleTime(in: viewport)
        guard layout.rowCount > 0, !visible.isEmpty else { return nil }
        let row = Int.random(in: 0..<layout.rowCount, using: &random)
        let anchor = visible.start.advanced(by: .random(in: 0..<visible.seconds, using: &random))
        return navigator.focus(inRow: row, anchor: anchor, visible: visible).map { ($0, viewport) }
    }

    @Test(arguments: UInt64(0)..<10)
    func anchorIsInCellAndStepsScrollAtMostOneHour(batch: UInt64) throws {
        try eachCase(of: batch) { guide, random in
            let layout = guide.layout
            let navigator = GuideNavigator(layout, source: GuideSchedules(guide.schedules))
            guard let (focus, viewport) = try randomFocus(in: guide, navigator, using: &random) else { return nil }
            let step = navigator.step(Bool.random(using: &random) ? .later : .earlier, from: focus, in: viewport)
            let solved = layout.transform.solved(viewport.rect).minX
            let after = layout.transform.solved(layout.viewport(viewport, at: step.contentOffset).rect).minX
            let size = layout.solvedSize.width
            let length = viewport.rect.length(layout.timeAxis)
            // A view pulled beyond the content returns by that distance.
            let back = max(0, -solved, solved - max(0, size - length))
            let isAnchored =
                step.focus.cell.isEmpty
                ? step.focus.anchor == step.focus.cell.start : step.focus.cell.contains(step.focus.anchor)
            return isAnchored && abs(after - solved) <= layout.metrics.pointsPerHour + back + 0.001
        }
    }

    @Test(arguments: UInt64(0)..<10)
    func upAndDownReturnsToSameCell(batch: UInt64) throws {
        try eachCase(of: batch) { guide, random in
            let layout = guide.layout
            let navigator = GuideNavigator(layout, source: GuideSchedules(guide.schedules))
            guard let (focus, viewport) = try randomFocus(in: guide, navigator, using: &random),
                focus.row < layout.rowCount - 1, focus.cell.contains(focus.anchor)
            else { return nil }
            let there = navigator.step(.nextRow, from: focus, in: viewport)
            guard there.focus.row == focus.row + 1 else { return false }
            // In a row without listings at the anchor the focus may be elsewhere.
            guard there.focus.cell.contains(focus.anchor) else { return nil }
            let back = navigator.step(
                .previousRow, from: there.focus, in: layout.viewport(viewport, at: there.contentOffset))
            return there.focus.anchor == focus.anchor && back.focus == focus
        }
    }

    /// Except for keys, focus and scrolling do not depend on direction.
    @Test(arguments: UInt64(0)..<10)
    func rightToLeftStepsAreMirrored(batch: UInt64) throws {
        try eachCase(of: batch) { guide, random in
            var (plain, mirrored) = (guide.layout, guide.layout)
            (plain.direction, mirrored.direction) = (.leftToRight, .rightToLeft)
            let source = GuideSchedules(guide.schedules)
            let (left, right) = (GuideNavigator(plain, source: source), GuideNavigator(mirrored, source: source))
            let width = plain.contentSize.width
            guard let (focus, viewport) = try randomFocus(in: guide, left, using: &random) else { return nil }
            let move = FocusMove.allCases.randomElement(using: &random) ?? .later
            let image = viewport.rect.mirrored(inWidth: width)
            let there = try Viewport(x: image.x, y: image.y, width: viewport.width, height: viewport.height)
            let step = left.step(move, from: focus, in: viewport, now: guide.now)
            let other = right.step(move, from: focus, in: there, now: guide.now)
            let offset = width - other.contentOffset.x - viewport.width
            // Allow one second if an edge is at a whole second.
            let slack = 1 + plain.metrics.pointsPerHour / 3600
            return step.focus.row == other.focus.row && step.focus.cell == other.focus.cell
                && abs(step.focus.anchor.seconds(to: other.focus.anchor)) <= 1
                && abs(step.contentOffset.x - offset) <= slack
                && abs(step.contentOffset.y - other.contentOffset.y) <= 0.001
        }
    }
}
