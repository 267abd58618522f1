/// A solved section of a flow layout: the positions of its header, rows and footer, from left to right.
///
/// Coordinates are along and across the scroll axis.
struct FlowSection {
    let number: Int
    let itemCount: Int
    let axis: Axis
    /// The length of the empty sections between the previous section with elements and this one.
    var gapBefore = 0.0
    /// The start of the section along the scroll axis.
    var start = 0.0
    /// The length of the header; 0 for none.
    var header: Double
    /// The length of the footer; 0 for none.
    var footer: Double
    /// The insets along the scroll axis.
    let insets: (before: Double, after: Double)
    /// The start of the rows across the scroll axis.
    let acrossStart: Double
    let lineSpacing: Double
    let rule: FlowRowRule
    /// The size of items without an individual size.
    let commonSize: Size
    /// Returns the individual sizes of the first ``ownSizeCount`` items.
    let ownSize: ((IndexPath) -> Size)?
    let ownSizeCount: Int
    var measured: FlowMeasuredSizes
    /// The measured sizes of header and footer, by the raw value of ``FlowBoundary``.
    var measuredBoundaries = FlowMeasuredSizes()
    var blocks: [FlowBlock] = []

    /// The number of items of the common size that fit in a row.
    private var capacity: Int { rule.capacity(of: commonSize[axis.perpendicular]) }

    /// The length of all rows with their spacing.
    private var linesLength: Double { blocks.last?.end(spacing: lineSpacing) ?? 0 }

    /// The start of the first row.
    var linesStart: Double { start + header + insets.before }

    var length: Double { header + insets.before + linesLength + insets.after + footer }

    var end: Double { start + length }

    var hasElements: Bool { itemCount > 0 || header > 0 || footer > 0 }

    /// Returns the measured, individual or common size of an item.
    func size(of item: Int) -> Size {
        if let size = measured[item] { return size }
        guard item < ownSizeCount, let ownSize else { return commonSize }
        let size = ownSize(IndexPath(section: number, item: item))
        return Size(width: size.width.asLength, height: size.height.asLength)
    }
}

// MARK: - Header and footer

extension FlowSection {
    /// Returns the start of the header. A pinned header starts at the visible range as long as the section has space
    /// for it: min(max(visible start, section start), section end − header length), as observed in UIKit.
    func headerStart(pinnedTo visibleStart: Double?) -> Double {
        guard let visibleStart else { return start }
        return max(start, min(visibleStart, end - header))
    }

    /// Returns the start of the footer, which is pinned like a header, but at the end.
    func footerStart(pinnedTo visibleEnd: Double?) -> Double {
        guard let visibleEnd else { return end - footer }
        return min(end - footer, max(visibleEnd - footer, start))
    }
}

// MARK: - Lines

/// The position of an item in its section.
struct FlowPlacedItem {
    let item: Int
    /// The distance from the start of the first row of the section.
    let alongStart: Double
    let acrossStart: Double
    let size: Size
}

extension FlowSection {
    /// Returns the block of an item and its row in that block, or `nil` if the item doesn't exist.
    ///
    /// - Complexity: O(log blocks).
    private func place(of item: Int) -> (block: Int, line: Int)? {
        let block = blocks.partitioningIndex { $0.endItem > item }
        guard block < blocks.count, item >= blocks[block].firstItem else { return nil }
        return (block, (item - blocks[block].firstItem) / blocks[block].itemsPerLine)
    }

    /// Returns the row of an item, or `nil` if the item doesn't exist.
    func line(of item: Int) -> FlowLine? {
        place(of: item).map { blocks[$0.block].line($0.line, spacing: lineSpacing) }
    }

    /// Returns the first item of the first row that begins at or after `position`; `nil` if there is no such row.
    func firstItem(ofLineFrom position: Double) -> Int? {
        let index = blocks.partitioningIndex { $0.start(ofLine: $0.lineCount - 1, spacing: lineSpacing) >= position }
        guard index < blocks.count else { return nil }
        let block = blocks[index]
        let pitch = block.thickness + lineSpacing
        let guess = pitch > 0 ? Int((position - block.start) / pitch, clampedTo: 0...block.lineCount - 1) : 0
        let line = block.start(ofLine: guess, spacing: lineSpacing) >= position ? guess : guess + 1
        return block.firstItem + min(line, block.lineCount - 1) * block.itemsPerLine
    }

    /// Calls `body` with the rows between two positions, in order, until it returns `false`. Positions are relative to
    /// the start of the first row.
    ///
    /// - Complexity: O(log blocks) to find the first row.
    func forEachLine(between low: Double, and high: Double, _ body: (FlowLine) -> Bool) {
        var index = blocks.partitioningIndex { $0.end(spacing: lineSpacing) >= low }
        while index < blocks.count, blocks[index].start <= high {
            let block = blocks[index]
            for line in block.lines(between: low, and: high, spacing: lineSpacing) {
                guard body(block.line(line, spacing: lineSpacing)) else { return }
            }
            index += 1
        }
    }

