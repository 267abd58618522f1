import EPGModel
package import EPGPicture

/// A picture encoded for a terminal.
package struct TerminalPicture: Hashable, Sendable {
    package let method: TerminalGraphics.Method
    package let size: TerminalGraphics.PixelSize
    /// The sequence that draws the picture with its top left corner at the cursor.
    let bytes: [UInt8]

    /// Encodes a picture.
    package init(_ bitmap: Bitmap, for method: TerminalGraphics.Method) {
        self.method = method
        size = TerminalGraphics.PixelSize(width: bitmap.width, height: bitmap.height)
        bytes =
            switch method {
            case .kitty: KittyGraphics.bytes(of: bitmap)
            case .sixel: Sixels.bytes(of: bitmap)
            }
    }

    /// The sequence that removes the picture; `nil` if only rewriting its cells removes it.
    var removal: [UInt8]? { method == .kitty ? KittyGraphics.removal : nil }
}

/// A picture at a position on the screen.
package struct PlacedPicture: Hashable, Sendable {
    package let picture: TerminalPicture
    /// The cell of its top left corner. The picture does not extend beyond the screen.
    package let position: Screen.Position

    /// Places a picture.
    ///
    /// - Parameter position: The cell of its top left corner. The picture has to fit on the screen from there.
    package init(picture: TerminalPicture, position: Screen.Position) {
        self.picture = picture
        self.position = position
    }
}

/// The graphics protocol of kitty, which Ghostty, Konsole, WezTerm and others also support.
private enum KittyGraphics {
    /// The identifier of the picture. There is at most one at a time.
    private static let id = 32
    /// The protocol's limit for bytes of base64 per sequence.
    private static let chunkSize = 4096

    /// Transfers and shows the pixels at their original size, without moving the cursor and without a reply.
    static func bytes(of bitmap: Bitmap) -> [UInt8] {
        let isOpaque = bitmap.isOpaque
        var samples = bitmap.pixels
        if isOpaque {
            samples = []
            samples.reserveCapacity(bitmap.width * bitmap.height * 3)
            for place in stride(from: 0, to: bitmap.pixels.count, by: 4) { samples += bitmap.pixels[place..<place + 3] }
        }
        let data = samples.base64
        let format = isOpaque ? 24 : 32
        var control = "a=T,f=\(format),s=\(bitmap.width),v=\(bitmap.height),i=\(id),q=2,C=1,"
        var output: [UInt8] = []
        output.reserveCapacity(data.count + data.count / chunkSize * 16 + 100)
        for start in stride(from: 0, to: data.count, by: chunkSize) {
            let end = min(start + chunkSize, data.count)
            output += "\u{1B}_G\(control)m=\(end < data.count ? 1 : 0);".utf8
            output += data[start..<end]
            output += "\u{1B}\\".utf8
            control = "q=2,"
        }
        return output
    }

    /// Deletes the picture and its data.
    static let removal = Array("\u{1B}_Ga=d,d=I,i=\(id),q=2\u{1B}\\".utf8)
}
