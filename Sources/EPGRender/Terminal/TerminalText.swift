/// A text that may be shown in a terminal: without anything that the terminal would obey, and measured.
///
/// Titles come from strangers. A control character in one could clear the screen, rename the window or type commands, and
/// a bidirectional control could turn the rest of the row around. So line breaks and tabs become blanks, runs of blanks
/// become one, and these are left out: other control characters (C0, C1, DEL), bidirectional controls, and invisible
/// format characters other than the joiners that emoji and Indic and Persian words need.
package struct TerminalText: Hashable, Sendable {
    /// A grapheme cluster and its columns, at least one.
    package struct Cluster: Hashable, Sendable {
        /// One character, joiners and accents included.
        package var text: String
        /// In columns of the terminal.
        package let width: Int
    }

    /// In the order of the text.
    package private(set) var clusters: [Cluster] = []
    /// The columns of all clusters.
    package private(set) var width = 0

    /// Scalars of a text that are looked at, at most: far more than any screen shows.
    private static let scalarLimit = 4096
    /// Scalars of one cluster, at most: more than any emoji has, and too few to pile accents over the lines around.
    private static let clusterLimit = 16

    /// Makes a text safe to show.
    /// - Complexity: O(n), and never more than for 4096 scalars.
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

    /// The text if it takes at most so many columns, else its beginning and `…`.
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

    /// The text, with one that is written from right to left isolated from what stands beside it.
    ///
    /// Terminals that order text by the bidirectional algorithm would else join the titles of neighbouring cells to one
    /// run and swap the cells. FSI (U+2068) and PDI (U+2069) take no column, and terminals that know nothing of them ignore
    /// them, so they are written in every style (Unicode Standard Annex #9).
    package var isolatedClusters: [Cluster] {
        guard clusters.contains(where: { TerminalText.isRightToLeft($0.text) }) else { return clusters }
        var isolated = clusters
        isolated[0].text = "\u{2068}" + isolated[0].text
        isolated[isolated.count - 1].text += "\u{2069}"
        return isolated
    }

    /// The text as it is written; see ``isolatedClusters``.
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

    /// Whether a scalar is text, and not an order to the terminal.
    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .surrogate, .lineSeparator, .paragraphSeparator: false
        // Joiners; the tags that make up the flags of England, Scotland and Wales; signs that span a number.
        case .format:
            scalar == "\u{200C}" || scalar == "\u{200D}" || (0xE0020...0xE007F).contains(scalar.value)
                || DisplayWidth.of(scalar) == 1 && scalar != "\u{AD}"
        default: true
        }
    }

    /// Whether a text holds a letter of a script that is written from right to left.
    private static func isRightToLeft(_ text: String) -> Bool {
        text.unicodeScalars.contains { scalar in
            switch scalar.value {
            case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
            default: false
            }
        }
    }
}
