/// A list of labeled values, in two columns with line breaks.
package struct FieldList: Sendable {
    private struct Field: Sendable {
        let label: String
        let value: String
        let style: PrintStyle
    }

    private var fields: [Field] = []
    private let indent: Int

    /// Creates an empty list.
    ///
    /// - Parameter indent: The number of blanks before each line.
    package init(indent: Int = 0) {
        self.indent = indent
    }

    package var isEmpty: Bool { fields.isEmpty }

    /// Adds a field unless its value is `nil` or empty.
    package mutating func append(_ label: String, _ value: String?, _ style: PrintStyle = .plain) {
        guard let value, !value.isEmpty else { return }
        fields.append(Field(label: label, value: value, style: style))
    }

    /// Adds a field of comma-separated values unless there are none.
    package mutating func append(_ label: String, list values: [String]) {
        append(label, values.joined(separator: ", "))
    }

    /// Returns the lines of the list, each with a line break. Consecutive fields with the same label show it once.
    package func text(for terminal: Terminal) -> String {
        let labelWidth = min(fields.reduce(0) { max($0, DisplayWidth.of($1.label)) }, 20)
        let valueColumn = indent + labelWidth + 2
        var text = ""
        var previous: String?
        for field in fields {
            let label = field.label == previous ? TerminalText("") : TerminalText(field.label).fitted(to: labelWidth)
            previous = field.label
            let columns = terminal.columns.map { max($0 - valueColumn, 20) }
            for (index, line) in Paragraph.lines(of: field.value, columns: columns).enumerated() {
                if index == 0 {
                    text += String(repeating: " ", count: indent)
                    text += PrintStyle.dim.paint(label.isolated, usesColors: terminal.usesColors)
                    text += String(repeating: " ", count: labelWidth - label.width + 2)
                } else {
                    text += String(repeating: " ", count: valueColumn)
                }
                text += field.style.paint(line, usesColors: terminal.usesColors) + "\n"
            }
        }
        return text
    }
}

/// Line breaking for terminal text.
package enum Paragraph {
    /// Returns the lines of a text, each at most `columns` wide; one line if `columns` is `nil`.
    ///
    /// Lines break at blanks, and next to characters that are two columns wide, as in Chinese and Japanese. A word that is
    /// wider than a line breaks at the end of the line.
    /// - Complexity: O(n).
    package static func lines(of text: String, columns: Int?) -> [String] {
        pieces(of: text).flatMap { lines(ofPiece: $0, columns: columns) }
    }

    /// Splits a text, preferably at blanks, into pieces that do not exceed the 4,096 scalars of a ``TerminalText``.
    private static func pieces(of text: String) -> [String] {
        var pieces: [String] = []
        var rest = text.unicodeScalars[...]
        while let limit = rest.index(rest.startIndex, offsetBy: 4000, limitedBy: rest.endIndex), limit < rest.endIndex {
            let end = rest[..<limit].lastIndex(of: " ").flatMap { $0 > rest.startIndex ? $0 : nil } ?? limit
            pieces.append(String(rest[..<end]))
            rest = rest[end...].drop { $0 == " " }
        }
        return pieces + [String(rest)]
    }

    private static func lines(ofPiece text: String, columns: Int?) -> [String] {
        let whole = TerminalText(text)
        guard let columns, whole.width > columns else { return whole.width > 0 ? [whole.isolated] : [] }
        let limit = max(columns, 2)
        var lines: [String] = []
        var line: [TerminalText.Cluster] = []
        var width = 0
        /// The index in the line of the last break opportunity.
        var opportunity = 0
        for cluster in whole.clusters {
            let isBesideWide = cluster.width == 2 || line.last?.width == 2
            if cluster.text == " " || isBesideWide && !closing.contains(cluster.text) { opportunity = line.count }
            while width + cluster.width > limit, !line.isEmpty {
                let end = opportunity > 0 ? opportunity : line.count
                lines.append(string(line[..<end]))
                line.removeSubrange(..<end)
                while line.first?.text == " " { line.removeFirst() }
                width = line.reduce(0) { $0 + $1.width }
                opportunity = 0
            }
            if line.isEmpty, cluster.text == " " { continue }
            line.append(cluster)
            width += cluster.width
            if cluster.text == " " { opportunity = line.count }
        }
        if !line.isEmpty { lines.append(string(line[...])) }
        return lines
    }

    /// Returns the indented lines of a text.
    package static func text(of text: String, indent: Int, terminal: Terminal, style: PrintStyle = .plain) -> String {
        lines(of: text, columns: terminal.columns.map { $0 - indent }).map { line in
            String(repeating: " ", count: indent) + style.paint(line, usesColors: terminal.usesColors) + "\n"
        }.joined()
    }

    /// Closing punctuation that must not begin a line (from JIS X 4051).
    private static let closing: Set<String> = ["、", "。", "，", "．", "！", "？", "」", "』", "）", "】", "》", "：", "；"]

    private static func string(_ clusters: ArraySlice<TerminalText.Cluster>) -> String {
        var end = clusters.endIndex
        while end > clusters.startIndex, clusters[end - 1].text == " " { end -= 1 }
        return TerminalText(clusters[..<end].map(\.text).joined()).isolated
    }
}
