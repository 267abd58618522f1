/// The state of a scan. Its methods take the bytes, tokens, and open names as arguments.
///
/// At least 16 zero bytes follow the window. Zero is not an XML character, so every loop stops there, and checks the
/// limit only then. A scanning step that reaches the limit changes nothing and is repeated when more bytes are
/// available.
struct ScanState {
    enum Phase {
        /// Nothing has been read: an XML declaration may follow.
        case beginning
        /// Before the root element.
        case prolog
        /// In the root element.
        case content
        /// After the root element.
        case epilog
    }

    /// The reason why a scan stopped.
    enum Stop {
        /// The root's start tag has been read.
        case root
        /// A child of the root is complete.
        case child
        /// The root's end tag has been read.
        case rootEnd
        /// The bytes end within a token. More bytes are needed.
        case needBytes
        /// The token buffer is full.
        case needTokens
        /// A fault was repaired. The scan resumes at another position.
        case again
    }

    let limits: XMLLimits
    /// Whether white space between tags, comments, and processing instructions become tokens.
    let reportsEverything: Bool
    /// Whether the scan repairs and notes faults with an obvious meaning.
    let repairs: Bool

    /// The next byte to scan.
    var cursor = 0
    /// The end of the valid bytes.
    var limit = 0
    /// The start of the record: token offsets are relative to it.
    var origin = 0
    /// The position of the `<` of the current child of the root.
    var childStart = 0
    var tokenCount = 0
    var depth = 0
    var phase = Phase.beginning
    /// Bytes of text since the last tag.
    var textRun = 0
    var sawDoctype = false
    /// Whether an external DTD or a parameter entity may declare unknown entities (4.1, WFC: Entity Declared).
    var mayHaveForeignEntities = false
    var isStandalone = false
    /// The name of the current child of the root.
    var childName = XMLTVName.other
    /// Whether the current element of the record holds text, in which white space separates words.
    var isInText = false
    /// Whether to detect elements outside the root that are valid only in the root: in a guide that is being repaired.
    var checksPlaces = false
    /// Whether invalid UTF-8 is a fault, because the document may be in another encoding.
    var reconsidersEncoding = false
    /// Whether valid non-ASCII characters have been read.
    var sawNonASCII = false
    /// Whether valid non-ASCII characters have been read before the record.
    var sawNonASCIIBefore = false
    /// The repairs in the record so far.
    var notes = RepairNotes()

    init(limits: XMLLimits, reportsEverything: Bool, repairs: Bool) {
        self.limits = limits
        self.reportsEverything = reportsEverything
        self.repairs = repairs
    }

    /// Scans until a record is complete, or more bytes or room for more tokens are needed.
    mutating func run(
        _ bytes: Span<UInt8>, _ tokens: inout MutableSpan<XMLToken>, _ open: inout MutableSpan<OpenName>,
        _ table: borrowing NameTable, root: inout [UInt8]
    ) throws(ScanFault) -> Stop {
        // A start tag adds at most one token for itself, one for each attribute, and one for its end.
        let reserve = limits.attributes &+ 4
        while true {
            guard tokenCount &+ reserve <= tokens.count else { return .needTokens }
            guard bytes[cursor] == ASCII.lessThan else {
                guard try text(bytes, &tokens) else { return .needBytes }
                continue
            }
            let next = bytes[cursor &+ 1]
            if next == ASCII.slash {
                guard try endTag(bytes, &tokens, open, root) else { return .needBytes }
                if depth == 1 { return .child }
                if depth == 0 { return .rootEnd }
            } else if next == ASCII.exclamation || next == ASCII.question {
                guard try otherMarkup(bytes, &tokens) else { return .needBytes }
            } else {
                let before = depth
                let wasBeforeRoot = phase != .content
                guard try startTag(bytes, &tokens, &open, table, &root) else { return .needBytes }
                if wasBeforeRoot { return .root }
                if before == 1, depth == 1 { return .child }
            }
        }
    }

    /// Handles an unexpected byte: returns `false` at the end of the bytes, because more are needed, and throws a fault
    /// elsewhere.
    @inline(never)
    func unexpected(at offset: Int, _ reason: XMLError.Reason) throws(ScanFault) -> Bool {
        if offset >= limit { return false }
        throw ScanFault(reason: reason, offset: offset)
    }

