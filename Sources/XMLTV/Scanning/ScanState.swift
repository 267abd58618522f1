/// Where a scan stands; the bytes, tokens and open names are handed to its methods.
///
/// The window is followed by at least 16 zero bytes. Zero is not a character of XML, so every loop stops there, and only
/// then the limit has to be looked at: a scanning step that reaches it changes nothing, and is taken again when more
/// bytes have come.
struct ScanState {
    enum Phase {
        /// Nothing was read yet: an XML declaration may stand here.
        case beginning
        /// Before the root element.
        case prolog
        /// In the root element.
        case content
        /// After the root element.
        case epilog
    }

    /// Why a scan stopped.
    enum Stop {
        /// The root's start tag was read.
        case root
        /// A child of the root is complete.
        case child
        /// The root's end tag was read.
        case rootEnd
        /// The bytes end within something: more are needed.
        case needBytes
        /// The tokens are full: more room is needed.
        case needTokens
        /// A fault was repaired: the scan goes on from another place.
        case again
    }

    let limits: XMLLimits
    /// Whether white space between tags, comments and processing instructions become tokens.
    let reportsEverything: Bool
    /// Whether faults that have a plain meaning are read over, and noted.
    let repairs: Bool

    /// The next byte to look at.
    var cursor = 0
    /// Where the valid bytes end.
    var limit = 0
    /// Where the record begins: offsets of tokens count from here.
    var origin = 0
    /// Where the `<` of the root's child stands that is being read.
    var childStart = 0
    var tokenCount = 0
    var depth = 0
    var phase = Phase.beginning
    /// Bytes of text since the last tag.
    var textRun = 0
    var sawDoctype = false
    /// An external DTD, or a parameter entity, may declare entities that we don't know (4.1, WFC: Entity Declared).
    var mayHaveForeignEntities = false
    var isStandalone = false
    /// The name of the root's child that is being read.
    var childName = XMLTVName.other
    /// Whether the element of the record that is being read holds a text, in which white space separates words.
    var isInText = false
    /// Whether elements that can stand only in the root are looked for elsewhere: in a guide that is repaired.
    var checksPlaces = false
    /// Whether bytes that are no UTF-8 are a fault, because the encoding may be another.
    var asksEncoding = false
    /// Whether characters beyond ASCII were met that are UTF-8.
    var sawBeyondASCII = false
    /// The same, before the record.
    var sawBeyondASCIIBefore = false
    var notes = RepairNotes()

    init(limits: XMLLimits, reportsEverything: Bool, repairs: Bool) {
        self.limits = limits
        self.reportsEverything = reportsEverything
        self.repairs = repairs
    }

    /// Goes on until a record is complete or something is needed.
    mutating func run(
        _ bytes: Span<UInt8>, _ tokens: inout MutableSpan<XMLToken>, _ open: inout MutableSpan<OpenName>,
        _ table: borrowing NameTable, root: inout [UInt8]
    ) throws(ScanFault) -> Stop {
        // A start tag writes at most one token for itself, one for each attribute, and one for its end.
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

    /// What a step says that met something it can't go on with: at the end of the bytes that more are needed, elsewhere
    /// a fault.
    @inline(never)
    func unexpected(at offset: Int, _ reason: XMLError.Reason) throws(ScanFault) -> Bool {
        if offset >= limit { return false }
        throw ScanFault(reason: reason, offset: offset)
    }

    /// The end of the name that begins at an offset.
    ///
    /// Changes nothing; it is `mutating` because the state would be copied for it otherwise.
    ///
    /// - Returns: `nil` where the bytes end within the name; the offset itself where no name begins there.
    @inline(__always)
    mutating func endOfName(_ bytes: Span<UInt8>, from start: Int) throws(ScanFault) -> Int? {
        guard bytes[start].isASCIINameStart else { return try endOfUnusualName(bytes, from: start) }
        var index = start &+ 1
        while bytes[index].isASCIIName { index &+= 1 }
        guard bytes[index] < 0x80, index < limit, index &- start <= limits.nameBytes else {
            return try endOfUnusualName(bytes, from: start)
        }
        return index
    }

    /// The same, of a name with characters beyond ASCII, one that is too long or cut, or none.
    @inline(never)
    private func endOfUnusualName(_ bytes: Span<UInt8>, from start: Int) throws(ScanFault) -> Int? {
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

    /// The first offset from here on that holds no white space.
    @inline(__always)
    func skipSpace(_ bytes: Span<UInt8>, from start: Int) -> Int {
        var index = start
        while bytes[index].isXMLSpace { index &+= 1 }
        return index
    }

    /// The text of some bytes, for an error.
    func string(_ bytes: Span<UInt8>, _ range: Range<Int>) -> String {
        var copy: [UInt8] = []
        copy.append(bytes, from: range.lowerBound, count: min(range.count, 100))
        return String(decoding: copy, as: UTF8.self)
    }
}

/// The name of an element that is open: where it stands in the record.
struct OpenName: BitwiseCopyable {
    var offset: UInt32 = 0
    var count: UInt32 = 0
}
