/// How far bytes look like UTF-8.
struct UTF8Evidence {
    /// Characters beyond ASCII that are UTF-8: those of two bytes, and longer ones.
    private(set) var pairs = 0
    private(set) var longer = 0
    /// Bytes of them.
    private(set) var validBytes = 0
    /// Bytes beyond ASCII that are no UTF-8.
    private(set) var strays = 0

    /// Counts by table 3-7 of the Unicode Standard.
    ///
    /// - Parameter isCut: Whether more bytes follow, so that the last character may be there in part.
    /// - Complexity: O(bytes).
    init(_ bytes: ArraySlice<UInt8>, isCut: Bool) {
        var index = bytes.startIndex
        while index < bytes.endIndex {
            guard bytes[index] >= 0x80 else {
                index += 1
                continue
            }
            let (length, second) = Self.shape(of: bytes[index])
            let rest = bytes[(index + 1)...].prefix(max(length - 1, 0))
            let isPlain = zip(rest.indices, rest).allSatisfy { place, byte in
                place == index + 1 ? second.contains(byte) : 0x80...0xBF ~= byte
            }
            switch true {
            case length == 0 || !isPlain:
                strays += 1
                index += 1
            case rest.count < length - 1:
                if !isCut { strays += 1 + rest.count }
                index = bytes.endIndex
            default:
                if length == 2 { pairs += 1 } else { longer += 1 }
                validBytes += length
                index += length
            }
        }
    }

    var characters: Int { pairs + longer }

    /// Whether they are UTF-8, but for a few stray bytes, such as where a text was cut within a character.
    var isUTF8: Bool { characters > 0 && strays * 16 <= characters }

    /// The length of the character that a byte begins, 0 for none, and what its second byte may be.
    private static func shape(of byte: UInt8) -> (length: Int, second: ClosedRange<UInt8>) {
        switch byte {
        case 0xC2...0xDF: (2, 0x80...0xBF)
        case 0xE0: (3, 0xA0...0xBF)
        case 0xED: (3, 0x80...0x9F)
        case 0xE1...0xEF: (3, 0x80...0xBF)
        case 0xF0: (4, 0x90...0xBF)
        case 0xF4: (4, 0x80...0x8F)
        case 0xF1...0xF3: (4, 0x80...0xBF)
        default: (0, 0x80...0xBF)
        }
    }
}
