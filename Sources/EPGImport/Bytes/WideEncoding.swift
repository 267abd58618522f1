/// UTF-16 or UTF-32, told by the first bytes of a text that begins with an ASCII character.
struct WideEncoding: Hashable, Sendable {
    /// The name for iconv and for people, with the order of the bytes: `UTF-16LE`.
    var name: String { "UTF-\(8 * width)\(order)" }
    /// `LE` where the low byte of a unit comes first, else `BE`.
    let order: String
    /// Bytes of the byte order mark.
    let markLength: Int
    /// Bytes of a unit: two or four.
    private let width: Int
    /// The place of the low byte in a unit.
    private let lowPlace: Int

    /// Looks at the first four bytes: for a byte order mark, else for the zeros beside an ASCII character (RFC 4627, 3).
    ///
    /// - Returns: `nil` for characters of eight bits.
    init?(firstBytes: some Collection<UInt8>) {
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

    /// The ASCII characters of a text, with a zero in place of each other unit; without the mark.
    func narrowed(_ bytes: [UInt8]) -> [UInt8] {
        stride(from: markLength, to: bytes.count - width + 1, by: width).map { start in
            let low = bytes[start + lowPlace]
            let others = bytes[start..<start + width].reduce(0, |) ^ low
            return low < 0x80 && others == 0 ? low : 0
        }
    }
}
