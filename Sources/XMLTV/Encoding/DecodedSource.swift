/// The bytes of a document in UTF-8, whatever it is written in.
///
/// The encoding is told by the first bytes and the XML declaration (XML 1.0, appendix F). UTF-8 and ASCII pass as they
/// are, and the scanner checks them; everything else goes through iconv.
///
/// A strict source believes the declaration, and throws where the bytes aren't what it says. A source that repairs
/// believes the bytes: it looks ahead at the first ones beyond ASCII before it converts by a declaration, it can change
/// its mind (``reconsider(_:undecided:)``), and it keeps notes of that. What it decides depends on the bytes alone and
/// not on the chunks in which they come.
package struct DecodedSource {
    enum State {
        /// Nothing was read.
        case beginning
        /// Bytes pass as they are.
        case passing
        /// An encoding is declared, and only ASCII has come, which passes as it is.
        case declared(NamedEncoding)
        case converting
    }

    var source: any ByteSource
    let repairs: Bool
    /// The encoding that the user named.
    let forced: String?
    var state = State.beginning
    /// Bytes that were read and not yet passed on.
    var waiting: [UInt8] = []
    var waitingRange = 0..<0
    var sourceEnded = false
    /// Why no more can be read, kept until what was read before it is passed on.
    var fault: XMLError.Reason?
    /// Bytes of the document that were passed on or converted.
    var position = 0
    /// The encoding as it is declared, or as the user named it.
    var declared: String?
    var notes: [EncodingNote] = []

    var converter: Iconv?
    /// Whether the converter has given what it still held at the end.
    var isFinished = false
    /// Whether ISO-8859-1 is declared and none of the bytes that windows-1252 adds has come.
    var watchesControls = false
    /// Sequences that were read as U+FFFD, and where the first one began.
    var replaced: (count: Int, first: Int) = (0, 0)
    /// The encoding that is converted, or `nil`.
    package internal(set) var convertedFrom: String?

    static let chunk = 64 << 10

    /// A source of UTF-8.
    ///
    /// - Parameters:
    ///   - source: Where the bytes come from.
    ///   - repairs: Whether bytes win over declarations, and what is no character becomes U+FFFD. By default both are
    ///     errors.
    ///   - encoding: The encoding that the document is in whatever it declares, unless it begins with a byte order
    ///     mark; by default it is told by the document. An unknown name is an error at the first reading.
    package init(_ source: some ByteSource, repairs: Bool = false, encoding: String? = nil) {
        self.source = source
        self.repairs = repairs
        forced = encoding
    }

    /// Puts UTF-8 into a buffer: at least one byte, or none at the end.
    ///
    /// - Parameter count: At least 32, so that a character always finds room.
    package mutating func read(
        into buffer: inout [UInt8], at offset: Int, upTo count: Int
    ) throws(XMLError.Reason) -> Int {
        while true {
            switch state {
            case .passing where waitingRange.isEmpty:
                if sourceEnded { return try endOrFault() }
                let got = try Self.read(&source, into: &buffer, at: offset, upTo: count)
                position += got
                return got
            case .passing:
                return pass(waitingRange.count, into: &buffer, at: offset, upTo: count)
            case .converting:
                return try convert(into: &buffer, at: offset, upTo: count)
            case .beginning:
                try detect()
            case .declared(let encoding):
                if waitingRange.isEmpty { fill(toAtLeast: 1) }
                if waitingRange.isEmpty { return try endOrFault() }
                let plain = waiting.span.countOfASCII(in: waitingRange)
                if plain > 0 { return pass(plain, into: &buffer, at: offset, upTo: count) }
                decide(on: encoding)
            }
        }
    }

    /// The notes since the last call; that of what was replaced comes when the end of the document was read.
    ///
    /// None where the source doesn't repair.
    package mutating func takeNotes() -> [EncodingNote] {
        if sourceEnded, waitingRange.isEmpty, replaced.count > 0 {
            let name = convertedFrom ?? "UTF-8"
            notes.append(
                EncodingNote(kind: .replaced(replaced.count), declared: declared, used: name, offset: replaced.first))
            replaced.count = 0
        }
        defer { notes = [] }
        return notes
    }

    // MARK: - Bytes that wait

    /// Passes bytes on as they are.
    private mutating func pass(_ available: Int, into buffer: inout [UInt8], at offset: Int, upTo count: Int) -> Int {
        let taken = min(count, available)
        let start = waitingRange.lowerBound
        buffer.replaceSubrange(offset..<offset + taken, with: waiting[start..<start + taken])
        advance(by: taken)
        return taken
    }

    mutating func advance(by count: Int) {
        waitingRange = waitingRange.lowerBound + count..<waitingRange.upperBound
        position += count
    }

    /// Reads until at least so many bytes wait, or none come any more.
    mutating func fill(toAtLeast least: Int) {
        guard !sourceEnded, waitingRange.count < least else { return }
        waiting.moveToFront(from: waitingRange.lowerBound, count: waitingRange.count)
        waitingRange = 0..<waitingRange.count
        let wanted = max(least, Self.chunk)
        if waiting.count < wanted { waiting.append(contentsOf: repeatElement(0, count: wanted - waiting.count)) }
        while waitingRange.count < least, !sourceEnded {
            do throws(XMLError.Reason) {
                let room = waiting.count - waitingRange.count
                let got = try Self.read(&source, into: &waiting, at: waitingRange.count, upTo: room)
                if got == 0 { sourceEnded = true }
                waitingRange = 0..<waitingRange.count + got
            } catch {
                // What came before is looked at first.
                fault = error
                sourceEnded = true
            }
        }
    }

    /// Says that nothing comes any more, or why.
    func endOrFault() throws(XMLError.Reason) -> Int {
        if let fault { throw fault }
        return 0
    }

    private static func read(
        _ source: inout any ByteSource, into buffer: inout [UInt8], at offset: Int, upTo count: Int
    ) throws(XMLError.Reason) -> Int {
        do throws(ByteFault) {
            return try source.read(into: &buffer, at: offset, upTo: count)
        } catch {
            throw .unreadable(error)
        }
    }
}

extension Span<UInt8> {
    /// How many bytes from the beginning of a range on are ASCII.
    func countOfASCII(in range: Range<Int>) -> Int {
        var index = range.lowerBound
        while index &+ 8 <= range.upperBound, eightBytes(at: index) & 0x8080_8080_8080_8080 == 0 { index &+= 8 }
        while index < range.upperBound, self[index] < 0x80 { index &+= 1 }
        return index &- range.lowerBound
    }
}
