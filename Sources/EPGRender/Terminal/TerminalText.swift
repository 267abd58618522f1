/// Text that is safe to print in a terminal, with its width.
///
/// Titles are untrusted input. A control character could clear the screen, rename the window or type commands, and a
/// bidirectional control could reorder the rest of the row. Line breaks and tabs become blanks, and runs of blanks
/// collapse to one. The initializer removes other control characters (C0, C1, DEL), bidirectional controls, and invisible
/// format characters except the joiners that emoji and Indic and Persian words need.
package struct TerminalText: Hashable, Sendable {
    /// A grapheme cluster and its columns, at least one.
    package struct Cluster: Hashable, Sendable {
        /// One character, including joiners and accents.
        package var text: String
        /// The width in terminal columns.
        package let width: Int
    }

    /// The clusters in text order.
    package private(set) var clusters: [Cluster] = []
    /// The total width of all clusters in columns.
    package private(set) var width = 0

    /// The maximum number of scalars read from a text, far more than a screen can show.
    private static let scalarLimit = 4096
    /// The maximum number of scalars in a cluster: more than any emoji has, too few to stack accents over other lines.
    private static let clusterLimit = 16

    /// Creates text that is safe to print.
    /// - Complexity: O(n) for at most the first 4,096 scalars; the rest is ignored.
    package init(_ raw: String) {
        for character in TerminalText.cleaned(raw) {
            let scalars = character.unicodeScalars
            let kept =
                scalars.count <= TerminalText.clusterLimit
                ? character : Character(String(String.UnicodeScalarView(scalars.prefix(TerminalText.clusterLimit))))
            append(Cluster(text: String(kept), width: DisplayWidth.of(kept)))
        }
    }

    private init() {}

    /// Returns the text, truncated with `…` if it is wider than `columns`.
    package func fitted(to columns: Int) -> TerminalText {
        guard width > columns else { return self }
        var result = TerminalText()
        guard columns > 0 else { return result }
        for cluster in clusters {
            guard result.width + cluster.width < columns else { break }
            result.append(cluster)
        }
        while result.clusters.last?.text == " " { result.removeLast() }
        result.append(Cluster(text: "…", width: 1))
        return result
    }

    /// The clusters, enclosed in a bidirectional isolate if the text contains right-to-left letters.
    ///
    /// Otherwise terminals that implement the bidirectional algorithm would join the titles of adjacent cells into one
    /// run and swap the cells. FSI (U+2068) and PDI (U+2069) take no columns, and terminals that do not support them ignore
    /// them, so every style includes them (Unicode Standard Annex #9).
    package var isolatedClusters: [Cluster] {
        guard clusters.contains(where: { TerminalText.isRightToLeft($0.text) }) else { return clusters }
        var isolated = clusters
        isolated[0].text = "\u{2068}" + isolated[0].text
        isolated[isolated.count - 1].text += "\u{2069}"
        return isolated
    }

    /// The text to print; see ``isolatedClusters``.
    package var isolated: String { isolatedClusters.map(\.text).joined() }

    private mutating func append(_ cluster: Cluster) {
        guard cluster.width > 0 else { return }
        if cluster.text == " ", clusters.isEmpty || clusters.last?.text == " " { return }
        clusters.append(cluster)
        width += cluster.width
    }

    private mutating func removeLast() {
        width -= clusters.removeLast().width
    }
}

// MARK: - Scalars

extension TerminalText {
    private static func cleaned(_ raw: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in raw.unicodeScalars.prefix(scalarLimit) {
            if scalar.properties.isWhitespace {
                scalars.append(" ")
            } else if isHarmless(scalar) {
                scalars.append(scalar)
            }
        }
        return String(scalars)
    }

