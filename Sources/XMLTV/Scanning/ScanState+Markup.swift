extension ScanState {
    /// Scans anything that starts with `<!` or `<?`: a comment, CDATA section, DOCTYPE, processing instruction, or XML
    /// declaration.
    ///
    /// - Returns: `false` if more bytes are needed. The state is unchanged then.
    @inline(never)
    mutating func otherMarkup(
        _ bytes: Span<UInt8>, _ tokens: inout MutableSpan<XMLToken>
    ) throws(ScanFault) -> Bool {
        let start = cursor
        if bytes[start &+ 1] == ASCII.question { return try processingInstruction(bytes, &tokens, at: start) }
        for (text, kind) in Self.declarations {
            guard let matches = begins(bytes, at: start, with: text) else { return false }
            guard matches else { continue }
            switch kind {
            case .comment: return try comment(bytes, &tokens, at: start)
            case .cdata: return try cdata(bytes, &tokens, at: start)
            case .doctype: return try doctype(bytes, at: start)
            }
        }
        return try unexpected(at: start &+ 2, .expected("a comment, CDATA section or DOCTYPE"))
    }

    private enum Declaration { case comment, cdata, doctype }

    private static let declarations: [(StaticString, Declaration)] = [
        ("<!--", .comment), ("<![CDATA[", .cdata), ("<!DOCTYPE", .doctype),
    ]

    /// Returns whether the bytes at an offset start with a text, or `nil` if too few bytes are available to tell.
    func begins(_ bytes: Span<UInt8>, at start: Int, with text: StaticString) -> Bool? {
        var index = start
        for byte in "\(text)".utf8 {
            if index >= limit { return nil }
            if bytes[index] != byte { return false }
            index &+= 1
        }
        return true
    }

    /// Returns the offset of the first sequence of two or three characters, after a run of valid XML characters.
    ///
    /// - Returns: `nil` if the bytes end before it.
    mutating func find(
        _ bytes: Span<UInt8>, from start: Int, _ flags: inout XMLToken.Flags, _ first: UInt8, _ second: UInt8,
        _ third: UInt8? = nil
    ) throws(ScanFault) -> Int? {
        var index = start
        while true {
            let hits = ByteScan.plain(bytes.eightBytes(at: index), until: first)
            guard hits != 0 else {
                index &+= 8
                continue
            }
            index &+= hits.trailingZeroBitCount >> 3
            let byte = bytes[index]
            if byte == first {
                let next = index &+ 1
                if next >= limit { return nil }
                if bytes[next] == second {
                    guard let third else { return index }
                    if next &+ 1 >= limit { return nil }
                    if bytes[next &+ 1] == third { return index }
                }
                index = next
            } else if byte >= 0x80 {
                guard let end = try endOfRun(bytes, from: index, &flags) else { return nil }
                index = end
            } else if byte.isXMLSpace {
                index &+= 1
            } else {
                guard let next = try skipControl(byte, at: index, &flags) else { return nil }
                index = next
            }
        }
    }

    /// Scans `<!-- text -->`, which must not contain `--` ([15]).
    private mutating func comment(
        _ bytes: Span<UInt8>, _ tokens: inout MutableSpan<XMLToken>, at start: Int
    ) throws(ScanFault) -> Bool {
        let content = start &+ 4
        var flags: XMLToken.Flags = []
        var index = content
        while true {
            guard let end = try find(bytes, from: index, &flags, ASCII.hyphen, ASCII.hyphen) else { return false }
            var behind = end &+ 3
            if bytes[end &+ 2] != ASCII.greaterThan {
                guard let hyphens = try skipHyphens(bytes, at: end, content: content) else { return false }
                guard hyphens.isEnd else {
                    index = hyphens.next
                    continue
                }
                behind = hyphens.next
            }
            report(.comment, bytes, &tokens, content: content..<end, flags: flags)
            finishMisc(at: behind)
            return true
        }
    }

    /// Scans `<![CDATA[ text ]]>` ([18]), which only elements may contain.
    private mutating func cdata(
        _ bytes: Span<UInt8>, _ tokens: inout MutableSpan<XMLToken>, at start: Int
    ) throws(ScanFault) -> Bool {
        guard phase == .content else {
            let reason: XMLError.Reason = phase == .epilog ? .contentAfterRoot : .expected("the document's element")
            throw ScanFault(reason: reason, offset: start)
        }
        let content = start &+ 9
        var flags: XMLToken.Flags = []
        guard
            let end = try find(
                bytes, from: content, &flags, ASCII.closeBracket, ASCII.closeBracket, ASCII.greaterThan)
        else {
            // The last two bytes may be the start of `]]>`.
            guard limit &- content &- 2 <= limits.textBytes else {
                throw ScanFault(reason: .limit(.textBytes, limits.textBytes), offset: start)
            }
            return false
        }
        textRun &+= end &- content
        guard textRun <= limits.textBytes else {
            throw ScanFault(reason: .limit(.textBytes, limits.textBytes), offset: start)
        }
        var index = content
        while index < end {
            if bytes[index] == ASCII.carriageReturn { flags.insert(.lineEnds) }
            if bytes[index] >= 0x80 { flags.insert(.nonASCII) }
            index &+= 1
        }
        if end > content {
            tokens[tokenCount] = XMLToken(.cdata, offset: content &- origin, count: end &- content, flags: flags)
            tokenCount &+= 1
        }
        cursor = end &+ 3
        return true
    }

    /// Scans `<?target content?>` ([16]), or the XML declaration at the start of the document ([23]).
    private mutating func processingInstruction(
        _ bytes: Span<UInt8>, _ tokens: inout MutableSpan<XMLToken>, at start: Int
    ) throws(ScanFault) -> Bool {
        let nameStart = start &+ 2
        guard let nameEnd = try endOfName(bytes, from: nameStart) else { return false }
        guard nameEnd > nameStart else {
            return try unexpected(at: nameStart, .expected("the name of a processing instruction"))
        }
        let isReserved =
            nameEnd &- nameStart == 3 && bytes[nameStart] | 0x20 == 0x78 && bytes[nameStart &+ 1] | 0x20 == 0x6D
            && bytes[nameStart &+ 2] | 0x20 == 0x6C
        if isReserved {
            guard phase == .beginning, begins(bytes, at: start, with: "<?xml") == true else {
                throw ScanFault(reason: phase == .beginning ? .reservedTarget : .badDeclaration, offset: start)
            }
        }
        var flags: XMLToken.Flags = []
        guard let end = try find(bytes, from: nameEnd, &flags, ASCII.question, ASCII.greaterThan) else {
            return false
        }
        if isReserved {
            let declaration = try XMLDeclaration(bytes, nameEnd..<end)
            isStandalone = declaration.isStandalone
        } else {
            let content = skipSpace(bytes, from: nameEnd)
            guard content > nameEnd || nameEnd == end else {
                return try unexpected(at: nameEnd, .expected("white space or '?>'"))
            }
            report(
                .processingInstruction, bytes, &tokens, content: min(content, end)..<end, name: nameStart..<nameEnd,
                flags: flags)
        }
        finishMisc(at: end &+ 2)
        return true
    }

    /// Appends the token of a comment or processing instruction, if the scanner reports those.
    private mutating func report(
        _ kind: XMLToken.Kind, _ bytes: Span<UInt8>, _ tokens: inout MutableSpan<XMLToken>, content: Range<Int>,
        name: Range<Int> = 0..<0, flags: XMLToken.Flags
    ) {
        guard reportsEverything else { return }
        let hasReturn = content.contains { bytes[$0] == ASCII.carriageReturn }
        tokens[tokenCount] = XMLToken(
            kind, nameOffset: name.lowerBound &- (name.isEmpty ? 0 : origin), nameCount: name.count,
            offset: content.lowerBound &- origin, count: content.count,
            flags: hasReturn ? flags.union(.lineEnds) : flags)
        tokenCount &+= 1
    }

    private mutating func finishMisc(at end: Int) {
        if phase == .beginning { phase = .prolog }
        cursor = end
    }
}