    /// Returns the items of a row between two positions across the scroll axis, and possibly a few more.
    ///
    /// - Complexity: O(found items) for items of the common size, otherwise O(items of the row).
    func items(of line: FlowLine, between low: Double, and high: Double) -> [FlowPlacedItem] {
        guard line.isCommon else { return ownItems(of: line) }
        let length = commonSize[axis.perpendicular]
        let (lead, gap) = commonPlacement(of: line)
        let found = indicesOfPieces(
            line.items.count, of: length, every: length + gap, from: acrossStart + lead, between: low, and: high)
        return found.map { commonItem($0, of: line, lead: lead, gap: gap) }
    }

    /// Returns the rectangle of an item in solved coordinates, or `nil` if the item doesn't exist.
    func rect(ofItem item: Int) -> Rect? {
        guard let line = line(of: item) else { return nil }
        let index = item - line.items.lowerBound
        if line.isCommon {
            let (lead, gap) = commonPlacement(of: line)
            return rect(of: commonItem(index, of: line, lead: lead, gap: gap))
        }
        let placed = ownItems(of: line)
        return placed.indices.contains(index) ? rect(of: placed[index]) : nil
    }

    /// Returns the rectangle of an item in solved coordinates.
    func rect(of placed: FlowPlacedItem) -> Rect {
        let along = linesStart + placed.alongStart
        return Rect(
            along: axis, (along, along + placed.size[axis]),
            across: (placed.acrossStart, placed.acrossStart + placed.size[axis.perpendicular]))
    }

    private func commonPlacement(of line: FlowLine) -> (lead: Double, gap: Double) {
        let length = commonSize[axis.perpendicular]
        let count = line.items.count
        return rule.placement(
            count: count, used: Double(count) * length, last: length, isLast: line.items.upperBound == itemCount)
    }

    private func commonItem(_ index: Int, of line: FlowLine, lead: Double, gap: Double) -> FlowPlacedItem {
        let before = Double(index) * commonSize[axis.perpendicular] + Double(index) * gap
        return FlowPlacedItem(
            item: line.items.lowerBound + index, alongStart: line.start, acrossStart: acrossStart + lead + before,
            size: commonSize)
    }

    /// Returns the items of a row, centered along the scroll axis in the row, which is as thick as its thickest item.
    private func ownItems(of line: FlowLine) -> [FlowPlacedItem] {
        let sizes = line.items.map { size(of: $0) }
        let (lead, gap) = rule.placement(
            count: sizes.count, used: sizes.reduce(0) { $0 + $1[axis.perpendicular] },
            last: sizes.last?[axis.perpendicular] ?? 0, isLast: line.items.upperBound == itemCount)
        var before = 0.0
        return sizes.indices.map { index in
            defer { before += sizes[index][axis.perpendicular] }
            return FlowPlacedItem(
                item: line.items.lowerBound + index,
                alongStart: line.start + (line.thickness - sizes[index][axis]) / 2,
                acrossStart: acrossStart + lead + (before + Double(index) * gap), size: sizes[index])
        }
    }
}

// MARK: - Blocks

extension FlowSection {
    /// Fills all rows.
    mutating func fill(_ problems: inout LayoutDiagnostics) {
        blocks = []
        fill(from: 0, at: 0, &problems)
    }

    /// Fills rows again after the size of an item changed. It starts at the row of the preceding item because the item
    /// may fit there now.
    mutating func refill(fromItem item: Int, _ problems: inout LayoutDiagnostics) {
        guard let place = place(of: max(0, item - 1)) else { return fill(&problems) }
        let line = blocks[place.block].line(place.line, spacing: lineSpacing)
        blocks.removeSubrange((place.block + 1)...)
        blocks[place.block].lineCount = place.line
        if place.line == 0 { blocks.removeLast() }
        fill(from: line.items.lowerBound, at: line.start, &problems)
    }

    /// - Complexity: O(items with individual sizes + measured items), independent of the number of other items.
    private mutating func fill(from first: Int, at start: Double, _ problems: inout LayoutDiagnostics) {
        var item = first
        var position = start
        // The size of the first item of the next row, if it was requested to fill the previous row.
        var known: Size?
        let capacity = capacity
        while item < itemCount {
            let special = nextSpecialItem(from: item)
            let lines = commonLines(from: item, to: special, capacity: capacity)
            let block: FlowBlock
            if lines > 0 {
                block = commonBlock(from: item, itemsPerLine: capacity, lineCount: lines, at: position)
            } else if special == itemCount {
                block = commonBlock(from: item, itemsPerLine: itemCount - item, lineCount: 1, at: position)
            } else {
                block = ownLine(from: item, at: position, known: &known, &problems)
            }
            if block.isCommon {
                known = nil
                reportWidth(commonSize, of: nil, &problems)
            }
            blocks.append(block)
            item = block.endItem
            position = block.end(spacing: lineSpacing) + lineSpacing
        }
    }

