import EPGRender
import Testing

/// Columns as the package `wcwidth` 0.7.0 for Python (Unicode 17) counts them.
@Suite struct DisplayWidthTests {
    @Test(arguments: [
        ("", 0), ("Guide", 5), ("e\u{301}", 1), ("…", 1), ("─┼┃", 3), ("晚间新闻联播", 12), ("\u{3000}", 2), ("Ａ", 2),
        ("ｶﾞ", 2), ("한국", 4), ("\u{1112}\u{1161}\u{11AB}", 2), ("ที่นี่", 2), ("שָׁלוֹם", 4), ("قناة", 4), ("नि", 2),
        ("क्ष", 2), ("\u{200B}", 0), ("\u{200D}", 0), ("\u{2068}\u{2069}", 0), ("月見テレビ🌕", 12), ("\u{AD}", 1),
        ("\u{600}", 1), ("\u{1F1E6}", 2), ("🀄", 2), ("䷀", 2), ("〽️", 2),
    ])
    func textTakesAsManyColumnsAsItsCharacters(text: String, columns: Int) {
        #expect(DisplayWidth.of(text) == columns)
    }

    @Test(arguments: [
        ("❤", 1), ("❤\u{FE0F}", 2), ("1", 1), ("1\u{FE0F}\u{20E3}", 2), ("☺", 1), ("☺\u{FE0F}", 2), ("👍🏽", 2), ("🇬🇧", 2),
        ("👩‍🔬", 2), ("👨‍👩‍👧‍👦", 2), ("🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}", 2), ("⌚", 2),
        ("©", 1), ("©\u{FE0F}", 2),
    ])
    func emojiTakeTwoColumnsHoweverTheyAreMade(text: String, columns: Int) {
        #expect(text.count == 1)
        #expect(DisplayWidth.of(text) == columns)
    }
}
