/// How a glyph looks in a terminal that knows colours.
struct TextStyle: Hashable, Sendable {
    var isBold = false
    var isDim = false
    /// A colour of the 256-colour palette.
    var foreground: UInt8?
    /// A colour of the 256-colour palette.
    var background: UInt8?

    static let normal = TextStyle()
    static let dim = TextStyle(isDim: true)

    /// The escape sequence that sets just this style (ECMA-48, 8.3.117: SGR).
    var escapeSequence: String {
        var codes = ["0"]
        if isBold { codes.append("1") }
        if isDim { codes.append("2") }
        if let foreground { codes.append("38;5;\(foreground)") }
        if let background { codes.append("48;5;\(background)") }
        return "\u{1B}[" + codes.joined(separator: ";") + "m"
    }
}
