import EPGModel
import EPGPicture
import EPGRender
import EPGTerminal
import Testing

/// Tests of picture sequences. Tests/System/terminal/test_pictures.py tests their appearance in an emulated terminal.
@Suite struct PictureTests {
    // MARK: - Capabilities

    private func graphics(_ replies: TerminalReply...) -> TerminalGraphics {
        var graphics = TerminalGraphics()
        for reply in replies { graphics.update(with: reply, screenSize: Screen.Size(columns: 80, rows: 24)) }
        return graphics
    }

    @Test func kittyTakesPrecedenceOverSixel() {
        let methods: [TerminalGraphics.Method?] = [
            graphics().method, graphics(.deviceAttributes([62, 4, 22])).method,
            // The first number is the class of the terminal, so 4 is not an extension there.
            graphics(.deviceAttributes([4, 22])).method,
            graphics(.graphics(id: 31, isOK: true), .deviceAttributes([62, 4])).method,
            graphics(.graphics(id: 31, isOK: false), .deviceAttributes([62, 4])).method,
            // The reply to another query.
            graphics(.graphics(id: 7, isOK: true)).method,
        ]
        #expect(methods == [nil, .sixel, nil, .kitty, .sixel, nil])
    }

    @Test func cellSizeIsReportedOrComputedFromTheWindowSize() {
        let cell = TerminalGraphics.PixelSize(width: 9, height: 18)
        let window = TerminalReply.windowSize(TerminalGraphics.PixelSize(width: 805, height: 480))
        var changed = graphics(.cellSize(cell), window)
        changed.resetCellSize()
        #expect(
            [graphics().cell, graphics(window).cell, graphics(.cellSize(cell), window).cell, changed.cell]
                == [nil, TerminalGraphics.PixelSize(width: 10, height: 20), cell, nil])
    }

    @Test(arguments: [(0, 20), (10, 0), (65_535, 20), (10, 501)])
    func implausibleCellSizeIsIgnored(_ width: Int, _ height: Int) {
        #expect(graphics(.cellSize(TerminalGraphics.PixelSize(width: width, height: height))).cell == nil)
    }

    @Test func sizesAreReadFromReplies() {
        var parser = InputParser()
        // XTWINOPS: 6 is a cell and 4 the window; height before width.
        let events = parser.parse("\u{1B}[6;18;9t\u{1B}[4;480;800t\u{1B}[8;24;80t\u{1B}[6;18t".utf8)
        #expect(
            events == [
                .reply(.cellSize(TerminalGraphics.PixelSize(width: 9, height: 18))),
                .reply(.windowSize(TerminalGraphics.PixelSize(width: 800, height: 480))),
            ])
    }

    // MARK: - On the screen

    private static let size = Screen.Size(columns: 20, rows: 4)

    private func screen(with method: TerminalGraphics.Method?, text: String = "Kerbside") -> Screen {
        var screen = Screen(size: Self.size)
        screen.lines.draw(TerminalText(text), row: 0, in: 0..<20, .normal)
        screen.picture = method.map { method in
            let bitmap = Bitmap(width: 2, height: 1, pixels: [255, 0, 0, 255, 0, 0, 255, 0])
            return PlacedPicture(
                picture: TerminalPicture(bitmap, for: method), position: Screen.Position(column: 10, row: 1))
        }
        return screen
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test func pictureIsSentOnceAfterTheCells() {
        var writer = ScreenWriter(colorDepth: .full)
        let first = text(writer.bytes(for: screen(with: .kitty)))
        // The pixels are FF 00 00 FF 00 00 FF 00 in base64 (RFC 4648).
        let picture = "\u{1B}_Ga=T,f=32,s=2,v=1,i=32,q=2,C=1,m=0;/wAA/wAA/wA=\u{1B}\\"
        #expect(first.contains("Kerbside") && first.hasSuffix(picture))
        let second = writer.bytes(for: screen(with: .kitty))
        let third = text(writer.bytes(for: screen(with: .kitty, text: "Curbside")))
        #expect(second.isEmpty && !third.contains("_G"))
        writer.invalidate()
        #expect(text(writer.bytes(for: screen(with: .kitty))).hasSuffix(picture))
    }

    @Test func kittyPictureIsDeletedByItsIdentifier() {
        var writer = ScreenWriter(colorDepth: .full)
        _ = writer.bytes(for: screen(with: .kitty))
        #expect(text(writer.bytes(for: screen(with: nil))) == "\u{1B}_Ga=d,d=I,i=32,q=2\u{1B}\\")
        #expect(writer.bytes(for: screen(with: nil)).isEmpty)
    }

    @Test func sixelPictureIsErasedWithTheScreen() {
        var writer = ScreenWriter(colorDepth: .full)
        let first = text(writer.bytes(for: screen(with: .sixel)))
        // The color is 100% red, and the second pixel is transparent. `@` (64) is the top one of six pixels.
        #expect(first.hasSuffix("\u{1B}P0;1;0q\"1;1;2;1#0;2;100;0;0#0@\u{1B}\\"))
        let second = text(writer.bytes(for: screen(with: nil)))
        #expect(second.contains("\u{1B}[2J") && second.contains("Kerbside") && !second.contains("\u{1B}P"))
    }
}
