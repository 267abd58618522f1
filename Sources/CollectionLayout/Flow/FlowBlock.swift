/// Rows of a section that follow each other and are alike: as many items, as thick, or a single row.
struct FlowBlock: Hashable, Sendable {
    let firstItem: Int
    /// Items in each row, at least 1.
    let itemsPerLine: Int
    var lineCount: Int
    /// Where the first row begins, from the beginning of the first row of its section.
    let start: Double
    let thickness: Double
    /// Whether all its items have the size that is common in the section.
    let isCommon: Bool

    /// The first item after it.
    var endItem: Int { firstItem + itemsPerLine * lineCount }

    func start(ofLine line: Int, spacing: Double) -> Double { start + Double(line) * (thickness + spacing) }

    /// Where its last row ends.
    func end(spacing: Double) -> Double { start(ofLine: lineCount - 1, spacing: spacing) + thickness }

    func line(_ line: Int, spacing: Double) -> FlowLine {
        FlowLine(
            items: firstItem + line * itemsPerLine..<firstItem + (line + 1) * itemsPerLine,
            start: start(ofLine: line, spacing: spacing), thickness: thickness, isCommon: isCommon)
    }

    /// The rows that lie between two places along the scroll axis, or touch them.
    func lines(between low: Double, and high: Double, spacing: Double) -> Range<Int> {
        indicesOfPieces(lineCount, of: thickness, every: thickness + spacing, from: start, between: low, and: high)
    }
}

/// One row of a section.
struct FlowLine: Hashable, Sendable {
    let items: Range<Int>
    /// Where it begins, from the beginning of the first row of its section.
    let start: Double
    let thickness: Double
    let isCommon: Bool
}

/// Which of equal pieces that repeat at a pitch lie between two places, or touch them; one more at either side for
/// what division rounds away.
func indicesOfPieces(
    _ count: Int, of length: Double, every pitch: Double, from start: Double, between low: Double, and high: Double
) -> Range<Int> {
    guard count > 0, low <= high else { return 0..<0 }
    guard pitch > 0 else { return start + length >= low && start <= high ? 0..<count : 0..<0 }
    let first = Int(((low - start - length) / pitch).floored - 1, clampedTo: 0...count)
    let last = Int(((high - start) / pitch).floored + 1, clampedTo: -1...count - 1)
    return first <= last ? first..<last + 1 : 0..<0
}
