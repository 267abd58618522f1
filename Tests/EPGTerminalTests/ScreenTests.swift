import EPGRender
import EPGTerminal
import Testing

@Suite struct ScreenTests {
    private func screen(_ columns: Int = 10, _ rows: Int = 1) -> Screen {
        Screen(size: Screen.Size(columns: columns, rows: rows))
    }

    @Test func textIsTruncatedAtItsRangeAndTheScreen() {
        var screen = screen(12, 2)
        let ends = [
            screen.lines.draw(TerminalText("Evening News"), row: 0, in: 1..<10, .normal),
            screen.lines.draw(TerminalText("Weather"), row: 1, in: 8..<40, .normal),
        ]
        #expect((ends, screen.text) == ([9, 12], " Evening…\n        Wea…\n"))
    }

    @Test func textFromLeftOfTheScreenBeginsAtTheEdge() {
        var screen = screen()
        screen.lines.draw(TerminalText("Evening News"), row: 0, in: -20..<9, .normal)
        #expect(screen.text == "Evening…\n")
    }

    @Test(arguments: [-1, 3, 1000])
    func rowOutsideTheScreenDrawsNothing(_ row: Int) {
        var screen = screen(4, 3)
        let blank = screen
        screen.lines.draw(TerminalText("x"), row: row, in: 0..<4, .normal)
        screen.lines.draw("x", row: row, column: 0, .normal)
        screen.lines.overlay("┃", row: row, column: 0, .normal)
        #expect((screen, screen.isBlank(row: row, columns: 0..<4)) == (blank, true))
    }

    @Test func columnOutsideTheScreenDrawsNothing() {
        var screen = screen(4, 1)
        let blank = screen
        for column in [-1, 4] {
            screen.lines.draw("x", row: 0, column: column, .normal)
            screen.lines.overlay("┃", row: 0, column: column, .normal)
            screen.lines.fill(TerminalStyle(background: 1), rows: 0..<1, columns: column..<column)
        }
        screen.lines.fill(TerminalStyle(background: 1), rows: -5..<0, columns: 0..<4)
        #expect(screen == blank)
    }

    @Test(arguments: [(0, "x 闻\n"), (1, " x闻\n"), (2, "新x\n"), (3, "新 x\n")])
    func symbolOverHalfOfAWideCharacterLeavesABlank(_ column: Int, _ text: String) {
        var screen = screen(4)
        screen.lines.draw(TerminalText("新闻"), row: 0, in: 0..<4, .normal)
        screen.lines.draw("x", row: 0, column: column, .normal)
        #expect(screen.text == text)
    }

    @Test func textOverHalvesOfWideCharactersLeavesBlanks() {
        var screen = screen(6)
        screen.lines.draw(TerminalText("新闻早"), row: 0, in: 0..<6, .normal)
        screen.lines.draw(TerminalText("ab"), row: 0, in: 1..<3, .normal)
        #expect(screen.text == " ab 早\n")
        screen.lines.draw(TerminalText("新闻早"), row: 0, in: 0..<6, .normal)
        screen.lines.fill(.normal, rows: 0..<1, columns: 3..<5)
        #expect(screen.text == "新\n")
    }

    @Test func wideCharacterThatDoesNotFitIsTruncated() {
        var screen = screen(5)
        screen.lines.draw(TerminalText("新闻早"), row: 0, in: 0..<5, .normal)
        #expect(screen.text == "新闻…\n")
    }

    @Test func bothHalvesOfAWideCharacterHaveTheSameStyle() {
        var screen = screen(4)
        let red = TerminalStyle(background: 1)
        screen.lines.draw(TerminalText("新闻"), row: 0, in: 0..<4, .normal)
        for columns in [0..<1, 3..<4] {
            screen.lines[0].paint(red, columns)
            #expect(screen.lines[0].cells.map(\.style) == [red, red, .normal, .normal])
        }
        screen.lines.overlay("┃", row: 0, column: 2, TerminalStyle(foreground: 203))
        let (left, right) = (screen.lines[0].cells[2].style, screen.lines[0].cells[3].style)
        #expect((left, left.background) == (right, 203))
    }

    @Test func overlayReplacesBlanksAndColorsTheBackgroundOfLetters() {
        var screen = screen(4, 3)
        screen.lines.draw(TerminalText("ab"), row: 1, in: 0..<4, .normal)
        for row in 0..<3 { screen.lines.overlay("┃", row: row, column: 1, TerminalStyle(foreground: 203)) }
        #expect((screen.text, screen.lines[1].cells[1].style.background) == (" ┃\nab\n ┃\n", 203))
    }

    @Test func rightToLeftTextIsIsolated() {
        var screen = screen(8)
        screen.lines.draw(TerminalText("חדש"), row: 0, in: 1..<8, .normal)
        #expect(screen.text == " \u{2068}חדש\u{2069}\n")
    }

    @Test func sizeHasAtLeastOneCell() {
        #expect(Screen.Size(columns: 0, rows: -3) == Screen.Size(columns: 1, rows: 1))
    }

    @Test(arguments: [
        (["TERM": "xterm-256color"], ColorDepth.palette),
        (["TERM": "xterm-256color", "COLORTERM": "truecolor"], .full),
        (["TERM": "xterm", "COLORTERM": "24bit"], .full), (["TERM": "xterm-direct"], .full),
        (["TERM": "xterm"], .sixteen),
        (["TERM": "linux"], .sixteen), (["TERM": "xterm-kitty"], .palette), (["TERM": "vt220"], .none),
        (["TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": "1"], .none),
        (["TERM": "xterm-256color", "NO_COLOR": ""], .palette), (["TERM": "dumb"], .none), ([:], .none),
    ])
    func environmentDeterminesTheColorDepth(_ environment: [String: String], _ depth: ColorDepth) {
        #expect(ColorDepth { environment[$0] } == depth)
    }

    /// In xterm's palette, 196 is (5, 0, 0) in the color cube, 24 is (0, 1, 2), and 232 is the gray (8, 8, 8).
    @Test(arguments: [
        (TerminalColor.rgb(red: 255, green: 0, blue: 0), TerminalColor.palette(196)),
        (.rgb(red: 0, green: 95, blue: 135), 24), (.rgb(red: 7, green: 9, blue: 8), 232), (24, 24), (9, 9),
    ])
    func paletteDepthUsesTheNearestPaletteColor(_ color: TerminalColor, _ nearest: TerminalColor) {
        let style = ColorDepth.palette.adapted(TerminalStyle(foreground: color, background: color))
        #expect(style == TerminalStyle(foreground: nearest, background: nearest))
    }

    @Test(arguments: [
        (TerminalColor.rgb(red: 250, green: 10, blue: 10), TerminalColor.palette(9)), (203, 9), (232, 0), (255, 7),
        (12, 12),
    ])
    func sixteenColorDepthUsesTheNearestColor(_ color: TerminalColor, _ nearest: TerminalColor) {
        #expect(ColorDepth.sixteen.adapted(TerminalStyle(foreground: color)).foreground == nearest)
    }

    @Test func sixteenColorsKeepTextReadable() {
        for genre in Genre.allCases {
            let style = TerminalStyle(foreground: CellDrawing.foreground, background: genre.background)
            let adapted = ColorDepth.sixteen.adapted(style)
            #expect(adapted.foreground != adapted.background)
        }
    }

    @Test func colorDepthNoneKeepsAttributes() {
        let style = TerminalStyle(isBold: true, isReversed: true, foreground: 1, background: 2)
        #expect(ColorDepth.none.adapted(style) == TerminalStyle(isBold: true, isReversed: true))
    }
}
