/// How a piece of text looks in a terminal that knows colours (ECMA-48, 8.3.117: SGR).
package enum Ink: String, Hashable, Sendable {
    case plain = ""
    case bold = "1"
    case dim = "2"
    case green = "32"
    case yellow = "33"
    case red = "31"
    case cyan = "36"

    /// A text in this ink; as it is where there are no colours.
    package func paint(_ text: String, usesColours: Bool) -> String {
        guard usesColours, self != .plain, !text.isEmpty else { return text }
        return "\u{1B}[\(rawValue)m\(text)\u{1B}[0m"
    }
}
