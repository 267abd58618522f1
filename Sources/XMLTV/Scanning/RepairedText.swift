/// A content with faults that have a plain meaning (``XMLRepair``).
///
/// What it stands for depends on its bytes alone: where the scanner noted a repair, the same is found here again.
struct RepairedText {
    private let range: Range<Int>
    private let isAttribute: Bool
    private let hasReferences: Bool

    /// The content of a token of that kind, which stands in a range of the bytes that are handed to ``append(_:to:)``.
    init(_ range: Range<Int>, kind: XMLToken.Kind) {
        self.range = range
        isAttribute = kind == .attribute
        hasReferences = kind == .text || kind == .attribute
    }

    /// Appends the content in UTF-8.
    func append(_ bytes: Span<UInt8>, to output: inout [UInt8]) {
        var index = range.lowerBound
        while index < range.upperBound {
            let byte = bytes[index]
            switch byte {
            case ASCII.ampersand where hasReferences:
                index = appendReference(bytes, at: index, to: &output)
            case 0x80...:
                index = appendBeyondASCII(bytes, at: index, to: &output)
            case ASCII.carriageReturn:
                let isPair = index + 1 < range.upperBound && bytes[index + 1] == ASCII.lineFeed
                output.append(isAttribute ? ASCII.space : ASCII.lineFeed)
                index += isPair ? 2 : 1
            case ASCII.lineFeed, ASCII.tab:
                output.append(isAttribute ? ASCII.space : byte)
                index += 1
            case 0..<ASCII.space:
                index += 1
            default:
                output.append(byte)
                index += 1
            }
        }
    }

    // MARK: - Characters beyond ASCII

    private func appendBeyondASCII(_ bytes: Span<UInt8>, at index: Int, to output: inout [UInt8]) -> Int {
        do throws(ScanFault) {
            if let character = try UTF8Scan.character(in: bytes, at: index, limit: range.upperBound) {
                output.append(bytes, from: index, count: character.length)
                return index + character.length
            }
        } catch {
            // U+FFFE and U+FFFF are left out.
            if case .invalidCharacter = error.reason { return index + 3 }
        }
        append(Self.windows1252(bytes[index]), to: &output)
        return index + 1
    }

    /// What a byte beyond ASCII is in windows-1252 (the Unicode Consortium's table CP1252.TXT).
    private static func windows1252(_ byte: UInt8) -> UInt32 {
        byte < 0xA0 ? UInt32(windows1252Controls[Int(byte) & 0x1F]) : UInt32(byte)
    }

    private static let windows1252Controls: [UInt16] = [
        0x20AC, 0xFFFD, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0xFFFD,
        0x017D, 0xFFFD, 0xFFFD, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
        0x0153, 0xFFFD, 0x017E, 0x0178,
    ]

    // MARK: - References

    /// Appends what `&…;` stands for, or the `&` alone where that is no reference; what follows is looked at as text.
    /// - Returns: The offset to go on from.
    private func appendReference(_ bytes: Span<UInt8>, at start: Int, to output: inout [UInt8]) -> Int {
        if let reference = number(bytes, at: start) {
            guard (0xD800...0xDBFF).contains(reference.value), let low = number(bytes, at: reference.end),
                (0xDC00...0xDFFF).contains(low.value)
            else {
                append(reference.value, to: &output)
                return reference.end
            }
            // Who writes UTF-16 as references writes one character as two.
            append(0x10000 + (reference.value & 0x3FF) << 10 + low.value & 0x3FF, to: &output)
            return low.end
        }
        var end = start + 1
        while end < range.upperBound, bytes[end] != ASCII.semicolon, end - start <= 8 { end += 1 }
        if end < range.upperBound, bytes[end] == ASCII.semicolon {
            let name = start + 1..<end
            if let character = References.predefined(bytes, name).map(UInt32.init)
                ?? HTMLEntities.character(bytes, name)?.value
            {
                append(character, to: &output)
                return end + 1
            }
        }
        output.append(ASCII.ampersand)
        return start + 1
    }

    /// `&#123;` or `&#x1F;`: the number, at most 0x110000, and the offset behind it.
    private func number(_ bytes: Span<UInt8>, at start: Int) -> (value: UInt32, end: Int)? {
        guard start + 3 < range.upperBound, bytes[start] == ASCII.ampersand, bytes[start + 1] == ASCII.hash else {
            return nil
        }
        let isHexadecimal = bytes[start + 2] == ASCII.x
        let first = start + (isHexadecimal ? 3 : 2)
        var index = first
        var value: UInt32 = 0
        while index < range.upperBound, let digit = bytes[index].hexadecimalDigit, isHexadecimal || digit < 10 {
            value = min(value * (isHexadecimal ? 16 : 10) + digit, 0x11_0000)
            index += 1
        }
        guard index > first, index < range.upperBound, bytes[index] == ASCII.semicolon else { return nil }
        return (value, index + 1)
    }

    /// Appends a character; controls, U+FFFE and U+FFFF are left out, and what is no character is U+FFFD.
    private func append(_ value: UInt32, to output: inout [UInt8]) {
        guard let scalar = Unicode.Scalar(value) else {
            output.append(contentsOf: [0xEF, 0xBF, 0xBD])
            return
        }
        guard value.isXMLCharacter else { return }
        output.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
}
