/// A pull parser of XML 1.0 that reads a document one child of the root element at a time in constant memory.
///
/// It checks well-formedness (XML 1.0, fifth edition) outside the DTD, which it skips. It opens nothing that the
/// document refers to, and rejects entity declarations.
///
/// ```swift
/// var scanner = XMLScanner(FileSource(path: "guide.xml"))
/// while let piece = try scanner.next() {
///     for token in scanner.tokens { … }
/// }
/// ```
public struct XMLScanner: ~Copyable {
    /// A part of the document that ``next()`` has read.
    public enum Piece: Sendable {
        /// The root's start tag, with its attributes.
        case root
        /// A complete child of the root.
        case child
        /// A child of the root that a repairing scanner can't read. It has no tokens; ``takeRepairs()`` returns the
        /// reason.
        case skippedChild
        /// The root's end tag. An empty root yields it, too, without a token.
        case rootEnd
    }

    /// Bytes after the window, so that eight bytes can be loaded at any position in it.
    private static let padding = 32
    private static let minimumRead = 128 << 10

    private var source: DecodedSource
    private var window: [UInt8]
    private var state: ScanState
    private var tokenBuffer: [XMLToken]
    private var open: [OpenName]
    private var root: [UInt8] = []
    private let table = NameTable()
    /// The number of line feeds before ``countedTo``.
    private var lineFeeds = 0
    private var countedTo = 0
    /// The number of bytes of the document before the window.
    private var windowStart = 0
    private var atEnd = false
    private var endsRoot = false
    private var recovery: Recovery

    /// Creates a scanner of a document.
    ///
    /// - Parameters:
    ///   - source: The source of the bytes.
    ///   - limits: Limits on the size and complexity of the document.
    ///   - recovery: How to handle malformed input. The default rejects it.
    ///   - encoding: The encoding of the bytes, which overrides the declaration; `nil` detects it.
    ///   - reportsEverything: Whether white space between tags, comments, and processing instructions become tokens,
    ///     too.
    public init(
        _ source: some ByteSource, limits: XMLLimits = XMLLimits(), recovery: XMLRecovery = .refuse,
        encoding: String? = nil, reportsEverything: Bool = false
    ) {
        self.source = DecodedSource(source, repairs: recovery == .repair, encoding: encoding)
        self.recovery = Recovery(isOn: recovery == .repair)
        window = [UInt8](repeating: 0, count: Self.minimumRead * 2 + Self.padding)
        let limits = limits.bounded
        state = ScanState(limits: limits, reportsEverything: reportsEverything, repairs: recovery == .repair)
        state.notes.room = Recovery.room
        tokenBuffer = [XMLToken](repeating: XMLToken(.end), count: limits.attributes + 1024)
        open = [OpenName](repeating: OpenName(), count: limits.depth + 1)
    }

    /// Reads the next piece. Returns `nil` at the end of the document.
    ///
    /// - Throws: ``XMLError`` if the document is malformed, exceeds a limit, or can't be read. The scanner can't be
    ///   used afterwards.
    public mutating func next() throws(XMLError) -> Piece? {
        state.origin = state.cursor
        state.tokenCount = 0
        state.reconsidersEncoding = recovery.mayReconsiderEncoding
        state.sawNonASCIIBefore = state.sawNonASCII
        if endsRoot {
            endsRoot = false
            return .rootEnd
        }
        while true {
            if recovery.hasSkippedChild {
                recovery.hasSkippedChild = false
                return .skippedChild
            }
            switch try run() {
            case .root:
                endsRoot = state.phase == .epilog
                try checkLength(to: state.cursor)
                commitNotes(before: state.cursor)
                return .root
            case .child:
                if recovery.isOn, isTooLong(to: state.cursor) {
                    try skipOversizedChild()
                    continue
                }
                try checkLength(to: state.cursor)
                commitNotes(before: state.cursor)
                return .child
            case .rootEnd:
                try checkLength(to: state.cursor)
                commitNotes(before: state.cursor)
                return .rootEnd
            case .again:
                continue
            case .needTokens:
                // Room for what one tag may add beyond the limit.
                let room = state.limits.recordTokens + state.limits.attributes + 4
                guard tokenBuffer.count >= room else {
                    let growth = min(tokenBuffer.count, room - tokenBuffer.count)
                    tokenBuffer.append(contentsOf: repeatElement(XMLToken(.end), count: growth))
                    continue
                }
                let fault = ScanFault(
                    reason: .limit(.recordTokens, state.limits.recordTokens), offset: state.cursor)
                guard recovery.isOn else { throw fail(fault.reason, at: fault.offset) }
                try recover(from: fault)
            case .needBytes:
                guard try fill() else { return nil }
            }
        }
    }

