/// How a scanner that repairs goes on after a fault.
extension XMLScanner {
    /// Finds a place to go on from.
    ///
    /// - Throws: The fault itself, where the document is refused in spite of all.
    mutating func recover(from fault: ScanFault) throws(XMLError) {
        if case .invalidUTF8 = fault.reason, state.asksEncoding { return askForEncoding() }
        commitNotes(before: startOfIncomplete)
        if case .entityDeclaration = fault.reason { throw error(of: fault) }
        // However the bytes have come, a record that is too long is one.
        let fault = fault.meaning == .plain && isTooLong(to: fault.offset) ? tooLong : fault
        switch state.phase {
        case .beginning, .prolog: try recoverBeforeRoot(from: fault)
        case .content: try recoverInRoot(from: fault)
        case .epilog: try recoverAfterRoot(from: fault)
        }
    }

    /// Gives up a child of the root that is complete, and too long.
    mutating func giveUpChild() throws(XMLError) {
        state.depth = 2
        try recover(from: tooLong)
    }

    /// Goes on where the bytes have ended within something, if it has swallowed what is sound.
    ///
    /// - Returns: `false` at the end of a complete document.
    mutating func goOnAfterEnd() throws(XMLError) -> Bool {
        if recovery.impliesRoot, state.phase == .content, state.depth == 1,
            state.skipSpace(window.span, from: state.cursor) == state.limit
        {
            commitNotes(before: state.cursor)
            return false
        }
        let target: Restart.Target =
            switch state.phase {
            case .beginning, .prolog: .prolog
            case .content: .content
            case .epilog: .epilog
            }
        let start = startOfIncomplete
        if start < state.limit,
            case .mark = Restart.find(
                target, window.span, from: start + 1, limit: state.limit, root: root, atEnd: true)
        {
            let fault = ScanFault(reason: endReason, offset: state.limit)
            try recover(from: isTooLong(to: state.limit) ? tooLong : fault)
            return true
        }
        commitNotes(before: start)
        guard state.phase == .epilog else { throw endFault() }
        let fault = ScanFault(reason: endReason, offset: start)
        try skip(.skippedText, from: start, searchFrom: state.limit, fault, .epilog)
        return false
    }

    /// Where begins what isn't complete yet: what was repaired before it counts, whatever becomes of the rest.
    var startOfIncomplete: Int { state.phase == .content && state.depth > 1 ? state.childStart : state.cursor }

    // MARK: - Before the root

    private mutating func recoverBeforeRoot(from fault: ScanFault) throws(XMLError) {
        if recovery.firstFault == nil { recovery.firstFault = error(of: fault) }
        if fault.meaning == .missingRoot {
            try note(.missingRoot)
            root = Array("tv".utf8)
            enterRoot()
            recovery.impliesRoot = true
            return
        }
        let isDeclaration = mark(at: state.cursor) == .xmlDeclaration
        if isDeclaration, state.phase == .prolog {
            // It is not at the very beginning, but may be all right otherwise.
            try note(.badProlog(fault.reason))
            restart(depth: 0)
            state.phase = .beginning
            return
        }
        let found = try skip(
            .badProlog(fault.reason), from: state.cursor, searchFrom: state.cursor + (isDeclaration ? 5 : 1), fault,
            isDeclaration ? .declaration : .prolog)
        if found == nil, let first = recovery.firstFault { throw first }
        restart(depth: 0)
        state.phase = found == .xmlDeclaration ? .beginning : .prolog
    }

    private mutating func enterRoot() {
        state.phase = .content
        state.checksPlaces = true
        restart(depth: 1)
    }

    // MARK: - In the root

    private mutating func recoverInRoot(from fault: ScanFault) throws(XMLError) {
        if state.depth > 1 {
            // From its beginning: a comment or section without an end may have swallowed what is sound.
            let start = state.childStart
            try skip(.skippedRecord(fault.reason), from: start, searchFrom: start + 1, fault, .content)
            return restart(depth: 1)
        }
        let place = state.cursor
        if fault.meaning == .secondRoot { return try enterSecondRoot(length: fault.offset - place) }
        let mark = mark(at: place)
        if mark == .xmlDeclaration {
            try skipDeclaration()
        } else if mark == .doctype, recovery.isBetweenDocuments {
            state.cursor = place + 1
            try seek(.content)
        } else {
            let isTag = window[place] == ASCII.lessThan && window[place + 1].isASCIINameStart
            try skip(
                isTag ? .skippedRecord(fault.reason) : .skippedText, from: place,
                searchFrom: mark == .recordEnd ? place : place + 1, fault, .content)
        }
        restart(depth: 1)
    }

    /// Reads over the start tag of another document's root.
    private mutating func enterSecondRoot(length: Int) throws(XMLError) {
        try beginDocument()
        recovery.isBetweenDocuments = false
        recovery.impliesRoot = false
        let isEmpty = window[state.cursor + length - 2] == ASCII.slash
        state.cursor += length
        restart(depth: isEmpty ? 0 : 1)
        if isEmpty { state.phase = .epilog }
    }

