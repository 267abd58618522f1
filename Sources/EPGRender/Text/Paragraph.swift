/// A text that is broken into lines.
package enum Paragraph {
    /// The lines of a text, none wider than the columns; one line where there is no limit.
    ///
    /// Lines are broken at blanks, and beside characters that are two columns wide, as Chinese and Japanese are written; a
    /// word that is wider than a line is broken where the line ends.
    /// - Complexity: O(n).
    package static func lines(of text: String, columns: Int?) -> [String] {
        pieces(of: text).flatMap { lines(ofPiece: $0, columns: columns) }
    }

    /// The text in pieces that ``TerminalText`` shows in full, which is up to 4,096 scalars: cut at a blank where there is one.
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
        /// The place in the line at which it may be broken.
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

    /// Lines with the blanks of an indent before each.
    package static func text(of text: String, indent: Int, terminal: Terminal, ink: Ink = .plain) -> String {
        lines(of: text, columns: terminal.columns.map { $0 - indent }).map { line in
            String(repeating: " ", count: indent) + ink.paint(line, usesColours: terminal.usesColours) + "\n"
        }.joined()
    }

    /// Signs that don't begin a line (a few of JIS X 4051's).
    private static let closing: Set<String> = ["、", "。", "，", "．", "！", "？", "」", "』", "）", "】", "》", "：", "；"]

    private static func string(_ clusters: ArraySlice<TerminalText.Cluster>) -> String {
        var end = clusters.endIndex
        while end > clusters.startIndex, clusters[end - 1].text == " " { end -= 1 }
        return TerminalText(clusters[..<end].map(\.text).joined()).isolated
    }
}