    /// The tokens of the current piece.
    public var tokens: ArraySlice<XMLToken> { tokenBuffer[..<state.tokenCount] }

    /// Returns the token at an index below ``tokenCount``.
    @inline(__always)
    package func token(_ index: Int) -> XMLToken { tokenBuffer[index] }

    /// The token buffer. The first ``tokenCount`` tokens belong to the current piece.
    package var tokenArray: [XMLToken] { tokenBuffer }

    /// The number of tokens of the current piece.
    package var tokenCount: Int { state.tokenCount }

    /// The bytes that tokens refer to by offsets from ``recordStart``.
    package var bytes: [UInt8] { window }

    /// The position of token offset 0 in ``bytes``.
    package var recordStart: Int { state.origin }

    /// Returns the line on which the last child of the root started, from 1.
    ///
    /// - Complexity: O(bytes since the last call).
    public mutating func line() -> Int {
        countLines(to: max(state.childStart, countedTo))
        return lineFeeds + 1
    }

    /// The position in ``bytes`` where the current piece ends.
    package var recordEnd: Int { state.cursor }

    /// The encoding that the document is converted from, or `nil` if it is UTF-8.
    public var encoding: String? { source.convertedFrom }

    // MARK: - Private

    private mutating func run() throws(XMLError) -> ScanState.Stop {
        do throws(ScanFault) {
            return try Self.run(&state, window, &tokenBuffer, &open, table, &root)
        } catch {
            guard recovery.isOn else { throw fail(error.reason, at: error.offset) }
            try recover(from: error)
            return .again
        }
    }

    /// Creates the spans in a separate function, in which each array is a separate variable.
    private static func run(
        _ state: inout ScanState, _ window: [UInt8], _ tokenBuffer: inout [XMLToken], _ open: inout [OpenName],
        _ table: borrowing NameTable, _ root: inout [UInt8]
    ) throws(ScanFault) -> ScanState.Stop {
        let bytes = window.span
        var tokens = tokenBuffer.mutableSpan
        var names = open.mutableSpan
        return try state.run(bytes, &tokens, &names, table, root: &root)
    }

    /// Rejects a record that exceeds the limit, regardless of chunk boundaries.
    private mutating func checkLength(to end: Int) throws(XMLError) {
        guard isTooLong(to: end) else { return }
        throw fail(tooLong.reason, at: tooLong.offset)
    }

    private func isTooLong(to end: Int) -> Bool { end - state.origin > state.limits.recordBytes }

    private var tooLong: ScanFault {
        ScanFault(reason: .limit(.recordBytes, state.limits.recordBytes), offset: state.origin)
    }

    /// Reads more bytes, at least as many as are waiting. Returns `false` at the end of a complete document.
    private mutating func fill() throws(XMLError) -> Bool {
        if atEnd {
            if state.cursor == state.limit, state.phase == .epilog {
                commitNotes(before: state.cursor)
                return false
            }
            guard recovery.isOn else { throw endFault() }
            return try resumeAfterEnd()
        }
        // Skipped bytes between two children of the root belong to neither.
        if state.tokenCount == 0, state.depth <= 1 { state.origin = state.cursor }
        if recovery.isOn, isTooLong(to: state.limit) {
            try recover(from: tooLong)
            return true
        }
        try checkLength(to: state.limit)
        // Reading at least as many bytes as are waiting keeps the work linear, even if the chunks are small.
        try read(max(state.limit - state.cursor, 1))
        return true
    }

