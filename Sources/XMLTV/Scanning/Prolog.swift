/// The content of an XML declaration, `version="1.0" encoding="UTF-8" standalone="yes"` ([23] to [32], [80]).
struct XMLDeclaration {
    /// The encoding name as written.
    private(set) var encoding: String?
    private(set) var isStandalone = false

    /// Parses the text between `<?xml` and `?>`.
    ///
    /// The attributes have a fixed order, and only the version is mandatory. Versions 1.2 and above are read as 1.0
    /// (2.8). Version 1.1, which has different rules, and versions other than 1.x are rejected.
    init(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(ScanFault) {
        var fields: [(name: String, value: String)] = []
        var index = range.lowerBound
        while true {
            let afterSpace = Self.skipSpace(bytes, index, range.upperBound)
            if afterSpace == range.upperBound { break }
            guard afterSpace > index else { throw Self.fault(range) }
            index = afterSpace
            let name = Self.readText(bytes, &index, range.upperBound) { $0.isASCIIName }
            index = Self.skipSpace(bytes, index, range.upperBound)
            guard index < range.upperBound, bytes[index] == ASCII.equals else { throw Self.fault(range) }
            index = Self.skipSpace(bytes, index + 1, range.upperBound)
            guard index < range.upperBound, bytes[index] == ASCII.doubleQuote || bytes[index] == ASCII.singleQuote
            else { throw Self.fault(range) }
            let quote = bytes[index]
            index += 1
            let value = Self.readText(bytes, &index, range.upperBound) { $0 != quote }
            guard index < range.upperBound else { throw Self.fault(range) }
            index += 1
            fields.append((name, value))
        }
        try read(fields, range)
    }

    private mutating func read(_ fields: [(name: String, value: String)], _ range: Range<Int>) throws(ScanFault) {
        let order = ["version", "encoding", "standalone"]
        let places = fields.map { order.firstIndex(of: $0.name) ?? -1 }
        guard places.first == 0, !places.contains(-1), zip(places, places.dropFirst()).allSatisfy({ $0 < $1 }) else {
            throw Self.fault(range)
        }
        for field in fields {
            switch field.name {
            case "version":
                guard !field.value.isEmpty, field.value.utf8.allSatisfy({ $0.isASCIIName }) else {
                    throw Self.fault(range)
                }
                let digits = field.value.dropFirst(2)
                let isOne = field.value.hasPrefix("1.") && !digits.isEmpty && digits.utf8.allSatisfy { $0 &- 0x30 < 10 }
                if !isOne || field.value == "1.1" {
                    throw ScanFault(reason: .unsupportedVersion(field.value), offset: range.lowerBound)
                }
            case "encoding":
                guard let first = field.value.utf8.first, first.isASCIINameStart, first != 0x5F, first != 0x3A,
                    field.value.utf8.allSatisfy({ $0.isASCIIName && $0 != 0x3A })
                else { throw Self.fault(range) }
                encoding = field.value
            default:
                guard field.value == "yes" || field.value == "no" else { throw Self.fault(range) }
                isStandalone = field.value == "yes"
            }
        }
    }

    private static func fault(_ range: Range<Int>) -> ScanFault {
        ScanFault(reason: .badDeclaration, offset: range.lowerBound)
    }

    private static func skipSpace(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Int {
        var index = start
        while index < end, bytes[index].isXMLSpace { index += 1 }
        return index
    }

    private static func readText(
        _ bytes: Span<UInt8>, _ index: inout Int, _ end: Int, while isIncluded: (UInt8) -> Bool
    ) -> String {
        var text: [UInt8] = []
        while index < end, isIncluded(bytes[index]) {
            text.append(bytes[index])
            index += 1
        }
        return String(decoding: text, as: UTF8.self)
    }
}

/// A document type declaration, `<!DOCTYPE name SYSTEM "…" [ … ]>` ([28]).
///
/// Its content is ignored, and nothing external is opened. Quotes, comments, and processing instructions are followed to find
/// the end, and entity declarations are rejected, with which a small document can expand to a large one. Errors within the DTD
/// are not reported.
struct Doctype {
    /// The offset after its `>`.
    private(set) var end: Int
    /// Whether an external DTD or a parameter entity may declare unknown entities.
    private(set) var mayDeclareEntities: Bool

    /// Scans a declaration.
    ///
    /// - Parameters:
    ///   - start: The offset of its `<!DOCTYPE`.
    ///   - scan: The state, which only notes repairs.
    /// - Returns: `nil` if more bytes are needed.
    init?(_ bytes: Span<UInt8>, at start: Int, _ scan: inout ScanState) throws(ScanFault) {
        var index = start &+ 9
        guard bytes[index].isXMLSpace else {
            _ = try scan.unexpected(at: index, .expected("white space"))
            return nil
        }
        index = scan.skipSpace(bytes, from: index)
        guard let nameEnd = try scan.endOfName(bytes, from: index) else { return nil }
        guard nameEnd > index else {
            _ = try scan.unexpected(at: index, .expected("the name of the document's element"))
            return nil
        }
        guard let identifier = try Self.externalID(bytes, from: nameEnd, scan) else { return nil }
        mayDeclareEntities = identifier.isExternal
        end = scan.skipSpace(bytes, from: identifier.end)
        if bytes[end] == ASCII.openBracket {
            guard let subset = try Self.internalSubset(bytes, from: end &+ 1, &scan) else { return nil }
            mayDeclareEntities = mayDeclareEntities || subset.usesParameterEntity
            end = scan.skipSpace(bytes, from: subset.end)
        }
        guard bytes[end] == ASCII.greaterThan else {
            _ = try scan.unexpected(at: end, .expected("'>'"))
            return nil
        }
        end &+= 1
    }

    /// Parses `SYSTEM "…"` or `PUBLIC "…" "…"`, or nothing ([75]). Returns `nil` if more bytes are needed.
    private static func externalID(
        _ bytes: Span<UInt8>, from start: Int, _ scan: borrowing ScanState
    ) throws(ScanFault) -> (end: Int, isExternal: Bool)? {
        var index = scan.skipSpace(bytes, from: start)
        var literals = 0
        if bytes[index] == 0x53 || bytes[index] == 0x50 {  // S, P
            guard index > start else { throw ScanFault(reason: .expected("white space"), offset: index) }
            let word: StaticString = bytes[index] == 0x53 ? "SYSTEM" : "PUBLIC"
            literals = bytes[index] == 0x53 ? 1 : 2
            guard let matches = scan.begins(bytes, at: index, with: word) else { return nil }
            guard matches else {
                throw ScanFault(reason: .expected("SYSTEM, PUBLIC, '[' or '>'"), offset: index)
            }
            index &+= 6
        }
        for position in 0..<literals {
            let isPublicID = literals == 2 && position == 0
            let quoteStart = scan.skipSpace(bytes, from: index)
            let quote = bytes[quoteStart]
            guard quoteStart > index, quote == ASCII.doubleQuote || quote == ASCII.singleQuote else {
                _ = try scan.unexpected(at: quoteStart, .expected("a quoted name"))
                return nil
            }
            guard let end = try endOfLiteral(bytes, from: quoteStart &+ 1, quote, isPublicID: isPublicID, scan) else {
                return nil
            }
            index = end
        }
        return (index, literals > 0)
    }

    /// Returns the offset after the quote that ends a literal, or `nil` if more bytes are needed.
    private static func endOfLiteral(
        _ bytes: Span<UInt8>, from start: Int, _ quote: UInt8, isPublicID: Bool = false, _ scan: borrowing ScanState
    ) throws(ScanFault) -> Int? {
        var index = start
        while bytes[index] != quote {
            if isPublicID, !bytes[index].isPublicIDCharacter {
                _ = try scan.unexpected(at: index, .expected("a character of a public identifier"))
                return nil
            }
            guard let next = try skipCharacter(bytes, at: index, scan) else { return nil }
            index = next
        }
        return index &+ 1
    }

    /// Returns the offset after the `]` that ends the internal subset, or `nil` if more bytes are needed.
    private static func internalSubset(
        _ bytes: Span<UInt8>, from start: Int, _ scan: inout ScanState
    ) throws(ScanFault) -> (end: Int, usesParameterEntity: Bool)? {
        var index = start
        var usesParameterEntity = false
        while true {
            switch bytes[index] {
            case ASCII.closeBracket:
                return (index &+ 1, usesParameterEntity)
            case ASCII.doubleQuote, ASCII.singleQuote:
                guard let end = try endOfLiteral(bytes, from: index &+ 1, bytes[index], scan) else { return nil }
                index = end
            case ASCII.percent:
                usesParameterEntity = true
                index &+= 1
            case ASCII.lessThan:
                guard let isEntity = scan.begins(bytes, at: index, with: "<!ENTITY") else { return nil }
                if isEntity { throw ScanFault(reason: .entityDeclaration, offset: index) }
                guard let end = try endOfSubsetMarkup(bytes, at: index, &scan) else { return nil }
                index = end
            default:
                guard let next = try skipCharacter(bytes, at: index, scan) else { return nil }
                index = next
            }
        }
    }

    /// Returns the offset after a comment or processing instruction, or after the `<` of any other markup.
    private static func endOfSubsetMarkup(
        _ bytes: Span<UInt8>, at start: Int, _ scan: inout ScanState
    ) throws(ScanFault) -> Int? {
        guard let isComment = scan.begins(bytes, at: start, with: "<!--"),
            let isInstruction = scan.begins(bytes, at: start, with: "<?")
        else { return nil }
        var flags: XMLToken.Flags = []
        if isComment {
            let end = try scan.find(bytes, from: start &+ 4, &flags, ASCII.hyphen, ASCII.hyphen, ASCII.greaterThan)
            return end.map { $0 &+ 3 }
        }
        if isInstruction {
            return try scan.find(bytes, from: start &+ 2, &flags, ASCII.question, ASCII.greaterThan).map { $0 &+ 2 }
        }
        return start &+ 1
    }

    /// Returns the offset after an XML character, or `nil` if more bytes are needed.
    private static func skipCharacter(
        _ bytes: Span<UInt8>, at index: Int, _ scan: borrowing ScanState
    ) throws(ScanFault) -> Int? {
        let byte = bytes[index]
        if byte >= 0x80 {
            guard let character = try UTF8Scan.character(in: bytes, at: index, limit: scan.limit) else { return nil }
            return index &+ character.length
        }
        guard byte >= ASCII.space || byte.isXMLSpace else {
            _ = try scan.unexpected(at: index, .invalidCharacter(UInt32(byte)))
            return nil
        }
        return index &+ 1
    }
}

extension UInt8 {
    /// A character of a public identifier ([13]).
    fileprivate var isPublicIDCharacter: Bool {
        switch self {
        case 0x20, 0x0D, 0x0A, 0x61...0x7A, 0x41...0x5A, 0x30...0x39: true
        default: "-'()+,./:=?;!*#@$_%".utf8.contains(self)
        }
    }
}