    /// Returns the end of the name that starts at an offset.
    ///
    /// It changes nothing, but is `mutating` because otherwise the compiler copies the state for the call.
    ///
    /// - Returns: `nil` if the bytes end within the name, or `start` if no name starts there.
    @inline(__always)
    mutating func endOfName(_ bytes: Span<UInt8>, from start: Int) throws(ScanFault) -> Int? {
        guard bytes[start].isASCIINameStart else { return try endOfUncommonName(bytes, from: start) }
        var index = start &+ 1
        while bytes[index].isASCIIName { index &+= 1 }
        guard bytes[index] < 0x80, index < limit, index &- start <= limits.nameBytes else {
            return try endOfUncommonName(bytes, from: start)
        }
        return index
    }

    /// Handles a name that has non-ASCII characters, is too long or incomplete, or is missing.
    @inline(never)
    private func endOfUncommonName(_ bytes: Span<UInt8>, from start: Int) throws(ScanFault) -> Int? {
        var index = start
        while true {
            let byte = bytes[index]
            if byte >= 0x80 {
                guard let character = try UTF8Scan.character(in: bytes, at: index, limit: limit) else { return nil }
                guard index == start ? character.scalar.isNameStart : character.scalar.isName else { break }
                index &+= character.length
            } else {
                guard index == start ? byte.isASCIINameStart : byte.isASCIIName else { break }
                index &+= 1
            }
        }
        if index >= limit { return nil }
        guard index &- start <= limits.nameBytes else {
            throw ScanFault(reason: .limit(.nameBytes, limits.nameBytes), offset: start)
        }
        return index
    }

    /// Returns the first offset from `start` on without white space.
    @inline(__always)
    func skipSpace(_ bytes: Span<UInt8>, from start: Int) -> Int {
        var index = start
        while bytes[index].isXMLSpace { index &+= 1 }
        return index
    }

    /// Returns at most 100 bytes of a range as text for an error message.
    func string(_ bytes: Span<UInt8>, _ range: Range<Int>) -> String {
        var copy: [UInt8] = []
        copy.append(bytes, from: range.lowerBound, count: min(range.count, 100))
        return String(decoding: copy, as: UTF8.self)
    }
}

/// The name of an open element: its position in the record.
struct OpenName: BitwiseCopyable {
    var offset: UInt32 = 0
    var count: UInt32 = 0
}

extension ScanState {
    /// Scans `<name a="b">` or `<name a="b"/>` (XML 1.0, [40] to [44]).
    ///
    /// - Returns: `false` if more bytes are needed. The state is unchanged then.
    @inline(__always)
    private mutating func startTag(
        _ bytes: Span<UInt8>, _ tokens: inout MutableSpan<XMLToken>, _ open: inout MutableSpan<OpenName>,
        _ table: borrowing NameTable, _ root: inout [UInt8]
    ) throws(ScanFault) -> Bool {
        let start = cursor
        let nameStart = start &+ 1
        guard let nameEnd = try endOfName(bytes, from: nameStart) else { return false }
        let nameCount = nameEnd &- nameStart
        guard nameCount > 0 else { return try unexpected(at: nameStart, .expected("the name of an element")) }
        guard phase != .epilog else { throw ScanFault(reason: .contentAfterRoot, offset: start) }
        // A record starts with its element, unless text of the root precedes it.
        if depth <= 1, tokenCount == 0 { origin = start }

        let first = tokenCount
        var free = first &+ 1
        var index = nameEnd
        var isEmpty = false
        while true {
            let byte = bytes[index]
            if byte == ASCII.greaterThan {
                index &+= 1
                break
            }
            if byte == ASCII.slash {
                guard bytes[index &+ 1] == ASCII.greaterThan else {
                    return try unexpected(at: index &+ 1, .expected("'>' after '/'"))
                }
                index &+= 2
                isEmpty = true
                break
            }
            guard byte.isXMLSpace else {
                return try unexpected(at: index, .expected("white space, '>' or '/>'"))
            }
            index = skipSpace(bytes, from: index &+ 1)
            let next = bytes[index]
            if next == ASCII.greaterThan || next == ASCII.slash { continue }
            guard free &- first <= limits.attributes else {
                throw ScanFault(reason: .limit(.attributes, limits.attributes), offset: index)
            }
            guard let end = try attribute(bytes, from: index, table, &tokens, free) else { return false }
            if try isUnique(bytes, tokens, first &+ 1, free, end: end) { free &+= 1 }
            index = end
        }

        guard depth < limits.depth else {
            throw ScanFault(reason: .limit(.depth, limits.depth), offset: start)
        }
        let name = table.name(in: bytes, at: nameStart, count: nameCount)
        // The names `tv`, `channel` and `programme` have consecutive raw values.
        if checksPlaces, name.rawValue &- XMLTVName.tv.rawValue < 3, depth > 1 || name == .tv {
            try checkPlace(of: name, from: start, to: index)
        }
        if depth == 1 {
            childStart = start
            childName = name
        } else if depth == 2 {
            isInText = name.namesText
        }
        if phase != .content {
            if repairs, name == .programme || name == .channel && free > first &+ 1 {
                throw ScanFault(reason: .expected("<tv>"), offset: start, meaning: .missingRoot)
            }
            checksPlaces = repairs && name == .tv
            phase = .content
            childStart = start
            root.removeAll(keepingCapacity: true)
            root.append(bytes, from: nameStart, count: nameCount)
        }
        tokens[first] = XMLToken(
            .start, name: name, nameOffset: nameStart &- origin, nameCount: nameCount, offset: start &- origin)
        if isEmpty {
            tokens[free] = XMLToken(.end, name: name)
            free &+= 1
            if depth == 0 { phase = .epilog }
        } else {
            open[depth] = OpenName(
                offset: UInt32(truncatingIfNeeded: nameStart &- origin), count: UInt32(truncatingIfNeeded: nameCount))
            depth &+= 1
        }
        tokenCount = free
        textRun = 0
        cursor = index
        return true
    }

