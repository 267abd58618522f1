import EPGModel

/// The place of an element in the order of drawing: band and z-index, kind, row, column.
///
/// The order is total, so that the same guide gives the same sequence every time (facts, layout 1: chosen here; equal
/// z-indexes are undefined in UICollectionView's documentation).
struct DrawingOrder: Comparable {
    let zIndex: Int
    let kind: Int
    let row: Int
    let start: Instant
    let clump: Int

    init(_ element: GuideElement) {
        zIndex = element.zIndex
        kind = element.kind.rank
        row = element.row ?? -1
        start = element.shown?.start ?? Instant(secondsSince1970: .min)
        clump = element.airing?.clump?.index ?? 0
    }

    static func < (lhs: DrawingOrder, rhs: DrawingOrder) -> Bool {
        (lhs.zIndex, lhs.kind, lhs.row, lhs.start, lhs.clump) < (rhs.zIndex, rhs.kind, rhs.row, rhs.start, rhs.clump)
    }
}

extension GuideElement.Kind {
    /// The position in the order of drawing, from 0.
    var rank: Int {
        switch self {
        case .daySeparator: 0
        case .gap: 1
        case .airing: 2
        case .cluster: 3
        case .thumbnail: 4
        case .nowLine: 5
        case .station: 6
        case .groupHeader: 7
        case .halfHourHeader: 8
        case .hourHeader: 9
        case .corner: 10
        }
    }
}

extension [GuideElement] {
    /// The elements from the back to the front.
    ///
    /// Small keys are sorted instead of the elements, which are large.
    /// - Complexity: O(n log n).
    func inDrawingOrder() -> [GuideElement] {
        let keys = enumerated().map { (order: DrawingOrder($0.element), index: $0.offset) }
        return keys.sorted { ($0.order, $0.index) < ($1.order, $1.index) }.map { self[$0.index] }
    }
}
