/// The encoding of a document, as detected from its first bytes and its declaration (XML 1.0, appendix F).
struct EncodingDetection {
    enum Reading: Equatable {
        /// Pass the bytes on as UTF-8. The scanner validates them.
        case utf8
        /// Convert from an encoding.
        case converted(from: String)
        /// Pass ASCII on. The first non-ASCII bytes determine whether the declared encoding, a superset of ASCII, is
        /// correct.
        case declared(NamedEncoding)
    }

    let reading: Reading
    /// The encoding name for messages.
    let displayName: String
    /// The encoding that the document declares or the user requested.
    let declared: String?
    /// The length of the byte order mark in bytes.
    let markLength: Int
    /// Notes for a repairing reader.
    private(set) var notes: [EncodingNote] = []

    /// Detects the encoding from the first thousand bytes of a document.
    ///
    /// - Throws: `contradictoryEncoding` if the declaration names a family of encodings that the bytes are not in.
    init(_ bytes: [UInt8]) throws(XMLError.Reason) {
        let family = EncodingFamily(bytes)
        markLength = family.markLength
        declared = DeclaredEncoding.strict(family.beginning(of: bytes))
        guard let declared else {
            reading = Reading(family)
            displayName = family.displayName
            return
        }
        let name = declared.uppercased()
        displayName = declared
        if let wide = family.wide {
            let isDeclared =
                wide.width == 2
                ? ["UTF-16", wide.name, "ISO-10646-UCS-2", "UCS-2"].contains(name)
                : name.hasPrefix("UTF-32") || name.hasPrefix("ISO-10646-UCS-4") || name == "UCS-4"
            guard isDeclared else { throw .contradictoryEncoding(declared: declared, found: wide.name) }
            reading = .converted(from: wide.name)
        } else {
            let isWide = ["UTF-16", "UTF-32", "UCS-2", "UCS-4", "ISO-10646-UCS"].contains { name.hasPrefix($0) }
            guard !isWide else { throw .contradictoryEncoding(declared: declared, found: "8-bit characters") }
            let isUTF8 = ["UTF-8", "UTF8", "US-ASCII", "ASCII"].contains(name)
            // The byte order mark of UTF-8 takes precedence.
            reading = isUTF8 || family.hasMark ? .utf8 : .converted(from: declared)
        }
    }

    /// Detects the encoding for a repairing reader: the bytes override the declaration.
    init(repairing bytes: [UInt8]) {
        let family = EncodingFamily(bytes)
        markLength = family.markLength
        declared = DeclaredEncoding.lenient(family.beginning(of: bytes))
        let named = declared.flatMap { NamedEncoding($0) }
        switch named?.form {
        case _ where family.wide != nil || family.hasMark: reading = Reading(family)
        case .escaping?: reading = named.map { .converted(from: $0.name) } ?? .utf8
        case .latin?, .other?: reading = named.map { .declared($0) } ?? .utf8
        default: reading = .utf8
        }
        displayName = reading.name
        guard let declared, !family.agrees(with: named), reading == Reading(family) else { return }
        notes = [
            EncodingNote(
                kind: named == nil ? .unknownName : .contradicted, declared: declared, used: displayName, offset: 0)
        ]
    }

    /// Uses the encoding that the user requested. Only a byte order mark overrides it.
    ///
    /// - Throws: `unknownEncoding`.
    init(_ bytes: [UInt8], forced label: String) throws(XMLError.Reason) {
        guard let named = NamedEncoding(label) else { throw .unknownEncoding(label) }
        let family = EncodingFamily(bytes)
        markLength = family.markLength
        declared = label
        switch named.form {
        case _ where family.hasMark: reading = Reading(family)
        case .utf8: reading = .utf8
        case .wide where named.name.hasSuffix("E"): reading = .converted(from: named.name)
        // Without a mark, and if the first bytes don't show the byte order, assume little-endian.
        case .wide: reading = .converted(from: family.agrees(with: named) ? family.displayName : named.name + "LE")
        case .escaping, .latin, .other: reading = .converted(from: named.name)
        }
        displayName = reading.name
        guard family.hasMark, !family.agrees(with: named) else { return }
        notes = [EncodingNote(kind: .contradicted, declared: label, used: displayName, offset: 0)]
    }
}

extension EncodingDetection.Reading {
    fileprivate init(_ family: EncodingFamily) {
        self = family.wide.map { .converted(from: $0.name) } ?? .utf8
    }

    fileprivate var name: String {
        switch self {
        case .utf8: "UTF-8"
        case .converted(let name): name
        case .declared(let named): named.name
        }
    }
}

