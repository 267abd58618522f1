/// A pull reader of XML 1.0 that reads a document child by child of its root element, in memory that doesn't grow.
///
/// It checks all that makes a document well-formed (XML 1.0, fifth edition) outside its DTD, which it reads over; it
/// opens nothing that the document names, and refuses entity declarations.
///
/// ```swift
/// var scanner = XMLScanner(FileSource(path: "guide.xml"))
/// while let piece = try scanner.next() {
///     for token in scanner.tokens { … }
/// }
/// ```
public struct XMLScanner: ~Copyable {
    /// What ``next()`` has read.
    public enum Piece: Sendable {
        /// The root's start tag, with its attributes.
        case root
        /// A child of the root, whole.
        case child
        /// The root's end tag. In a root without content it follows too, without a token of its own.
        case rootEnd
    }

    /// Bytes that follow the window, so that eight can be loaded at once anywhere in it.
    static let padding = 32
    private static let leastRead = 128 << 10

    var source: DecodedSource
    var window: [UInt8]
    var state: ScanState
    private var tokenRoom: [XMLToken]
    private var open: [OpenName]
    var root: [UInt8] = []
    private let table = NameTable()
    /// Line feeds before ``countedTo``.
    private(set) var lineFeeds = 0
    private(set) var countedTo = 0
    /// Bytes of the document before the window.
    private(set) var windowStart = 0
    var atEnd = false
    private var endsRoot = false
    var recovery: Recovery

    /// A scanner of a document.
    ///
    /// - Parameters:
    ///   - source: Where the bytes come from.
    ///   - limits: How much the document may ask.
    ///   - recovery: What becomes of faults. The default refuses them.
    ///   - encoding: The encoding that the bytes are in, whatever the document declares; `nil` where it is to be found
    ///     out.
    ///   - reportsEverything: Whether white space between tags, comments and processing instructions are tokens too.
    public init(
        _ source: some ByteSource, limits: XMLLimits = XMLLimits(), recovery: XMLRecovery = .refuse,
        encoding: String? = nil, reportsEverything: Bool = false
    ) {
        self.source = DecodedSource(source, repairs: recovery == .repair, encoding: encoding)
        self.recovery = Recovery(isOn: recovery == .repair)
        window = [UInt8](repeating: 0, count: Self.leastRead * 2 + Self.padding)
        let limits = limits.bounded
        state = ScanState(limits: limits, reportsEverything: reportsEverything, repairs: recovery == .repair)
        state.notes.room = Recovery.room
        tokenRoom = [XMLToken](repeating: XMLToken(.end), count: limits.attributes + 1024)
        open = [OpenName](repeating: OpenName(), count: limits.depth + 1)
    }

