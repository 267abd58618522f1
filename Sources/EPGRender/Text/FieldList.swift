/// Labels with what belongs to them, broken into lines beside the label.
package struct FieldList: Sendable {
    private struct Field: Sendable {
        let label: String
        let value: String
        let ink: Ink
    }

    private var fields: [Field] = []
    private let indent: Int

    /// An empty list.
    ///
    /// - Parameter indent: Blanks before each line.
    package init(indent: Int = 0) {
        self.indent = indent
    }

    package var isEmpty: Bool { fields.isEmpty }

    /// Adds a field; nothing where there is no value.
    package mutating func append(_ label: String, _ value: String?, _ ink: Ink = .plain) {
        guard let value, !value.isEmpty else { return }
        fields.append(Field(label: label, value: value, ink: ink))
    }

    /// Adds a field of several values with commas between them; nothing where there is none.
    package mutating func append(_ label: String, list values: [String]) {
        append(label, values.joined(separator: ", "))
    }

    /// The list without the fields of some labels.
    package func without(_ labels: Set<String>) -> FieldList {
        var list = self
        list.fields.removeAll { labels.contains($0.label) }
        return list
    }

    /// The lines of the list, each with its line break; a label that stands above it isn't said again.
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
                    text += Ink.dim.paint(label.isolated, usesColours: terminal.usesColours)
                    text += String(repeating: " ", count: labelWidth - label.width + 2)
                } else {
                    text += String(repeating: " ", count: valueColumn)
                }
                text += field.ink.paint(line, usesColours: terminal.usesColours) + "\n"
            }
        }
        return text
    }
}
