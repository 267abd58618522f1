/// Looking ahead, and going on after an error.
extension JSONScanner {
    /// Does something with what comes next, and returns to the place before it.
    ///
    /// - Throws: `limit` where it goes on for more bytes than a record may have.
    mutating func lookAhead<Result>(
        _ look: (inout JSONScanner) throws(JSONError) -> Result
    ) throws(JSONError) -> Result {
        let start = offset
        let place = (line: line, lineStart: lineStart, containers: containers, pin: pin)
        if pin == nil { pin = start }
        defer {
            position = start - windowStart
            (line, lineStart, containers, pin) = place
        }
        return try look(&self)
    }

    /// Gives up the document that comes next or is open, and moves on to the next line that begins with `{`.
    mutating func skipDocument() throws(JSONError) {
        containers.removeAll()
        pin = nil
        // Where a brace is missing, the error was found at the beginning of the next line.
        var isLineStart = offset == lineStart
        while let byte = try peek() {
            if isLineStart, byte == UInt8(ascii: "{") { return }
            isLineStart = byte == 0x0A
            position += 1
            if isLineStart {
                line += 1
                lineStart = offset
            }
        }
    }
}
