import EPGModel
import EPGRender
import Testing

@testable import epg

/// Tests of tables, paragraphs and option values.
@Suite struct TextTests {
    private let narrow = Terminal(columns: 20, usesColors: false)
    private let pipe = Terminal(columns: nil, usesColors: false)

    @Test func columnsAreAlignedByDisplayWidth() {
        var table = Table([Table.Column(), Table.Column(alignment: .trailing), Table.Column()])
        table.append([Cell("ab"), Cell("1"), Cell("x")])
        // Two Chinese characters take four columns, an emoji two.
        table.append([Cell("新闻"), Cell("🌕"), Cell("y")])
        #expect(table.text(for: pipe) == "ab     1  x\n新闻  🌕  y\n")
    }

    @Test func onlyColumnsWithMinimumWidthAreTruncated() {
        var table = Table([Table.Column(), Table.Column(minimumWidth: 4)])
        table.append([Cell("never cut"), Cell("cut off somewhere")])
        #expect(table.text(for: narrow) == "never cut  cut off…\n")
    }

    @Test func emptyColumnTakesNoSpace() {
        var table = Table([Table.Column("a"), Table.Column("b"), Table.Column("c")])
        table.append([Cell("1"), Cell.empty, Cell("3")])
        #expect(table.text(for: pipe) == "a  c\n1  3\n")
    }

    @Test func colorCodesTakeNoSpace() {
        var table = Table([Table.Column(), Table.Column()])
        table.append([Cell("a", .bold), Cell("b")])
        #expect(table.text(for: Terminal(columns: 20, usesColors: true)) == "\u{1B}[1ma\u{1B}[0m  b\n")
    }

    @Test(arguments: [
        ("one two three", 9, ["one two", "three"]),
        ("one two three", 7, ["one two", "three"]),
        ("abcdefghij", 4, ["abcd", "efgh", "ij"]),
        ("晚间新闻联播", 5, ["晚间", "新闻", "联播"]),
        ("晚间。新闻", 4, ["晚", "间。", "新闻"]),
        ("", 10, []),
        ("a\nb", 10, ["a b"]),
    ])
    func linesBreakAtSpacesAndNextToWideCharacters(_ text: String, _ columns: Int, _ lines: [String]) {
        #expect(Paragraph.lines(of: text, columns: columns) == lines)
    }

    @Test func wrappingKeepsAllText() {
        let text = (0..<3000).map { "word\($0)" }.joined(separator: " ")
        #expect(Paragraph.lines(of: text, columns: 72).joined(separator: " ") == text)
    }

    @Test(
        arguments: [
            ("0-19", 0..<20), ("7", 7..<8), ("5-5", 5..<6), ("3-1", nil), ("", nil), ("-1", nil), ("1-", nil),
            ("a-b", nil),
            ("0-9223372036854775807", nil), ("1-2-3", nil),
        ] as [(String, Range<Int>?)])
    func rowRangeIsParsed(_ text: String, _ rows: Range<Int>?) {
        #expect(RowRange(argument: text)?.rows == rows)
    }

    @Test(
        arguments: [
            ("6h", 21_600), ("30m", 1800), ("1d", 86_400), ("2w", 1_209_600), ("90", 90), ("5s", 5), ("0", nil),
            ("-1h", nil),
            ("h", nil), ("9999999999w", nil), ("", nil), ("1.5h", nil),
        ] as [(String, Int64?)])
    func intervalIsParsedWithUnit(_ text: String, _ seconds: Int64?) {
        #expect(RefreshInterval(argument: text)?.seconds == seconds)
    }

    @Test(
        arguments: [
            (0, "0 s"), (59, "59 s"), (60, "1 min"), (2700, "45 min"), (3600, "1 h"), (5400, "1 h 30 min"),
            (172_800, "2 days"), (180_000, "2 days 2 h"), (Int64.max, "106751991167300 days 15 h"), (-5, "0 s"),
        ] as [(Int64, String)])
    func durationsAreAbbreviated(_ seconds: Int64, _ text: String) {
        #expect(Wording.duration(seconds) == text)
    }
}
