import CollectionLayout
import EPGModel

/// A row with its height, ready to make elements.
struct GuideRow<Content: RowContent> {
    let content: Content
    /// The place of the schedule's first airing in its row.
    let firstItem: Int
    /// From where to where airings are in sight.
    let sight: ClosedRange<Double>
    private let edges: (minY: Double, maxY: Double)
    /// -1 where time runs downwards: then lines of text go by the length of a cell.
    private let textLines: Int
    private let lineHeight: Double

    init(_ content: Content, firstItem: Int, layout: GuideLayout, sight: ClosedRange<Double>) {
        self.content = content
        self.firstItem = firstItem
        self.sight = sight
        edges = layout.edges(ofRow: content.row)
        textLines =
            layout.timeAxis == .vertical
            ? -1 : layout.textLines(in: Rect(minX: 0, minY: edges.minY, maxX: 0, maxY: edges.maxY))
        lineHeight = layout.metrics.lineHeight
    }

    func frame(_ minX: Double, _ maxX: Double) -> Rect {
        Rect(minX: minX, minY: edges.minY, maxX: maxX, maxY: edges.maxY)
    }

    func place(_ kind: GuideElement.Kind, _ frame: Rect, _ band: ZBand, ordinal: Int = 0) -> ElementPlace {
        ElementPlace(kind, frame, band, row: content.row, ordinal: ordinal)
    }

    func place(_ cell: AiringCell) -> ElementPlace {
        place(.airing, cell.frame, .content, ordinal: firstItem + cell.index)
    }

    /// Adds an airing.
    func add(_ cell: AiringCell, to collector: inout ElementCollector) {
        collector.add(place(cell)) {
            GuideCell(
                kind: .airing(index: cell.index), row: content.row, window: content.window(at: cell.index),
                shown: cell.shown, isStartClipped: cell.isStartClipped, isEndClipped: cell.isEndClipped)
        } _: {
            element($0, cell)
        }
    }

    func element(_ place: ElementPlace, _ cell: AiringCell) -> GuideElement {
        element(
            place, sight: sight, airing: content.airing(at: cell.index), window: content.window(at: cell.index),
            shown: cell.shown, isStartClipped: cell.isStartClipped, isEndClipped: cell.isEndClipped)
    }

    func element(
        _ place: ElementPlace, sight: ClosedRange<Double>, label: String? = nil, airing: Airing? = nil,
        window: TimeWindow? = nil, shown: TimeWindow? = nil, isStartClipped: Bool = false, isEndClipped: Bool = false,
        members: [GuideElement] = []
    ) -> GuideElement {
        GuideElement(
            place, station: content.station, airing: airing, window: window, shown: shown,
            isStartClipped: isStartClipped, isEndClipped: isEndClipped, sight: sight, label: label,
            textLines: textLines < 0 ? Int(place.frame.width / lineHeight, clampedTo: 0...1_000_000) : textLines,
            members: members)
    }
}

/// Where an airing stands, before an element is made of it.
struct AiringCell {
    /// Its place in the schedule that was handed in.
    let index: Int
    let shown: TimeWindow
    let frame: Rect
    let isStartClipped: Bool
    let isEndClipped: Bool
}

/// Short airings that touch, on their way to become one cell.
struct ClusterRun<Content: RowContent> {
    /// `nil` where nothing is clustered.
    let times: ClusterTimes?
    private let row: GuideRow<Content>
    private var cells: [AiringCell] = []

    init(row: GuideRow<Content>, times: ClusterTimes?) {
        self.row = row
        self.times = times
    }

    /// Takes the next cell of the row; one that can't be joined to those before it ends them.
    mutating func append(_ cell: AiringCell, in collector: inout ElementCollector) {
        guard let times, times.isShort(cell.shown) else {
            end(in: &collector)
            return row.add(cell, to: &collector)
        }
        if let last = cells.last,
            last.shown.end != cell.shown.start || times.index(of: last.shown.start) != times.index(of: cell.shown.start)
        {
            end(in: &collector)
        }
        cells.append(cell)
    }

    /// Hands over what has gathered: one airing as it is, several as a cluster.
    mutating func end(in collector: inout ElementCollector) {
        defer { cells.removeAll(keepingCapacity: true) }
        guard let first = cells.first, let last = cells.last else { return }
        guard cells.count > 1 else { return row.add(first, to: &collector) }
        let frame = row.frame(first.frame.minX, last.frame.maxX)
        let range = TimeWindow(start: first.shown.start, end: last.shown.end)
        collector.add(row.place(.cluster, frame, .content, ordinal: row.firstItem + first.index)) {
            GuideCell(
                kind: .cluster(count: cells.count), row: row.content.row, window: range, shown: range,
                isStartClipped: first.isStartClipped, isEndClipped: last.isEndClipped)
        } _: { place in
            row.element(
                place, sight: row.sight, window: range, shown: range, isStartClipped: first.isStartClipped,
                isEndClipped: last.isEndClipped, members: cells.map { row.element(row.place($0), $0) })
        }
        for cell in cells { collector.addMember(row.place(cell)) }
    }
}
