import CollectionLayout
import CollectionView
import EPGLayout
import EPGModel

/// A collection view of a guide with a cell per airing and a view per supplementary element.
final class ShownGuide: CollectionViewDataSource {
    final class GuideView: ReusableView {}

    var source: any GuideSource
    private let cells = CellRegistration<GuideView, Int> { _, _, _ in }
    private var supplementaries: [ElementKind: SupplementaryRegistration<GuideView>] = [:]

    init(_ source: any GuideSource) { self.source = source }

    func numberOfSections(in view: CollectionView) -> Int { source.rowCount }

    func collectionView(_ view: CollectionView, numberOfItemsInSection section: Int) -> Int {
        source.airingCount(inRow: section)
    }

    func sectionCounts(for view: CollectionView) -> any SectionCounts { GuideCounts(source) }

    func collectionView(_ view: CollectionView, cellForItemAt path: IndexPath) -> (any ReusableView)? {
        view.dequeueCell(using: cells, for: path, item: path.item)
    }

    func collectionView(
        _ view: CollectionView, viewForSupplementaryElementOfKind kind: ElementKind, at path: IndexPath
    ) -> (any ReusableView)? {
        let registration = supplementaries[kind] ?? SupplementaryRegistration(kind: kind) { _, _, _ in }
        supplementaries[kind] = registration
        return view.dequeueSupplementary(using: registration, for: path)
    }

    /// Returns rows of one day, each with airings of one length in minutes.
    static func rows(_ lengths: [Int64]) -> GuideSchedules {
        GuideSchedules(
            lengths.enumerated().map { row, length in
                rowSchedule(
                    row,
                    (0..<1440 / length).map {
                        airing(Int64(row) * 10_000 + $0, window($0 * length, ($0 + 1) * length), row: row)
                    })
            })
    }

    /// Returns a grid of 600 points per hour with rows of 80, a header of 40 and a station column of 100.
    static func grid(rows: Int, pointsPerHour: Double = 600) throws -> GuideLayout {
        let metrics = try GuideMetrics(
            pointsPerHour: pointsPerHour, rowHeight: 80, stationColumnWidth: 100, headerHeight: 40)
        return try GuideLayout(metrics: metrics, window: window(0, 1440), rowCount: rows)
    }

    static let marks = GuideMarks(
        (0..<24).map { hourMark(minutes($0 * 60)) } + [TimeMark(instant: minutes(60), label: "", kind: .day)])
}

extension CollectionView {
    /// The identities of the visible views, by element.
    var viewIDs: [LayoutElement: ObjectIdentifier] {
        var viewIDs: [LayoutElement: ObjectIdentifier] = [:]
        for element in visibleElements.map(\.element) {
            let view =
                switch element {
                case .item(let path): cell(at: path)
                case .supplementary(let kind, let path): supplementaryView(ofKind: kind, at: path)
                case .decoration: nil as (any ReusableView)?
                }
            viewIDs[element] = view.map { ObjectIdentifier($0) }
        }
        return viewIDs
    }
}
