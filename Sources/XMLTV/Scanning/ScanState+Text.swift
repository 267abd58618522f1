extension ScanState {
    /// The text up to the next `<` ([14], [43]).
    ///
    /// White space alone that follows a tag becomes no token unless everything is reported: between the elements of a
    /// guide it means nothing. It is part of a text behind a CDATA section or a comment, and in and behind a child element,
    /// as in `<title><b>Late</b> <i>News</i></title>`.
    /// - Returns: `false` where more bytes are needed; nothing has changed then but what is complete.
    @inline(__always)
    mutating func text(_ bytes: Span<UInt8>, _ tokens: inout MutableSpan<XMLToken>) throws(ScanFault) -> Bool {
        let start = cursor
        var index = skipSpace(bytes, from: start)
        guard phase == .content else { return try spaceOutsideRoot(bytes, from: start, to: index) }
        if bytes[index] == ASCII.lessThan, textRun == 0, !reportsEverything,
            !(isInText && (depth > 3 || depth == 3 && tokens[tokenCount &- 1].kind == .end))
        {
            guard index &- start <= limits.textBytes else {
                throw ScanFault(reason: .limit(.textBytes, limits.textBytes), offset: start)
            }
            cursor = index
            return true
        }
        index = start
        var flags: XMLToken.Flags = []
        while true {
            let hits = ByteScan.text(bytes.eightBytes(at: index))
            guard hits != 0 else {
                index &+= 8
                continue
            }
            index &+= hits.trailingZeroBitCount >> 3
            let byte = bytes[index]
            if byte == ASCII.lessThan { break }
            if byte >= 0x80 {
                flags.insert(.beyondASCII)
                guard let end = try endOfRun(bytes, from: index, &flags) else {
                    return try incompleteText(from: start, to: limit)
                }
                index = end
            } else if byte == ASCII.ampersand {
                guard let reference = try reference(bytes, at: index) else {
                    return try incompleteText(from: start, to: index)
                }
                if reference.isForeign {
                    try endText(&tokens, from: start, to: index, flags)
                    tokens[tokenCount] = XMLToken(
                        .skippedEntity, offset: index &+ 1 &- origin, count: reference.end &- index &- 2)
                    tokenCount &+= 1
                    textRun &+= reference.end &- index
                    guard textRun <= limits.textBytes else {
                        throw ScanFault(reason: .limit(.textBytes, limits.textBytes), offset: start)
                    }
                    cursor = reference.end
                    return true
                }
                flags.formUnion(reference.flags)
                index = reference.end
            } else if byte == ASCII.closeBracket {
                if bytes[index &+ 1] == ASCII.closeBracket, bytes[index &+ 2] == ASCII.greaterThan {
                    guard repairs else { throw ScanFault(reason: .cdataEndInText, offset: index) }
                    notes.add(.cdataEnd, at: index)
                }
                // Where the window ends behind a bracket, the whole text is looked at again.
                index &+= 1
            } else if byte == ASCII.lineFeed || byte == ASCII.tab {
                index &+= 1
            } else if byte == ASCII.carriageReturn {
                flags.insert(.lineEnds)
                index &+= 1
            } else {
                guard let next = try passOverControl(byte, at: index, &flags) else {
                    return try incompleteText(from: start, to: index)
                }
                index = next
            }
        }
        try endText(&tokens, from: start, to: index, flags)
        cursor = index
        return true
    }

    /// Writes the token of a text, if there is any.
    @inline(__always)
    private mutating func endText(
        _ tokens: inout MutableSpan<XMLToken>, from start: Int, to end: Int, _ flags: XMLToken.Flags
    ) throws(ScanFault) {
        guard end > start else { return }
        textRun &+= end &- start
        guard textRun <= limits.textBytes else {
            throw ScanFault(reason: .limit(.textBytes, limits.textBytes), offset: start)
        }
        tokens[tokenCount] = XMLToken(.text, offset: start &- origin, count: end &- start, flags: flags)
        tokenCount &+= 1
    }

    /// A text that goes on beyond the window.
    @inline(never)
    private func incompleteText(from start: Int, to end: Int) throws(ScanFault) -> Bool {
        guard textRun &+ end &- start <= limits.textBytes else {
            throw ScanFault(reason: .limit(.textBytes, limits.textBytes), offset: start)
        }
        return false
    }

    /// Outside the root element only white space may stand ([27]).
    @inline(never)
    private mutating func spaceOutsideRoot(
        _ bytes: Span<UInt8>, from start: Int, to end: Int
    ) throws(ScanFault) -> Bool {
        if end > start, phase == .beginning { phase = .prolog }
        // White space needs no further look, so that any amount of it passes.
        cursor = end
        if bytes[end] == ASCII.lessThan { return true }
        if bytes[end] >= 0x80, try UTF8Scan.endOfRun(in: bytes, from: end, limit: limit) == nil { return false }
        if bytes[end] < ASCII.space, end < limit {
            throw ScanFault(reason: .invalidCharacter(UInt32(bytes[end])), offset: end)
        }
        return try unexpected(at: end, phase == .epilog ? .contentAfterRoot : .expected("'<'"))
    }

    /// A reference that is complete: its end, and whether only an external DTD could declare it.
    struct Reference {
        let end: Int
        let isForeign: Bool
        var flags: XMLToken.Flags = .references
    }

    /// `&name;`, `&#123;` or `&#x1F;` ([66], [68]), checked.
    ///
    /// - Returns: `nil` where more bytes are needed.
    mutating func wellFormedReference(_ bytes: Span<UInt8>, at start: Int) throws(ScanFault) -> Reference? {
        var index = start &+ 1
        if bytes[index] == ASCII.hash {
            guard let end = try endOfCharacterReference(bytes, from: index &+ 1) else { return nil }
            return Reference(end: end, isForeign: false)
        }
        guard let end = try endOfName(bytes, from: index) else { return nil }
        guard end > index, bytes[end] == ASCII.semicolon else {
            _ = try unexpected(at: end, .badReference)
            return nil
        }
        if References.predefined(bytes, index..<end) != nil { return Reference(end: end &+ 1, isForeign: false) }
        index = end &+ 1
        guard mayHaveForeignEntities, !isStandalone else {
            throw ScanFault(reason: .undeclaredEntity(string(bytes, start &+ 1..<end)), offset: start)
        }
        return Reference(end: index, isForeign: true)
    }

    /// The digits of a character reference, after `&#`; `nil` where more bytes are needed.
    private func endOfCharacterReference(_ bytes: Span<UInt8>, from start: Int) throws(ScanFault) -> Int? {
        var index = start
        let isHexadecimal = bytes[index] == ASCII.x
        if isHexadecimal { index &+= 1 }
        let digits = index
        var scalar: UInt32 = 0
        while let digit = bytes[index].hexadecimalDigit, isHexadecimal || digit < 10 {
            // Beyond the last character the value no longer matters, but leading zeros may be many.
            scalar = min(scalar &* (isHexadecimal ? 16 : 10) &+ digit, 0x11_0000)
            index &+= 1
            guard index &- digits <= limits.attributeBytes else {
                throw ScanFault(reason: .badCharacterReference, offset: start)
            }
        }
        guard index > digits, bytes[index] == ASCII.semicolon else {
            _ = try unexpected(at: index, .badReference)
            return nil
        }
        guard scalar.isXMLCharacter else { throw ScanFault(reason: .badCharacterReference, offset: start) }
        return index &+ 1
    }
}
