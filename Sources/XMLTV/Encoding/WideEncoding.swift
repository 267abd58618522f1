/// UTF-16 or UTF-32, detected from the first bytes of a text that starts with an ASCII character.
package struct WideEncoding: Hashable, Sendable {
    /// The name for iconv and for messages, with the byte order: `UTF-16LE`.
    package var name: String { "UTF-\(8 * width)\(order)" }
    /// `LE` for little-endian code units, otherwise `BE`.
    package let order: String
    /// The length of the byte order mark in bytes.
    let markLength: Int
    /// The size of a code unit in bytes: two or four.
    let width: Int
    /// The position of the low byte in a code unit.
    private let lowPlace: Int

    /// Examines the first four bytes for a byte order mark, or else for the zero bytes next to an ASCII character (XML
    /// 1.0, appendix F; RFC 4627, 3).
    ///
    /// - Returns: `nil` for single-byte encodings.
    package init?(firstBytes: some Collection<UInt8>) {
        let first = Array(firstBytes.prefix(4))
        let isASCII = { (place: Int) in 0x01...0x7F ~= first[place] }
        switch true {
        case first == [0x00, 0x00, 0xFE, 0xFF]: self.init(width: 4, isLittle: false, markLength: 4)
        case first == [0xFF, 0xFE, 0x00, 0x00]: self.init(width: 4, isLittle: true, markLength: 4)
        case first.starts(with: [0xFE, 0xFF]): self.init(width: 2, isLittle: false, markLength: 2)
        case first.starts(with: [0xFF, 0xFE]): self.init(width: 2, isLittle: true, markLength: 2)
        case first.count == 4 && first.starts(with: [0, 0, 0]) && isASCII(3): self.init(width: 4, isLittle: false)
        case first.count == 4 && isASCII(0) && first.dropFirst() == [0, 0, 0]: self.init(width: 4, isLittle: true)
        case first.count >= 2 && first[0] == 0 && isASCII(1): self.init(width: 2, isLittle: false)
        case first.count >= 2 && isASCII(0) && first[1] == 0: self.init(width: 2, isLittle: true)
        default: return nil
        }
    }

    private init(width: Int, isLittle: Bool, markLength: Int = 0) {
        order = isLittle ? "LE" : "BE"
        self.markLength = markLength
        self.width = width
        lowPlace = isLittle ? 0 : width - 1
    }

    /// Returns the ASCII characters of a text, with zero in place of each other code unit, and without the byte order
    /// mark.
    package func narrowed(_ bytes: [UInt8]) -> [UInt8] {
        stride(from: markLength, to: bytes.count - width + 1, by: width).map { start in
            let low = bytes[start + lowPlace]
            let others = bytes[start..<start + width].reduce(0, |) ^ low
            return low < 0x80 && others == 0 ? low : 0
        }
    }
}