    /// Reads at least `wanted` more bytes, or up to the end, and discards the bytes before the record.
    private mutating func read(_ wanted: Int) throws(XMLError) {
        slide(roomFor: wanted)
        var got = 0
        while got < wanted {
            let room = window.count - Self.padding - state.limit
            do throws(XMLError.Reason) {
                let count = try source.read(into: &window, at: state.limit, upTo: room)
                precondition(0...room ~= count, "a source read more bytes than requested")
                if count == 0 {
                    atEnd = true
                    break
                }
                state.limit += count
                got += count
            } catch {
                // Process the bytes before the error first. The next read throws it again.
                guard got > 0 else {
                    commitNotes(before: startOfIncomplete)
                    throw fail(error, at: state.limit)
                }
                break
            }
        }
        for index in state.limit..<state.limit + Self.padding { window[index] = 0 }
    }

    /// Moves the bytes still needed to the front of the window, and grows the window if that is not enough.
    ///
    /// Afterwards, there is room for `wanted` bytes and one more character, so that a converter always has enough room.
    /// Doubling once is enough, because `wanted` is never more than the window already holds.
    private mutating func slide(roomFor wanted: Int) {
        let offset = state.origin
        if offset > 0 {
            commitNotes(before: offset)
            state.notes.move(by: offset)
            countLines(to: max(countedTo, min(state.childStart, state.cursor), offset))
            window.moveToFront(from: offset, count: state.limit - offset)
            state.cursor -= offset
            state.limit -= offset
            state.childStart -= offset
            state.origin = 0
            countedTo -= offset
            windowStart += offset
        }
        if window.count - Self.padding - state.limit < max(Self.minimumRead, wanted + Self.padding) {
            window.append(contentsOf: repeatElement(0, count: window.count))
        }
    }

    private mutating func countLines(to end: Int) {
        guard end > countedTo else { return }
        lineFeeds += window.span.lineFeeds(in: countedTo..<end)
        countedTo = end
    }

    /// Undoes the count from a position on, because other bytes will replace it.
    private mutating func uncountLines(from place: Int) {
        guard place < countedTo else { return }
        lineFeeds -= window.span.lineFeeds(in: place..<countedTo)
        countedTo = place
    }

    private mutating func fail(_ reason: XMLError.Reason, at offset: Int) -> XMLError {
        countLines(to: min(offset, state.limit))
        return XMLError(reason: reason, line: lineFeeds + 1, offset: windowStart + offset)
    }

    /// Returns the error for a document that ends here.
    private mutating func endFault() -> XMLError { fail(endReason, at: state.limit) }

    private var endReason: XMLError.Reason {
        switch state.phase {
        case .beginning where windowStart + state.limit == 0: return .empty
        case .beginning, .prolog:
            return .unexpectedEnd(inside: state.cursor == state.limit ? "before its first element" : "in markup")
        case .content:
            let name = String(decoding: root, as: UTF8.self)
            return .unexpectedEnd(inside: state.depth > 1 ? "in an element of <\(name)>" : "before </\(name)>")
        case .epilog: return .unexpectedEnd(inside: "in markup")
        }
    }
}

/// The state of a scanner's recovery from faults.
private struct Recovery {
    /// The maximum number of repairs to keep until they are taken, in addition to a skipped record.
    static let room = 1000

    let isOn: Bool
    var repairs: [XMLRepair] = []
    /// All repairs made, including those not kept.
    var count = 0
    /// Whether records occur outside the root, so that no end tag of it is required.
    var impliesRoot = false
    /// Whether another document has started, but its root element has not.
    var isBetweenDocuments = false
    /// The first fault before the root. It is thrown if nothing follows that could be a guide.
    var firstFault: XMLError?
    /// Bytes scanned again because valid records might follow the start of a broken one.
    var rescanned = 0
    /// How often the source refused to change its encoding.
    var encodingRefusals = 0
    var hasOtherEncoding = false
    /// Whether a child of the root was skipped that ``XMLScanner/next()`` has not returned yet.
    var hasSkippedChild = false

