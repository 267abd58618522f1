/// A piece of a document, as offsets into the bytes of the record that it belongs to.
///
/// Tokens hold no bytes and no strings. They are valid until the reader goes on to the next record.
public struct XMLToken: BitwiseCopyable, Sendable {
    public enum Kind: UInt8, BitwiseCopyable, Sendable {
        /// `<name`: attributes follow as tokens of their own. ``XMLToken/offset`` is where its `<` stands.
        case start
        /// `name="value"`: the value is the content.
        case attribute
        /// A text between two pieces of markup: the content, with references as they are written.
        case text
        /// The content of a CDATA section.
        case cdata
        /// `</name>`, or the end of `<name/>`.
        case end
        /// The content of a comment.
        case comment
        /// `<?name content?>`.
        case processingInstruction
        /// A reference to an entity that an external DTD may declare: the name.
        case skippedEntity
    }

    public struct Flags: OptionSet, BitwiseCopyable, Sendable {
        public let rawValue: UInt8

        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// The content holds references that stand for other characters.
        public static let references = Flags(rawValue: 1)
        /// The content holds carriage returns (in attributes: any white space but blanks), which XML normalises.
        public static let lineEnds = Flags(rawValue: 2)
        /// The content holds bytes beyond ASCII.
        public static let beyondASCII = Flags(rawValue: 4)
        /// The content holds faults that were repaired (``XMLRepair``).
        public static let repaired = Flags(rawValue: 8)

        /// Whether the content is not what its bytes are.
        @inlinable public var needDecoding: Bool { rawValue & 11 != 0 }
    }

    public internal(set) var kind: Kind
    public internal(set) var flags: Flags
    /// The name, where it is one that XMLTV knows.
    public internal(set) var name: XMLTVName
    /// Bytes of the name.
    public internal(set) var nameCount: UInt16
    /// Where the name begins.
    public internal(set) var nameOffset: UInt32
    /// Where the content begins.
    public internal(set) var offset: UInt32
    /// Bytes of the content.
    public internal(set) var count: UInt32

    @inline(__always)
    init(
        _ kind: Kind, name: XMLTVName = .other, nameOffset: Int = 0, nameCount: Int = 0, offset: Int = 0,
        count: Int = 0, flags: Flags = []
    ) {
        self.kind = kind
        self.flags = flags
        self.name = name
        self.nameCount = UInt16(truncatingIfNeeded: nameCount)
        self.nameOffset = UInt32(truncatingIfNeeded: nameOffset)
        self.offset = UInt32(truncatingIfNeeded: offset)
        self.count = UInt32(truncatingIfNeeded: count)
    }
}
