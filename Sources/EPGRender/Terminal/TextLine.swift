/// A line of a terminal, column by column.
struct TextLine: Sendable {
    private struct Glyph: Sendable {
        /// Empty in the second column of a wide character.
        var text = " "
        var style = TextStyle.normal
    }

    private var glyphs: [Glyph]

    /// A blank line.
    init(columns: Int) {
        glyphs = Array(repeating: Glyph(), count: max(0, columns))
    }

    /// The columns of the line.
    var columns: Int { glyphs.count }

    /// Whether nothing stands in a column; `false` outside the line.
    func isBlank(_ column: Int) -> Bool {
        glyphs.indices.contains(column) && glyphs[column].text == " "
    }

    /// Whether nothing stands in some columns; what lies beyond the line is blank.
    func isBlank(_ range: Range<Int>) -> Bool {
        range.clamped(to: 0..<columns).allSatisfy { glyphs[$0].text == " " }
    }

    /// Sets the style of some columns and leaves their text.
    mutating func paint(_ style: TextStyle, _ range: Range<Int>) {
        for column in range.clamped(to: 0..<columns) { glyphs[column].style = style }
    }

    /// Draws a sign of one column.
    mutating func draw(_ sign: String, at column: Int, _ style: TextStyle) {
        guard glyphs.indices.contains(column) else { return }
        glyphs[column] = Glyph(text: sign, style: style)
    }

    /// Draws a vertical line through what is no text: blanks, gaps and borders. A letter in its way takes the line's colour
    /// as its background.
    mutating func overlay(_ sign: String, at column: Int, _ style: TextStyle) {
        guard glyphs.indices.contains(column) else { return }
        if [" ", "·", "│"].contains(glyphs[column].text) {
            let background = glyphs[column].style.background
            glyphs[column] = Glyph(
                text: sign, style: TextStyle(isBold: true, foreground: style.foreground, background: background))
        } else if !glyphs[column].text.isEmpty {
            glyphs[column].style.background = style.foreground
            glyphs[column].style.foreground = 232
        }
    }

    /// Draws a text, cut where it would leave the range; returns the column after it.
    @discardableResult
    mutating func draw(_ text: TerminalText, in range: Range<Int>, _ style: TextStyle) -> Int {
        let range = range.clamped(to: 0..<columns)
        var column = range.lowerBound
        for cluster in text.fitted(to: range.count).isolatedClusters {
            glyphs[column] = Glyph(text: cluster.text, style: style)
            for next in column + 1..<column + cluster.width { glyphs[next] = Glyph(text: "", style: style) }
            column += cluster.width
        }
        return column
    }

    /// The line as it is written, without blanks at the end.
    func text(in style: TextGrid.Style) -> String {
        var end = glyphs.count
        while end > 0, glyphs[end - 1].text == " ", style == .plain || glyphs[end - 1].style.background == nil {
            end -= 1
        }
        guard style == .ansi else { return glyphs[..<end].map(\.text).joined() }
        var text = ""
        var current = TextStyle.normal
        for glyph in glyphs[..<end] {
            if glyph.style != current {
                text += glyph.style.escapeSequence
                current = glyph.style
            }
            text += glyph.text
        }
        return current == .normal ? text : text + TextStyle.normal.escapeSequence
    }
}
