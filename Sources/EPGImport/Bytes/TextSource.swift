import EPGJSON
package import XMLTV

/// The text of a guide or playlist that is no XML, in UTF-8 whatever it is written in.
///
/// UTF-16 and UTF-32 are told by their first bytes (see ``WideEncoding``), or a person says what the encoding is; then a
/// byte order mark alone says otherwise. UTF-8 passes as it is, straight from the source below, and is not checked.
package struct TextSource: ByteSource {
    /// What is done with bytes that are no UTF-8 where nobody says what they are.
    package enum EightBitText: Hashable, Sendable {
        /// They pass as they are.
        case passes
        /// The likeliest encoding is taken for all of the text, where many bytes tell it; else they pass.
        case isGuessed
    }

    /// Remarks on the encoding, in the order in which they came up; shared by the copies of a source.
    package final class Remarks {
        package fileprivate(set) var notes: [EncodingNote] = []

        /// Gives the remarks that were made since the last call.
        package func take() -> [EncodingNote] {
            defer { notes = [] }
            return notes
        }
    }

    private enum State {
        case unread
        case passing
        case decoding(DecodedSource)
        /// As ``decoding(_:)``, until bytes beyond ASCII show whether they are UTF-8.
        case undecided(DecodedSource)
    }

    private var source: any ByteSource
    private let encoding: String?
    private let repairs: Bool
    private let eightBitText: EightBitText
    private var state = State.unread
    /// Converted bytes for whoever asks for few at a time.
    private var spare: ArraySlice<UInt8> = []
    package let remarks = Remarks()

    /// The most that a character needs, so that ``DecodedSource`` can put it somewhere.
    private static let leastRoom = 32

    /// The text of a source; nothing is read yet.
    ///
    /// - Parameters:
    ///   - encoding: What it is written in, whatever the bytes tell; `nil` leaves it to them. A name that nobody knows is
    ///     a fault at the first reading.
    ///   - repairs: Whether what is no character becomes U+FFFD. Else it is a fault, where the text is converted.
    package init(
        _ source: some ByteSource, encoding: String? = nil, repairs: Bool = true,
        eightBitText: EightBitText = .passes
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
            guard count < Self.leastRoom else { return try decode(into: &buffer, at: offset, upTo: count) }
            var room = [UInt8](repeating: 0, count: Self.leastRoom)
            let got = try decode(into: &room, at: 0, upTo: Self.leastRoom)
            spare = room[..<got]
        }
        let piece = spare.prefix(count)
        buffer.replaceSubrange(offset..<offset + piece.count, with: piece)
        spare = spare.dropFirst(piece.count)
        return piece.count
    }

    /// Looks at the first bytes.
    private mutating func begin(_ base: some ByteSource) throws(ByteFault) -> State {
        var peeked = PeekedSource(base)
        let wide = WideEncoding(firstBytes: try peeked.peek(4))
        source = peeked
        if let encoding {
            // `UTF-16` means both orders; the bytes tell which.
            let known = EncodingNames.canonical(encoding)
            let ordered = wide.flatMap { wide in known.map { wide.name == $0 + wide.order } == true ? wide.name : nil }
            return .decoding(DecodedSource(peeked, repairs: repairs, encoding: ordered ?? encoding))
        }
        if let wide { return .decoding(DecodedSource(peeked, repairs: repairs, encoding: wide.name)) }
        switch eightBitText {
        case .passes: return .passing
        case .isGuessed: return .undecided(DecodedSource(peeked, repairs: true))
        }
    }

    private mutating func decode(
        into buffer: inout [UInt8], at offset: Int, upTo count: Int
    ) throws(ByteFault) -> Int {
        do throws(XMLError.Reason) {
            switch state {
            case .unread, .passing: return 0
            case .decoding(var decoded):
                // So that there is one copy only.
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

    /// A fault of the conversion as one of the bytes.
    private func fault(_ reason: XMLError.Reason) -> ByteFault {
        switch reason {
        case .unreadable(let fault): fault
        case .unexpectedEnd: .cutOff(format: encoding ?? "UTF-16")
        case .invalidInEncoding(let name):
            .damaged(format: name, detail: "there are bytes in it that are none of its characters")
        default: .damaged(format: encoding ?? "text", detail: "\(reason)")
        }
    }
}
