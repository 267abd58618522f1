/// The reason why a document is rejected, and its position.
///
/// The properties carry the facts. ``description`` is the error message.
public struct XMLError: Error, Hashable, Sendable {
    /// The reason why a document is rejected.
    public enum Reason: Error, Hashable, Sendable {
        // Malformed XML (XML 1.0, fifth edition), with the section of the rule in parentheses.
        /// A character that XML doesn't allow (2.2).
        case invalidCharacter(UInt32)
        /// Bytes that are not valid UTF-8.
        case invalidUTF8
        /// Bytes that are not valid in the declared or detected encoding.
        case invalidInEncoding(String)
        /// Other bytes in place of this expected construct, as a noun phrase.
        case expected(String)
        /// `</b>` ends `<a>` (3, WFC: Element Type Match).
        case mismatchedEnd(expected: String, found: String)
        /// The same attribute twice in one tag (3.1, WFC: Unique Att Spec).
        case duplicateAttribute(String)
        /// `<` in the value of an attribute (3.1, WFC: No < in Attribute Values).
        case lessThanInAttribute
        /// `&` that does not start a reference (4.1).
        case badReference
        /// A reference to a character that XML doesn't allow (4.1, WFC: Legal Character).
        case badCharacterReference
        /// A reference to an undeclared entity (4.1, WFC: Entity Declared).
        case undeclaredEntity(String)
        /// `]]>` in text (2.4).
        case cdataEndInText
        /// `--` in a comment (2.5).
        case doubleHyphenInComment
        /// A processing instruction named `xml` (2.6).
        case reservedTarget
        /// An XML declaration that is malformed or not at the start of the document (2.8).
        case badDeclaration
        /// More than one DOCTYPE, or one after the start of the root element (2.8).
        case misplacedDoctype
        /// Text or a second element after the root element (2.1).
        case contentAfterRoot
        /// The document is truncated: the place where it ends, as a phrase.
        case unexpectedEnd(inside: String)
        /// An empty document.
        case empty

        // Rejected for safety.
        /// `<!ENTITY` in the internal subset of the DOCTYPE.
        case entityDeclaration
        /// XML 1.1, or a version other than 1.x.
        case unsupportedVersion(String)
        /// An encoding that the system's C library doesn't support.
        case unknownEncoding(String)
        /// A declared encoding that contradicts the first bytes.
        case contradictoryEncoding(declared: String, found: String)
        /// The document exceeds one of ``XMLLimits``.
        case limit(XMLLimits.Name, Int)

        /// A document that is not XMLTV: its root element is not `tv`.
        case notXMLTV(root: String)

        /// The bytes can't be read.
        case unreadable(ByteFault)
    }

    /// The reason why the document is rejected.
    public let reason: Reason
    /// The line number, from 1, counting line feeds.
    public let line: Int
    /// The byte offset in the document, from 0, after conversion to UTF-8.
    public let offset: Int

    /// Creates an error at a position in the document.
    public init(reason: Reason, line: Int, offset: Int) {
        self.reason = reason
        self.line = line
        self.offset = offset
    }
}

/// A fault at a position of the window. The scanner converts it to an ``XMLError``.
struct ScanFault: Error {
    /// A special meaning of a fault, for repairing scans.
    enum Meaning {
        case plain
        /// `<tv>` as a child of `<tv>`: another document. The position is after the tag.
        case secondRoot
        /// The first element is a channel or programme.
        case missingRoot
    }

    let reason: XMLError.Reason
    /// The position in the window.
    let offset: Int
    var meaning = Meaning.plain

    /// The position that the scan had reached.
    var end: Int {
        switch reason {
        case .limit(.recordBytes, let bytes), .limit(.textBytes, let bytes), .limit(.attributeBytes, let bytes):
            offset + bytes
        default: offset
        }
    }
}

extension XMLError: CustomStringConvertible {
    /// `line 12: </desc> ends <title>`, or `line 1, byte 48211: …` far from the start of a document that may have only one
    /// line.
    public var description: String {
        "line \(line)\(line == 1 && offset >= Self.minimumOffset ? ", byte \(offset)" : ""): \(reason)"
    }

    /// The first offset in line 1 that messages mention.
    package static let minimumOffset = 200
}

extension XMLError.Reason: CustomStringConvertible {
    public var description: String {
        switch self {
        case .invalidCharacter(let scalar):
            "the character U+\(String(scalar, radix: 16, uppercase: true)) is not allowed in XML"
        case .invalidUTF8: "these bytes are not UTF-8"
        case .invalidInEncoding(let name): "these bytes are not \(name), the document's encoding"
        case .expected(let what): "expected \(what)"
        case .mismatchedEnd(let expected, let found): "</\(found)> ends <\(expected)>"
        case .duplicateAttribute(let name): "duplicate attribute \(name) in a tag"
        case .lessThanInAttribute: "'<' in an attribute value"
        case .badReference: "'&' does not start a reference; write &amp; for an ampersand"
        case .badCharacterReference: "a reference to a character that XML does not allow"
        case .undeclaredEntity(let name): "the entity &\(name); is not declared"
        case .cdataEndInText: "']]>' in text"
        case .doubleHyphenInComment: "'--' in a comment"
        case .reservedTarget: "a processing instruction must not be named xml"
        case .badDeclaration: "the XML declaration is malformed or not at the start of the document"
        case .misplacedDoctype: "misplaced DOCTYPE"
        case .contentAfterRoot: "content after the end of the root element"
        case .unexpectedEnd(let place): "the document is truncated: it ends \(place)"
        case .empty: "the document is empty"
        case .entityDeclaration: "the DOCTYPE declares entities, which are rejected for safety"
        case .unsupportedVersion(let version): "XML \(version) is not supported; XML 1.0 is"
        case .unknownEncoding(let name): "unknown encoding \(name)"
        case .contradictoryEncoding(let declared, let found):
            "the document declares the encoding \(declared), but its bytes are \(found)"
        case .limit(let name, let value): name.message(value)
        case .notXMLTV(let root): "not XMLTV: the root element is <\(root)>, not <tv>"
        case .unreadable(let fault): fault.description
        }
    }
}
