/// A value that was read as a whole: its bytes and the tokens that point into them.
package final class JSONRecord {
    let bytes: [UInt8]
    let tokens: [JSONToken]
    /// The line of the file on which it begins, from 1.
    let firstLine: Int

    /// How far lines were counted.
    private var countedBytes = 0
    private var countedLines = 0

    init(bytes: [UInt8], tokens: [JSONToken], firstLine: Int) {
        self.bytes = bytes
        self.tokens = tokens
        self.firstLine = firstLine
    }

    /// Whether a string in it holds bytes that are no UTF-8.
    var isIllFormed: Bool { tokens.contains { $0.flags.contains(.illFormed) } }

    /// Whether a string in it holds control characters that aren't escaped, such as a line break.
    var hasControls: Bool { tokens.contains { $0.flags.contains(.control) } }

    /// The text of a string, or the digits of a number.
    func text(_ token: JSONToken) -> String {
        let range = Int(token.offset)..<Int(token.offset) + Int(token.count)
        let bytes = bytes
        if token.flags.contains(.escaped) { return JSONText.string(bytes.span, range, token.flags) }
        return String(decoding: bytes[range], as: UTF8.self)
    }

    /// Whether a key or string is this text.
    func isText(_ token: JSONToken, _ text: String) -> Bool {
        if token.flags.rawValue != 0 { return self.text(token).utf8.elementsEqual(text.utf8) }
        let start = Int(token.offset)
        let utf8 = text.utf8
        return utf8.count == Int(token.count) && utf8.elementsEqual(bytes[start..<start + Int(token.count)])
    }

    /// The line of the file on which a token begins.
    ///
    /// - Complexity: O(*n*) for all tokens of a record together, asked in their order.
    func line(of token: JSONToken) -> Int {
        let place = Int(token.offset)
        if place < countedBytes { (countedBytes, countedLines) = (0, 0) }
        for index in countedBytes..<place where bytes[index] == 0x0A { countedLines += 1 }
        countedBytes = place
        return firstLine + countedLines
    }
}
