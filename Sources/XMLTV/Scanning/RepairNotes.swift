/// A repair that a scan made within a record.
struct RepairNote {
    let kind: XMLRepair.Kind
    /// The position in the window.
    var offset: Int
}

/// The repairs in the record being scanned. They take effect when the record is complete.
struct RepairNotes {
    private(set) var kept: [RepairNote] = []
    /// The number of repairs that were not kept because of ``room``.
    private(set) var droppedCount = 0
    /// The maximum number of repairs to keep.
    var room = 0
    /// The position of the last note, so that a repeated step adds no duplicates.
    private var last = -1

    var isEmpty: Bool { kept.isEmpty && droppedCount == 0 }

    /// Adds a repair.
    ///
    /// - Parameters:
    ///   - offset: The position in the window where the fault starts.
    ///   - end: A unique position that increases from note to note. The default is `offset`.
    mutating func add(_ kind: @autoclosure () -> XMLRepair.Kind, at offset: Int, end: Int? = nil) {
        let place = end ?? offset
        guard place > last else { return }
        last = place
        append(kind(), at: offset)
    }

    /// Adds a repair made by a step that is never repeated.
    mutating func append(_ kind: @autoclosure () -> XMLRepair.Kind, at offset: Int) {
        if kept.count < room {
            kept.append(RepairNote(kind: kind(), offset: offset))
        } else {
            droppedCount += 1
        }
    }

    /// Removes and returns the notes before a position.
    mutating func drain(before place: Int) -> (notes: [RepairNote], droppedCount: Int) {
        let index = kept.firstIndex { $0.offset >= place } ?? kept.count
        let taken = Array(kept[..<index])
        kept.removeFirst(index)
        defer { droppedCount = 0 }
        return (taken, droppedCount)
    }

    /// Removes all notes, because the scan resumes at a position.
    mutating func restart(at place: Int) {
        kept.removeAll(keepingCapacity: true)
        droppedCount = 0
        last = place - 1
    }

    /// Adjusts positions after the bytes of the window have moved to the front.
    mutating func move(by distance: Int) {
        last -= distance
        for index in kept.indices { kept[index].offset -= distance }
    }
}

/// Faults that a repairing scan skips in place.
extension ScanState {
    /// Returns the end of the run of non-ASCII characters that starts at an offset, or a position in it to continue at.
    ///
    /// - Returns: `nil` if the window ends within a character.
    @inline(__always)
    mutating func endOfRun(
        _ bytes: Span<UInt8>, from start: Int, _ flags: inout XMLToken.Flags
    ) throws(ScanFault) -> Int? {
        var index = start
        while bytes[index] >= 0x80 {
            let length = UTF8Scan.lengthOfCommonCharacter(in: bytes, at: index)
            guard length > 0 else { return try endOfUncommonRun(bytes, from: index, &flags) }
            index &+= length
        }
        sawNonASCII = true
        return index
    }

    /// Handles a run that starts with a four-byte, incomplete, or invalid character.
    @inline(never)
    private mutating func endOfUncommonRun(
        _ bytes: Span<UInt8>, from start: Int, _ flags: inout XMLToken.Flags
    ) throws(ScanFault) -> Int? {
        do throws(ScanFault) {
            guard let end = try UTF8Scan.endOfRun(in: bytes, from: start, limit: limit) else { return nil }
            sawNonASCII = true
            return end
        } catch {
            return try skipFault(error, from: start, &flags)
        }
    }

    /// Returns the offset after an invalid UTF-8 byte or a character that XML doesn't allow.
    @inline(never)
    private mutating func skipFault(
        _ fault: ScanFault, from start: Int, _ flags: inout XMLToken.Flags
    ) throws(ScanFault) -> Int {
        guard repairs else { throw fault }
        // The run before the fault is valid UTF-8: evidence that the document is.
        if fault.offset > start { sawNonASCII = true }
        flags.insert(.repaired)
        guard case .invalidCharacter(let scalar) = fault.reason else {
            if reconsidersEncoding { throw fault }
            notes.add(.invalidUTF8, at: fault.offset)
            return fault.offset &+ 1
        }
        notes.add(.invalidCharacter(scalar), at: fault.offset)
        // U+FFFE and U+FFFF.
        return fault.offset &+ 3
    }

    /// Returns the offset after a control character.
    ///
    /// - Returns: `nil` if the byte is the padding after the window.
    @inline(never)
    mutating func skipControl(
        _ byte: UInt8, at index: Int, _ flags: inout XMLToken.Flags
    ) throws(ScanFault) -> Int? {
        guard index < limit else { return nil }
        let kind = XMLError.Reason.invalidCharacter(UInt32(byte))
        guard repairs else { throw ScanFault(reason: kind, offset: index) }
        flags.insert(.repaired)
        notes.add(.invalidCharacter(UInt32(byte)), at: index)
        return index &+ 1
    }

