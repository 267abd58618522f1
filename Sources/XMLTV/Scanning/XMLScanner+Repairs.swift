/// What a scanner knows about the faults that it goes on after.
struct Recovery {
    /// Repairs that are kept until they are taken.
    static let room = 1000

    let isOn: Bool
    var repairs: [XMLRepair] = []
    /// All that were made, also those that weren't kept.
    var count = 0
    /// Records stand outside of the root: no end tag of it has to come.
    var impliesRoot = false
    /// Another document has begun, and its root has not come yet.
    var isBetweenDocuments = false
    /// The first fault before the root: it is thrown when nothing follows that could be a guide.
    var firstFault: XMLError?
    /// Bytes that were looked at again, because what followed the beginning of a broken record might be sound.
    var rescanned = 0
    /// How often the source has said that its encoding stays.
    var encodingRefusals = 0
    var hasOtherEncoding = false

    init(isOn: Bool) {
        self.isOn = isOn
    }

    var mayAskForEncoding: Bool { isOn && encodingRefusals < 3 && !hasOtherEncoding }

    /// Bytes that may be looked at again in all when a document was read up to a place: the work stays linear.
    static func budget(at offset: Int) -> Int { 64 << 20 + 4 * offset }

    var hasRoom: Bool { repairs.count < Self.room }
}

extension XMLScanner {
    /// Whether ``takeRepairs()`` gives any.
    public var hasRepairs: Bool { !recovery.repairs.isEmpty }

    /// How many repairs were made so far, with those that weren't kept.
    public var repairCount: Int { recovery.count }

    /// The repairs since the last call, in the order of the document: the first thousand of them.
    ///
    /// Those of a record are there when ``next()`` returns it; those of a record that is left out are its
    /// ``XMLRepair/Kind/skippedRecord(_:)`` alone.
    public mutating func takeRepairs() -> [XMLRepair] {
        let taken = recovery.repairs
        recovery.repairs = []
        state.notes.room = Recovery.room
        return taken
    }

    /// What was unusual about the encoding, since the last call; a scanner that refuses has none.
    public mutating func takeEncodingNotes() -> [EncodingNote] { source.takeNotes() }

    /// Makes repairs of what the scan noted before a place.
    mutating func commitNotes(before place: Int) {
        guard !state.notes.isEmpty else { return }
        let (notes, leftOut) = state.notes.take(before: place)
        recovery.count += notes.count + leftOut
        for note in notes.sorted(by: { $0.offset < $1.offset }) where recovery.hasRoom {
            let line = line(at: note.offset)
            recovery.repairs.append(
                XMLRepair(
                    kind: note.kind, line: line, offset: windowStart + note.offset, quote: quote(around: note.offset)))
        }
        state.notes.room = Recovery.room - recovery.repairs.count
    }

    /// Notes a repair at the cursor, where a record begins, after those that stand before it.
    mutating func note(_ kind: XMLRepair.Kind) throws(XMLError) {
        commitNotes(before: state.cursor)
        state.childStart = state.cursor
        recovery.count += 1
        guard recovery.hasRoom else { return }
        let line = line(at: state.cursor)
        try bringQuote(from: state.cursor)
        recovery.repairs.append(
            XMLRepair(
                kind: kind, line: line, offset: windowStart + state.origin, quote: quote(state.origin..<state.limit)))
    }

    /// Reads until what a record is quoted by is in the window, which begins there.
    mutating func bringQuote(from start: Int) throws(XMLError) {
        state.origin = start
        while state.limit - state.origin < Self.quoteBytes + 4, !atEnd { try read(1) }
    }

    private static var quoteBytes: Int { 60 }

    /// The line of a place in the window, from 1.
    ///
    /// Lines are counted for good no further than the record begins: ``line()`` may be asked for it yet.
    mutating func line(at place: Int) -> Int {
        countLines(to: min(place, state.childStart))
        if place < countedTo { return lineFeeds - window.span.lineFeeds(in: place..<countedTo) + 1 }
        return lineFeeds + window.span.lineFeeds(in: countedTo..<place) + 1
    }

    /// What stands at a place of a text or tag, with up to 20 bytes before it.
    private func quote(around place: Int) -> String {
        var start = place
        while start > max(0, place - 20), !window[start - 1].isQuoteBoundary { start -= 1 }
        var end = place + 1
        while end < min(state.limit, start + Self.quoteBytes), !window[end].isQuoteBoundary { end += 1 }
        return quote(start..<end)
    }

    /// The first 60 bytes of a range, whole characters, with blanks for controls.
    func quote(_ range: Range<Int>) -> String {
        var end = min(range.upperBound, range.lowerBound + Self.quoteBytes)
        // Not within a character, if it is one.
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
    /// Whether a quotation ends here: at a tag or a line.
    fileprivate var isQuoteBoundary: Bool {
        self == ASCII.lessThan || self == ASCII.greaterThan || self == ASCII.lineFeed
    }
}