    /// Scans `name = "value"` or `name = 'value'` ([10], [25], [41]).
    ///
    /// - Returns: The offset after it, or `nil` if more bytes are needed.
    @inline(__always)
    private mutating func attribute(
        _ bytes: Span<UInt8>, from nameStart: Int, _ table: borrowing NameTable,
        _ tokens: inout MutableSpan<XMLToken>, _ place: Int
    ) throws(ScanFault) -> Int? {
        guard let nameEnd = try endOfName(bytes, from: nameStart) else { return nil }
        guard nameEnd > nameStart else {
            _ = try unexpected(at: nameStart, .expected("the name of an attribute"))
            return nil
        }
        var index = skipSpace(bytes, from: nameEnd)
        guard bytes[index] == ASCII.equals else {
            _ = try unexpected(at: index, .expected("'=' after the name of an attribute"))
            return nil
        }
        index = skipSpace(bytes, from: index &+ 1)
        let quote = bytes[index]
        guard quote == ASCII.doubleQuote || quote == ASCII.singleQuote else {
            _ = try unexpected(at: index, .expected("a quoted value"))
            return nil
        }
        let valueStart = index &+ 1
        var flags: XMLToken.Flags = []
        guard let valueEnd = try endOfValue(bytes, from: valueStart, quote: quote, &flags) else { return nil }
        tokens[place] = XMLToken(
            .attribute, name: table.name(in: bytes, at: nameStart, count: nameEnd &- nameStart),
            nameOffset: nameStart &- origin, nameCount: nameEnd &- nameStart, offset: valueStart &- origin,
            count: valueEnd &- valueStart, flags: flags)
        return valueEnd &+ 1
    }

    /// Returns the offset of the closing quote, or `nil` if more bytes are needed.
    @inline(__always)
    private mutating func endOfValue(
        _ bytes: Span<UInt8>, from start: Int, quote: UInt8, _ flags: inout XMLToken.Flags
    ) throws(ScanFault) -> Int? {
        var index = start
        while true {
            let hits = ByteScan.attribute(bytes.eightBytes(at: index), quote: quote)
            guard hits != 0 else {
                index &+= 8
                continue
            }
            index &+= hits.trailingZeroBitCount >> 3
            guard index &- start <= limits.attributeBytes else {
                throw ScanFault(reason: .limit(.attributeBytes, limits.attributeBytes), offset: start)
            }
            let byte = bytes[index]
            if byte == quote { return index }
            if byte >= 0x80 {
                flags.insert(.nonASCII)
                guard let end = try endOfRun(bytes, from: index, &flags) else {
                    guard limit &- start <= limits.attributeBytes else {
                        throw ScanFault(reason: .limit(.attributeBytes, limits.attributeBytes), offset: start)
                    }
                    return nil
                }
                index = end
            } else if byte == ASCII.ampersand {
                guard let reference = try reference(bytes, at: index) else { return nil }
                flags.formUnion(reference.flags)
                index = reference.end
            } else if byte == ASCII.lessThan {
                throw ScanFault(reason: .lessThanInAttribute, offset: index)
            } else if byte.isXMLSpace {
                flags.insert(.lineEnds)
                index &+= 1
            } else {
                guard let next = try skipControl(byte, at: index, &flags) else { return nil }
                index = next
            }
        }
    }

