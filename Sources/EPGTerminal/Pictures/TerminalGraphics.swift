/// The graphics capabilities of a terminal, from its replies.
package struct TerminalGraphics: Hashable, Sendable {
    /// The protocol for pictures.
    package enum Method: Hashable, Sendable {
        /// The graphics protocol of kitty (https://sw.kovidgoyal.net/kitty/graphics-protocol/).
        case kitty
        /// DEC's sixel graphics.
        case sixel
    }

    /// The extent of a picture or a cell in pixels.
    package struct PixelSize: Hashable, Sendable {
        package let width: Int
        package let height: Int

        /// A size in pixels.
        package init(width: Int, height: Int) {
            self.width = width
            self.height = height
        }
    }

    /// The identifier of the query for kitty's protocol.
    private static let queryID = 31

    /// The query for kitty's protocol, with a picture of one pixel that is not shown.
    static let query = "\u{1B}_Gi=\(queryID),s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\"
    /// The query for the size of a cell, and of the window (XTWINOPS).
    static let sizeQuery = "\u{1B}[16t\u{1B}[14t"

    private var hasKitty = false
    private var hasSixel = false
    /// The size of a cell as reported by the terminal.
    private var reportedCell: PixelSize?
    /// The size of a cell computed from the size of the window.
    private var derivedCell: PixelSize?

    /// Creates the state before any reply.
    package init() {}

    /// Applies a reply.
    ///
    /// - Parameter size: The current size of the terminal.
    package mutating func update(with reply: TerminalReply, screenSize size: Screen.Size) {
        switch reply {
        case .graphics(TerminalGraphics.queryID, let isOK): hasKitty = isOK
        case .deviceAttributes(let attributes): hasSixel = attributes.dropFirst().contains(4)
        case .cellSize(let cell): reportedCell = TerminalGraphics.plausible(cell)
        case .windowSize(let window):
            derivedCell = TerminalGraphics.plausible(
                PixelSize(width: window.width / size.columns, height: window.height / size.rows))
        case .graphics, .mode: break
        }
    }

    /// Discards the cell size after a resize, because the font may have changed too.
    package mutating func resetCellSize() { (reportedCell, derivedCell) = (nil, nil) }

    /// The protocol that the terminal supports, kitty's first; `nil` if there is none.
    package var method: Method? { hasKitty ? .kitty : hasSixel ? .sixel : nil }

    /// The size of a cell; `nil` if the terminal does not report it.
    package var cell: PixelSize? { reportedCell ?? derivedCell }

    private static func plausible(_ cell: PixelSize) -> PixelSize? {
        (1...500).contains(cell.width) && (1...500).contains(cell.height) ? cell : nil
    }
}
