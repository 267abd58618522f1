import EPGRender

/// What stands in one place of a table: pieces of text, safe to show.
struct Cell: Sendable {
    private struct Piece: Sendable {
        let text: ShownText
        let ink: Ink
        /// Blanks before it: 1, or 0 for the first and for what is attached.
        let gap: Int
    }

    private var pieces: [Piece] = []
    /// The columns that it takes when it isn't cut.
    private(set) var width = 0

    static let empty = Cell()

    init() {}

    init(_ text: String, _ ink: Ink = .plain) {
        append(text, ink)
    }

    /// Adds a piece after a blank; nothing for a text of which nothing can be shown.
    mutating func append(_ text: String, _ ink: Ink = .plain) {
        add(ShownText(text), ink, gap: pieces.isEmpty ? 0 : 1)
    }

    /// Adds a piece without a blank.
    mutating func attach(_ text: String, _ ink: Ink = .plain) {
        add(ShownText(text), ink, gap: 0)
    }

    private mutating func add(_ text: ShownText, _ ink: Ink, gap: Int) {
        guard text.width > 0 else { return }
        pieces.append(Piece(text: text, ink: ink, gap: gap))
        width += gap + text.width
    }

    /// As much of it as has room, and how wide that is.
    func fitted(to columns: Int, usesColours: Bool) -> (text: String, width: Int) {
        var result = ""
        var used = 0
        for piece in pieces {
            let room = columns - used - piece.gap
            // A remnant of a column or two of a later piece says nothing.
            guard used == 0 || room >= min(3, piece.text.width) else { break }
            let fitted = piece.text.fitted(to: room)
            if piece.gap > 0 { result += " " }
            result += piece.ink.paint(fitted.text, usesColours: usesColours)
            used += piece.gap + fitted.width
        }
        return (result, used)
    }

    /// All of it.
    func text(for terminal: Terminal) -> String {
        fitted(to: .max, usesColours: terminal.usesColours).text
    }
}

/// A text that is safe to show, and measured: as it is where it is plain ASCII, which most texts of a table are and which
/// costs a tenth, else as a ``TerminalText``.
private enum ShownText: Sendable {
    case plain(String)
    case measured(TerminalText)

    init(_ text: String) {
        self = ShownText.isPlain(text) ? .plain(text) : .measured(TerminalText(text))
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
        case .plain(let text): return ShownText.fitted(TerminalText(text), to: columns)
        case .measured(let text): return ShownText.fitted(text, to: columns)
        }
    }

    private static func fitted(_ text: TerminalText, to columns: Int) -> (text: String, width: Int) {
        let fitted = text.fitted(to: columns)
        return (fitted.isolated, fitted.width)
    }

    /// Whether a text is printable ASCII without runs of blanks, so that ``TerminalText`` would leave it as it is.
    private static func isPlain(_ text: String) -> Bool {
        var previous = UInt8(ascii: " ")
        for byte in text.utf8 {
            guard (0x20...0x7E).contains(byte), byte != 0x20 || previous != 0x20 else { return false }
            previous = byte
        }
        return text.utf8.count <= 1000
    }
}
