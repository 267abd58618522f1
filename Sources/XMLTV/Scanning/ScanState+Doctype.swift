extension ScanState {
    /// `<!DOCTYPE name SYSTEM "…" [ … ]>` ([28]): read over.
    ///
    /// Nothing of it is used and nothing external is opened. The reader follows quotes, comments and processing
    /// instructions, so that it finds the end, and refuses entity declarations: they are how a small document becomes
    /// large. Errors within the DTD are not looked for.
    /// - Returns: `false` where more bytes are needed; nothing has changed then.
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

    /// `SYSTEM "…"` or `PUBLIC "…" "…"`, or nothing ([75]); `nil` where more bytes are needed.
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

    /// The offset behind the quote that ends a literal; `nil` where more bytes are needed.
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

    /// The offset behind the `]` that ends the internal subset; `nil` where more bytes are needed.
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

    /// Behind a comment or processing instruction, or behind the `<` of anything else.
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

    /// Behind a character of XML; `nil` where more bytes are needed.
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
