import EPGModel
import XMLTV

/// Normalization of texts for storage: trims them and removes line breaks that belong to the layout of the file
/// (Rules.md, rule 11).
///
/// In a description, a run of white space becomes one space, or one line break if it contains any. In other texts, a
/// run with a line break or tab becomes one space, and runs of spaces are kept.
package enum TextNormalizer {
    /// Returns the range without white space at both ends, or `nil` if the bytes between need normalization.
    @inline(__always)
    static func cleanRange(_ bytes: Span<UInt8>, _ range: Range<Int>, isDescription: Bool) -> Range<Int>? {
        var start = range.lowerBound
        var end = range.upperBound
        while start < end, bytes[start] <= 0x20 { start &+= 1 }
        while end > start, bytes[end &- 1] <= 0x20 { end &-= 1 }
        return bytes.isClean(start..<end, allowsRunsOfSpaces: !isDescription) ? start..<end : nil
    }

    /// Returns the normalized text.
    ///
    /// - Parameter isDescription: The default is `false`, for names and titles.
    static func normalized(_ text: String, isDescription: Bool = false) -> String {
        var bytes: [UInt8] = []
        append(Array(text.utf8), isDescription: isDescription, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the normalized form of a decoded text.
    static func append(_ text: [UInt8], isDescription: Bool, to output: inout [UInt8]) {
        let text = text.span
        var index = 0
        while index < text.count, text[index] <= 0x20 { index += 1 }
        // The start of the bytes that are copied unchanged.
        var kept = index
        while index < text.count {
            while index < text.count, text[index] > 0x20 { index += 1 }
            let end = index
            var hasBreak = false
            var hasTab = false
            while index < text.count, text[index] <= 0x20 {
                hasBreak = hasBreak || text[index] == 0x0A || text[index] == 0x0D
                hasTab = hasTab || text[index] == 0x09
                index += 1
            }
            let isKept = isDescription ? index == end + 1 && text[end] == 0x20 : !hasBreak && !hasTab
            if isKept, index < text.count { continue }
            output.append(text, from: kept, count: end - kept)
            if index < text.count { output.append(isDescription && hasBreak ? 0x0A : 0x20) }
            kept = index
        }
    }
}

extension ContentElement {
    /// The element with its text content normalized as one text: no white space at its ends, and a single space where
    /// white space separates text and child elements. This is idempotent.
    var normalizedMarkup: ContentElement {
        var normalizer = MarkupNormalizer(isDescription: name == "desc", remainingTexts: children.textCount)
        var copy = self
        copy.children = normalizer.normalized(children)
        return copy
    }
}

/// A normalizer of a text whose pieces are separated by child elements.
private struct MarkupNormalizer {
    let isDescription: Bool
    /// The number of following pieces that contain more than white space.
    var remainingTexts: Int
    /// Whether another space would be redundant: at the start, and after a space.
    var endsInSpace = true

    mutating func normalized(_ nodes: [ContentNode]) -> [ContentNode] {
        var result: [ContentNode] = []
        for node in nodes.joiningTexts {
            switch node {
            case .element(var element):
                element.children = normalized(element.children)
                result.append(.element(element))
            case .text(let raw):
                let text = normalized(raw)
                if !text.isEmpty { result.append(.text(text)) }
            }
        }
        return result
    }

    private mutating func normalized(_ raw: String) -> String {
        let word = TextNormalizer.normalized(raw, isDescription: isDescription)
        var result = ""
        if !word.isEmpty { remainingTexts -= 1 }
        if !endsInSpace, !word.isEmpty || remainingTexts > 0 { result += blank(raw.utf8.prefix { $0 <= 0x20 }) }
        endsInSpace = endsInSpace || !result.isEmpty
        guard !word.isEmpty else { return result }
        let end = remainingTexts > 0 ? blank(raw.utf8.reversed().prefix { $0 <= 0x20 }) : ""
        endsInSpace = !end.isEmpty
        return result + word + end
    }

    /// Returns the white space that replaces a run of it.
    private func blank(_ run: some Collection<UInt8>) -> String {
        if run.isEmpty { return "" }
        return isDescription && run.contains { $0 == 0x0A || $0 == 0x0D } ? "\n" : " "
    }
}

extension [ContentNode] {
    /// The number of texts at any depth that contain more than white space.
    fileprivate var textCount: Int {
        joiningTexts.reduce(0) { count, node in
            switch node {
            case .text(let text): text.utf8.allSatisfy { $0 <= 0x20 } ? count : count + 1
            case .element(let element): count + element.children.textCount
            }
        }
    }

    /// The nodes with adjacent texts joined, which only comments or CDATA boundaries separate.
    fileprivate var joiningTexts: [ContentNode] {
        var nodes: [ContentNode] = []
        var text: String?
        for node in self {
            if case .text(let piece) = node {
                text = text ?? ""
                text?.append(piece)
            } else {
                if let text = text.take() { nodes.append(.text(text)) }
                nodes.append(node)
            }
        }
        if let text { nodes.append(.text(text)) }
        return nodes
    }
}
