/// The text of a line: UTF-8, else windows-1252, as players read it.
enum PlaylistText {
    /// The line in UTF-8, or `nil` where it is UTF-8 already.
    ///
    /// - Complexity: O(n).
    static func converted(_ bytes: [UInt8]) -> [UInt8]? {
        if isUTF8(bytes) { return nil }
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count + bytes.count / 4)
        for byte in bytes {
            let scalar = windows1252(byte)
            if let encoded = UTF8.encode(scalar) { text.append(contentsOf: encoded) }
        }
        return text
    }

    private static func isUTF8(_ bytes: [UInt8]) -> Bool {
        if bytes.allSatisfy({ $0 < 0x80 }) { return true }
        return String(validating: bytes, as: UTF8.self) != nil
    }

    /// The character of a byte (WHATWG Encoding, index windows-1252); U+FFFD for the five that stand for none.
    static func windows1252(_ byte: UInt8) -> Unicode.Scalar {
        guard (0x80...0x9F).contains(byte) else { return Unicode.Scalar(byte) }
        return Unicode.Scalar(high[Int(byte) - 0x80]) ?? "\u{FFFD}"
    }

    /// The characters of 0x80 to 0x9F.
    private static let high: [UInt16] = [
        0x20AC, 0xFFFD, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0xFFFD,
        0x017D, 0xFFFD, 0xFFFD, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
        0x0153, 0xFFFD, 0x017E, 0x0178,
    ]

    /// A text without white space around it, and with a blank for each control character and line separator.
    static func clean(_ bytes: some Collection<UInt8>) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        // Most texts are printable ASCII.
        let isClean = bytes.allSatisfy { (0x20...0x7E).contains($0) } && bytes.first != 0x20
        return isClean && text.utf8.last != 0x20 ? text : clean(text)
    }

    /// The same of a text: what stands in a playlist is read back as it was written.
    static func clean(_ text: String) -> String {
        let scalars = trimmed(text)
        if !scalars.contains(where: isControl) { return String(scalars) }
        return String(String.UnicodeScalarView(scalars.map { isControl($0) ? " " : $0 }))
    }

    /// A text without white space, control characters and byte order marks around it.
    static func trimmed(_ text: String) -> Substring.UnicodeScalarView {
        var scalars = Substring(text).unicodeScalars
        while let first = scalars.first, isBlank(first) { scalars.removeFirst() }
        while let last = scalars.last, isBlank(last) { scalars.removeLast() }
        return scalars
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        scalar == " " || scalar == "\u{A0}" || scalar == "\u{FEFF}" || isControl(scalar)
    }

    /// Control characters (C0, DEL, C1), and the separators of lines and paragraphs.
    static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: true
        default: false
        }
    }
}