    /// Returns whether a scalar is text rather than a terminal control.
    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .surrogate, .lineSeparator, .paragraphSeparator: false
        // Joiners; tag characters in the flags of England, Scotland and Wales; signs that span a number.
        case .format:
            scalar == "\u{200C}" || scalar == "\u{200D}" || (0xE0020...0xE007F).contains(scalar.value)
                || DisplayWidth.of(scalar) == 1 && scalar != "\u{AD}"
        default: true
        }
    }

    /// Returns whether a text contains a letter of a right-to-left script.
    private static func isRightToLeft(_ text: String) -> Bool {
        text.unicodeScalars.contains { scalar in
            switch scalar.value {
            case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
            default: false
            }
        }
    }
}

/// The number of terminal columns that text occupies.
///
/// Widths follow Unicode Standard Annex #11 and Unicode Technical Standard #51. East Asian Wide and Fullwidth characters
/// take two columns. Emoji take two, whether they are a single scalar, a sequence with joiners or modifiers, a flag, or a
/// symbol that U+FE0F turns into an emoji. Marks, format characters and control characters take none (``TerminalText``
/// removes control characters). Everything else takes one, including Ambiguous characters.
package enum DisplayWidth {
    /// Returns the columns of a text.
    /// - Complexity: O(n).
    package static func of(_ text: some StringProtocol) -> Int {
        text.reduce(into: 0) { $0 += of($1) }
    }

    /// Returns the columns of a grapheme cluster.
    package static func of(_ character: Character) -> Int {
        if let ascii = character.asciiValue { return (0x20...0x7E).contains(ascii) ? 1 : 0 }
        let scalars = character.unicodeScalars
        if let first = scalars.first {
            let isEmoji =
                first.properties.isEmojiPresentation
                || (first.properties.isEmoji && scalars.contains(where: { $0 == "\u{FE0F}" }))
            if isEmoji { return 2 }
        }
        // Scripts that join several consonants into a cluster are drawn consonant by consonant by most terminals.
        return scalars.reduce(0) { $0 + of($1) }
    }

    /// Returns the columns of a scalar on its own: 0, 1 or 2.
    package static func of(_ scalar: Unicode.Scalar) -> Int {
        let value = scalar.value
        if value < 0x300 { return (0x20...0x7E).contains(value) || value >= 0xA0 ? 1 : 0 }
        if isZeroWidth(scalar) { return 0 }
        return isWide(value) || scalar.properties.isEmojiPresentation ? 2 : 1
    }

    // MARK: - Classes of scalars

    private static func isZeroWidth(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .lineSeparator, .paragraphSeparator, .control: true
        case .format: !prepended.contains { $0.contains(scalar.value) }
        case .otherLetter, .unassigned: joining.contains { $0.contains(scalar.value) }
        default: false
        }
    }

    private static func isWide(_ value: UInt32) -> Bool {
        guard value >= 0x1100 else { return false }
        var (low, high) = (0, wide.count)
        while low < high {
            let middle = (low + high) / 2
            if wide[middle].upperBound < value { low = middle + 1 } else { high = middle }
        }
        return low < wide.count && wide[low].contains(value)
    }

    /// Visible format characters: signs that span the number after them (Prepended_Concatenation_Mark).
    private static let prepended: [ClosedRange<UInt32>] = [
        0x600...0x605, 0x6DD...0x6DD, 0x70F...0x70F, 0x890...0x891, 0x8E2...0x8E2, 0x110BD...0x110BD, 0x110CD...0x110CD,
    ]

    /// Hangul vowels and finals, which combine with the preceding initial consonant, and Hangul fillers.
    private static let joining: [ClosedRange<UInt32>] = [
        0x1160...0x11FF, 0x3164...0x3164, 0xD7B0...0xD7FF, 0xFFA0...0xFFA0,
    ]

    /// East_Asian_Width W and F of Unicode 17 without emoji, ascending. Ranges span unassigned scalars.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2630...0x2637, 0x268A...0x268F, 0x2E80...0x3029, 0x3030...0x303E,
        0x3041...0x3163, 0x3165...0x3247, 0x3250...0xA4C6, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF,
        0xFE10...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x16FE3, 0x16FF2...0x1B2FB, 0x1D300...0x1D376,
        0x1F200...0x1F265, 0x20000...0x3FFFD,
    ]
}