    /// Handles a duplicate attribute in a tag.
    @inline(never)
    mutating func skipDuplicate(_ name: String, at start: Int, end: Int) throws(ScanFault) {
        guard repairs else { throw ScanFault(reason: .duplicateAttribute(name), offset: start) }
        notes.add(.duplicateAttribute(name), at: start, end: end &- 1)
    }

    /// Scans a reference ([66], [68]).
    ///
    /// - Returns: `nil` if more bytes are needed.
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
            // A reference contains no markup characters: scan the rest of it as text.
            return Reference(end: start &+ 1, isForeign: false, flags: [.references, .repaired])
        }
    }

    /// A complete reference: its end, and whether only an external DTD could declare it.
    struct Reference {
        let end: Int
        let isForeign: Bool
        var flags: XMLToken.Flags = .references
    }

    /// Scans and validates `&name;`, `&#123;`, or `&#x1F;` ([66], [68]).
    ///
    /// - Returns: `nil` if more bytes are needed.
    private mutating func wellFormedReference(_ bytes: Span<UInt8>, at start: Int) throws(ScanFault) -> Reference? {
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

    /// Scans the digits of a character reference after `&#`. Returns the offset after the `;`, or `nil` if more bytes
    /// are needed.
    private func endOfCharacterReference(_ bytes: Span<UInt8>, from start: Int) throws(ScanFault) -> Int? {
        var index = start
        let isHexadecimal = bytes[index] == ASCII.x
        if isHexadecimal { index &+= 1 }
        let digits = index
        var scalar: UInt32 = 0
        while let digit = bytes[index].hexadecimalDigit, isHexadecimal || digit < 10 {
            // Saturate above the last code point: there may be many leading zeros.
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

    private func isHTMLEntity(_ bytes: Span<UInt8>, _ name: Range<Int>) -> Bool {
        HTMLEntities.character(bytes, name) != nil
    }

    /// Returns where a comment ends despite the `--` at an offset, or where it continues: `-- >` and `--!>` end it,
    /// too.
    ///
    /// - Returns: `nil` if more bytes are needed.
    @inline(never)
    mutating func skipHyphens(
        _ bytes: Span<UInt8>, at start: Int, content: Int
    ) throws(ScanFault) -> (next: Int, isEnd: Bool)? {
        let fault = ScanFault(reason: .doubleHyphenInComment, offset: start &+ 2)
        guard start &+ 2 < limit else { return nil }
        guard repairs else { throw fault }
        // If another comment starts here, this one lacks its end.
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

    /// HTML elements that have no content and no end tag.
    static let voidElements: Set<String> = ["br", "hr", "img", "input", "wbr"]

    /// The elements of XMLTV that hold no other elements, except for links to persons.
    static let leaves: Set<String> = {
        let containers: [XMLTVName] = [
            .other, .tv, .channel, .programme, .credits, .video, .audio, .subtitles, .rating, .starRating,
        ]
        return Set(XMLTVName.allCases.filter { !containers.contains($0) }.map { "\($0.text)" })
    }()

    /// Ends the innermost open element, whose end tag is missing: a void one right after its start tag, any other before its
    /// first child with a name of XMLTV. What follows belongs to its parent.
    mutating func endUnclosed(_ tokens: inout MutableSpan<XMLToken>, at name: OpenName, isVoid: Bool) {
        var start = tokenCount &- 1
        while start > 0, tokens[start].kind != .start || tokens[start].nameOffset != name.offset { start &-= 1 }
        var place = start &+ 1
        while place < tokenCount, tokens[place].kind == .attribute { place &+= 1 }
        var level = 0
        while !isVoid, place < tokenCount {
            if tokens[place].kind == .start {
                if level == 0, tokens[place].name != .other { break }
                level &+= 1
            } else if tokens[place].kind == .end {
                level &-= 1
            }
            place &+= 1
        }
        var index = tokenCount
        while index > place {
            tokens[index] = tokens[index &- 1]
            index &-= 1
        }
        tokens[place] = XMLToken(.end)
        tokenCount &+= 1
        depth &-= 1
    }

    /// Rejects a start tag in an invalid position: in a guide, channels and programmes are children of `<tv>`.
    ///
    /// - Parameter end: The offset after the tag.
    @inline(never)
    func checkPlace(of name: XMLTVName, from start: Int, to end: Int) throws(ScanFault) {
        if depth == 1 {
            throw ScanFault(reason: .contentAfterRoot, offset: end, meaning: .secondRoot)
        }
        guard childName == .programme || childName == .channel, name != .channel || depth == 2 else { return }
        throw ScanFault(reason: .expected("</\(childName.text)>"), offset: start)
    }
}
