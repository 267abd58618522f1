import EPGRender

/// A table of text, with columns as wide as their widest cells if the terminal has room.
struct Table: Sendable {
    enum Alignment: Hashable, Sendable {
        case leading, trailing
    }

    /// The title, alignment and minimum width of a column.
    struct Column: Sendable {
        let title: String
        let alignment: Alignment
        /// The minimum width when space is short; `nil` if the column is never truncated.
        let minimumWidth: Int?

        init(_ title: String = "", alignment: Alignment = .leading, minimumWidth: Int? = nil) {
            self.title = title
            self.alignment = alignment
            self.minimumWidth = minimumWidth
        }
    }

    private let columns: [Column]
    private var rows: [[Cell]] = []
    private let indent: Int

    /// Creates an empty table.
    ///
    /// - Parameter indent: The number of blanks before each row.
    init(_ columns: [Column], indent: Int = 0) {
        self.columns = columns
        self.indent = indent
    }

    var isEmpty: Bool { rows.isEmpty }

    /// Adds a row; missing cells at its end stay empty.
    mutating func append(_ cells: [Cell]) {
        rows.append(cells)
    }

    /// Returns the lines of the table with newlines, below a line of titles if any column has one.
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
                of: line, widths: widths, hasEdge: terminal.columns != nil, usesColors: terminal.usesColors)
            text += "\n"
        }
        return text
    }

    private func text(of line: [Cell], widths: [Int], hasEdge: Bool, usesColors: Bool) -> String {
        var text = ""
        // Write blanks only before text, so that lines have no trailing blanks.
        var blanks = indent
        for (index, width) in widths.enumerated() where width > 0 {
            let cell =
                index < line.count
                ? line[index].fitted(to: hasEdge ? width : max(width, line[index].width), usesColors: usesColors)
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

    /// The number of blanks between columns.
    private static let gap = 2

    /// Without a terminal nothing is truncated, but a long cell does not push the next column beyond this width.
    private static let maximumUntruncatedWidth = 60

    private static let blanks = (0...80).map { String(repeating: " ", count: $0) }

    private static func appendBlanks(_ count: Int, to text: inout String) {
        var rest = count
        while rest > 0 {
            let part = min(rest, blanks.count - 1)
            text += blanks[part]
            rest -= part
        }
    }

    /// The widths of all columns; 0 for empty ones. Truncates the widest columns first.
    private func widths(limit: Int?) -> [Int] {
        var widths = columns.indices.map { index in
            let widest = rows.reduce(0) { max($0, index < $1.count ? $1[index].width : 0) }
            return widest == 0 ? 0 : max(widest, DisplayWidth.of(columns[index].title))
        }
        guard let limit else {
            return widths.indices.map { index in
                columns[index].minimumWidth == nil ? widths[index] : min(widths[index], Table.maximumUntruncatedWidth)
            }
        }
        let gaps = max(0, widths.count(where: { $0 > 0 }) - 1) * Table.gap
        var excess = widths.reduce(0, +) + gaps + indent - limit
        while excess > 0 {
            let cuttable = widths.indices.filter { index in
                columns[index].minimumWidth.map { widths[index] > $0 } ?? false
            }
            guard let widest = cuttable.max(by: { widths[$0] < widths[$1] }) else { break }
            widths[widest] -= 1
            excess -= 1
        }
        return widths
    }
}

// MARK: - Cells

/// A table cell: pieces of text that are safe to print.
struct Cell: Sendable {
    private struct Piece: Sendable {
        let text: PrintableText
        let style: PrintStyle
        /// Blanks before the piece: 1, or 0 for the first piece and attached ones.
        let gap: Int
    }

    private var pieces: [Piece] = []
    /// The display width without truncation.
    private(set) var width = 0

    static let empty = Cell()

    init() {}

    init(_ text: String, _ style: PrintStyle = .plain) {
        append(text, style)
    }

    /// Adds a piece after a blank; ignores text without visible characters.
    mutating func append(_ text: String, _ style: PrintStyle = .plain) {
        add(PrintableText(text), style, gap: pieces.isEmpty ? 0 : 1)
    }

    /// Adds a piece without a blank.
    mutating func attach(_ text: String, _ style: PrintStyle = .plain) {
        add(PrintableText(text), style, gap: 0)
    }

    private mutating func add(_ text: PrintableText, _ style: PrintStyle, gap: Int) {
        guard text.width > 0 else { return }
        pieces.append(Piece(text: text, style: style, gap: gap))
        width += gap + text.width
    }

    /// Returns the part that fits, and its width.
    func fitted(to columns: Int, usesColors: Bool) -> (text: String, width: Int) {
        var result = ""
        var used = 0
        for piece in pieces {
            let room = columns - used - piece.gap
            // Omit a later piece if only a column or two would remain of it.
            guard used == 0 || room >= min(3, piece.text.width) else { break }
            let fitted = piece.text.fitted(to: room)
            if piece.gap > 0 { result += " " }
            result += piece.style.paint(fitted.text, usesColors: usesColors)
            used += piece.gap + fitted.width
        }
        return (result, used)
    }

    /// Returns the full text.
    func text(for terminal: Terminal) -> String {
        fitted(to: .max, usesColors: terminal.usesColors).text
    }
}

/// Text that is safe to print, and its width. Printable ASCII, which most cells are, costs a tenth of a
/// ``TerminalText``.
private enum PrintableText: Sendable {
    case plain(String)
    case measured(TerminalText)

    init(_ text: String) {
        self = PrintableText.isPlain(text) ? .plain(text) : .measured(TerminalText(text))
    }

    var width: Int {
        switch self {
        case .plain(let text): text.utf8.count
        case .measured(let text): text.width
        }
    }

    func fitted(to columns: Int) -> (text: String, width: Int) {
        switch self {
        case .plain(let text) where text.utf8.count <= columns: return (text, text.utf8.count)
        case .plain(let text): return PrintableText.fitted(TerminalText(text), to: columns)
        case .measured(let text): return PrintableText.fitted(text, to: columns)
        }
    }

    private static func fitted(_ text: TerminalText, to columns: Int) -> (text: String, width: Int) {
        let fitted = text.fitted(to: columns)
        return (fitted.isolated, fitted.width)
    }

    /// Whether the text is printable ASCII without runs of blanks, which ``TerminalText`` would not change.
    private static func isPlain(_ text: String) -> Bool {
        var previous = UInt8(ascii: " ")
        for byte in text.utf8 {
            guard (0x20...0x7E).contains(byte), byte != 0x20 || previous != 0x20 else { return false }
            previous = byte
        }
        return text.utf8.count <= 1000
    }
}
