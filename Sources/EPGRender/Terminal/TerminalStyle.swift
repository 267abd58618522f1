/// A terminal color.
package enum TerminalColor: Hashable, Sendable, ExpressibleByIntegerLiteral {
    /// A color of xterm's 256-color palette: 0–15 are the terminal's own colors; the others are a cube and a gray ramp.
    case palette(UInt8)
    /// A 24-bit color.
    case rgb(red: UInt8, green: UInt8, blue: UInt8)

    /// Creates a color of the 256-color palette.
    package init(integerLiteral index: UInt8) { self = .palette(index) }
}

/// The color and attributes of a glyph in a terminal.
package struct TerminalStyle: Hashable, Sendable {
    package var isBold: Bool
    package var isDim: Bool
    package var isItalic: Bool
    package var isUnderlined: Bool
    /// Whether foreground and background are swapped.
    package var isReversed: Bool
    /// `nil` for the terminal's default.
    package var foreground: TerminalColor?
    /// `nil` for the terminal's default.
    package var background: TerminalColor?

    package static let normal = TerminalStyle()
    package static let dim = TerminalStyle(isDim: true)

    package init(
        isBold: Bool = false, isDim: Bool = false, isItalic: Bool = false, isUnderlined: Bool = false,
        isReversed: Bool = false, foreground: TerminalColor? = nil, background: TerminalColor? = nil
    ) {
        self.isBold = isBold
        self.isDim = isDim
        self.isItalic = isItalic
        self.isUnderlined = isUnderlined
        self.isReversed = isReversed
        self.foreground = foreground
        self.background = background
    }

    /// The SGR parameters that reset and then select this style (ECMA-48, 8.3.117; colors by ISO 8613-6).
    package var selection: String {
        var codes = ["0"]
        if isBold { codes.append("1") }
        if isDim { codes.append("2") }
        if isItalic { codes.append("3") }
        if isUnderlined { codes.append("4") }
        if isReversed { codes.append("7") }
        if let foreground { codes.append(TerminalStyle.code(of: foreground, base: 30)) }
        if let background { codes.append(TerminalStyle.code(of: background, base: 40)) }
        return codes.joined(separator: ";")
    }

    /// Returns the SGR parameters that change `previous` into this style: only the changes, or ``selection`` if shorter.
    package func selection(after previous: TerminalStyle) -> String {
        let full = selection
        var codes: [String] = []
        // Code 22 turns off both bold and dim.
        let turnsWeightOff = previous.isBold && !isBold || previous.isDim && !isDim
        if turnsWeightOff { codes.append("22") }
        if isBold, turnsWeightOff || !previous.isBold { codes.append("1") }
        if isDim, turnsWeightOff || !previous.isDim { codes.append("2") }
        if isItalic != previous.isItalic { codes.append(isItalic ? "3" : "23") }
        if isUnderlined != previous.isUnderlined { codes.append(isUnderlined ? "4" : "24") }
        if isReversed != previous.isReversed { codes.append(isReversed ? "7" : "27") }
        if foreground != previous.foreground {
            codes.append(foreground.map { TerminalStyle.code(of: $0, base: 30) } ?? "39")
        }
        if background != previous.background {
            codes.append(background.map { TerminalStyle.code(of: $0, base: 40) } ?? "49")
        }
        let changes = codes.joined(separator: ";")
        return changes.utf8.count < full.utf8.count ? changes : full
    }

    /// The escape sequence that selects this style.
    var escapeSequence: String { "\u{1B}[\(selection)m" }

    /// - Parameter base: 30 for the foreground, 40 for the background.
    private static func code(of color: TerminalColor, base: Int) -> String {
        switch color {
        // The first 16 colors have their own codes, which 16-color terminals support.
        case .palette(let index) where index < 8: String(base + Int(index))
        case .palette(let index) where index < 16: String(base + 52 + Int(index))
        case .palette(let index): "\(base + 8);5;\(index)"
        case .rgb(let red, let green, let blue): "\(base + 8);2;\(red);\(green);\(blue)"
        }
    }
}

/// The capabilities of the output: width and color.
package struct Terminal: Sendable {
    /// The width of the terminal in columns; `nil` (unlimited) for a file or a pipe.
    package let columns: Int?
    package let usesColors: Bool

    package init(columns: Int?, usesColors: Bool) {
        self.columns = columns
        self.usesColors = usesColors
    }

    /// The style in which to draw grids.
    package var gridStyle: TextGrid.Style { usesColors ? .ansi : .plain }
}

/// The style of a text that a command prints (SGR, ECMA-48, 8.3.117).
package enum PrintStyle: String, Hashable, Sendable {
    case plain = ""
    case bold = "1"
    case dim = "2"
    case green = "32"
    case yellow = "33"
    case red = "31"
    case cyan = "36"

    /// Returns the text in this style, or unchanged if the output has no colors.
    package func paint(_ text: String, usesColors: Bool) -> String {
        guard usesColors, self != .plain, !text.isEmpty else { return text }
        return "\u{1B}[\(rawValue)m\(text)\u{1B}[0m"
    }
}
