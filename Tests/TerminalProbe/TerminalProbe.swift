import EPGRender
import EPGTerminal
import Glibc

/// A program that uses only the terminal layer: shows its size, texts of all widths and directions, and the last
/// events.
///
/// `q` quits, Control-Z suspends, `m` toggles mouse reports, `c` shows or hides the cursor, `e` exits with an error, `a`
/// aborts, and `o` overflows the stack.
@main struct TerminalProbe {
    private var screenSize: Screen.Size
    private var events: [TerminalEvent] = []
    private var showsCursor = false

    static func main() {
        let variable = { (name: String) in getenv(name).map { String(cString: $0) } }
        do {
            let host = try TerminalHost(
                colorDepth: ColorDepth(environment: variable), usesMouse: true, terminalName: variable("TERM"))
            var probe = TerminalProbe(screenSize: host.size)
            probe.run(host)
            host.close()
        } catch {
            print("probe: \(error)")
            exit(69)
        }
    }

    private init(screenSize: Screen.Size) {
        self.screenSize = screenSize
    }

    private mutating func run(_ host: TerminalHost) {
        while true {
            screenSize = host.size
            host.present(screen(of: host))
            for event in host.events(waitingAtMost: .seconds(60)) {
                if event == .closed { return }
                events.append(event)
                guard case .key(let press) = event else { continue }
                switch (press.key, press.modifiers) {
                case (.character("q"), []): return
                case (.character("z"), .control): host.suspend()
                case (.character("m"), []): host.usesMouse.toggle()
                case (.character("c"), []): showsCursor.toggle()
                case (.character("e"), []): exit(3)
                case (.character("a"), []): abort()
                case (.character("o"), []): print(overflow(1))
                default: break
                }
            }
        }
    }

    private func screen(of host: TerminalHost) -> Screen {
        var screen = Screen(size: screenSize)
        let columns = 0..<screenSize.columns
        let title = TerminalText("Probe \(screenSize.columns)x\(screenSize.rows)")
        screen.lines[0].paint(TerminalStyle(foreground: 255, background: 24), columns)
        screen.lines.draw(
            title, row: 0, in: 1..<screenSize.columns, TerminalStyle(isBold: true, foreground: 255, background: 24))
        let texts = ["Evening News", "新闻早报", "חדשות הערב", "ليالي العود", "cafe\u{301}"]
        for (row, text) in texts.enumerated() {
            let end = screen.lines.draw(TerminalText(text), row: 1 + row, in: 1..<screenSize.columns, .normal)
            screen.lines.draw("|", row: 1 + row, column: end, .dim)
        }
        screen.lines.draw(
            TerminalText("red"), row: 6, in: 1..<screenSize.columns,
            TerminalStyle(isReversed: true, foreground: .rgb(red: 250, green: 20, blue: 30)))
        screen.lines.draw(
            TerminalText("mouse \(host.usesMouse ? "on" : "off")"), row: 7,
            in: 1..<screenSize.columns, .dim)
        for (row, event) in events.suffix(max(0, screenSize.rows - 9)).enumerated() {
            screen.lines.draw(
                TerminalText("\(event)".replacing("EPGTerminal.", with: "")), row: 8 + row, in: 1..<screenSize.columns,
                .normal)
        }
        if showsCursor { screen.cursor = Screen.Position(column: 1, row: 0) }
        return screen
    }

    /// Recurses until the stack overflows.
    private func overflow(_ depth: Int) -> Int {
        depth == .max ? 0 : overflow(depth + 1) + (depth & 1)
    }
}
