extension ScanState {
    /// `<name a="b">` or `<name a="b"/>` (XML 1.0, [40] to [44]).
    ///
    /// - Returns: `false` where more bytes are needed; nothing has changed then.
    @inline(__always)
    mutating func startTag(
        _ bytes: Span<UInt8>, _ tokens: inout MutableSpan<XMLToken>, _ open: inout MutableSpan<OpenName>,
        _ table: borrowing NameTable, _ root: inout [UInt8]
    ) throws(ScanFault) -> Bool {
        let start = cursor
        let nameStart = start &+ 1
        guard let nameEnd = try endOfName(bytes, from: nameStart) else { return false }
        let nameCount = nameEnd &- nameStart
        guard nameCount > 0 else { return try unexpected(at: nameStart, .expected("the name of an element")) }
        guard phase != .epilog else { throw ScanFault(reason: .contentAfterRoot, offset: start) }
        // A record begins with its element, unless text of the root comes before it.
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
        // The three names are the first of all.
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

    /// `name = "value"` or `name = 'value'` ([10], [25], [41]).
    ///
    /// - Returns: The offset behind it; `nil` where more bytes are needed.
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

    /// The offset of the closing quote; `nil` where more bytes are needed.
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
                flags.insert(.beyondASCII)
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
                guard let next = try passOverControl(byte, at: index, &flags) else { return nil }
                index = next
            }
        }
    }

    /// Refuses the attribute at `last` when one before it, from `first` on, has its name; where faults are repaired, it
    /// is not to be taken.
    ///
    /// - Parameter end: The offset behind it.
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
                try passOverDuplicate(string(bytes, start..<start &+ count), at: start, end: end)
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

    /// `</name>` ([42]).
    ///
    /// - Returns: `false` where more bytes are needed; nothing has changed then.
    @inline(__always)
    mutating func endTag(
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
            if index &- start < count { return try mismatch(bytes, &tokens, start, root, name) }
        } else {
            // What was skipped before it belongs to no record.
            if tokenCount == 0 { origin = cursor }
            while index &- start < root.count, bytes[index] == root[index &- start] { index &+= 1 }
            if index &- start < root.count { return try mismatch(bytes, &tokens, start, root, nil) }
        }
        let nameEnd = index
        if bytes[index] != ASCII.greaterThan {
            index = skipSpace(bytes, from: index)
            guard bytes[index] == ASCII.greaterThan else {
                guard index == nameEnd else { return try unexpected(at: index, .expected("'>'")) }
                return try mismatch(bytes, &tokens, start, root, depth > 1 ? open[depth &- 1] : nil)
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

    /// An end tag whose name is not that of the open element, as far as it has come.
    @inline(never)
    private mutating func mismatch(
        _ bytes: Span<UInt8>, _ tokens: inout MutableSpan<XMLToken>, _ start: Int, _ root: [UInt8], _ name: OpenName?
    ) throws(ScanFault) -> Bool {
        guard let end = try endOfName(bytes, from: start) else { return false }
        guard end > start else { return try unexpected(at: start, .expected("the name of an element")) }
        let expected: String
        if let name {
            let nameStart = origin &+ Int(name.offset)
            expected = string(bytes, nameStart..<nameStart &+ Int(name.count))
        } else {
            expected = String(decoding: root, as: UTF8.self)
        }
        let found = string(bytes, start..<end)
        guard expected != found else { return try unexpected(at: end, .expected("'>'")) }
        if repairs, depth > 2, let name, Self.voidElements.contains(expected.lowercased()) {
            endVoidElement(&tokens, at: name)
            notes.append(.unclosedElement(expected), at: origin &+ Int(name.offset) &- 1)
            return true
        }
        throw ScanFault(reason: .mismatchedEnd(expected: expected, found: found), offset: start)
    }
}
