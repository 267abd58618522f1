/// Why a document is refused, and where.
///
/// The error carries facts; ``description`` makes a sentence of them.
public struct XMLError: Error, Hashable, Sendable {
    public enum Reason: Error, Hashable, Sendable {
        // Not well-formed (XML 1.0, fifth edition); the section of the rule in brackets.
        /// A character that XML doesn't allow (2.2).
        case invalidCharacter(UInt32)
        /// Bytes that are no UTF-8.
        case invalidUTF8
        /// Bytes that are none in the encoding that is declared or told by the first bytes.
        case invalidInEncoding(String)
        /// Something else stands where this was expected, in words.
        case expected(String)
        /// `</b>` ends `<a>` (3, WFC: Element Type Match).
        case mismatchedEnd(expected: String, found: String)
        /// The same attribute twice in one tag (3.1, WFC: Unique Att Spec).
        case duplicateAttribute(String)
        /// `<` in the value of an attribute (3.1, WFC: No < in Attribute Values).
        case lessThanInAttribute
        /// `&` that begins no reference (4.1).
        case badReference
        /// A reference to a character that XML doesn't allow (4.1, WFC: Legal Character).
        case badCharacterReference
        /// A reference to an entity that nothing declares (4.1, WFC: Entity Declared).
        case undeclaredEntity(String)
        /// `]]>` in a text (2.4).
        case cdataEndInText
        /// `--` in a comment (2.5).
        case doubleHyphenInComment
        /// A processing instruction called `xml` (2.6).
        case reservedTarget
        /// The XML declaration is not at the very beginning, or is not as it must be (2.8).
        case badDeclaration
        /// More than one DOCTYPE, or one after the root element has begun (2.8).
        case misplacedDoctype
        /// Text or a second element after the root element (2.1).
        case contentAfterRoot
        /// The document ends too early; what was open, in words.
        case unexpectedEnd(inside: String)
        /// There is nothing in the document.
        case empty

        // Refused for safety.
        /// `<!ENTITY` in the internal subset of the DOCTYPE.
        case entityDeclaration
        /// XML 1.1, or a version that isn't 1.x.
        case unsupportedVersion(String)
        /// An encoding that the system's C library doesn't know.
        case unknownEncoding(String)
        /// The declared encoding and the first bytes contradict each other.
        case contradictoryEncoding(declared: String, found: String)
        /// One of ``XMLLimits`` was passed.
        case limit(XMLLimits.Name, Int)

        /// The document is no guide: its element is called otherwise than `tv`.
        case notXMLTV(root: String)

        /// The bytes couldn't be read.
        case unreadable(ByteFault)
    }

    public let reason: Reason
    /// The line, counted from 1 by line feeds.
    public let line: Int
    /// The byte's place in the document, from 0, after its conversion to UTF-8.
    public let offset: Int

    public init(reason: Reason, line: Int, offset: Int) {
        self.reason = reason
        self.line = line
        self.offset = offset
    }
}

/// A fault that was found at a place of the window; the reader makes an ``XMLError`` of it.
struct ScanFault: Error {
    /// What a fault is that only a scan which repairs looks for.
    enum Meaning {
        case plain
        /// `<tv>` as a child of `<tv>`: another document. The place is behind the tag.
        case secondRoot
        /// The first element is a channel or programme.
        case missingRoot
    }

    let reason: XMLError.Reason
    /// The place in the window.
    let offset: Int
    var meaning = Meaning.plain

    /// How far the scan had come.
    var end: Int {
        switch reason {
        case .limit(.recordBytes, let bytes), .limit(.textBytes, let bytes), .limit(.attributeBytes, let bytes):
            offset + bytes
        default: offset
        }
    }
}

extension XMLError: CustomStringConvertible {
    /// `line 12: </desc> ends <title>`.
    public var description: String { "line \(line): \(reason)" }
}

extension XMLError.Reason: CustomStringConvertible {
    public var description: String {
        switch self {
        case .invalidCharacter(let scalar):
            "the character U+\(String(scalar, radix: 16, uppercase: true)) is not allowed in XML"
        case .invalidUTF8: "these bytes are not UTF-8"
        case .invalidInEncoding(let name): "these bytes are not \(name), the document's encoding"
        case .expected(let what): "\(what) is expected here"
        case .mismatchedEnd(let expected, let found): "</\(found)> ends <\(expected)>"
        case .duplicateAttribute(let name): "the attribute \(name) stands twice in one tag"
        case .lessThanInAttribute: "'<' in the value of an attribute"
        case .badReference: "'&' begins no reference; an ampersand is written &amp;"
        case .badCharacterReference: "a reference to a character that XML does not allow"
        case .undeclaredEntity(let name): "the entity &\(name); is not declared"
        case .cdataEndInText: "']]>' in a text"
        case .doubleHyphenInComment: "'--' in a comment"
        case .reservedTarget: "a processing instruction can't be called xml"
        case .badDeclaration: "the XML declaration is wrong or not at the beginning"
        case .misplacedDoctype: "a DOCTYPE can't stand here"
        case .contentAfterRoot: "there is something after the end of the document's element"
        case .unexpectedEnd(let place): "the document ends \(place): it was cut off"
        case .empty: "the document is empty"
        case .entityDeclaration: "the DOCTYPE declares entities, which are refused for safety"
        case .unsupportedVersion(let version): "XML \(version) is not supported; XML 1.0 is"
        case .unknownEncoding(let name): "the encoding \(name) is not known"
        case .contradictoryEncoding(let declared, let found):
            "the document declares the encoding \(declared), but its bytes are \(found)"
        case .limit(let name, let value): "\(name.words(value))"
        case .notXMLTV(let root): "this is not XMLTV: its element is <\(root)>, not <tv>"
        case .unreadable(let fault): fault.words
        }
    }
}
