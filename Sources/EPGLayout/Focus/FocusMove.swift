import CollectionLayout

/// A key of a remote control or keyboard that points somewhere.
public enum ArrowKey: Hashable, Sendable, CaseIterable {
    /// By where they point on the screen.
    case left, right, up, down
}

/// A step of the focus, whatever the orientation and direction of the grid.
public enum FocusMove: Hashable, Sendable, CaseIterable {
    /// To the row before or after; the anchor stays.
    case previousRow, nextRow
    /// To the cell before or after, in the same row.
    case earlier, later
    /// As many rows as are in sight.
    case rowsUp, rowsDown
    /// As much time as is in sight.
    case pageEarlier, pageLater
    /// To the row at an end of the guide; the anchor stays.
    case firstRow, lastRow
    /// To what is on now, in the same row.
    case now
}

extension GuideLayout {
    /// The step that a key means: where time runs from right to left, the left key means later; where it runs downwards, the
    /// keys up and down are earlier and later.
    public func move(for key: ArrowKey) -> FocusMove {
        let isMirrored = direction == .rightToLeft
        return switch (timeAxis, key) {
        case (.horizontal, .up): .previousRow
        case (.horizontal, .down): .nextRow
        case (.horizontal, .left): isMirrored ? .later : .earlier
        case (.horizontal, .right): isMirrored ? .earlier : .later
        case (.vertical, .up): .earlier
        case (.vertical, .down): .later
        case (.vertical, .left): isMirrored ? .nextRow : .previousRow
        case (.vertical, .right): isMirrored ? .previousRow : .nextRow
        }
    }
}