    init(isOn: Bool) {
        self.isOn = isOn
    }

    var mayReconsiderEncoding: Bool { isOn && encodingRefusals < 3 && !hasOtherEncoding }

    /// Returns the maximum number of bytes to scan again up to an offset, which keeps the work linear.
    static func budget(at offset: Int) -> Int { 64 << 20 + 4 * offset }

    fileprivate var hasRoom: Bool { repairs.count < Self.room }
}

extension XMLScanner {
    /// Whether ``takeRepairs()`` returns any.
    public var hasRepairs: Bool { !recovery.repairs.isEmpty }

    /// The number of repairs so far, including those that were not kept.
    public var repairCount: Int { recovery.count }

    /// Returns the repairs since the last call, in document order: at most 1,000 and one skipped record.
    ///
    /// The repairs of a record are available when ``next()`` returns it. For a skipped record, only its
    /// ``XMLRepair/Kind/skippedRecord(_:)`` is reported. If you take the repairs after each piece, no skipped record is
    /// missing.
    public mutating func takeRepairs() -> [XMLRepair] {
        let taken = recovery.repairs
        recovery.repairs = []
        state.notes.room = Recovery.room
        return taken
    }

    /// Returns the encoding notes since the last call. A strict scanner has none.
    public mutating func takeEncodingNotes() -> [EncodingNote] { source.takeNotes() }

    /// Converts notes of the scan before a position to repairs.
    private mutating func commitNotes(before place: Int) {
        guard !state.notes.isEmpty else { return }
        let (notes, droppedCount) = state.notes.drain(before: place)
        recovery.count += notes.count + droppedCount
        for note in notes.sorted(by: { $0.offset < $1.offset }) where recovery.hasRoom {
            let line = line(at: note.offset)
            recovery.repairs.append(
                XMLRepair(
                    kind: note.kind, line: line, offset: windowStart + note.offset, quote: quote(around: note.offset)))
        }
        state.notes.room = Recovery.room - recovery.repairs.count
    }

    /// Notes a repair at the cursor, where a record starts, after those before it.
    private mutating func record(_ kind: XMLRepair.Kind) throws(XMLError) {
        commitNotes(before: state.cursor)
        state.childStart = state.cursor
        recovery.count += 1
        guard recovery.hasRoom else { return }
        let line = line(at: state.cursor)
        try loadQuote(from: state.cursor)
        recovery.repairs.append(
            XMLRepair(
                kind: kind, line: line, offset: windowStart + state.origin, quote: quote(state.origin..<state.limit)))
    }

    /// Reads until the window, which then starts at `start`, holds the bytes to quote.
    private mutating func loadQuote(from start: Int) throws(XMLError) {
        state.origin = start
        while state.limit - state.origin < Self.quoteBytes + 4, !atEnd { try read(1) }
    }

    private static var quoteBytes: Int { 60 }

    /// Returns the line of a position in the window, from 1.
    ///
    /// Commits the count only up to the start of the record, whose ``line()`` may be requested later.
    private mutating func line(at place: Int) -> Int {
        countLines(to: min(place, state.childStart))
        if place < countedTo { return lineFeeds - window.span.lineFeeds(in: place..<countedTo) + 1 }
        return lineFeeds + window.span.lineFeeds(in: countedTo..<place) + 1
    }

    /// Quotes text or a tag around a position, with up to 20 bytes before it.
    private func quote(around place: Int) -> String {
        var start = place
        while start > max(0, place - 20), !window[start - 1].isQuoteBoundary { start -= 1 }
        var end = place + 1
        while end < min(state.limit, start + Self.quoteBytes), !window[end].isQuoteBoundary { end += 1 }
        return quote(start..<end)
    }

