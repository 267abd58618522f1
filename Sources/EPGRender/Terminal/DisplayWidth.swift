/// How many columns of a terminal a text takes.
///
/// A grapheme cluster is measured as a whole: East Asian Wide and Fullwidth characters take two columns, marks and format
/// characters none, emoji two, whether they are a single scalar, a sequence with joiners or modifiers, a flag, or a sign
/// turned into an emoji by U+FE0F. Everything else takes one, Ambiguous characters too (Unicode Standard Annex #11;
/// Unicode Technical Standard #51). Control characters count nothing: they are no text, see ``TerminalText``.
package enum DisplayWidth {
    /// The columns of a text.
    /// - Complexity: O(n).
    package static func of(_ text: some StringProtocol) -> Int {
        text.reduce(into: 0) { $0 += of($1) }
    }

    /// The columns of a grapheme cluster.
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

    /// The columns of a scalar that stands for itself: 0, 1 or 2.
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

    /// Format characters that are drawn: signs that span the number after them (Prepended_Concatenation_Mark).
    private static let prepended: [ClosedRange<UInt32>] = [
        0x600...0x605, 0x6DD...0x6DD, 0x70F...0x70F, 0x890...0x891, 0x8E2...0x8E2, 0x110BD...0x110BD, 0x110CD...0x110CD,
    ]

    /// Hangul vowels and finals, which join the initial consonant before them, and Hangul fillers.
    private static let joining: [ClosedRange<UInt32>] = [
        0x1160...0x11FF, 0x3164...0x3164, 0xD7B0...0xD7FF, 0xFFA0...0xFFA0,
    ]

    /// East_Asian_Width W and F of Unicode 17 apart from emoji, joined over unassigned scalars; in order.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2630...0x2637, 0x268A...0x268F, 0x2E80...0x3029, 0x3030...0x303E,
        0x3041...0x3163, 0x3165...0x3247, 0x3250...0xA4C6, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF,
        0xFE10...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x16FE3, 0x16FF2...0x1B2FB, 0x1D300...0x1D376,
        0x1F200...0x1F265, 0x20000...0x3FFFD,
    ]
}