    /// Returns the first item at or after `item` that may differ from the common size, or the number of items if there
    /// is none.
    private func nextSpecialItem(from item: Int) -> Int {
        item < ownSizeCount ? item : measured.firstItem(from: item) ?? itemCount
    }

    /// Returns the number of full rows of common items before a special item.
    ///
    /// A row that ends immediately before the special item isn't counted: that item may be small enough to fit in it.
    private func commonLines(from item: Int, to special: Int, capacity: Int) -> Int {
        let (lines, rest) = (special - item).quotientAndRemainder(dividingBy: capacity)
        return rest == 0 && special < itemCount ? max(0, lines - 1) : lines
    }

    private func commonBlock(from item: Int, itemsPerLine: Int, lineCount: Int, at start: Double) -> FlowBlock {
        FlowBlock(
            firstItem: item, itemsPerLine: itemsPerLine, lineCount: lineCount, start: start,
            thickness: commonSize[axis], isCommon: true)
    }

    /// Returns a row of as many items of any size as fit, as thick as the thickest of them.
    private func ownLine(
        from first: Int, at start: Double, known: inout Size?, _ problems: inout LayoutDiagnostics
    ) -> FlowBlock {
        var count = 0
        var used = 0.0
        var thickness = 0.0
        while first + count < itemCount, count < FlowRowRule.itemLimit {
            let size = known ?? reportedSize(of: first + count, &problems)
            known = size
            let length = size[axis.perpendicular]
            if count > 0, !rule.fits(length, after: count, used: used) { break }
            known = nil
            count += 1
            used += length
            thickness = max(thickness, size[axis])
        }
        return FlowBlock(
            firstItem: first, itemsPerLine: count, lineCount: 1, start: start, thickness: thickness, isCommon: false)
    }

    /// Returns the size of an item, and adds diagnostics for unusable lengths.
    private func reportedSize(of item: Int, _ problems: inout LayoutDiagnostics) -> Size {
        let path = IndexPath(section: number, item: item)
        var size = commonSize
        if let measured = measured[item] {
            size = measured
        } else if item < ownSizeCount, let ownSize {
            let requested = ownSize(path)
            size.width = problems.length(requested.width, "sizeForItem.width", element: .item(path))
            size.height = problems.length(requested.height, "sizeForItem.height", element: .item(path))
        }
        reportWidth(size, of: item, &problems)
        return size
    }

    private func reportWidth(_ size: Size, of item: Int?, _ problems: inout LayoutDiagnostics) {
        let length = size[axis.perpendicular]
        guard length > rule.available + FlowRowRule.tolerance else { return }
        problems.add(
            LayoutDiagnostic(
                .noRoom, element: item.map { .item(IndexPath(section: number, item: $0)) }, section: number,
                detail: "the item has length \(length), its row \(rule.available)"))
    }
}

/// The rules for filling and distributing the rows of a section.
struct FlowRowRule: Hashable, Sendable {
    /// The length inside the insets, at least 0.
    let available: Double
    /// The minimum distance between items, at least 0.
    let spacing: Double
    let alignment: FlowLayout.RowAlignment
    /// Whether an incomplete last row is distributed as if it were full.
    let fillsLastRow: Bool

    /// The excess length that still fits, in points, so that rounding errors don't matter: three thirds of a row fit in
    /// it.
    static let tolerance = 1e-6
    /// The maximum number of items in a row. Without a limit, all items of width 0 would fit.
    static let itemLimit = 1_000_000

    /// Returns whether another item fits in a row.
    ///
    /// - Parameter used: The sum of the lengths of the items in the row, without spacing.
    func fits(_ length: Double, after count: Int, used: Double) -> Bool {
        used + length + Double(count) * spacing <= available + Self.tolerance
    }

    /// Returns the number of items of one length in a row: at least 1, even if the item is longer than the row.
    func capacity(of length: Double) -> Int {
        max(1, Int(count(of: length, in: available), clampedTo: 1...Self.itemLimit))
    }

    /// Returns the number of items of one length that fit with spacing; infinity for items of length 0.
    private func count(of length: Double, in space: Double) -> Double {
        guard space + Self.tolerance >= length else { return 0 }
        return ((space + Self.tolerance + spacing) / (length + spacing)).floored
    }

