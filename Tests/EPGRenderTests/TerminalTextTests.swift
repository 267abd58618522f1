import EPGRender
import TestSupport
import Testing

/// Tests that untrusted titles cannot control the terminal.
@Suite struct TerminalTextTests {
    @Test(arguments: [
        ("\u{1B}[2JGone", "[2JGone"), ("\u{1B}]0;title\u{7}x", "]0;titlex"), ("a\u{9B}31mb", "a31mb"),
        ("a\u{7F}\u{8}b", "ab"),
        ("a\u{0}b", "ab"), ("line\r\nbreak\tand\u{2028}more", "line break and more"),
        ("  two   blanks ", "two blanks "),
        ("\u{202E}desrever\u{202C}", "desrever"), ("a\u{2066}b\u{2069}c", "abc"), ("a\u{200E}\u{61C}b", "ab"),
        ("\u{FEFF}a\u{200B}b\u{AD}c", "abc"), ("\u{301}a", "a"), ("می\u{200C}خواهم", "می\u{200C}خواهم"), ("👩‍🔬", "👩‍🔬"),
    ])
    func controlSequencesAreRemoved(raw: String, shown: String) {
        expectEqual(TerminalText(raw).clusters.map(\.text).joined(), shown)
    }

    @Test func everyControlCharacterIsRemoved() {
        for value in UInt32(0)...0x2FFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let text = TerminalText("a\(scalar)b").isolated
            let isHarmless = text.unicodeScalars.allSatisfy { remaining in
                remaining.properties.generalCategory != .control
                    && (remaining == "\u{2068}" || remaining == "\u{2069}" || !isBidi(remaining))
            }
            #expect(isHarmless, "U+\(String(value, radix: 16))")
        }
    }

    private func isBidi(_ scalar: Unicode.Scalar) -> Bool {
        [0x61C, 0x200E, 0x200F].contains(scalar.value) || (0x202A...0x202E).contains(scalar.value)
            || (0x2066...0x2069).contains(scalar.value)
    }

    @Test(arguments: [
        ("Evening News", 12, "Evening News"), ("Evening News", 11, "Evening Ne…"), ("Evening News", 9, "Evening…"),
        ("Evening News", 1, "…"), ("Evening News", 0, ""), ("新闻早报", 8, "新闻早报"), ("新闻早报", 7, "新闻早…"),
        ("新闻早报", 6, "新闻…"), ("👩‍🔬👩‍🔬", 3, "👩‍🔬…"), ("", 0, ""),
    ])
    func textIsTruncatedToDisplayWidth(raw: String, columns: Int, shown: String) {
        let text = TerminalText(raw).fitted(to: columns)
        expectEqual(text.isolated, shown)
        #expect(text.width <= columns)
    }

    @Test(arguments: [
        ("ليالي العود", "\u{2068}ليالي العود\u{2069}"), ("חדשות 12", "\u{2068}חדשות 12\u{2069}"), ("News", "News"),
        ("新闻", "新闻"),
    ])
    func rightToLeftTextIsIsolated(raw: String, shown: String) {
        expectEqual(TerminalText(raw).isolated, shown)
    }

    @Test func hugeTextIsLimited() {
        // Accents of one character.
        let text = TerminalText("a" + String(repeating: "\u{301}", count: 5000) + "b")
        #expect(text.isolated.unicodeScalars.count <= 17)
        // Only the beginning of a text is read.
        expectEqual(TerminalText(String(repeating: "x", count: 5_000_000)).width, 4096)
    }
}

/// Widths according to the Python package `wcwidth` 0.7.0 (Unicode 17).
@Suite struct DisplayWidthTests {
    @Test(arguments: [
        ("", 0), ("Guide", 5), ("e\u{301}", 1), ("…", 1), ("─┼┃", 3), ("晚间新闻联播", 12), ("\u{3000}", 2), ("Ａ", 2),
        ("ｶﾞ", 2), ("한국", 4), ("\u{1112}\u{1161}\u{11AB}", 2), ("ที่นี่", 2), ("שָׁלוֹם", 4), ("قناة", 4), ("नि", 2),
        ("क्ष", 2), ("\u{200B}", 0), ("\u{200D}", 0), ("\u{2068}\u{2069}", 0), ("月見テレビ🌕", 12), ("\u{AD}", 1),
        ("\u{600}", 1), ("\u{1F1E6}", 2), ("🀄", 2), ("䷀", 2), ("〽️", 2),
    ])
    func widthIsSumOfCharacterWidths(text: String, columns: Int) {
        expectEqual(DisplayWidth.of(text), columns)
    }

    @Test(arguments: [
        ("❤", 1), ("❤\u{FE0F}", 2), ("1", 1), ("1\u{FE0F}\u{20E3}", 2), ("☺", 1), ("☺\u{FE0F}", 2), ("👍🏽", 2), ("🇬🇧", 2),
        ("👩‍🔬", 2), ("👨‍👩‍👧‍👦", 2), ("🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}", 2), ("⌚", 2),
        ("©", 1), ("©\u{FE0F}", 2),
    ])
    func everyKindOfEmojiTakesTwoColumns(text: String, columns: Int) {
        expectEqual(text.count, 1)
        expectEqual(DisplayWidth.of(text), columns)
    }
}
