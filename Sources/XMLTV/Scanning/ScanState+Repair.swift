/// A repair within a record, as the scan notes it.
struct RepairNote {
    let kind: XMLRepair.Kind
    /// The place in the window.
    var offset: Int
}

/// Repairs of what is being scanned; they count when their record is complete.
struct RepairNotes {
    private(set) var kept: [RepairNote] = []
    /// How many there were beyond ``room``.
    private(set) var leftOut = 0
    /// How many are kept.
    var room = 0
    /// The last place that was noted: a step that is taken again notes nothing twice.
    private var last = -1

    var isEmpty: Bool { kept.isEmpty && leftOut == 0 }

    /// Notes a repair.
    ///
    /// - Parameters:
    ///   - offset: Where it begins in the window.
    ///   - end: A place of its own that grows from note to note; `offset` unless something else is said.
    mutating func add(_ kind: @autoclosure () -> XMLRepair.Kind, at offset: Int, end: Int? = nil) {
        let place = end ?? offset
        guard place > last else { return }
        last = place
        append(kind(), at: offset)
    }

    /// Notes a repair by a step that isn't taken again.
    mutating func append(_ kind: @autoclosure () -> XMLRepair.Kind, at offset: Int) {
        if kept.count < room {
            kept.append(RepairNote(kind: kind(), offset: offset))
        } else {
            leftOut += 1
        }
    }

    /// Takes what was noted before a place.
    mutating func take(before place: Int) -> (notes: [RepairNote], leftOut: Int) {
        let index = kept.firstIndex { $0.offset >= place } ?? kept.count
        let taken = Array(kept[..<index])
        kept.removeFirst(index)
        defer { leftOut = 0 }
        return (taken, leftOut)
    }

    /// Forgets all, because the scan goes on from a place.
    mutating func restart(at place: Int) {
        kept.removeAll(keepingCapacity: true)
        leftOut = 0
        last = place - 1
    }

    /// Follows a move of the window's bytes to the front.
    mutating func move(by distance: Int) {
        last -= distance
        for index in kept.indices { kept[index].offset -= distance }
    }
}

/// Faults that a scan which repairs reads over where they are.
extension ScanState {
    /// The end of the run of characters beyond ASCII that begins at an offset, or a place in it from where to go on.
    ///
    /// - Returns: `nil` where the bytes of the window end within a character.
    @inline(__always)
    mutating func endOfRun(
        _ bytes: Span<UInt8>, from start: Int, _ flags: inout XMLToken.Flags
    ) throws(ScanFault) -> Int? {
        var index = start
        while bytes[index] >= 0x80 {
            let length = UTF8Scan.lengthOfUsual(in: bytes, at: index)
            guard length > 0 else { return try endOfUnusualRun(bytes, from: index, &flags) }
            index &+= length
        }
        sawBeyondASCII = true
        return index
    }

    /// The same, of a run that begins with a character of four bytes, one that is cut, or none.
    @inline(never)
    private mutating func endOfUnusualRun(
        _ bytes: Span<UInt8>, from start: Int, _ flags: inout XMLToken.Flags
    ) throws(ScanFault) -> Int? {
        do throws(ScanFault) {
            guard let end = try UTF8Scan.endOfRun(in: bytes, from: start, limit: limit) else { return nil }
            sawBeyondASCII = true
            return end
        } catch {
            return try passOver(error, from: start, &flags)
        }
    }

    /// Behind a byte that is no UTF-8 or a character that XML doesn't allow.
    @inline(never)
    private mutating func passOver(
        _ fault: ScanFault, from start: Int, _ flags: inout XMLToken.Flags
    ) throws(ScanFault) -> Int {
        guard repairs else { throw fault }
        // The run before it is UTF-8, and says that the document may be.
        if fault.offset > start { sawBeyondASCII = true }
        flags.insert(.repaired)
        guard case .invalidCharacter(let scalar) = fault.reason else {
            if asksEncoding { throw fault }
            notes.add(.invalidUTF8, at: fault.offset)
            return fault.offset &+ 1
        }
        notes.add(.invalidCharacter(scalar), at: fault.offset)
        // U+FFFE and U+FFFF.
        return fault.offset &+ 3
    }

    /// Behind a control character.
    ///
    /// - Returns: `nil` where it is none but the end of the window.
    @inline(never)
    mutating func passOverControl(
        _ byte: UInt8, at index: Int, _ flags: inout XMLToken.Flags
    ) throws(ScanFault) -> Int? {
        guard index < limit else { return nil }
        let kind = XMLError.Reason.invalidCharacter(UInt32(byte))
        guard repairs else { throw ScanFault(reason: kind, offset: index) }
        flags.insert(.repaired)
        notes.add(.invalidCharacter(UInt32(byte)), at: index)
        return index &+ 1
    }

