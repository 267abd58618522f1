import EPGRender

/// What stands in one place of a table: pieces of text, safe to show.
struct Cell: Sendable {
    private struct Piece: Sendable {
        let text: TerminalText
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
        add(TerminalText(text), ink, gap: pieces.isEmpty ? 0 : 1)
    }

    /// Adds a piece without a blank.
    mutating func attach(_ text: String, _ ink: Ink = .plain) {
        add(TerminalText(text), ink, gap: 0)
    }

    private mutating func add(_ text: TerminalText, _ ink: Ink, gap: Int) {
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
            result += String(repeating: " ", count: piece.gap)
            result += piece.ink.paint(fitted.isolated, usesColours: usesColours)
            used += piece.gap + fitted.width
        }
        return (result, used)
    }
}