    private mutating func beginDocument() throws(XMLError) {
        if !recovery.isBetweenDocuments { try note(.secondDocument) }
        recovery.isBetweenDocuments = true
    }

    /// Goes behind the XML declaration of another document.
    private mutating func skipDeclaration() throws(XMLError) {
        recovery.isBetweenDocuments = false
        try beginDocument()
        state.cursor += 5
        try seek(.declaration)
    }

    // MARK: - After the root

    private mutating func recoverAfterRoot(from fault: ScanFault) throws(XMLError) {
        let place = state.cursor
        switch mark(at: place) {
        case .guide:
            return enterRoot()
        case .programme, .channel:
            try note(.missingRoot)
            recovery.impliesRoot = true
            return enterRoot()
        case .xmlDeclaration:
            try skipDeclaration()
        case .doctype:
            try beginDocument()
            state.cursor += 1
            try seek(.epilog)
        default:
            try skip(.skippedText, from: place, searchFrom: place + 1, fault, .epilog)
        }
        restart(depth: 0)
    }

    // MARK: - Steps

    /// Leaves out what stands from a place to the nearest one from which the scan can go on.
    ///
    /// - Returns: What stands there; `nil` at the end of the bytes.
    @discardableResult
    private mutating func skip(
        _ kind: XMLRepair.Kind, from start: Int, searchFrom: Int, _ fault: ScanFault, _ target: Restart.Target
    ) throws(XMLError) -> Restart.Mark? {
        commitNotes(before: start)
        // What was repaired in it is left out too.
        state.notes.restart(at: start)
        state.childStart = start
        let error = error(of: fault)
        let line = line(at: start)
        let offset = windowStart + start
        let scannedTo = windowStart + fault.end
        // The record is kept in the window as far as it is quoted.
        state.cursor = searchFrom
        recovery.count += 1
        let isKept = recovery.hasRoom
        if isKept { try bringQuote(from: start) }
        let quote = isKept ? quote(state.origin..<state.limit) : ""
        let mark = try seek(target)
        let place = windowStart + state.cursor
        if isKept {
            recovery.repairs.append(
                XMLRepair(
                    kind: kind, line: line, offset: offset, quote: quote, faultLine: error.line,
                    skippedBytes: place - offset))
        }
        if mark != nil {
            recovery.rescanned += max(0, scannedTo - place)
            guard recovery.rescanned <= Recovery.budget(at: place) else { throw error }
        }
        return mark
    }

    /// Sets the cursor to the nearest place from which the scan can go on.
    ///
    /// - Returns: What stands there; `nil` at the end of the bytes.
    @discardableResult
    private mutating func seek(_ target: Restart.Target) throws(XMLError) -> Restart.Mark? {
        while true {
            let finding = Restart.find(
                target, window.span, from: state.cursor, limit: state.limit, root: root, atEnd: atEnd)
            switch finding {
            case .mark(let mark, let place):
                state.cursor = place + lengthBefore(mark, at: place)
            case .undecided(let place):
                state.cursor = atEnd ? state.limit : place
            }
            state.origin = state.cursor
            state.childStart = state.cursor
            if case .mark(let mark, _) = finding { return mark }
            if atEnd { return nil }
            try read(max(state.limit - state.cursor, 1))
        }
    }

    /// Bytes of a mark that the scan goes on behind.
    private func lengthBefore(_ mark: Restart.Mark, at place: Int) -> Int {
        switch mark {
        case .recordEnd: window[place + 2] == 0x70 ? "</programme>".utf8.count : "</channel>".utf8.count
        case .declarationEnd: 2
        default: 0
        }
    }

    private func mark(at place: Int) -> Restart.Mark? {
        Restart.mark(at: place, window.span, limit: state.limit, root)
    }

    /// Begins a record at the cursor.
    private mutating func restart(depth: Int) {
        state.depth = depth
        state.tokenCount = 0
        state.textRun = 0
        state.origin = state.cursor
        state.childStart = state.cursor
        state.notes.restart(at: state.cursor)
        state.asksEncoding = recovery.mayAskForEncoding
        state.sawBeyondASCIIBefore = state.sawBeyondASCII
        state.notes.room = Recovery.room - recovery.repairs.count
    }

    private mutating func error(of fault: ScanFault) -> XMLError {
        let place = min(fault.offset, state.limit)
        return XMLError(reason: fault.reason, line: line(at: place), offset: windowStart + place)
    }

    // MARK: - Encoding

    /// Asks the source whether the document is in another encoding from here on; if it is, the record is read again.
    private mutating func askForEncoding() {
        state.asksEncoding = false
        let isInRoot = state.phase == .content && state.depth > 0
        let place = isInRoot ? state.origin : state.cursor
        guard source.reconsider(window[place..<state.limit], undecided: !state.sawBeyondASCIIBefore) else {
            recovery.encodingRefusals += 1
            return
        }
        recovery.hasOtherEncoding = true
        commitNotes(before: place)
        uncountLines(from: place)
        state.cursor = place
        state.limit = place
        atEnd = false
        for index in place..<place + Self.padding { window[index] = 0 }
        guard isInRoot else { return }
        restart(depth: 1)
    }
}
