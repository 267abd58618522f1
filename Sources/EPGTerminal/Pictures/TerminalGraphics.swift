/// What a terminal tells about showing pictures.
package struct TerminalGraphics: Hashable, Sendable {
    /// How pictures are sent.
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

    /// The query for kitty's protocol: whether a picture of one pixel could be shown.
    static let query = "\u{1B}_Gi=\(queryID),s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\"
    /// The query for the size of a cell, and of the window (XTWINOPS).
    static let sizeQuery = "\u{1B}[16t\u{1B}[14t"

    private var hasKitty = false
    private var hasSixel = false
    /// The size of a cell as the terminal reports it.
    private var reportedCell: PixelSize?
    /// The size of a cell as the size of the window gives it.
    private var derivedCell: PixelSize?

    /// A terminal that has not replied yet.
    package init() {}

    /// Takes note of a reply.
    ///
    /// - Parameter size: The size of the terminal at that time.
    package mutating func note(_ reply: TerminalReply, size: Screen.Size) {
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

    /// Forgets the size of cells: the window has another size, and perhaps another font.
    package mutating func forgetCellSize() { (reportedCell, derivedCell) = (nil, nil) }

    /// How the terminal shows pictures; `nil` if it can't.
    package var method: Method? { hasKitty ? .kitty : hasSixel ? .sixel : nil }

    /// The size of a cell; `nil` if the terminal does not report it.
    package var cell: PixelSize? { reportedCell ?? derivedCell }

    private static func plausible(_ cell: PixelSize) -> PixelSize? {
        (1...500).contains(cell.width) && (1...500).contains(cell.height) ? cell : nil
    }
}
