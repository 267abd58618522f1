import EPGJSON
package import XMLTV

/// A source that converts a guide or playlist that is not XML to UTF-8.
///
/// It detects UTF-16 and UTF-32 from the first bytes (see ``WideEncoding``). If the user specifies the encoding, only a
/// byte order mark overrides it. UTF-8 passes unchanged and unchecked.
package struct TextSource: ByteSource {
    /// How to handle bytes that are not UTF-8 if no encoding is specified.
    package enum EightBitText: Hashable, Sendable {
        /// Pass them on unchanged.
        case unchanged
        /// Convert the text from the most likely encoding if enough bytes indicate it. Otherwise pass them on
        /// unchanged.
        case guessed
    }

    /// Notes on the encoding in order of occurrence. All copies of a source share them.
    package final class Remarks {
        /// The notes since the last ``drainNotes()``.
        package fileprivate(set) var notes: [EncodingNote] = []

        /// Returns the notes since the last call.
        package func drainNotes() -> [EncodingNote] {
            defer { notes = [] }
            return notes
        }
    }

    private enum State {
        case unread
        case passing
        case decoding(DecodedSource)
        /// Like ``decoding(_:)``, until non-ASCII bytes show whether they are UTF-8.
        case undecided(DecodedSource)
    }

    private var source: any ByteSource
    private let encoding: String?
    private let repairs: Bool
    private let eightBitText: EightBitText
    private var state = State.unread
    /// Converted bytes for callers that read few at a time.
    private var spare: ArraySlice<UInt8> = []
    /// Notes on the encoding. They are complete at the end of the source.
    package let remarks = Remarks()

    /// The minimum size in bytes of a buffer that ``DecodedSource`` reads into.
    private static let minimumRoom = 32

    /// Creates a source of converted text without reading anything yet.
    ///
    /// - Parameters:
    ///   - source: The source of the encoded bytes.
    ///   - encoding: The encoding, which only a byte order mark overrides; `nil` detects it. The first read reports an
    ///     unknown name.
    ///   - repairs: Whether U+FFFD replaces invalid sequences of a converted text. Otherwise they are errors.
    ///   - eightBitText: How to handle bytes that are not UTF-8. The default passes them on.
    package init(
        _ source: some ByteSource, encoding: String? = nil, repairs: Bool = true,
        eightBitText: EightBitText = .unchanged
    ) {
        self.source = source
        self.encoding = encoding
        self.repairs = repairs
        self.eightBitText = eightBitText
    }

    package mutating func read(
        into buffer: inout [UInt8], at offset: Int, upTo count: Int
    ) throws(ByteFault) -> Int {
        if case .unread = state { state = try begin(source) }
        if case .passing = state { return try source.read(into: &buffer, at: offset, upTo: count) }
        if spare.isEmpty {
            guard count < Self.minimumRoom else { return try decode(into: &buffer, at: offset, upTo: count) }
            var room = [UInt8](repeating: 0, count: Self.minimumRoom)
            let got = try decode(into: &room, at: 0, upTo: Self.minimumRoom)
            spare = room[..<got]
        }
        let piece = spare.prefix(count)
        buffer.replaceSubrange(offset..<offset + piece.count, with: piece)
        spare = spare.dropFirst(piece.count)
        return piece.count
    }

    /// Detects the encoding from the first bytes.
    private mutating func begin(_ base: some ByteSource) throws(ByteFault) -> State {
        var peeked = PeekedSource(base)
        let wide = WideEncoding(firstBytes: try peeked.peek(4))
        source = peeked
        if let encoding {
            // `UTF-16` means either byte order. The bytes show which.
            let known = EncodingNames.canonical(encoding)
            let ordered = wide.flatMap { wide in known.map { wide.name == $0 + wide.order } == true ? wide.name : nil }
            return .decoding(DecodedSource(peeked, repairs: repairs, encoding: ordered ?? encoding))
        }
        if let wide { return .decoding(DecodedSource(peeked, repairs: repairs, encoding: wide.name)) }
        switch eightBitText {
        case .unchanged: return .passing
        case .guessed: return .undecided(DecodedSource(peeked, repairs: true))
        }
    }

    private mutating func decode(
        into buffer: inout [UInt8], at offset: Int, upTo count: Int
    ) throws(ByteFault) -> Int {
        do throws(XMLError.Reason) {
            switch state {
            case .unread, .passing: return 0
            case .decoding(var decoded):
                // Keep the value uniquely referenced.
                state = .passing
                defer { state = .decoding(decoded) }
                let got = try decoded.read(into: &buffer, at: offset, upTo: count)
                remarks.notes += decoded.takeNotes()
                return got
            case .undecided(var decoded):
                state = .passing
                var isDecided = false
                defer { state = isDecided ? .decoding(decoded) : .undecided(decoded) }
                var got = try decoded.read(into: &buffer, at: offset, upTo: count)
                let piece = buffer[offset..<offset + got]
                if piece.contains(where: { $0 >= 0x80 }) {
                    isDecided = true
                    if decoded.reconsider(piece, undecided: true) {
                        got = try decoded.read(into: &buffer, at: offset, upTo: count)
                    }
                }
                remarks.notes += decoded.takeNotes()
                return got
            }
        } catch {
            throw fault(error)
        }
    }

    /// Converts a fault of the conversion to a ``ByteFault``.
    private func fault(_ reason: XMLError.Reason) -> ByteFault {
        switch reason {
        case .unreadable(let fault): fault
        case .unexpectedEnd: .truncated(format: encoding ?? "UTF-16")
        case .invalidInEncoding(let name):
            .damaged(format: name, detail: "it contains byte sequences that are invalid in this encoding")
        default: .damaged(format: encoding ?? "text", detail: "\(reason)")
        }
    }
}
