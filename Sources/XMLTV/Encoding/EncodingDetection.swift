/// What encoding a document is in, by its first bytes and its declaration (XML 1.0, appendix F).
struct EncodingDetection {
    /// The name for iconv, or `nil` where the bytes are passed on as UTF-8.
    let conversion: String?
    /// The name for people.
    let displayName: String
    /// Bytes of the byte order mark.
    let markLength: Int

    /// Decides by the first bytes of a document: a thousand are enough.
    ///
    /// - Throws: `contradictoryEncoding` where the declaration names a family of encodings that the bytes are not in.
    init(_ bytes: [UInt8]) throws(XMLError.Reason) {
        let family = Family(bytes)
        markLength = family.markLength
        let declared = Self.declaredEncoding(bytes, family)
        guard let declared else {
            conversion = family.conversion
            displayName = family.displayName
            return
        }
        let name = declared.uppercased()
        displayName = declared
        switch family {
        case .utf16(let name16, _):
            guard name == "UTF-16" || name == name16 || name == "ISO-10646-UCS-2" || name == "UCS-2" else {
                throw .contradictoryEncoding(declared: declared, found: family.displayName)
            }
            conversion = name16
        case .utf32(let name32, _):
            guard name.hasPrefix("UTF-32") || name.hasPrefix("ISO-10646-UCS-4") || name == "UCS-4" else {
                throw .contradictoryEncoding(declared: declared, found: family.displayName)
            }
            conversion = name32
        case .ascii(let hasMark):
            let isWide = ["UTF-16", "UTF-32", "UCS-2", "UCS-4", "ISO-10646-UCS"].contains { name.hasPrefix($0) }
            guard !isWide else { throw .contradictoryEncoding(declared: declared, found: "8-bit characters") }
            let isUTF8 = ["UTF-8", "UTF8", "US-ASCII", "ASCII"].contains(name)
            // With the mark of UTF-8 the bytes say what they are.
            conversion = isUTF8 || hasMark ? nil : declared
        }
    }

    /// Encodings that look alike before the declaration is read.
    private enum Family {
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
            case first.count > 1 && first[0] == 0 && Self.mayBegin(first[1]):
                self = .utf16("UTF-16BE", hasMark: false)
            case first.count > 1 && first[1] == 0 && Self.mayBegin(first[0]):
                self = .utf16("UTF-16LE", hasMark: false)
            default: self = .ascii(hasMark: first.starts(with: [0xEF, 0xBB, 0xBF]))
            }
        }

        /// Whether a document may begin with a character: `<`, or white space where it has no XML declaration.
        private static func mayBegin(_ byte: UInt8) -> Bool { byte == ASCII.lessThan || byte.isXMLSpace }

        var markLength: Int {
            switch self {
            case .ascii(let hasMark): hasMark ? 3 : 0
            case .utf16(_, let hasMark): hasMark ? 2 : 0
            case .utf32(_, let hasMark): hasMark ? 4 : 0
            }
        }

        var conversion: String? {
            switch self {
            case .ascii: nil
            case .utf16(let name, _), .utf32(let name, _): name
            }
        }

        var displayName: String { conversion ?? "UTF-8" }

        /// The distance of two characters, and the place of the low byte in each.
        var stride: (width: Int, place: Int) {
            switch self {
            case .ascii: (1, 0)
            case .utf16(let name, _): (2, name.hasSuffix("BE") ? 1 : 0)
            case .utf32(let name, _): (4, name.hasSuffix("BE") ? 3 : 0)
            }
        }
    }

    /// The encoding that the XML declaration names, as far as it can be read; the scanner checks it later.
    private static func declaredEncoding(_ bytes: [UInt8], _ family: Family) -> String? {
        let (width, place) = family.stride
        var characters: [UInt8] = []
        var index = family.markLength
        while index + width <= bytes.count, characters.last != ASCII.greaterThan {
            let character = bytes[index..<index + width]
            // The declaration is in ASCII: every byte but one of a wide character is zero.
            guard character.reduce(0, { $0 | $1 }) == bytes[index + place] else { return nil }
            characters.append(bytes[index + place])
            index += width
        }
        let isDeclaration = characters.starts(with: "<?xml".utf8) && characters.suffix(2).elementsEqual("?>".utf8)
        guard isDeclaration, characters.count >= 7 else { return nil }
        do throws(ScanFault) {
            return try XMLDeclaration(characters.span, 5..<characters.count - 2).encoding
        } catch {
            // A declaration that isn't well-formed names no encoding; the scanner refuses it at its place.
            return nil
        }
    }
}
