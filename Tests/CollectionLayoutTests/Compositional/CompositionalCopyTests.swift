import CollectionLayout
import Synchronization
import Testing

/// A measure changes a section in place: it must not cost what all groups that were measured before take.
@Suite struct CompositionalCopyTests {
    @Test func theContentOfASectionIsNotHeldTwiceWhileItIsMeasured() {
        let log = ProbeLog()
        let row = LayoutElement.item(IndexPath(section: 0, item: 0))
        var layout = CompositionalLayout(section: LayoutSection(arrangement: ProbeArrangement(log: log)))
        let container = LayoutContainer(bounds: Rect(x: 0, y: 0, width: 100, height: 100), counts: ItemCounts([1]))
        layout.prepare(in: container)
        for height in [30.0, 40] {
            layout.invalidate(with: InvalidationContext(preferredSizes: [row: Size(width: 100, height: height)]))
            layout.prepare(in: container)
        }
        #expect(log.wasAlone == [true, true])
    }
}

private final class ProbeLog: Sendable {
    private let notes = Mutex<[Bool]>([])

    func note(_ wasAlone: Bool) { notes.withLock { $0.append(wasAlone) } }

    var wasAlone: [Bool] { notes.withLock { $0 } }
}

private struct ProbeArrangement: SectionArrangement {
    let log: ProbeLog

    func solved(
        in room: SectionRoom, measures: ElementMeasures, reusing previous: (any SectionContent)?,
        diagnostics: inout LayoutDiagnostics
    ) -> any SectionContent {
        ProbeContent(log: log)
    }
}

/// Says whether it is the only one that holds its storage, as an array in its place would have to know.
private struct ProbeContent: SectionContent {
    final class Storage: Sendable {}

    let log: ProbeLog
    var storage = Storage()

    var size: Size { Size(width: 100, height: 20) }
    var reach: Rect { Rect(x: 0, y: 0, width: 100, height: 20) }
    var groupLengths: (group: Double, pitch: Double) { (20, 20) }

    func append(to found: inout [LayoutAttributes], in rect: Rect, cost: inout LayoutCost) {}

    func attributes(of element: LayoutElement) -> LayoutAttributes? { nil }

    func estimatedAxes(of element: LayoutElement) -> AxisSet { AxisSet(vertical: true) }

    mutating func remeasure(
        _ elements: some Sequence<LayoutElement>, measures: ElementMeasures, diagnostics: inout LayoutDiagnostics
    ) {
        log.note(isKnownUniquelyReferenced(&storage))
    }
}