extension ScanState {
    /// Skips `<!DOCTYPE name SYSTEM "…" [ … ]>` ([28]).
    ///
    /// Ignores its content and opens nothing external. Follows quotes, comments, and processing instructions to find
    /// the end, and rejects entity declarations, with which a small document can expand to a large one. Doesn't report
    /// errors within the DTD.
    ///
    /// - Returns: `false` if more bytes are needed. The state is unchanged then.
    mutating func doctype(_ bytes: Span<UInt8>, at start: Int) throws(ScanFault) -> Bool {
        guard phase == .beginning || phase == .prolog, !sawDoctype else {
            throw ScanFault(reason: .misplacedDoctype, offset: start)
        }
        var index = start &+ 9
        guard bytes[index].isXMLSpace else { return try unexpected(at: index, .expected("white space")) }
        index = skipSpace(bytes, from: index)
        guard let nameEnd = try endOfName(bytes, from: index) else { return false }
        guard nameEnd > index else { return try unexpected(at: index, .expected("the name of the document's element")) }
        guard let afterID = try externalID(bytes, from: nameEnd) else { return false }
        let isExternal = afterID.isExternal
        index = skipSpace(bytes, from: afterID.end)
        var usesParameterEntity = false
        if bytes[index] == ASCII.openBracket {
            guard let end = try internalSubset(bytes, from: index &+ 1, &usesParameterEntity) else { return false }
            index = skipSpace(bytes, from: end)
        }
        guard bytes[index] == ASCII.greaterThan else { return try unexpected(at: index, .expected("'>'")) }
        sawDoctype = true
        mayHaveForeignEntities = isExternal || usesParameterEntity
        phase = .prolog
        cursor = index &+ 1
        return true
    }

