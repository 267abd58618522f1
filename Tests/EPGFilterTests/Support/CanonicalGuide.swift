import XMLTV

/// A guide written so that two guides that mean the same look the same: records in their order, attributes sorted, without
/// the DOCTYPE, the name of the generator and the white space between elements.
///
/// Nothing else is evened out: not the order, no time, no text.
struct CanonicalGuide {
    let lines: [String]

    init(_ bytes: [UInt8]) throws {
        var reader = XMLTVReader(ChunkSource(bytes))
        var lines: [String] = []
        while let record = try reader.next() {
            var element = reader.element
            if record == .guide {
                element.attributes.removeAll { $0.name == "generator-info-name" }
            }
            CanonicalGuide.append(element, depth: record == .guide ? 0 : 1, to: &lines)
        }
        self.lines = lines
    }

    private init(lines: [String]) {
        self.lines = lines
    }

    /// The guide with no programme in a clump.
    var withoutClumps: CanonicalGuide {
        CanonicalGuide(
            lines: lines.map { line in
                line.hasPrefix(" <programme ") ? line.replacing(/\ clumpidx="[^"]*"/, with: "") : line
            })
    }

    private static func append(_ element: XMLTVElement, depth: Int, to lines: inout [String]) {
        let attributes = element.attributes.sorted { $0.name < $1.name }.map { " \($0.name)=\"\($0.value)\"" }
        let blanks = String(repeating: " ", count: depth)
        lines.append(blanks + "<" + element.name + attributes.joined() + ">")
        let hasElements = element.children.contains { if case .element = $0 { true } else { false } }
        for child in element.children {
            switch child {
            case .element(let inner): append(inner, depth: depth + 1, to: &lines)
            case .text(let text):
                // Beside elements, white space at the ends of a text stands between a text and an element.
                let shown = hasElements ? XMLTVElement("a", text: text).text : text
                if !shown.isEmpty { lines.append(blanks + " \"" + shown + "\"") }
            }
        }
    }

    /// The first lines that differ; `nil` where there are none.
    static func difference(_ ours: CanonicalGuide, _ theirs: CanonicalGuide) -> String? {
        guard ours.lines != theirs.lines else { return nil }
        var place = 0
        while place < ours.lines.count, place < theirs.lines.count, ours.lines[place] == theirs.lines[place] {
            place += 1
        }
        let our = ours.lines.dropFirst(place).first ?? "the end"
        let their = theirs.lines.dropFirst(place).first ?? "the end"
        return "line \(place + 1): \(our) instead of \(their)"
    }
}