    /// An attribute that stands twice in a tag.
    @inline(never)
    mutating func passOverDuplicate(_ name: String, at start: Int, end: Int) throws(ScanFault) {
        guard repairs else { throw ScanFault(reason: .duplicateAttribute(name), offset: start) }
        notes.add(.duplicateAttribute(name), at: start, end: end &- 1)
    }

    /// A reference ([66], [68]).
    ///
    /// - Returns: `nil` where more bytes are needed.
    @inline(never)
    mutating func reference(_ bytes: Span<UInt8>, at start: Int) throws(ScanFault) -> Reference? {
        do throws(ScanFault) {
            guard let reference = try wellFormedReference(bytes, at: start) else { return nil }
            guard repairs, reference.isForeign, isHTMLEntity(bytes, start &+ 1..<reference.end &- 1) else {
                return reference
            }
            let name = string(bytes, start &+ 1..<reference.end &- 1)
            notes.add(.htmlEntity(name), at: start)
            return Reference(end: reference.end, isForeign: false, flags: [.references, .repaired])
        } catch {
            guard repairs else { throw error }
            switch error.reason {
            case .undeclaredEntity(let name):
                let isHTML = isHTMLEntity(bytes, start &+ 1..<start &+ 1 &+ name.utf8.count)
                notes.add(isHTML ? .htmlEntity(name) : .unknownEntity(name), at: start)
            case .badCharacterReference:
                notes.add(.badCharacterReference, at: start)
            default:
                notes.add(.bareAmpersand, at: start)
            }
            // No character of a reference is markup: what follows is looked at as text.
            return Reference(end: start &+ 1, isForeign: false, flags: [.references, .repaired])
        }
    }

    private func isHTMLEntity(_ bytes: Span<UInt8>, _ name: Range<Int>) -> Bool {
        HTMLEntities.character(bytes, name) != nil
    }

    /// Where a comment ends in spite of the `--` at an offset, or from where it goes on: `-- >` and `--!>` end it too.
    ///
    /// - Returns: `nil` where more bytes are needed.
    @inline(never)
    mutating func passOverHyphens(
        _ bytes: Span<UInt8>, at start: Int, content: Int
    ) throws(ScanFault) -> (next: Int, isEnd: Bool)? {
        let fault = ScanFault(reason: .doubleHyphenInComment, offset: start &+ 2)
        guard start &+ 2 < limit else { return nil }
        guard repairs else { throw fault }
        // Where another comment begins, this one lacks its end.
        if start &- 2 >= content, bytes[start &- 2] == ASCII.lessThan, bytes[start &- 1] == ASCII.exclamation {
            throw fault
        }
        var index = start &+ 2
        while bytes[index] == ASCII.hyphen { index &+= 1 }
        let next = index
        if bytes[index] == ASCII.exclamation { index &+= 1 } else { index = skipSpace(bytes, from: index) }
        guard index < limit else { return nil }
        notes.add(.doubleHyphen, at: start)
        let isEnd = bytes[index] == ASCII.greaterThan
        return (isEnd ? index &+ 1 : next, isEnd)
    }

    /// Elements of HTML that have no content, and for which it needs no end tag.
    static let voidElements: Set<String> = ["br", "hr", "img", "input", "wbr"]

    /// Ends the open element behind its start tag, as if that were `<name/>`; what follows belongs to its parent.
    mutating func endVoidElement(_ tokens: inout MutableSpan<XMLToken>, at name: OpenName) {
        var index = tokenCount
        tokenCount &+= 1
        // What follows moves on by a place.
        while index > 0, tokens[index &- 1].kind != .start || tokens[index &- 1].nameOffset != name.offset {
            tokens[index] = tokens[index &- 1]
            index &-= 1
        }
        while index &+ 1 < tokenCount, tokens[index &+ 1].kind == .attribute {
            tokens[index] = tokens[index &+ 1]
            index &+= 1
        }
        tokens[index] = XMLToken(.end)
        depth &-= 1
    }

    /// Refuses a start tag that can't stand where it does: in a guide, channels and programmes are children of `<tv>`.
    ///
    /// - Parameter end: The offset behind the tag.
    @inline(never)
    func checkPlace(of name: XMLTVName, from start: Int, to end: Int) throws(ScanFault) {
        if depth == 1 {
            throw ScanFault(reason: .contentAfterRoot, offset: end, meaning: .secondRoot)
        }
        guard childName == .programme || childName == .channel, name != .channel || depth == 2 else { return }
        throw ScanFault(reason: .expected("</\(childName.text)>"), offset: start)
    }
}