    /// Returns the first 60 bytes of a range, cut at character boundaries, with control characters replaced by spaces.
    private func quote(_ range: Range<Int>) -> String {
        var end = min(range.upperBound, range.lowerBound + Self.quoteBytes)
        // Don't cut within a valid character.
        var trailing = end
        while trailing > range.lowerBound, end - trailing < 3, end < state.limit, window[trailing] & 0xC0 == 0x80 {
            trailing -= 1
        }
        if end < state.limit, window[trailing] >= 0xC2 { end = trailing }
        var start = range.lowerBound
        while start < end, window[start] & 0xC0 == 0x80, start - range.lowerBound < 3, end - start > 3 { start += 1 }
        return String(decoding: window[start..<end].map { $0 < 0x20 ? 0x20 : $0 }, as: UTF8.self)
    }
}

extension UInt8 {
    /// Whether a quotation ends here: at a tag or line boundary.
    fileprivate var isQuoteBoundary: Bool {
        self == ASCII.lessThan || self == ASCII.greaterThan || self == ASCII.lineFeed
    }
}

/// How a repairing scanner resumes after a fault.
extension XMLScanner {
    /// Finds a position to resume at.
    ///
    /// - Throws: The fault itself if it can't be repaired.
    private mutating func recover(from fault: ScanFault) throws(XMLError) {
        if case .invalidUTF8 = fault.reason, state.reconsidersEncoding { return reconsiderEncoding() }
        commitNotes(before: startOfIncomplete)
        if case .entityDeclaration = fault.reason { throw error(of: fault) }
        // Regardless of chunk boundaries, report a record that is too long as such.
        let fault = fault.meaning == .plain && isTooLong(to: fault.offset) ? tooLong : fault
        switch state.phase {
        case .beginning, .prolog: try recoverBeforeRoot(from: fault)
        case .content: try recoverInRoot(from: fault)
        case .epilog: try recoverAfterRoot(from: fault)
        }
    }

    /// Skips a complete child of the root that is too long.
    private mutating func skipOversizedChild() throws(XMLError) {
        state.depth = 2
        try recover(from: tooLong)
    }

    /// Resumes after the bytes ended within a token, if that token has swallowed valid records.
    ///
    /// - Returns: `false` at the end of a complete document.
    private mutating func resumeAfterEnd() throws(XMLError) -> Bool {
        if recovery.impliesRoot, state.phase == .content, state.depth == 1,
            state.skipSpace(window.span, from: state.cursor) == state.limit
        {
            commitNotes(before: state.cursor)
            return false
        }
        let target: ResyncPoint.Target =
            switch state.phase {
            case .beginning, .prolog: .prolog
            case .content: .content
            case .epilog: .epilog
            }
        let start = startOfIncomplete
        if start < state.limit,
            case .mark = ResyncPoint.find(
                target, window.span, from: start + 1, limit: state.limit, root: root, atEnd: true)
        {
            let fault = ScanFault(reason: endReason, offset: state.limit)
            try recover(from: isTooLong(to: state.limit) ? tooLong : fault)
            return true
        }
        commitNotes(before: start)
        guard state.phase == .epilog else { throw endFault() }
        let fault = ScanFault(reason: endReason, offset: start)
        try skip(.skippedTail, from: start, searchFrom: state.limit, fault, .epilog)
        return false
    }

    /// The start of the incomplete record or token. Repairs before it take effect even if the rest is skipped.
    private var startOfIncomplete: Int { state.phase == .content && state.depth > 1 ? state.childStart : state.cursor }

    // MARK: - Before the root

