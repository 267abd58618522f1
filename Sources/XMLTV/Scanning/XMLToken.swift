/// A token of a document, as offsets into the bytes of its record.
///
/// Tokens hold no bytes and no strings. They are valid until the reader reads the next record.
public struct XMLToken: BitwiseCopyable, Sendable {
    /// The kind of a token.
    public enum Kind: UInt8, BitwiseCopyable, Sendable {
        /// `<name`: its attributes follow as separate tokens. ``XMLToken/offset`` is the position of the `<`.
        case start
        /// `name="value"`: the content is the value.
        case attribute
        /// Text between two pieces of markup: the content, with references as written.
        case text
        /// The content of a CDATA section.
        case cdata
        /// `</name>`, or the end of `<name/>`.
        case end
        /// The content of a comment.
        case comment
        /// `<?name content?>`.
        case processingInstruction
        /// A reference to an entity that an external DTD may declare: the content is its name.
        case skippedEntity
    }

    /// Properties of a token's content.
    public struct Flags: OptionSet, BitwiseCopyable, Sendable {
        public let rawValue: UInt8

        /// Creates a set from its bits: the sum of the raw values of the flags.
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// The content holds references.
        public static let references = Flags(rawValue: 1)
        /// The content holds carriage returns (in attributes: any white space but spaces), which XML normalizes.
        public static let lineEnds = Flags(rawValue: 2)
        /// The content holds non-ASCII bytes.
        public static let nonASCII = Flags(rawValue: 4)
        /// The content holds repaired faults (``XMLRepair``).
        public static let repaired = Flags(rawValue: 8)

        /// Whether the decoded content may differ from its bytes.
        @inlinable public var requiresDecoding: Bool { rawValue & 11 != 0 }
    }

    /// The kind of the token.
    public internal(set) var kind: Kind
    /// Properties of the content.
    public internal(set) var flags: Flags
    /// The name, if it is one of ``XMLTVName``.
    public internal(set) var name: XMLTVName
    /// The length of the name in bytes.
    public internal(set) var nameCount: UInt16
    /// The offset of the name in the record, in bytes.
    public internal(set) var nameOffset: UInt32
    /// The offset of the content in the record, in bytes.
    public internal(set) var offset: UInt32
    /// The length of the content in bytes.
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

/// A record that another format provides, as the tokens and bytes that ``XMLTVReader`` has for a record of XMLTV.
package struct XMLTokenRecord {
    /// The maximum length of a name in bytes.
    package static let maximumNameCount = Int(UInt16.max)

    /// The names and contents. Nothing in them needs decoding.
    package private(set) var bytes: [UInt8] = []
    package private(set) var tokens: [XMLToken] = []

    /// Creates a record and starts its element.
    package init(_ name: XMLTVName) {
        start("\(name.text)")
    }

    /// Starts an element. Its attributes follow.
    ///
    /// - Precondition: The name has at most ``maximumNameCount`` bytes.
    package mutating func start(_ name: String) { append(.start, name: name) }

    /// Adds an attribute of the element that started last.
    ///
    /// - Precondition: The name has at most ``maximumNameCount`` bytes.
    package mutating func attribute(_ name: String, _ value: String) { append(.attribute, name: name, content: value) }

    /// Adds a text to the open element.
    package mutating func text(_ text: String) {
        let offset = append(text)
        tokens.append(XMLToken(.text, offset: offset, count: bytes.count - offset))
    }

    /// Ends the open element.
    package mutating func end() { tokens.append(XMLToken(.end, offset: bytes.count)) }

    private mutating func append(_ kind: XMLToken.Kind, name: String, content: String = "") {
        let nameOffset = append(name)
        let offset = append(content)
        precondition(offset - nameOffset <= Self.maximumNameCount, "The name is too long.")
        tokens.append(
            XMLToken(
                kind, name: XMLTVName.byText[name] ?? .other, nameOffset: nameOffset, nameCount: offset - nameOffset,
                offset: offset, count: bytes.count - offset))
    }

    /// Appends bytes and returns their offset.
    private mutating func append(_ text: String) -> Int {
        defer { bytes.append(contentsOf: text.utf8) }
        return bytes.count
    }
}
