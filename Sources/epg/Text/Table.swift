import EPGRender

/// Rows of cells under one another, each column as wide as its widest cell, as far as there is room.
struct Table: Sendable {
    enum Alignment: Hashable, Sendable {
        case leading, trailing
    }

    /// How a column is set.
    struct Column: Sendable {
        let title: String
        let alignment: Alignment
        /// The columns that it keeps when room is short; `nil` for one that is never cut.
        let leastWidth: Int?

        init(_ title: String = "", alignment: Alignment = .leading, leastWidth: Int? = nil) {
            self.title = title
            self.alignment = alignment
            self.leastWidth = leastWidth
        }
    }

    private let columns: [Column]
    private var rows: [[Cell]] = []
    private let indent: Int

    /// An empty table.
    ///
    /// - Parameter indent: Blanks before each row.
    init(_ columns: [Column], indent: Int = 0) {
        self.columns = columns
        self.indent = indent
    }

    var isEmpty: Bool { rows.isEmpty }

    /// Adds a row; cells that are missing at its end stay empty.
    mutating func append(_ cells: [Cell]) {
        rows.append(cells)
    }

    /// The lines of the table, each with its line break, under a line of titles where a column has one.
    ///
    /// - Complexity: O(cells).
    func text(for terminal: Terminal) -> String {
        let widths = widths(limit: terminal.columns)
        var lines = rows
        if columns.contains(where: { !$0.title.isEmpty }), !rows.isEmpty {
            lines.insert(columns.map { Cell($0.title, .dim) }, at: 0)
        }
        var text = ""
        for line in lines {
            text += self.text(
                of: line, widths: widths, hasEdge: terminal.columns != nil, usesColours: terminal.usesColours)
            text += "\n"
        }
        return text
    }

    private func text(of line: [Cell], widths: [Int], hasEdge: Bool, usesColours: Bool) -> String {
        var text = ""
        // Blanks are written when something follows them, so that no line ends with any.
        var blanks = indent
        for (index, width) in widths.enumerated() where width > 0 {
            let cell =
                index < line.count
                ? line[index].fitted(to: hasEdge ? width : max(width, line[index].width), usesColours: usesColours)
                : (text: "", width: 0)
            let before = columns[index].alignment == .trailing ? max(0, width - cell.width) : 0
            blanks += before
            if cell.width > 0 {
                Table.appendBlanks(blanks, to: &text)
                text += cell.text
                blanks = 0
            }
            blanks += max(0, width - cell.width - before) + Table.gap
        }
        return text
    }

    /// Blanks between columns.
    private static let gap = 2

    /// Where there is no edge, nothing is cut; but one long title doesn't move all that follows in every row further out
    /// than this.
    private static let farthestAlignment = 60

    private static let blanks = (0...80).map { String(repeating: " ", count: $0) }

    private static func appendBlanks(_ count: Int, to text: inout String) {
        var rest = count
        while rest > 0 {
            let part = min(rest, blanks.count - 1)
            text += blanks[part]
            rest -= part
        }
    }

    /// The widths of all columns: what they need, or less for the widest of those that may be cut; 0 where nothing stands.
    private func widths(limit: Int?) -> [Int] {
        var widths = columns.indices.map { index in
            let widest = rows.reduce(0) { max($0, index < $1.count ? $1[index].width : 0) }
            return widest == 0 ? 0 : max(widest, DisplayWidth.of(columns[index].title))
        }
        guard let limit else {
            return widths.indices.map { index in
                columns[index].leastWidth == nil ? widths[index] : min(widths[index], Table.farthestAlignment)
            }
        }
        let gaps = max(0, widths.count(where: { $0 > 0 }) - 1) * Table.gap
        var excess = widths.reduce(0, +) + gaps + indent - limit
        while excess > 0 {
            let cuttable = widths.indices.filter { index in
                columns[index].leastWidth.map { widths[index] > $0 } ?? false
            }
            guard let widest = cuttable.max(by: { widths[$0] < widths[$1] }) else { break }
            widths[widest] -= 1
            excess -= 1
        }
        return widths
    }
}
