/// A section of a flow layout, solved from left to right: where its header, rows and footer stand.
///
/// Coordinates are along the scroll axis and across it.
struct FlowSection {
    let number: Int
    let itemCount: Int
    let axis: Axis
    /// The length of sections without elements between the one before and this one.
    var gapBefore = 0.0
    /// Where it begins.
    var start = 0.0
    /// The length of its header; 0 for none.
    var header: Double
    /// The length of its footer; 0 for none.
    var footer: Double
    /// The insets along the scroll axis.
    let insets: (before: Double, after: Double)
    /// Where rows begin, across the scroll axis.
    let acrossStart: Double
    let lineSpacing: Double
    let rule: FlowRowRule
    /// The size of items that have none of their own.
    let commonSize: Size
    /// Gives the items up to ``ownSizeCount`` sizes of their own.
    let ownSize: ((IndexPath) -> Size)?
    let ownSizeCount: Int
    var measured: FlowMeasuredSizes
    /// What the views of header and footer asked for, by ``FlowBoundary``.
    var measuredBoundaries = FlowMeasuredSizes()
    var blocks: [FlowBlock] = []

    /// How many items of the common size a row takes.
    var capacity: Int { rule.capacity(of: commonSize[axis.crossing]) }

    /// The length of all rows and what is between them.
    var linesLength: Double { blocks.last?.end(spacing: lineSpacing) ?? 0 }

    /// Where its first row begins.
    var linesStart: Double { start + header + insets.before }

    var length: Double { header + insets.before + linesLength + insets.after + footer }

    var end: Double { start + length }

    var hasElements: Bool { itemCount > 0 || header > 0 || footer > 0 }

    /// The size of an item: measured, its own, or the common one.
    func size(of item: Int) -> Size {
        if let size = measured[item] { return size }
        guard item < ownSizeCount, let ownSize else { return commonSize }
        let size = ownSize(IndexPath(section: number, item: item))
        return Size(width: size.width.asLength, height: size.height.asLength)
    }
}

// MARK: - Header and footer

extension FlowSection {
    /// Where its header begins: at its own beginning, and pinned at that of the visible range, as long as the section
    /// has room for it: min(max(visible start, section start), section end − length) (documented; numbers observed).
    func headerStart(pinnedTo visibleStart: Double?) -> Double {
        guard let visibleStart else { return start }
        return max(start, min(visibleStart, end - header))
    }

    /// Where its footer begins; the mirror image of a header.
    func footerStart(pinnedTo visibleEnd: Double?) -> Double {
        guard let visibleEnd else { return end - footer }
        return min(end - footer, max(visibleEnd - footer, start))
    }
}
