import XMLTV

/// Texts as they are stored: trimmed, and without the line breaks of the file's layout (facts, rule 11).
///
/// In a description a run of blanks becomes one blank, or one line break where it holds any; elsewhere a run with a line
/// break or tab in it becomes one blank, and blanks stay.
package enum TextNormaliser {
    /// Appends the text of some bytes that need no decoding, if they are clean but for the white space around them.
    ///
    /// - Returns: `false` where the bytes aren't clean; nothing was appended then.
    @inline(__always)
    static func appendClean(
        _ bytes: Span<UInt8>, _ range: Range<Int>, isDescription: Bool, to output: inout [UInt8]
    ) -> Bool {
        var start = range.lowerBound
        var end = range.upperBound
        while start < end, bytes[start] <= 0x20 { start &+= 1 }
        while end > start, bytes[end &- 1] <= 0x20 { end &-= 1 }
        guard bytes.isClean(start..<end, allowsRunsOfBlanks: !isDescription) else { return false }
        output.append(bytes, from: start, count: end &- start)
        return true
    }

    /// Appends a decoded text.
    static func append(_ text: [UInt8], isDescription: Bool, to output: inout [UInt8]) {
        let text = text.span
        var index = 0
        var isFirst = true
        while index < text.count {
            let start = index
            var hasBreak = false
            var hasTab = false
            while index < text.count, text[index] <= 0x20 {
                hasBreak = hasBreak || text[index] == 0x0A || text[index] == 0x0D
                hasTab = hasTab || text[index] == 0x09
                index += 1
            }
            if index == text.count { return }
            if index > start, !isFirst {
                if isDescription {
                    output.append(hasBreak ? 0x0A : 0x20)
                } else if hasBreak || hasTab {
                    output.append(0x20)
                } else {
                    output.append(text, from: start, count: index - start)
                }
            }
            isFirst = false
            let word = index
            while index < text.count, text[index] > 0x20 { index += 1 }
            output.append(text, from: word, count: index - word)
        }
    }
}
