/// A line of an iCalendar file (RFC 5545, 3.1): name, parameters and value, folded so that no line has more than 75
/// octets.
struct ContentLine {
    private var bytes: [UInt8] = []

    /// The beginning of a line, up to and with the colon, such as `SUMMARY`.
    init(_ name: String) {
        bytes.append(contentsOf: name.utf8)
        bytes.append(UInt8(ascii: ":"))
    }

    /// A line with a value that is written as it is, such as a time.
    init(_ name: String, _ value: String) {
        self.init(name)
        bytes.append(contentsOf: value.utf8)
    }

    /// A line with a text.
    init(_ name: String, text: String) {
        self.init(name)
        append(text: text)
    }

    /// A line with a list of texts.
    init(_ name: String, texts: [String]) {
        self.init(name)
        for (index, text) in texts.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            append(text: text)
        }
    }

    /// Appends a value of the type TEXT (RFC 5545, 3.3.11): `\`, `;`, `,` and line breaks are escaped, and control
    /// characters, which it can't have, become blanks.
    private mutating func append(text: String) {
        var wasReturn = false
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\\"), UInt8(ascii: ";"), UInt8(ascii: ","):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0x0A where wasReturn: break
            case 0x0A, 0x0D:
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(UInt8(ascii: "n"))
            case 0x09: bytes.append(byte)
            case 0..<0x20, 0x7F: bytes.append(UInt8(ascii: " "))
            default: bytes.append(byte)
            }
            wasReturn = byte == 0x0D
        }
    }

    /// Writes the line: at most 75 octets, then CRLF and a blank before what follows. A character is never torn apart.
    ///
    /// - Complexity: O(bytes).
    func write(to output: inout [UInt8]) {
        var start = 0
        // The blank of a continuation counts too.
        var room = 75
        while bytes.count - start > room {
            var end = start + room
            while end > start + 1, bytes[end] & 0xC0 == 0x80 { end -= 1 }
            output.append(contentsOf: bytes[start..<end])
            output.append(contentsOf: [0x0D, 0x0A, 0x20])
            start = end
            room = 74
        }
        output.append(contentsOf: bytes[start...])
        output.append(contentsOf: [0x0D, 0x0A])
    }
}
