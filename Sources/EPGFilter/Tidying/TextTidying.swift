extension Unicode.Scalar {
    /// White space of ASCII: blank, tab, line feed, vertical tab, form feed, carriage return.
    var isASCIISpace: Bool { value == 0x20 || (0x09...0x0D).contains(value) }
}

extension String {
    /// The text without white space around it and without carriage returns.
    ///
    /// - Parameter keepsLines: Whether line breaks inside stay. Otherwise they go, and where one stood between two words
    ///   a blank takes its place.
    func tidied(keepsLines: Bool) -> String {
        // Nearly every text is tidy.
        if utf8.span.isTidy(keepsLines: keepsLines) { return self }
        let bytes = Array(utf8)
        guard let first = bytes.firstIndex(where: { !$0.isSpace }), let last = bytes.lastIndex(where: { !$0.isSpace })
        else { return "" }
        let kept = bytes[first...last]
        var result: [UInt8] = []
        result.reserveCapacity(kept.count)
        var joins = false
        for byte in kept {
            if byte == 0x0D || byte == 0x0A && !keepsLines {
                joins = joins || byte == 0x0A
                continue
            }
            if joins, !byte.isSpace, result.last?.isSpace == false { result.append(0x20) }
            joins = false
            result.append(byte)
        }
        return String(decoding: result, as: UTF8.self)
    }
}

extension Span<UInt8> {
    /// Whether the bytes neither begin nor end with white space and hold no carriage returns, nor line feeds unless they
    /// are kept.
    fileprivate func isTidy(keepsLines: Bool) -> Bool {
        guard count > 0 else { return true }
        guard !self[0].isSpace, !self[count - 1].isSpace else { return false }
        for index in 0..<count where self[index] == 0x0D || self[index] == 0x0A && !keepsLines { return false }
        return true
    }
}

extension UInt8 {
    fileprivate var isSpace: Bool { self == 0x20 || self >= 0x09 && self <= 0x0D }
}