    /// Returns whether no attribute from `first` on has the same name as the attribute at `last`. The caller drops a
    /// duplicate. A strict scan throws instead.
    ///
    /// - Parameter end: The offset after the attribute.
    @inline(__always)
    private mutating func isUnique(
        _ bytes: Span<UInt8>, _ tokens: borrowing MutableSpan<XMLToken>, _ first: Int, _ last: Int, end: Int
    ) throws(ScanFault) -> Bool {
        let token = tokens[last]
        var other = first
        while other < last {
            let candidate = tokens[other]
            let count = Int(token.nameCount)
            let start = origin &+ Int(token.nameOffset)
            if candidate.name == token.name, candidate.nameCount == token.nameCount,
                sameBytes(bytes, origin &+ Int(candidate.nameOffset), start, count)
            {
                try skipDuplicate(string(bytes, start..<start &+ count), at: start, end: end)
                return false
            }
            other &+= 1
        }
        return true
    }

    @inline(__always)
    private func sameBytes(_ bytes: Span<UInt8>, _ left: Int, _ right: Int, _ count: Int) -> Bool {
        var index = 0
        while index < count {
            if bytes[left &+ index] != bytes[right &+ index] { return false }
            index &+= 1
        }
        return true
    }

    /// Scans `</name>` ([42]).
    ///
    /// - Returns: `false` if more bytes are needed. The state is unchanged then.
    @inline(__always)
    private mutating func endTag(
        _ bytes: Span<UInt8>, _ tokens: inout MutableSpan<XMLToken>, _ open: borrowing MutableSpan<OpenName>,
        _ root: [UInt8]
    ) throws(ScanFault) -> Bool {
        guard depth > 0 else {
            let reason: XMLError.Reason = phase == .epilog ? .contentAfterRoot : .expected("the document's element")
            return try unexpected(at: cursor, reason)
        }
        let start = cursor &+ 2
        var index = start
        if depth > 1 {
            let name = open[depth &- 1]
            let count = Int(name.count)
            let nameStart = origin &+ Int(name.offset)
            while index &- start < count, bytes[index] == bytes[nameStart &+ index &- start] { index &+= 1 }
            if index &- start < count { return try mismatch(bytes, &tokens, start, root, open) }
        } else {
            // Skipped bytes before it belong to no record.
            if tokenCount == 0 { origin = cursor }
            while index &- start < root.count, bytes[index] == root[index &- start] { index &+= 1 }
            if index &- start < root.count { return try mismatch(bytes, &tokens, start, root, open) }
        }
        let nameEnd = index
        if bytes[index] != ASCII.greaterThan {
            index = skipSpace(bytes, from: index)
            guard bytes[index] == ASCII.greaterThan else {
                guard index == nameEnd else { return try unexpected(at: index, .expected("'>'")) }
                return try mismatch(bytes, &tokens, start, root, open)
            }
        }
        tokens[tokenCount] = XMLToken(.end)
        tokenCount &+= 1
        depth &-= 1
        if depth == 0 { phase = .epilog }
        textRun = 0
        cursor = index &+ 1
        return true
    }

    /// Handles an end tag whose name differs from the open element's name in the bytes read so far.
    ///
    /// A repairing scan ends the open element if it is a leaf and the tag ends its parent, or one of its ancestors that
    /// only leaves without end tags separate from it.
    @inline(never)
    private mutating func mismatch(
        _ bytes: Span<UInt8>, _ tokens: inout MutableSpan<XMLToken>, _ start: Int, _ root: [UInt8],
        _ open: borrowing MutableSpan<OpenName>
    ) throws(ScanFault) -> Bool {
        guard let end = try endOfName(bytes, from: start) else { return false }
        guard end > start else { return try unexpected(at: start, .expected("the name of an element")) }
        let expected = depth > 1 ? name(bytes, open[depth &- 1]) : String(decoding: root, as: UTF8.self)
        let found = string(bytes, start..<end)
        guard expected != found else { return try unexpected(at: end, .expected("'>'")) }
        if repairs, depth > 2, isUnclosed(expected, before: found, bytes, open) {
            let opened = open[depth &- 1]
            endUnclosed(&tokens, at: opened, isVoid: Self.voidElements.contains(expected.lowercased()))
            notes.append(.unclosedElement(expected), at: origin &+ Int(opened.offset) &- 1)
            return true
        }
        throw ScanFault(reason: .mismatchedEnd(expected: expected, found: found), offset: start)
    }