    /// Parses `SYSTEM "…"` or `PUBLIC "…" "…"`, or nothing ([75]). Returns `nil` if more bytes are needed.
    private mutating func externalID(
        _ bytes: Span<UInt8>, from start: Int
    ) throws(ScanFault) -> (end: Int, isExternal: Bool)? {
        var index = skipSpace(bytes, from: start)
        var literals = 0
        if bytes[index] == 0x53 || bytes[index] == 0x50 {  // S, P
            guard index > start else { throw ScanFault(reason: .expected("white space"), offset: index) }
            let word: StaticString = bytes[index] == 0x53 ? "SYSTEM" : "PUBLIC"
            literals = bytes[index] == 0x53 ? 1 : 2
            guard let matches = begins(bytes, at: index, with: word) else { return nil }
            guard matches else {
                throw ScanFault(reason: .expected("SYSTEM, PUBLIC, '[' or '>'"), offset: index)
            }
            index &+= 6
        }
        for position in 0..<literals {
            let isPublicID = literals == 2 && position == 0
            let quoteStart = skipSpace(bytes, from: index)
            let quote = bytes[quoteStart]
            guard quoteStart > index, quote == ASCII.doubleQuote || quote == ASCII.singleQuote else {
                _ = try unexpected(at: quoteStart, .expected("a quoted name"))
                return nil
            }
            guard let end = try endOfLiteral(bytes, from: quoteStart &+ 1, quote, isPublicID: isPublicID) else {
                return nil
            }
            index = end
        }
        return (index, literals > 0)
    }

    /// Returns the offset after the quote that ends a literal, or `nil` if more bytes are needed.
    private func endOfLiteral(
        _ bytes: Span<UInt8>, from start: Int, _ quote: UInt8, isPublicID: Bool = false
    ) throws(ScanFault) -> Int? {
        var index = start
        while bytes[index] != quote {
            if isPublicID, !bytes[index].isPublicIDCharacter {
                _ = try unexpected(at: index, .expected("a character of a public identifier"))
                return nil
            }
            guard let next = try skipCharacter(bytes, at: index) else { return nil }
            index = next
        }
        return index &+ 1
    }

    /// Returns the offset after the `]` that ends the internal subset, or `nil` if more bytes are needed.
    private mutating func internalSubset(
        _ bytes: Span<UInt8>, from start: Int, _ usesParameterEntity: inout Bool
    ) throws(ScanFault) -> Int? {
        var index = start
        while true {
            switch bytes[index] {
            case ASCII.closeBracket:
                return index &+ 1
            case ASCII.doubleQuote, ASCII.singleQuote:
                guard let end = try endOfLiteral(bytes, from: index &+ 1, bytes[index]) else { return nil }
                index = end
            case ASCII.percent:
                usesParameterEntity = true
                index &+= 1
            case ASCII.lessThan:
                guard let isEntity = begins(bytes, at: index, with: "<!ENTITY") else { return nil }
                if isEntity { throw ScanFault(reason: .entityDeclaration, offset: index) }
                guard let end = try endOfSubsetMarkup(bytes, at: index) else { return nil }
                index = end
            default:
                guard let next = try skipCharacter(bytes, at: index) else { return nil }
                index = next
            }
        }
    }

    /// Returns the offset after a comment or processing instruction, or after the `<` of any other markup.
    private mutating func endOfSubsetMarkup(_ bytes: Span<UInt8>, at start: Int) throws(ScanFault) -> Int? {
        guard let isComment = begins(bytes, at: start, with: "<!--"),
            let isInstruction = begins(bytes, at: start, with: "<?")
        else { return nil }
        var flags: XMLToken.Flags = []
        if isComment {
            let end = try find(bytes, from: start &+ 4, &flags, ASCII.hyphen, ASCII.hyphen, ASCII.greaterThan)
            return end.map { $0 &+ 3 }
        }
        if isInstruction {
            return try find(bytes, from: start &+ 2, &flags, ASCII.question, ASCII.greaterThan).map { $0 &+ 2 }
        }
        return start &+ 1
    }

    /// Returns the offset after an XML character, or `nil` if more bytes are needed.
    private func skipCharacter(_ bytes: Span<UInt8>, at index: Int) throws(ScanFault) -> Int? {
        let byte = bytes[index]
        if byte >= 0x80 {
            guard let character = try UTF8Scan.character(in: bytes, at: index, limit: limit) else { return nil }
            return index &+ character.length
        }
        guard byte >= ASCII.space || byte.isXMLSpace else {
            _ = try unexpected(at: index, .invalidCharacter(UInt32(byte)))
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