/// A family of encodings that the first bytes identify before the declaration is read (XML 1.0, appendix F).
private struct EncodingFamily {
    /// `nil` for single-byte characters.
    let wide: WideEncoding?
    /// The length of the byte order mark in bytes.
    let markLength: Int

    init(_ bytes: [UInt8]) {
        wide = WideEncoding(firstBytes: bytes)
        markLength = wide?.markLength ?? (bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
    }

    var hasMark: Bool { markLength > 0 }

    var displayName: String { wide?.name ?? "UTF-8" }

    /// Returns whether a document of this family may be in a named encoding, judging by the first bytes alone.
    func agrees(with named: NamedEncoding?) -> Bool {
        guard let named else { return false }
        // `UTF-16` means both orders.
        return wide.map { $0.name.hasPrefix(named.name) } ?? (named.form == .utf8)
    }

    /// Returns the leading ASCII characters of a document, up to its first `>`.
    func beginning(of bytes: [UInt8]) -> [UInt8] {
        let characters = wide?.narrowed(bytes)[...] ?? bytes.dropFirst(markLength)
        let beginning = characters.prefix { $0 < 0x80 && (wide == nil || $0 != 0) }
        let end = beginning.firstIndex(of: ASCII.greaterThan).map { $0 + 1 }
        return Array(beginning[..<(end ?? beginning.endIndex)])
    }
}

/// Readers of the encoding name in an XML declaration.
private enum DeclaredEncoding {
    /// Returns the encoding of a well-formed declaration, or `nil` if there is no declaration or the scanner will
    /// reject it.
    ///
    /// - Parameter characters: The document up to its first `>`.
    static func strict(_ characters: [UInt8]) -> String? {
        let isDeclaration = characters.starts(with: "<?xml".utf8) && characters.suffix(2).elementsEqual("?>".utf8)
        guard isDeclaration, characters.count >= 7 else { return nil }
        do throws(ScanFault) {
            return try XMLDeclaration(characters.span, 5..<characters.count - 2).encoding
        } catch {
            // A malformed declaration names no encoding. The scanner reports it at its position.
            return nil
        }
    }

    /// Returns the encoding that a malformed declaration probably means: after white space, with attributes in any
    /// order and case, with mismatched or missing quotes, or truncated.
    ///
    /// - Parameter characters: The document up to its first `>`.
    /// - Returns: At most 64 ASCII characters.
    static func lenient(_ characters: [UInt8]) -> String? {
        let text = characters.drop { $0.isXMLSpace }
        guard text.prefix(5).map({ $0 | 0x20 }).elementsEqual("<?xml".utf8.map { $0 | 0x20 }) else { return nil }
        let word = Array("encoding".utf8)
        var index = text.startIndex + 5
        while index + word.count < text.endIndex {
            defer { index += 1 }
            guard text[index..<index + word.count].map({ $0 | 0x20 }) == word else { continue }
            let rest = text[(index + word.count)...].drop { $0.isXMLSpace }
            guard rest.first == ASCII.equals else { continue }
            return value(rest.dropFirst().drop { $0.isXMLSpace })
        }
        return nil
    }

    /// Returns the text between quotes, or up to the next white space if it isn't quoted.
    private static func value(_ rest: ArraySlice<UInt8>) -> String? {
        let isQuote = { (byte: UInt8) in byte == ASCII.doubleQuote || byte == ASCII.singleQuote }
        let isQuoted = rest.first.map(isQuote) ?? false
        let inner = rest.drop { isQuote($0) || $0.isXMLSpace }
        let label = inner.prefix { byte in
            let ends = isQuote(byte) || byte == ASCII.question || byte == ASCII.greaterThan
            return !ends && (isQuoted || !byte.isXMLSpace)
        }
        let trimmed = label.prefix(64).reversed().drop { $0.isXMLSpace }.reversed()
        return trimmed.isEmpty ? nil : String(decoding: Array(trimmed), as: UTF8.self)
    }
}

/// Statistics on how much bytes look like UTF-8.
struct UTF8Evidence {
    /// Valid non-ASCII characters of two bytes, and of three or four.
    private(set) var pairs = 0
    private(set) var longer = 0
    /// The number of bytes in valid non-ASCII characters.
    private(set) var validBytes = 0
    /// Non-ASCII bytes that are not part of a valid character.
    private(set) var strays = 0

    /// Counts valid characters by table 3-7 of the Unicode Standard.
    ///
    /// - Parameter isCut: Whether more bytes follow, so that the last character may be incomplete.
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

    /// Whether the bytes are UTF-8 except for a few stray bytes, such as where a text was cut within a character.
    var isUTF8: Bool { characters > 0 && strays * 16 <= characters }

    /// Returns the length of the character that starts with a byte (0 for an invalid byte) and the valid range of its
    /// second byte.
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
