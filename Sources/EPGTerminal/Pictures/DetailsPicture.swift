package import EPGModel
package import EPGPicture

/// A picture that the program has to fetch for the details pane.
package struct PictureRequest: Hashable, Sendable {
    /// Distinguishes the request from earlier ones.
    let id: Int
    package let url: HTTPURL
    private let method: TerminalGraphics.Method
    private let limit: TerminalGraphics.PixelSize

    /// - Parameter limit: The maximum size of the picture in pixels.
    init(id: Int, url: HTTPURL, method: TerminalGraphics.Method, limit: TerminalGraphics.PixelSize) {
        self.id = id
        self.url = url
        self.method = method
        self.limit = limit
    }

    /// Decodes a file and scales it to fit the pane. Slow: call it on a thread other than the screen's.
    package func picture(decoding file: [UInt8]) throws(PictureError) -> TerminalPicture {
        let bitmap = try Bitmap(decoding: file)
        return TerminalPicture(bitmap.scaled(maxWidth: limit.width, maxHeight: limit.height), for: method)
    }
}

/// The reason why a picture can't be shown.
package struct PictureFailure: Error, Hashable, Sendable {
    /// A clause such as “the server can't be reached”.
    package let reason: String

    /// - Parameter reason: A clause without a period.
    package init(reason: String) { self.reason = reason }
}

/// The picture of the details pane, fetched and shown on demand: the programme's picture, or else its station's logo.
struct DetailsPicture {
    private enum State {
        case hidden
        case requested(id: Int)
        case shown(TerminalPicture)
    }

    /// The positions of the picture and the text beside it.
    struct Layout {
        let position: Screen.Position
        /// Rows above the text.
        let textRow: Int
        /// Columns of the pane for the text.
        let textColumns: Int
    }

    /// Maximum width and height of a picture in pixels, because a terminal needs many bytes per pixel.
    private static let pixelLimit = 1024
    /// Minimum width for a picture beside the text. In narrower panes it is above the text.
    private static let wideColumns = 60

    /// The URL of the picture; `nil` if the guide has none.
    let url: HTTPURL?
    private var state = State.hidden

    /// Selects the largest picture of a programme, or else the largest logo of its station.
    init(of programme: Programme, on station: Station?) {
        let logos = station.map(Picture.pictures(of:)) ?? []
        url = (Picture.pictures(of: programme) + logos).first?.url
    }

    /// The picture on the screen; `nil` if there is none.
    var picture: TerminalPicture? {
        if case .shown(let picture) = state { picture } else { nil }
    }

    /// Hides the picture, and cancels a pending request.
    mutating func hide() { state = .hidden }

    /// Returns a request for the picture; `nil` if the guide has none.
    ///
    /// - Parameter pane: The size of the pane in cells.
    mutating func request(
        id: Int, in pane: Screen.Size, _ method: TerminalGraphics.Method, cell: TerminalGraphics.PixelSize
    ) -> PictureRequest? {
        guard let url else { return nil }
        state = .requested(id: id)
        let isWide = pane.columns >= DetailsPicture.wideColumns
        let columns = isWide ? pane.columns * 2 / 5 : max(1, pane.columns - 2)
        let rows = isWide ? pane.rows : max(1, pane.rows / 2)
        let limit = TerminalGraphics.PixelSize(
            width: min(columns * cell.width, DetailsPicture.pixelLimit),
            height: min(rows * cell.height, DetailsPicture.pixelLimit))
        return PictureRequest(id: id, url: url, method: method, limit: limit)
    }

    /// Whether a request is the last one and still pending.
    func waits(for request: PictureRequest) -> Bool {
        if case .requested(request.id) = state { true } else { false }
    }

    mutating func show(_ picture: TerminalPicture) { state = .shown(picture) }

    /// The layout of a picture and the text in a pane.
    static func layout(
        _ size: TerminalGraphics.PixelSize, in pane: Screen.Size, below top: Int, cell: TerminalGraphics.PixelSize
    ) -> Layout {
        let columns = (size.width + cell.width - 1) / cell.width
        let rows = (size.height + cell.height - 1) / cell.height
        guard pane.columns >= wideColumns else {
            return Layout(position: Screen.Position(column: 1, row: top), textRow: rows, textColumns: pane.columns)
        }
        let column = max(0, pane.columns - columns - 1)
        return Layout(position: Screen.Position(column: column, row: top), textRow: 0, textColumns: column)
    }
}