    /// Returns the offset of the first item of a row from its leading end, and the distance between its items.
    ///
    /// The gaps of a full row with more than one item grow equally: spacing + remaining length / (n − 1). A single item
    /// that fills a row is centered, as observed in UIKit; one that is longer than the row starts at its leading end.
    ///
    /// - Parameters:
    ///   - used: The sum of the lengths of the items, without spacing.
    ///   - last: The length of the last item.
    ///   - isLast: Whether the row is the last one of its section.
    func placement(count: Int, used: Double, last: Double, isLast: Bool) -> (lead: Double, gap: Double) {
        guard alignment == .justified else { return (0, spacing) }
        var places = Double(count)
        var rest = available - used - Double(count - 1) * spacing
        if isLast {
            let phantoms = self.count(of: last, in: rest - spacing)
            if phantoms >= 1 {
                guard fillsLastRow, phantoms < .infinity else { return (0, spacing) }
                places += phantoms
                rest -= phantoms * (last + spacing)
            }
        }
        if places == 1 { return (max(0, rest / 2), spacing) }
        return (0, spacing + max(0, rest) / (places - 1))
    }
}

/// Consecutive rows of a section with the same number of items and the same thickness, or a single row.
struct FlowBlock: Hashable, Sendable {
    let firstItem: Int
    /// The number of items in each row, at least 1.
    let itemsPerLine: Int
    var lineCount: Int
    /// The start of the first row, relative to the first row of the section.
    let start: Double
    let thickness: Double
    /// Whether all items have the common size of the section.
    let isCommon: Bool

    /// The index after the last item.
    var endItem: Int { firstItem + itemsPerLine * lineCount }

    func start(ofLine line: Int, spacing: Double) -> Double { start + Double(line) * (thickness + spacing) }

    /// Returns the end of the last row.
    func end(spacing: Double) -> Double { start(ofLine: lineCount - 1, spacing: spacing) + thickness }

    func line(_ line: Int, spacing: Double) -> FlowLine {
        FlowLine(
            items: firstItem + line * itemsPerLine..<firstItem + (line + 1) * itemsPerLine,
            start: start(ofLine: line, spacing: spacing), thickness: thickness, isCommon: isCommon)
    }

    /// Returns the rows that lie between two positions along the scroll axis or touch them.
    func lines(between low: Double, and high: Double, spacing: Double) -> Range<Int> {
        indicesOfPieces(lineCount, of: thickness, every: thickness + spacing, from: start, between: low, and: high)
    }
}

/// One row of a section.
struct FlowLine: Hashable, Sendable {
    let items: Range<Int>
    /// The start of the row, relative to the first row of the section.
    let start: Double
    let thickness: Double
    let isCommon: Bool
}

/// Returns the indexes of equal pieces, repeated at `pitch`, that lie between two positions or touch them. The result
/// includes one more piece on either side to compensate for rounding.
private func indicesOfPieces(
    _ count: Int, of length: Double, every pitch: Double, from start: Double, between low: Double, and high: Double
) -> Range<Int> {
    guard count > 0, low <= high else { return 0..<0 }
    guard pitch > 0 else { return start + length >= low && start <= high ? 0..<count : 0..<0 }
    let first = Int(((low - start - length) / pitch).floored - 1, clampedTo: 0...count)
    let last = Int(((high - start) / pitch).floored + 1, clampedTo: -1...count - 1)
    return first <= last ? first..<last + 1 : 0..<0
}

/// The header or footer of a section.
enum FlowBoundary: Int, CaseIterable {
    case header, footer

    /// Creates a boundary from an element; `nil` if it isn't a header or footer with item index 0.
    init?(_ element: LayoutElement) {
        guard case .supplementary(let kind, let path) = element, path.item == 0 else { return nil }
        switch kind {
        case .header: self = .header
        case .footer: self = .footer
        default: return nil
        }
    }

    func element(inSection section: Int) -> LayoutElement {
        .supplementary(self == .header ? .header : .footer, IndexPath(section: section, item: 0))
    }
}

extension FlowSection {
    /// Returns the length of a boundary along the scroll axis; 0 if the section has none.
    func length(of boundary: FlowBoundary) -> Double { boundary == .header ? header : footer }

    /// Stores the preferred size of the header or footer, of which only the length along the scroll axis is used.
    mutating func measure(_ boundary: FlowBoundary, _ size: Size) {
        measuredBoundaries.set(size, of: boundary.rawValue)
        applyMeasuredBoundaries()
    }

    /// Applies measured lengths to header and footer, if the section has them.
    mutating func applyMeasuredBoundaries() {
        if header > 0, let size = measuredBoundaries[FlowBoundary.header.rawValue] { header = size[axis] }
        if footer > 0, let size = measuredBoundaries[FlowBoundary.footer.rawValue] { footer = size[axis] }
    }
}
