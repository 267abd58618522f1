extension ScanState {
    /// Whatever begins with `<!` or `<?`: comment, CDATA section, DOCTYPE, processing instruction, XML declaration.
    ///
    /// - Returns: `false` where more bytes are needed; nothing has changed then.
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

    /// Whether a text stands at an offset; `nil` where the bytes end before that is known.
    func begins(_ bytes: Span<UInt8>, at start: Int, with text: StaticString) -> Bool? {
        var index = start
        for byte in "\(text)".utf8 {
            if index >= limit { return nil }
            if bytes[index] != byte { return false }
            index &+= 1
        }
        return true
    }

    /// The offset of the first place where two or three characters stand, after a run of characters of XML.
    ///
    /// - Returns: `nil` where the bytes end before it.
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
                guard let next = try passOverControl(byte, at: index, &flags) else { return nil }
                index = next
            }
        }
    }

    /// `<!-- text -->`, in which `--` can't stand ([15]).
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
                guard let hyphens = try passOverHyphens(bytes, at: end, content: content) else { return false }
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

    /// `<![CDATA[ text ]]>` ([18]), inside elements only.
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
            // The last two bytes may be the beginning of `]]>`.
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
            if bytes[index] >= 0x80 { flags.insert(.beyondASCII) }
            index &+= 1
        }
        if end > content {
            tokens[tokenCount] = XMLToken(.cdata, offset: content &- origin, count: end &- content, flags: flags)
            tokenCount &+= 1
        }
        cursor = end &+ 3
        return true
    }

    /// `<?target content?>` ([16]), or the XML declaration at the very beginning ([23]).
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

    /// Writes the token of a comment or processing instruction, where those are wanted.
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
