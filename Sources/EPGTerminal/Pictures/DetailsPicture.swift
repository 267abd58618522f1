import EPGModel
package import EPGPicture
package import EPGRender

/// A picture that the program has to fetch for the details pane.
package struct PictureRequest: Hashable, Sendable {
    /// Tells it from earlier requests.
    let id: Int
    package let url: HTTPURL
    private let method: TerminalGraphics.Method
    private let limit: TerminalGraphics.PixelSize

    /// - Parameter limit: The room for the picture in pixels.
    init(id: Int, url: HTTPURL, method: TerminalGraphics.Method, limit: TerminalGraphics.PixelSize) {
        self.id = id
        self.url = url
        self.method = method
        self.limit = limit
    }

    /// Decodes a file and makes it fit the pane. This may take a while; it belongs off the thread of the screen.
    package func picture(decoding file: [UInt8]) throws(PictureError) -> TerminalPicture {
        let bitmap = try Bitmap(decoding: file)
        return TerminalPicture(bitmap.scaled(maxWidth: limit.width, maxHeight: limit.height), for: method)
    }
}

/// Why a picture can't be shown.
package struct PictureFailure: Error, Hashable, Sendable {
    /// A clause such as “the server can't be reached”.
    package let reason: String

    /// - Parameter reason: A clause without a period.
    package init(reason: String) { self.reason = reason }
}

/// The picture of the details pane, which is fetched and shown on demand: that of the programme, else the logo of its station.
struct DetailsPicture {
    private enum State {
        case hidden
        case requested(id: Int)
        case shown(TerminalPicture)
    }

    /// Where the picture and the text beside it are.
    struct Layout {
        let position: Screen.Position
        /// Rows above the text.
        let textRow: Int
        /// Columns of the pane that are left for the text.
        let textColumns: Int
    }

    /// The longest side of a picture in pixels: a terminal takes many bytes for each.
    private static let pixelLimit = 1024
    /// From this width on, the picture is beside the text, and otherwise above it.
    private static let wideColumns = 60

    /// `nil` if the guide has no picture.
    let url: HTTPURL?
    private var state = State.hidden

    /// The largest picture of a programme, else the largest logo of its station.
    init(of programme: Programme, on station: Station?) {
        let logos = station.map(Picture.pictures(of:)) ?? []
        url = (Picture.pictures(of: programme) + logos).first?.url
    }

    /// The picture that is shown.
    var picture: TerminalPicture? {
        if case .shown(let picture) = state { picture } else { nil }
    }

    /// Hides the picture, and ignores one that is being fetched.
    mutating func hide() { state = .hidden }

    /// Asks for the picture.
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

    /// Whether a request is the last one, and still waited for.
    func waits(for request: PictureRequest) -> Bool {
        if case .requested(request.id) = state { true } else { false }
    }

    mutating func show(_ picture: TerminalPicture) { state = .shown(picture) }

    /// The places of a picture and the text in a pane.
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
