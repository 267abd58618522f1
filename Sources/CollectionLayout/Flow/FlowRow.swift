/// How rows of a section are filled and justified.
struct FlowRowRule: Hashable, Sendable {
    /// The length that insets leave, at least 0.
    let available: Double
    /// The least distance between items, at least 0.
    let spacing: Double
    let alignment: FlowLayout.RowAlignment
    /// Whether a last row that isn't full is laid out as if it were.
    let fillsLastRow: Bool

    /// Lengths that add up to as much more than the row has still fit: a third of it, three times (chosen), in points.
    static let tolerance = 1e-6
    /// The greatest number of items in a row (chosen): items of no width would all fit.
    static let itemLimit = 1_000_000

    /// Whether a row that holds items fits one more.
    ///
    /// - Parameter used: The lengths of the items that it holds, without spacing.
    func fits(_ length: Double, after count: Int, used: Double) -> Bool {
        used + length + Double(count) * spacing <= available + Self.tolerance
    }

    /// How many items of one length a row takes: at least 1, even of one that is longer than the row.
    func capacity(of length: Double) -> Int {
        max(1, Int(count(of: length, in: available), clampedTo: 1...Self.itemLimit))
    }

    /// How many items of one length fit, with spacing between them; infinitely many of no length.
    private func count(of length: Double, in room: Double) -> Double {
        guard room + Self.tolerance >= length else { return 0 }
        return ((room + Self.tolerance + spacing) / (length + spacing)).floored
    }

    /// Where the first item of a row stands, from its leading end, and how far its items are apart.
    ///
    /// A full row of more than one item grows its gaps equally: least spacing + what is left / (n − 1). An item that
    /// fills a row alone is centred (observed), and one that is longer than the row begins with it (chosen).
    ///
    /// - Parameters:
    ///   - used: The lengths of its items without spacing.
    ///   - last: The length of its last item.
    ///   - isLast: Whether no items follow it in its section.
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