    /// Returns whether the innermost open element lacks its end tag before an end tag with another name.
    private func isUnclosed(
        _ expected: String, before found: String, _ bytes: Span<UInt8>, _ open: borrowing MutableSpan<OpenName>
    ) -> Bool {
        if Self.voidElements.contains(expected.lowercased()) { return true }
        var place = depth &- 1
        while place > 1, Self.leaves.contains(name(bytes, open[place])) { place &-= 1 }
        return place < depth &- 1 && name(bytes, open[place]) == found
    }

    private func name(_ bytes: Span<UInt8>, _ name: OpenName) -> String {
        let start = origin &+ Int(name.offset)
        return string(bytes, start..<start &+ Int(name.count))
    }
}

extension ScanState {
    /// Scans text up to the next `<` ([14], [43]).
    ///
    /// White space after a tag becomes no token unless everything is reported, because it has no meaning between the
    /// elements of a guide. It is significant after a CDATA section or comment, and in and after a child element of a
    /// text element, as in `<title><b>Late</b> <i>News</i></title>`.
    /// - Returns: `false` if more bytes are needed. The state then includes only complete tokens.
    @inline(__always)
    private mutating func text(_ bytes: Span<UInt8>, _ tokens: inout MutableSpan<XMLToken>) throws(ScanFault) -> Bool {
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
                flags.insert(.nonASCII)
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
                // If the window ends after a bracket, the complete text is scanned again.
                index &+= 1
            } else if byte == ASCII.lineFeed || byte == ASCII.tab {
                index &+= 1
            } else if byte == ASCII.carriageReturn {
                flags.insert(.lineEnds)
                index &+= 1
            } else {
                guard let next = try skipControl(byte, at: index, &flags) else {
                    return try incompleteText(from: start, to: index)
                }
                index = next
            }
        }
        try endText(&tokens, from: start, to: index, flags)
        cursor = index
        return true
    }

    /// Appends the token of a text unless it is empty.
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

    /// Handles text that continues after the end of the window.
    @inline(never)
    private func incompleteText(from start: Int, to end: Int) throws(ScanFault) -> Bool {
        guard textRun &+ end &- start <= limits.textBytes else {
            throw ScanFault(reason: .limit(.textBytes, limits.textBytes), offset: start)
        }
        return false
    }

    /// Skips white space outside the root element, where nothing else is allowed ([27]).
    @inline(never)
    private mutating func spaceOutsideRoot(
        _ bytes: Span<UInt8>, from start: Int, to end: Int
    ) throws(ScanFault) -> Bool {
        if end > start, phase == .beginning { phase = .prolog }
        // Advance past white space, so that any amount of it is accepted.
        cursor = end
        if bytes[end] == ASCII.lessThan { return true }
        if bytes[end] >= 0x80, try UTF8Scan.endOfRun(in: bytes, from: end, limit: limit) == nil { return false }
        if bytes[end] < ASCII.space, end < limit {
            throw ScanFault(reason: .invalidCharacter(UInt32(bytes[end])), offset: end)
        }
        return try unexpected(at: end, phase == .epilog ? .contentAfterRoot : .expected("'<'"))
    }
}

extension ScanState {
    /// Scans anything that starts with `<!` or `<?`: a comment, CDATA section, DOCTYPE, processing instruction, or XML
    /// declaration.
    ///
    /// - Returns: `false` if more bytes are needed. The state is unchanged then.
    @inline(never)
    private mutating func otherMarkup(
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

    /// Skips a DOCTYPE, which only the prolog may contain, once ([22]).
    private mutating func doctype(_ bytes: Span<UInt8>, at start: Int) throws(ScanFault) -> Bool {
        guard phase == .beginning || phase == .prolog, !sawDoctype else {
            throw ScanFault(reason: .misplacedDoctype, offset: start)
        }
        guard let doctype = try Doctype(bytes, at: start, &self) else { return false }
        sawDoctype = true
        mayHaveForeignEntities = doctype.mayDeclareEntities
        phase = .prolog
        cursor = doctype.end
        return true
    }
}
