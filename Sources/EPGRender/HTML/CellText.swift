import CollectionLayout
import EPGModel

/// What stands in a cell of the guide page, and which way it runs. `guide.js` writes the same.
enum CellText {
    /// The second line: what is special, when, and what of a series.
    static func line(of airing: Airing, range: String, _ direction: LayoutDirection) -> String {
        let badge =
            airing.marks.contains(.live)
            ? "LIVE · " : airing.marks.contains(.premiere) ? "PREMIERE · " : airing.marks.contains(.new) ? "NEW · " : ""
        let subtitle = airing.subtitle ?? ""
        // Times run from left to right whatever stands around them (Unicode, UAX #9, 2.4: isolates).
        let isMixed = direction == .rightToLeft || hasLeftward(airing.title + subtitle)
        let when = isMixed ? "\u{2066}\(range)\u{2069}" : range
        return badge + when + (airing.isStopInferred ? "?" : "") + (subtitle.isEmpty ? "" : " · " + subtitle)
    }

    /// Whether a text has letters that are written from right to left.
    static func hasLeftward(_ text: String) -> Bool { text.unicodeScalars.contains(where: isLeftward) }

    /// Whether a letter is written from right to left: Hebrew, Arabic and the scripts between them in Unicode, with their
    /// presentation forms.
    private static func isLeftward(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFC: true
        default: false
        }
    }

    /// Whether the first letter of a text is one of those.
    static func beginsLeftward(_ text: String) -> Bool {
        text.unicodeScalars.first { $0.properties.isAlphabetic }.map(isLeftward) ?? false
    }
}
