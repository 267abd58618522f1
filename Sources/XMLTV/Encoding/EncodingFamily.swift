/// Encodings that look alike before the declaration is read (XML 1.0, appendix F).
enum EncodingFamily {
    case ascii(hasMark: Bool)
    case utf16(String, hasMark: Bool)
    case utf32(String, hasMark: Bool)

    init(_ bytes: [UInt8]) {
        let first = Array(bytes.prefix(4))
        switch true {
        case first == [0x00, 0x00, 0xFE, 0xFF]: self = .utf32("UTF-32BE", hasMark: true)
        case first == [0xFF, 0xFE, 0x00, 0x00]: self = .utf32("UTF-32LE", hasMark: true)
        case first == [0x00, 0x00, 0x00, 0x3C]: self = .utf32("UTF-32BE", hasMark: false)
        case first == [0x3C, 0x00, 0x00, 0x00]: self = .utf32("UTF-32LE", hasMark: false)
        case first.starts(with: [0xFE, 0xFF]): self = .utf16("UTF-16BE", hasMark: true)
        case first.starts(with: [0xFF, 0xFE]): self = .utf16("UTF-16LE", hasMark: true)
        case first.count > 1 && first[0] == 0 && Self.mayBegin(first[1]): self = .utf16("UTF-16BE", hasMark: false)
        case first.count > 1 && first[1] == 0 && Self.mayBegin(first[0]): self = .utf16("UTF-16LE", hasMark: false)
        default: self = .ascii(hasMark: first.starts(with: [0xEF, 0xBB, 0xBF]))
        }
    }

    /// Whether a document may begin with a character: `<`, or white space where it has no XML declaration.
    private static func mayBegin(_ byte: UInt8) -> Bool { byte == ASCII.lessThan || byte.isXMLSpace }

    var hasMark: Bool {
        switch self {
        case .ascii(let hasMark), .utf16(_, let hasMark), .utf32(_, let hasMark): hasMark
        }
    }

    /// Bytes of the byte order mark.
    var markLength: Int {
        switch self {
        case .ascii(let hasMark): hasMark ? 3 : 0
        case .utf16(_, let hasMark): hasMark ? 2 : 0
        case .utf32(_, let hasMark): hasMark ? 4 : 0
        }
    }

    /// The name for iconv, or `nil` for 8-bit characters.
    var conversion: String? {
        switch self {
        case .ascii: nil
        case .utf16(let name, _), .utf32(let name, _): name
        }
    }

    var displayName: String { conversion ?? "UTF-8" }

    /// The distance of two characters, and the place of the low byte in each.
    private var stride: (width: Int, place: Int) {
        switch self {
        case .ascii: (1, 0)
        case .utf16(let name, _): (2, name.hasSuffix("BE") ? 1 : 0)
        case .utf32(let name, _): (4, name.hasSuffix("BE") ? 3 : 0)
        }
    }

    /// The characters of a document up to its first `>`, as far as they are ASCII.
    func beginning(of bytes: [UInt8]) -> [UInt8] {
        let (width, place) = stride
        var characters: [UInt8] = []
        var index = markLength
        while index + width <= bytes.count, characters.last != ASCII.greaterThan {
            let character = bytes[index..<index + width]
            // The declaration is in ASCII: every byte but one of a wide character is zero.
            guard bytes[index + place] < 0x80, character.reduce(0, { $0 | $1 }) == bytes[index + place] else { break }
            characters.append(bytes[index + place])
            index += width
        }
        return characters
    }
}