    private mutating func recoverBeforeRoot(from fault: ScanFault) throws(XMLError) {
        if recovery.firstFault == nil { recovery.firstFault = error(of: fault) }
        if fault.meaning == .missingRoot {
            try record(.missingRoot)
            root = Array("tv".utf8)
            enterRoot()
            recovery.impliesRoot = true
            return
        }
        let isDeclaration = mark(at: state.cursor) == .xmlDeclaration
        if isDeclaration, state.phase == .prolog {
            // It is not at the start of the document, but may otherwise be valid.
            try record(.badProlog(fault.reason))
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
            // Search from its start: an unterminated comment or section may have swallowed valid records.
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

    /// Skips the start tag of another document's root.
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
        if !recovery.isBetweenDocuments { try record(.secondDocument) }
        recovery.isBetweenDocuments = true
    }

    /// Skips the XML declaration of another document.
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
        case .xmlDeclaration:
            try skipDeclaration()
        case .doctype:
            try beginDocument()
            state.cursor += 1
            try seek(.epilog)
        default:
            try skip(.skippedTail, from: place, searchFrom: place + 1, fault, .epilog)
        }
        restart(depth: 0)
    }

    // MARK: - Steps

    /// Skips everything from a position to the nearest one at which the scan can resume.
    ///
    /// - Returns: The mark found there, or `nil` at the end of the bytes.
    @discardableResult
    private mutating func skip(
        _ kind: XMLRepair.Kind, from start: Int, searchFrom: Int, _ fault: ScanFault, _ target: ResyncPoint.Target
    ) throws(XMLError) -> ResyncPoint.Mark? {
        commitNotes(before: start)
        // Repairs within it are dropped, too.
        state.notes.restart(at: start)
        state.childStart = start
        let error = error(of: fault)
        let line = line(at: start)
        let offset = windowStart + start
        let scannedTo = windowStart + fault.end
        // Keep the bytes that the repair quotes in the window.
        state.cursor = searchFrom
        recovery.count += 1
        var isKept = recovery.hasRoom
        if case .skippedRecord = kind {
            isKept = isKept || recovery.repairs.count == Recovery.room
            recovery.hasSkippedChild = true
        }
        if isKept { try loadQuote(from: start) }
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

    /// Moves the cursor to the nearest position at which the scan can resume.
    ///
    /// - Returns: The mark found there, or `nil` at the end of the bytes.
    @discardableResult
    private mutating func seek(_ target: ResyncPoint.Target) throws(XMLError) -> ResyncPoint.Mark? {
        while true {
            let finding = ResyncPoint.find(
                target, window.span, from: state.cursor, limit: state.limit, root: root, atEnd: atEnd)
            switch finding {
            case .mark(let mark, let place):
                state.cursor = place + lengthOfMark(mark, at: place)
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

    /// Returns the length of a mark after which the scan resumes, or 0 if it resumes before the mark.
    private func lengthOfMark(_ mark: ResyncPoint.Mark, at place: Int) -> Int {
        switch mark {
        case .recordEnd: window[place + 2] == 0x70 ? "</programme>".utf8.count : "</channel>".utf8.count
        case .declarationEnd: 2
        default: 0
        }
    }

    private func mark(at place: Int) -> ResyncPoint.Mark? {
        ResyncPoint.mark(at: place, window.span, limit: state.limit, root)
    }

    /// Starts a record at the cursor.
    private mutating func restart(depth: Int) {
        state.depth = depth
        state.tokenCount = 0
        state.textRun = 0
        state.origin = state.cursor
        state.childStart = state.cursor
        state.notes.restart(at: state.cursor)
        state.reconsidersEncoding = recovery.mayReconsiderEncoding
        state.sawNonASCIIBefore = state.sawNonASCII
        state.notes.room = Recovery.room - recovery.repairs.count
    }

    private mutating func error(of fault: ScanFault) -> XMLError {
        let place = min(fault.offset, state.limit)
        return XMLError(reason: fault.reason, line: line(at: place), offset: windowStart + place)
    }

    // MARK: - Encoding

    /// Checks with the source whether the document continues in another encoding. If it does, the record is read again.
    private mutating func reconsiderEncoding() {
        state.reconsidersEncoding = false
        let isInRoot = state.phase == .content && state.depth > 0
        let place = isInRoot ? state.origin : state.cursor
        guard source.reconsider(window[place..<state.limit], undecided: !state.sawNonASCIIBefore) else {
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