    /// Reads on to the next piece; `nil` at the end of the document.
    ///
    /// - Throws: ``XMLError``. The scanner can't be used after it.
    public mutating func next() throws(XMLError) -> Piece? {
        state.origin = state.cursor
        state.tokenCount = 0
        state.asksEncoding = recovery.mayAskForEncoding
        state.sawBeyondASCIIBefore = state.sawBeyondASCII
        if endsRoot {
            endsRoot = false
            return .rootEnd
        }
        while true {
            switch try run() {
            case .root:
                endsRoot = state.phase == .epilog
                try checkLength(to: state.cursor)
                commitNotes(before: state.cursor)
                return .root
            case .child:
                if recovery.isOn, isTooLong(to: state.cursor) {
                    try giveUpChild()
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
                // For what one tag may add beyond the limit.
                let room = state.limits.recordTokens + state.limits.attributes + 4
                guard tokenRoom.count >= room else {
                    tokenRoom.append(
                        contentsOf: repeatElement(XMLToken(.end), count: min(tokenRoom.count, room - tokenRoom.count)))
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

    /// The tokens of the piece that was read.
    public var tokens: ArraySlice<XMLToken> { tokenRoom[..<state.tokenCount] }

    /// The token at an index below ``tokenCount``.
    @inline(__always)
    package func token(_ index: Int) -> XMLToken { tokenRoom[index] }

    /// The room of tokens; those of the piece are the first ``tokenCount``.
    package var tokenArray: [XMLToken] { tokenRoom }

    /// The number of tokens of the piece.
    package var tokenCount: Int { state.tokenCount }

    /// The bytes that tokens point into, by offsets from ``recordStart``.
    package var bytes: [UInt8] { window }

    /// Where offset 0 of the tokens is.
    package var recordStart: Int { state.origin }

    /// The line on which the child of the root began that was read last, from 1.
    ///
    /// - Complexity: O(bytes since the last call).
    public mutating func line() -> Int {
        countLines(to: max(state.childStart, countedTo))
        return lineFeeds + 1
    }

    /// Where the bytes of the piece end, in ``bytes``.
    package var recordEnd: Int { state.cursor }

    /// The encoding that the document was converted from, or `nil` where it is UTF-8.
    public var encoding: String? { source.convertedFrom }

    // MARK: - Private

    private mutating func run() throws(XMLError) -> ScanState.Stop {
        do throws(ScanFault) {
            return try Self.run(&state, window, &tokenRoom, &open, table, &root)
        } catch {
            guard recovery.isOn else { throw fail(error.reason, at: error.offset) }
            try recover(from: error)
            return .again
        }
    }

    /// The spans live in a function of its own, where each array is a variable by itself.
    private static func run(
        _ state: inout ScanState, _ window: [UInt8], _ tokenRoom: inout [XMLToken], _ open: inout [OpenName],
        _ table: borrowing NameTable, _ root: inout [UInt8]
    ) throws(ScanFault) -> ScanState.Stop {
        let bytes = window.span
        var tokens = tokenRoom.mutableSpan
        var names = open.mutableSpan
        return try state.run(bytes, &tokens, &names, table, root: &root)
    }

    /// Refuses a record that is longer than allowed, however its bytes have come.
    private mutating func checkLength(to end: Int) throws(XMLError) {
        guard isTooLong(to: end) else { return }
        throw fail(tooLong.reason, at: tooLong.offset)
    }

    func isTooLong(to end: Int) -> Bool { end - state.origin > state.limits.recordBytes }

    var tooLong: ScanFault {
        ScanFault(reason: .limit(.recordBytes, state.limits.recordBytes), offset: state.origin)
    }

    /// Gets more bytes, at least as many as are waiting; `false` at the end of a complete document.
    private mutating func fill() throws(XMLError) -> Bool {
        if atEnd {
            if state.cursor == state.limit, state.phase == .epilog {
                commitNotes(before: state.cursor)
                return false
            }
            guard recovery.isOn else { throw endFault() }
            return try goOnAfterEnd()
        }
        // What was skipped between two children of the root belongs to neither.
        if state.tokenCount == 0, state.depth <= 1 { state.origin = state.cursor }
        if recovery.isOn, isTooLong(to: state.limit) {
            try recover(from: tooLong)
            return true
        }
        try checkLength(to: state.limit)
        // Reading as much again as is waiting keeps the work linear, however small the pieces are that come.
        try read(max(state.limit - state.cursor, 1))
        return true
    }

    /// Reads so many bytes more, or to the end; what stands before the record goes.
    mutating func read(_ wanted: Int) throws(XMLError) {
        slide(roomFor: wanted)
        var got = 0
        while got < wanted {
            let room = window.count - Self.padding - state.limit
            do throws(XMLError.Reason) {
                let count = try source.read(into: &window, at: state.limit, upTo: room)
                precondition(0...room ~= count, "a source put more bytes into the buffer than it was asked for")
                if count == 0 {
                    atEnd = true
                    break
                }
                state.limit += count
                got += count
            } catch {
                // What came before is looked at first: the fault is met again at the next reading.
                guard got > 0 else {
                    commitNotes(before: startOfIncomplete)
                    throw fail(error, at: state.limit)
                }
                break
            }
        }
        for index in state.limit..<state.limit + Self.padding { window[index] = 0 }
    }

    /// Moves what is still wanted to the front of the window, and makes the window larger where that is not enough.
    ///
    /// There is room for `wanted` bytes afterwards, and for a character more, so that a converter never finds less room
    /// than it needs. Doubling once is enough, because no more is wanted than is there.
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
        if window.count - Self.padding - state.limit < max(Self.leastRead, wanted + Self.padding) {
            window.append(contentsOf: repeatElement(0, count: window.count))
        }
    }

    mutating func countLines(to end: Int) {
        guard end > countedTo else { return }
        lineFeeds += window.span.lineFeeds(in: countedTo..<end)
        countedTo = end
    }

    /// Takes back what was counted from a place on, because other bytes will stand there.
    mutating func uncountLines(from place: Int) {
        guard place < countedTo else { return }
        lineFeeds -= window.span.lineFeeds(in: place..<countedTo)
        countedTo = place
    }

    private mutating func fail(_ reason: XMLError.Reason, at offset: Int) -> XMLError {
        countLines(to: min(offset, state.limit))
        return XMLError(reason: reason, line: lineFeeds + 1, offset: windowStart + offset)
    }

    /// What a document lacks that ends here.
    mutating func endFault() -> XMLError { fail(endReason, at: state.limit) }

    var endReason: XMLError.Reason {
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
