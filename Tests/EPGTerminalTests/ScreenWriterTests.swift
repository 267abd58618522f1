import EPGRender
import EPGTerminal
import TestSupport
import Testing

@Suite struct ScreenWriterTests {
    /// The appearance of a cell. Blanks differ only by background, and isolates are ignored.
    private struct Look: Hashable {
        let text: String
        let style: TerminalStyle?

        init(_ text: String, _ style: TerminalStyle) {
            self.text = String(
                String.UnicodeScalarView(text.unicodeScalars.filter { !Look.isolates.contains($0) }))
            let isPlain = !style.isReversed && !style.isUnderlined
            self.style =
                text.isEmpty
                ? nil : self.text == " " && isPlain ? TerminalStyle(background: style.background) : style
        }

        static let isolates: [Unicode.Scalar] = ["\u{2068}", "\u{2069}"]
    }

    private func expectEqual(
        _ terminal: EmulatedTerminal, _ screen: Screen, _ depth: ColorDepth = .full,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(terminal.failures == [], sourceLocation: sourceLocation)
        for (row, line) in screen.lines.enumerated() {
            let expected = line.cells.map { Look($0.text, depth.adapted($0.style)) }
            let found = terminal.cells[row].map { Look($0.text, $0.style) }
            #expect(found == expected, "row \(row)", sourceLocation: sourceLocation)
            let isolates = line.cells.indices.dropFirst().filter { column in
                guard !line.cells[column].isContinuation else { return false }
                let isIsolated = line.cells[column].text.unicodeScalars.first == "\u{2068}"
                let isWide = column > 1 && line.cells[column - 1].isContinuation
                let previous = terminal.cells[row][isWide ? column - 2 : column - 1].text
                let count = previous.unicodeScalars.count { $0 == "\u{2068}" }
                return count != (isIsolated ? 1 : 0)
            }
            #expect(isolates == [], "columns with wrong isolates in row \(row)", sourceLocation: sourceLocation)
        }
        #expect(terminal.isCursorVisible == (screen.cursor != nil), sourceLocation: sourceLocation)
        if let cursor = screen.cursor {
            #expect(
                Screen.Position(column: terminal.column, row: terminal.row) == cursor,
                sourceLocation: sourceLocation)
        }
    }

    private static let titles = [
        "Evening News", "新闻早报", "חדשות הערב", "ليالي العود", "cafe\u{301} noir", "x", "晚新 a",
        "The Kerbside Cooks  ",
        "é",
    ].map { TerminalText($0) }

    private static let styles = [
        TerminalStyle.normal, .dim, TerminalStyle(isBold: true), TerminalStyle(isReversed: true),
        TerminalStyle(isUnderlined: true), TerminalStyle(foreground: 255, background: 24),
        TerminalStyle(isBold: true, foreground: 9, background: 0),
        TerminalStyle(isItalic: true, foreground: .rgb(red: 1, green: 2, blue: 3)),
        TerminalStyle(background: .rgb(red: 200, green: 0, blue: 99)),
    ]

    /// Makes a random change: draws, scrolls or moves the cursor.
    private func change(_ screen: inout Screen, _ random: inout SystemRandomNumberGenerator) {
        let style = Self.styles.randomElement(using: &random) ?? .normal
        let row = Int.random(in: 0..<screen.size.rows, using: &random)
        let column = Int.random(in: -5..<screen.size.columns, using: &random)
        let columns = column..<column + Int.random(in: 0..<screen.size.columns, using: &random)
        let lines = screen.lines
        switch Int.random(in: 0..<13, using: &random) {
        case 0..<6:
            let title = Self.titles.randomElement(using: &random) ?? TerminalText("")
            screen.lines.draw(title, row: row, in: columns, style)
        case 6: screen.lines.draw("│", row: row, column: column, style)
        case 7:
            for row in row..<row + 3 where screen.lines.indices.contains(row) {
                screen.lines[row].paint(style, columns)
            }
        case 8: screen.lines.fill(style, rows: row..<row + 3, columns: columns)
        case 9: screen.lines.overlay("┃", row: row, column: max(0, column), TerminalStyle(foreground: 203))
        case 10:
            let distance = Int.random(in: -4...4, using: &random)
            let top = Int.random(in: 0...3, using: &random)
            for target in lines.indices.dropFirst(top).dropLast(2)
            where lines.indices.contains(target + distance) {
                screen.lines[target] = lines[target + distance]
            }
        case 11:
            let distance = Int.random(in: -30...30, using: &random)
            for row in lines.indices {
                let start = min(3, screen.size.columns - 1)
                let isCut = [start, start + distance, screen.size.columns + distance].contains {
                    lines[row].cells.indices.contains($0) && lines[row].cells[$0].isContinuation
                }
                if !isCut { screen.lines[row].shift(from: start, by: distance) }
            }
        default:
            screen.cursor =
                Bool.random(using: &random) ? nil : Screen.Position(column: max(0, column), row: row)
        }
    }

    @Test(arguments: [(40, 12), (7, 3), (1, 1), (2, 9), (80, 24)])
    func terminalShowsEveryScreen(_ columns: Int, _ rows: Int) {
        var random = SystemRandomNumberGenerator()
        let size = Screen.Size(columns: columns, rows: max(rows, 3))
        var terminal = EmulatedTerminal(size: size)
        var writer = ScreenWriter(colorDepth: .full)
        var screen = Screen(size: size)
        for _ in 0..<TestScope.cases(300) {
            for _ in 0..<Int.random(in: 1..<6, using: &random) { change(&screen, &random) }
            terminal.write(writer.bytes(for: screen))
            expectEqual(terminal, screen)
        }
    }

    @Test(arguments: [ColorDepth.none, .sixteen, .palette])
    func colorsFollowTheColorDepth(_ depth: ColorDepth) {
        var screen = Screen(size: Screen.Size(columns: 20, rows: Self.styles.count))
        for (row, style) in Self.styles.enumerated() {
            screen.lines.draw(TerminalText("Evening News"), row: row, in: 2..<20, style)
        }
        var terminal = EmulatedTerminal(size: screen.size)
        var writer = ScreenWriter(colorDepth: depth)
        let bytes = writer.bytes(for: screen)
        terminal.write(bytes)
        expectEqual(terminal, screen, depth)
        let sequences = String(decoding: bytes, as: UTF8.self)
        #expect((sequences.contains(";2;"), sequences.contains("8;5;")) == (false, depth == .palette))
    }

    /// Returns a screen with rows of text, and a writer that has shown it.
    private func shown(_ rows: [String], columns: Int = 40) -> (screen: Screen, writer: ScreenWriter) {
        var screen = Screen(size: Screen.Size(columns: columns, rows: rows.count))
        for (row, text) in rows.enumerated() {
            screen.lines.draw(TerminalText(text), row: row, in: 0..<columns, .normal)
        }
        var writer = ScreenWriter(colorDepth: .full)
        _ = writer.bytes(for: screen)
        return (screen, writer)
    }

    private func output(_ writer: inout ScreenWriter, _ screen: Screen) -> String {
        String(decoding: writer.bytes(for: screen), as: UTF8.self)
    }

    @Test func unchangedScreenWritesNothing() {
        var (screen, writer) = shown(["abc"])
        var outputs = [output(&writer, screen)]
        // Bold does not change blanks.
        screen.lines[0].paint(TerminalStyle(isBold: true), 10..<20)
        outputs.append(output(&writer, screen))
        #expect(outputs == ["", ""])
    }

    @Test func changedLetterWritesAMoveAndTheLetter() {
        var (screen, writer) = shown(["abcdefgh", "abcdefgh"])
        let letters: [(text: String, row: Int, column: Int, output: String)] = [
            ("X", 1, 4, "\u{1B}[5GX"), ("Y", 1, 5, "Y"), ("Z", 1, 5, "\u{8}Z"), ("B", 0, 0, "\u{1B}[HB"),
        ]
        for letter in letters {
            screen.lines.draw(letter.text, row: letter.row, column: letter.column, .normal)
            #expect(output(&writer, screen) == letter.output)
        }
    }

    @Test func styleChangeWritesOnlyDifferingAttributes() {
        var (screen, writer) = shown(["abcdefgh"])
        screen.lines.draw("A", row: 0, column: 0, TerminalStyle(foreground: 255, background: 24))
        screen.lines.draw(
            "B", row: 0, column: 1, TerminalStyle(isBold: true, foreground: 255, background: 24))
        screen.lines.draw("C", row: 0, column: 2, TerminalStyle(foreground: 255, background: 24))
        screen.lines.draw("D", row: 0, column: 3, TerminalStyle(foreground: 9))
        screen.lines.draw("E", row: 0, column: 4, .normal)
        #expect(
            output(&writer, screen)
                == "\r\u{1B}[38;5;255;48;5;24mA\u{1B}[1mB\u{1B}[22mC\u{1B}[0;91mD\u{1B}[mE")
    }

    @Test func blankEndOfARowIsErased() {
        var (screen, writer) = shown([String(repeating: "x", count: 40)])
        screen.lines.fill(.normal, rows: 0..<1, columns: 10..<40)
        #expect(output(&writer, screen) == "\u{1B}[11G\u{1B}[K")
    }

    @Test func smallGapsBetweenChangesAreRewritten() {
        var (screen, writer) = shown(["abcdefghijkl"])
        screen.lines.draw("1", row: 0, column: 0, .normal)
        screen.lines.draw("2", row: 0, column: 3, .normal)
        #expect(output(&writer, screen) == "\r1bc2")
    }

    @Test func terminalMovesRowsThatMoved() {
        let rows = (0..<20).map { "Row \($0) with a text of its own" }
        var (screen, writer) = shown(["Header"] + rows + ["Footer"])
        for row in 1..<20 { screen.lines[row] = screen.lines[row + 1] }
        screen.lines.fill(.normal, rows: 20..<21, columns: 0..<40)
        screen.lines.draw(TerminalText("New"), row: 20, in: 0..<40, .normal)
        #expect(output(&writer, screen) == "\u{1B}[2;21r\u{1B}[2H\u{1B}[M\u{1B}[r\u{1B}[21HNew")
        for row in (2..<21).reversed() { screen.lines[row] = screen.lines[row - 1] }
        screen.lines.fill(.normal, rows: 1..<2, columns: 0..<40)
        #expect(output(&writer, screen) == "\u{1B}[2;21r\u{1B}[2H\u{1B}[L\u{1B}[r")
    }

    @Test func terminalMovesColumnsThatMoved() {
        let rows = (0..<5).map { "Row \($0) " + String(repeating: "ab\($0)cd", count: 8) }
        var (screen, writer) = shown(rows, columns: 46)
        for row in 0..<5 { screen.lines[row].shift(from: 6, by: 3) }
        #expect(output(&writer, screen) == "\u{1B}[1;7H\u{1B}[3P" + String(repeating: "\n\u{1B}[3P", count: 4))
        for row in 0..<5 { screen.lines[row].shift(from: 6, by: -3) }
        #expect(output(&writer, screen) == "\u{1B}[1;7H\u{1B}[3@" + String(repeating: "\n\u{1B}[3@", count: 4))
    }

    @Test func cursorIsRepositionedAfterAScalarSequence() {
        var (screen, writer) = shown(["", ""])
        // Takes four columns in terminals that draw each scalar, so the next two columns are rewritten.
        screen.lines.draw(TerminalText("👩‍🔬ab"), row: 0, in: 0..<40, .normal)
        #expect(output(&writer, screen) == "\u{1B}[H👩‍🔬\u{1B}[3Gab")
        screen.lines.draw(TerminalText("👨‍🔬ab"), row: 0, in: 0..<40, .normal)
        #expect(output(&writer, screen).hasPrefix("\r👨‍🔬\u{1B}[3Gab"))
        // Takes one column in terminals that ignore U+FE0F.
        screen.lines.draw(TerminalText("❤\u{FE0F}ab"), row: 1, in: 0..<40, .normal)
        #expect(output(&writer, screen).hasSuffix("  \u{1B}[1G❤\u{FE0F}\u{1B}[3Gab"))
    }

    @Test func frameIsWrappedInSynchronizedOutput() {
        var (screen, writer) = shown(["a"])
        writer.isSynchronized = true
        #expect(output(&writer, screen) == "")
        screen.lines.draw("b", row: 0, column: 0, .normal)
        #expect(output(&writer, screen) == "\u{1B}[?2026h\rb\u{1B}[?2026l")
    }

    @Test func forgottenOrResizedScreenIsRedrawnCompletely() {
        var (screen, writer) = shown(["abc"])
        writer.invalidate()
        #expect(output(&writer, screen) == "\u{1B}[0m\u{1B}[2J\u{1B}[Habc")
        screen = Screen(size: Screen.Size(columns: 30, rows: 2))
        #expect(output(&writer, screen) == "\u{1B}[0m\u{1B}[2J")
    }

    @Test func cursorIsShownAtItsPosition() {
        var (screen, writer) = shown(["abc"])
        let outputs = [Screen.Position(column: 1, row: 0), nil, Screen.Position(column: 99, row: 0)].map { cursor in
            screen.cursor = cursor
            return output(&writer, screen)
        }
        #expect(outputs == ["\u{8}\u{8}\u{1B}[?25h", "\u{1B}[?25l", ""])
    }
}
